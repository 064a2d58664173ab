"""The shapes in which a JSON value says a call."""
import pytest

from toolgate.dialects.shapes import calls_of


def said(text):
    return [(call.name, call.arguments) for call in calls_of(text)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"tool": "f", "parameters": {"a": 1}}', id="tool and parameters"),
        pytest.param('{"parameters": {"a": 1}, "tool": "f"}', id="the arguments first"),
        pytest.param('{"tool_name": "f", "parameters": {"a": 1}}', id="tool_name"),
        pytest.param('{"name": "f", "arguments": {"a": 1}}', id="name and arguments"),
        pytest.param('{"function": "f", "arguments": {"a": 1}}', id="function"),
        pytest.param('{"action": "f", "action_input": {"a": 1}}', id="action and action_input"),
        pytest.param('{"tool": "f", "args": {"a": 1}}', id="args"),
        pytest.param('{"tool": "f", "params": {"a": 1}}', id="params"),
        pytest.param('{"name": "f", "input": {"a": 1}}', id="input"),
        pytest.param('{"type": "tool_use", "id": "x", "name": "f", "input": {"a": 1}}', id="as the messages API has it"),
        pytest.param('{"function": {"name": "f", "arguments": {"a": 1}}}', id="wrapped in function"),
        pytest.param('{"id": "x", "type": "function", "function": {"name": "f", "arguments": "{\\"a\\": 1}"}}', id="as chat completions have it"),
        pytest.param('{"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}', id="wrapped in tool_calls"),
        pytest.param('{"role": "assistant", "content": null, "tool_calls": [{"name": "f", "arguments": {"a": 1}}]}', id="a whole message"),
        pytest.param('[{"tool": "f", "parameters": {"a": 1}}]', id="in a list"),
        pytest.param('[[{"tool": "f", "parameters": {"a": 1}}]]', id="in a list of lists"),
        pytest.param('"{\\"tool\\": \\"f\\", \\"parameters\\": {\\"a\\": 1}}"', id="in a string"),
        pytest.param('{"tool": "f", "a": 1}', id="arguments beside tool"),
        pytest.param('{"tool_name": "f", "a": 1}', id="arguments beside tool_name"),
        pytest.param('{"tool": null, "name": "f", "arguments": {"a": 1}}', id="a tool that is null, and a name"),
        pytest.param('{"tool": "f", "thought": "so", "parameters": {"a": 1}}', id="with a thought beside it"),
    ],
)
def test_a_call(text):
    assert said(text) == [("f", '{"a": 1}')]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"tool": "f"}', id="no key"),
        pytest.param('{"name": "f"}', id="no key beside name"),
        pytest.param('{"tool": "f", "parameters": null}', id="null"),
        pytest.param('{"tool": "f", "parameters": ""}', id="an empty string"),
        pytest.param('{"tool": "f", "parameters": {}}', id="an empty object"),
        pytest.param('{"tool": "f", "parameters": "{}"}', id="an empty object in a string"),
        pytest.param('{"name": "f", "arguments": null}', id="null beside name"),
    ],
)
def test_no_arguments_are_an_empty_object(text):
    assert said(text) == [("f", "{}")]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        pytest.param('{"tool": "f", "parameters": {"a":1.50 , "b":"\\u0061"}}', '{"a":1.50 , "b":"\\u0061"}', id="as they were written"),
        pytest.param('{"tool": "f", "parameters": "{\\"a\\":1.50 }"}', '{"a":1.50 }', id="as they were written in a string"),
        pytest.param('{"tool": "f", "parameters": "{\\"a\\": \\"\\\\\\\\d\\"}"}', '{"a": "\\\\d"}', id="a string is decoded once"),
        pytest.param('{"tool": "f", "parameters": {"n": 9007199254740993}}', '{"n": 9007199254740993}', id="all digits"),
        pytest.param('{"tool": "f", "parameters": {"a": "{\\"b\\": 1}"}}', '{"a": "{\\"b\\": 1}"}', id="JSON in an argument stays a string"),
        pytest.param('{"tool": "f", "parameters": {"name": "x", "tool": "y"}}', '{"name": "x", "tool": "y"}', id="parameters called as the name's keys"),
        pytest.param('{"tool": "f", "parameters": {"parameters": {"a": 1}}}', '{"parameters": {"a": 1}}', id="a parameter called parameters"),
        pytest.param('{"tool": "f", "parameters": {"arguments": "x", "args": []}}', '{"arguments": "x", "args": []}', id="parameters called as the arguments' keys"),
        pytest.param('{"tool": "f", "parameters": {"type": "object", "n": 1}}', '{"type": "object", "n": 1}', id="a parameter called type"),
        pytest.param('{"tool": "f", "parameters": {"properties": {"a": 1}}}', '{"properties": {"a": 1}}', id="a parameter called properties"),
        pytest.param('{"tool": "f", "name": "x"}', '{"name": "x"}', id="beside tool, one called name"),
        pytest.param('{"tool": "f", "action": "go"}', '{"action": "go"}', id="beside tool, one called action"),
        pytest.param('{"tool": "f", "input": "text"}', '{"input": "text"}', id="beside tool, one called input"),
        pytest.param('{"tool": "f", "args": ["-l"]}', '{"args": ["-l"]}', id="beside tool, a list called args"),
        pytest.param('{"tool": "f", "é\\"": 1, "n": 1.50}', '{"é\\"": 1, "n": 1.50}', id="beside tool, odd keys and figures"),
        pytest.param('{"tool": "f", "parameters": {"a": 1}, "args": {"b": 2}}', '{"a": 1}', id="parameters before other keys"),
    ],
)
def test_the_arguments(text, arguments):
    assert said(text) == [("f", arguments)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[{"tool": "f", "parameters": {"a": 1}}, {"name": "g", "arguments": {"b": 2}}]', id="a list of two shapes"),
        pytest.param('{"tool_calls": [{"name": "f", "arguments": {"a": 1}}, {"function": {"name": "g", "arguments": {"b": 2}}}]}', id="two in tool_calls"),
        pytest.param('[1, {"tool": "f", "parameters": {"a": 1}}, null, {"tool": "g", "parameters": {"b": 2}}]', id="among other items"),
    ],
)
def test_several_calls_in_order(text):
    assert said(text) == [("f", '{"a": 1}'), ("g", '{"b": 2}')]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{}", id="an empty object"),
        pytest.param("[]", id="an empty list"),
        pytest.param("1", id="a number"),
        pytest.param("null", id="null"),
        pytest.param('"f"', id="a string that is no JSON"),
        pytest.param('"{f}"', id="a string in braces"),
        pytest.param('{"a": 1}', id="no name"),
        pytest.param('{"parameters": {"a": 1}}', id="arguments of nothing"),
        pytest.param('{"tool": 5, "parameters": {}}', id="a name that is a number"),
        pytest.param('{"tool": null}', id="a name that is null"),
        pytest.param('{"tool": {"a": 1}}', id="a name that is an object"),
        pytest.param('{"tool_calls": []}', id="no calls in tool_calls"),
        pytest.param('{"name": "f", "version": "1"}', id="a name among other keys"),
        pytest.param('{"action": "f", "target": "x"}', id="an action among other keys"),
        pytest.param('{"tool": "f", "parameters": [1]}', id="parameters that are a list"),
        pytest.param('{"tool": "f", "parameters": "text"}', id="parameters that are prose"),
        pytest.param('{"tool": "f", "parameters": "{\\"a\\": "}', id="parameters that are half an object"),
        pytest.param('{"tool": "f", "arguments": 3}', id="arguments that are a number"),
        pytest.param('{"name": "f", "parameters": {"type": "object", "properties": {"a": {}}}}', id="a definition"),
        pytest.param('{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}}', id="a wrapped definition"),
        pytest.param('{"outer": {"tool": "f", "parameters": {}}}', id="a call within something else"),
    ],
)
def test_no_call(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "surely"),
    [
        pytest.param('{"tool": "f", "parameters": {}}', True, id="it has the arguments' key"),
        pytest.param('{"name": "f", "arguments": null}', True, id="it has the key, with nothing in it"),
        pytest.param('{"tool": "f"}', True, id="it is nothing but a tool"),
        pytest.param('{"tool": "f", "id": "x"}', True, id="nothing but a tool and an id"),
        pytest.param('{"tool": "f", "a": 1}', False, id="other keys beside tool"),
        pytest.param('{"name": "f"}', False, id="a name alone may be anything"),
    ],
)
def test_surely_a_call(text, surely):
    assert [call.surely for call in calls_of(text)] == [surely]


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        pytest.param('{"tool": "f", "parameters": {"a": 1}}', (), id="none"),
        pytest.param('{"tool": "f"}', (), id="none where there are no arguments"),
        pytest.param('{"tool": "f", "parameters": "{\\"a\\": 1}"}', ("arguments_as_text",), id="a JSON text"),
        pytest.param('{"tool": "f", "a": 1}', ("flat_arguments",), id="arguments beside the name"),
    ],
)
def test_repairs_are_told(text, repairs):
    assert [call.repairs for call in calls_of(text)] == [repairs]
