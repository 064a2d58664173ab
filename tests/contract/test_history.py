"""Calls and results of the history as text: each wrapped, none bare, none lost."""
import pytest

from toolgate.contract.history import EXPECTED, OPTIONAL, as_text
from toolgate.conversation import Kind, Message, Notice, Reasoning, Role, Text, ToolCall, ToolResult

USER = Message(Role.USER, (Text("go"),))


def texts(*messages, expected=False):
    return [(m.role.value, "".join(part.text for part in m.parts)) for m in as_text(messages, expected)]


def called(*calls, before=()):
    return Message(Role.ASSISTANT, (*before, *calls))


def result(id, text="", **more):
    return Message(Role.TOOL, (ToolResult(id, (Text(text),) if text else (), **more),))


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        pytest.param(ToolCall("1", "f", '{"n": 12345678901234567890123}'), '{"n": 12345678901234567890123}', id="digits are kept"),
        pytest.param(ToolCall("1", "f", ""), "{}", id="no arguments"),
        pytest.param(ToolCall("1", "f", "not json"), '"not json"', id="what cannot be read is one string"),
        pytest.param(ToolCall("1", "f", "[1]"), "[1]", id="an array as it is"),
        pytest.param(ToolCall("1", "f", 'a "b"', Kind.FREEFORM), '{"input": "a \\"b\\""}', id="raw text"),
    ],
)
def test_a_call_is_the_block_that_the_model_should_have_written(call, parameters):
    [(_, said), _] = texts(called(call), USER)[:1] + [None]
    assert said == f'Call 1:\n```json action\n{{"tool": "f", "parameters": {parameters}}}\n```\n'


def test_a_result_names_its_call_and_tool_and_leaves_both_ways_open():
    said = texts(called(ToolCall("1", "ping", "{}")), result("1", "pong"))
    assert said[1] == ("user", f"Tool result for 1 (ping):\npong\n\n{OPTIONAL}")


def test_parallel_results_stand_one_by_one_in_one_turn():
    said = texts(called(ToolCall("1", "a", ""), ToolCall("2", "b", "")), result("1", "x"), result("2", "y", failed=True))
    assert said[1][1] == f"Tool result for 1 (a):\nx\n\nTool result for 2 (b), which failed:\ny\n\n{OPTIONAL}"


def test_where_a_call_is_expected_only_the_last_turn_asks_for_it():
    call, other = called(ToolCall("1", "a", "")), called(ToolCall("2", "a", ""))
    said = texts(call, result("1", "x"), other, result("2", "y"), expected=True)
    assert said[1][1].endswith(OPTIONAL) and said[3][1].endswith(EXPECTED)


def test_a_result_alone_is_named_by_what_the_client_says():
    assert texts(result("7", "x", tool="ping"))[0][1].startswith("Tool result for 7 (ping):\nx")


@pytest.mark.parametrize("parts", [(), (Text(""),)], ids=["no part", "an empty text"])
def test_an_empty_result_says_so(parts):
    said = texts(called(ToolCall("1", "a", "")), Message(Role.TOOL, (ToolResult("1", parts),)))
    assert "Tool result for 1 (a):\n(no result)" in said[1][1]


@pytest.mark.parametrize("after", [(USER,), (result("1", "x"), USER), (result("1", "x"),)], ids=["none", "one, and on", "one"])
def test_a_call_without_a_result_gets_an_empty_one(after):
    said = texts(called(ToolCall("1", "a", ""), ToolCall("2", "b", "")), *after)
    assert "Tool result for 2 (b):\n(no result)" in said[1][1] and said[1][0] == "user"


def test_a_call_that_waits_at_the_end_gets_none():
    assert len(texts(USER, called(ToolCall("1", "a", "")))) == 2


def test_reasoning_before_a_call_leaves_no_blank_line():
    assert texts(called(ToolCall("1", "a", ""), before=(Reasoning("hm"),)), USER)[0][1].startswith("Call 1:")


@pytest.mark.parametrize("parts", [(), (Text(""),), (Reasoning("hm"),)], ids=["none", "empty", "reasoning"])
def test_a_turn_that_says_nothing_is_left_out(parts):
    assert texts(USER, Message(Role.ASSISTANT, parts), USER) == [("user", "go"), ("user", "go")]


def test_no_messages():
    assert as_text((), False) == ()


def test_what_is_added_is_known_as_our_own():
    [_, turn] = as_text((called(ToolCall("1", "a", "")), result("1", "x")), False)
    assert [type(part) for part in turn.parts] == [Notice, Text, Notice]
