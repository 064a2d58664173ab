"""The contract: every obligatory point of the methodology, and an example that is valid."""
import json
import re

import pytest
from jsonschema import Draft202012Validator

from toolgate.contract.text import contract
from toolgate.conversation import Forced, JsonSchema, Message, Request, Role, Tool, ToolResult
from toolgate.errors import ClientError

READ = Tool("read", "Reads.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
PING = Tool("ping", "", {})
BLOCK = re.compile(r"```json action\n(.*?)\n```", re.DOTALL)


def told(*tools, **more):
    return contract(Request("m", (), tools or (READ, PING), **more))


@pytest.mark.parametrize(
    "point",
    [
        pytest.param("you can use them now", id="the tools are there"),
        pytest.param('```json action\n{"tool": "NAME", "parameters": {"key": "value"}}\n```', id="one fixed form"),
        pytest.param("When a tool is needed you must write the block", id="it must be written when needed"),
        pytest.param("Independent calls: write several blocks", id="independent calls together"),
        pytest.param("depends on the result of another one waits", id="dependent calls wait"),
        pytest.param("plain text without a block only when no tool is needed", id="plain text only without need"),
        pytest.param("do not\nexplain why you could not call", id="no explaining"),
        pytest.param("1. A tool is needed", id="first state"),
        pytest.param("2. You have called and wait", id="second state"),
        pytest.param("3. The results suffice", id="third state"),
        pytest.param("(one more thing is missing)", id="an example with a second call"),
        pytest.param("read({\n  path: string,\n})", id="the parameters with their types"),
    ],
)
def test_says(point):
    assert point in told()


def test_the_example_calls_twice_and_differently():
    _, first, second = BLOCK.findall(told())
    assert json.loads(first)["tool"] == "read" and json.loads(second) == {"tool": "ping", "parameters": {}}


def test_one_tool_is_called_with_other_arguments_the_second_time():
    _, first, second = BLOCK.findall(told(READ))
    assert first != second


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 5}, {"type": "number"}, {"type": "boolean"}, {"enum": ["a", "b"]}, {"const": 7},
        {"type": "array", "minItems": 1, "items": {"type": "integer"}}, {"type": "array"}, {"anyOf": [{"type": "null"}, {}]},
        {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}, {"type": "string"},
    ],
    ids=str,
)
def test_the_example_fits_the_schema(schema):
    whole = {"type": "object", "properties": {"p": schema}, "required": ["p"]}
    _, *calls = BLOCK.findall(told(Tool("f", "", whole)))
    assert [list(Draft202012Validator(whole).iter_errors(json.loads(call)["parameters"])) for call in calls] == [[], []]


def test_one_call_only():
    assert "at most one block" in told(parallel=False) and "several blocks" not in told(parallel=False)


def test_a_forced_tool():
    assert 'You must call "ping" now' in told(choice=Forced("ping")) and "You must call" in told(choice=Forced())


def test_a_forced_tool_that_has_answered_is_not_demanded_again():
    answered = (Message(Role.TOOL, (ToolResult("1", (), "ping"),)),)
    assert "You must call" not in contract(Request("m", answered, (READ, PING), choice=Forced("ping")))


def test_the_form_of_the_answer():
    assert '{"type":"array"}' in told(format=JsonSchema({"type": "array"}))


def test_a_tool_known_from_the_history_only():
    assert "as in its earlier calls\nping(...)" in told(Tool("ping", "", {"type": "object"}, recovered=True))


def test_the_same_tools_give_the_same_bytes():
    assert told() == told() and told().startswith("# Tools")


def test_a_schema_nested_too_deeply_is_a_clear_error():
    schema = {}
    for _ in range(300):
        schema = {"properties": {"a": schema}}
    with pytest.raises(ClientError, match="nested too deeply"):
        told(Tool("f", "", schema))
