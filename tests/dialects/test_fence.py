"""The forms in which models write the contract's block."""
import json

import pytest

from toolgate.dialects.names import Names
from toolgate.dialects.reader import CallReader
from toolgate.events import CallClosed, CallGarbled, TextDelta

BODY = '{"tool": "f", "parameters": {"n": 9007199254740993}}'


def read(text, size):
    reader = CallReader(lambda: "id", Names(["f"]))
    events = [e for at in range(0, len(text), size) for e in reader.feed(text[at : at + size])]
    events += reader.close()
    prose = "".join(e.text for e in events if type(e) is TextDelta)
    return [(e.call.tool, json.loads(e.call.arguments)) for e in events if type(e) is CallClosed], prose, events


@pytest.mark.parametrize("size", [1, 3, 16, 4096])
@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        pytest.param(f"```json action\n{BODY}\n```", {"n": 9007199254740993}, id="as the contract has it"),
        pytest.param(f"```action\n{BODY}\n```", {"n": 9007199254740993}, id="labelled action"),
        pytest.param(f"```json_action\n{BODY}\n```", {"n": 9007199254740993}, id="with an underscore"),
        pytest.param(f"```tool_call\n{BODY}\n```", {"n": 9007199254740993}, id="labelled tool_call"),
        pytest.param('```json action\n{"name": "f", "arguments": {"a": 1}}\n```', {"a": 1}, id="other keys"),
        pytest.param('```json action\n{"tool_name": "f", "args": "{\\"a\\": 1}"}\n```', {"a": 1}, id="arguments as a string"),
        pytest.param('```json action\n{"tool": "f", "parameters": null}\n```', {}, id="null is no arguments"),
        pytest.param('```json action\n{"tool": "f", "parameters": ""}\n```', {}, id="an empty string is none either"),
        pytest.param('```json action\n{"tool": "f"}\n```', {}, id="nor is a missing key"),
    ],
)
def test_a_call(text, arguments, size):
    calls, prose, _ = read(f"so {text} then", size)
    assert (calls, prose.split()) == ([("f", arguments)], ["so", "then"])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```json action\n{}\n```", id="nothing to call"),
        pytest.param('```action\n{"tool": {"a": 1}}\n```', id="a name that is none"),
        pytest.param('```action\n{"tool": "f", "parameters": [1]}\n```', id="arguments that are a list"),
        pytest.param('```tool_call\n{"tool": "f", "parameters": {"a', id="cut off"),
    ],
)
def test_what_is_no_call_stays_as_it_was_written(text):
    calls, _, events = read(text, 3)
    assert calls == [] and "".join(e.text for e in events if type(e) in (TextDelta, CallGarbled)) == text
