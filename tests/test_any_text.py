"""Whatever a model writes, however it is cut: the same reading, no text lost or doubled, no call invented, no exception."""
import os
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from toolgate.testing import parse, parse_stream

EXAMPLES = int(os.environ.get("TOOLGATE_EXAMPLES", 200))
TOOLS = [
    {"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "string"}, "n": {"type": "integer"}}}},
    {"name": "go_on", "parameters": {"type": "object"}},
]
PIECES = [
    "```json action\n", "```json\n", "```\n", "\n```", "```", "````", "~~~\n", "`", "``", "action\n", "json", "Call c1:\n", "Call ", "> ",
    '{"tool": "f", "parameters": {"x": "y"}}', '{"tool": "go_on", "parameters": {}}', '{"name": "f", "arguments": {"n": 3}}',
    '{"tool": "nope", "parameters": {}}', '{"a": 1}', "[", "]", "{", "}", '"', "'", "“", "”", ",", ":", "\\", '\\"', "//", "/*", "#",
    "<tool_call>", "</tool_call>", "<think>", "</think>", "<", "\n", "\r\n", "\r", " ", "    ", "\t", "\ufeff", "\u200b", "tool", "f", "true",
    "<|python_tag|>", "[TOOL_CALLS]", "f[ARGS]", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>",
    "<|tool_call_begin|>", "functions.f:0", "<|tool_call_argument_begin|>", "<|channel|>", "analysis", "final", "commentary to=functions.f ",
    "<|message|>", "<|end|>", "<|call|>", "<|start|>assistant", "<function=f>", "<parameter=x>", "</parameter>", "</function>", "f\n",
    "<arg_key>x</arg_key>", "<arg_value>y</arg_value>", "<function_calls>", '<invoke name="f">', '<parameter name="x">', "</invoke>",
    "</function_calls>", "functools", "Action: f\n", "Action Input: ", "Thought: ", "Final Answer:", "TOOL_CALL: f\n", "ARGUMENTS: ", "[f(x='y')]", "[f(",
    "```tool_code\n", "print(f(x=1))", "<f>", "</f>", "<x>", "</x>", "12345678901234567890", "NaN", "&quot;", "word ", "Tool result for c1 (f):", "…", "\ud83d\ude00", "{'tool': 'f', 'parameters': {'x': 'y'}}",
]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=24).map("".join)


def cut(text, at):
    """The text in pieces that end at these places."""
    places = [0, *sorted({place % (len(text) + 1) for place in at}), len(text)]
    return [text[a:b] for a, b in pairwise(places)]


def without_thoughts(text):
    """With nothing in it that goes to the reasoning, or that is a model's own sign and no text."""
    for sign in ("<think", "<|channel|>", "Thought:", "<|end|>", "<|call|>", "<|start|>"):
        text = text.replace(sign, "~")
    return text


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 10_000), max_size=6))
def test_the_reading_does_not_depend_on_the_cut(text, at):
    assert parse_stream(cut(text, at), TOOLS) == parse(text, TOOLS)


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS)
def test_character_by_character_it_is_the_same(text):
    assert parse_stream(text, TOOLS) == parse(text, TOOLS)


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS)
def test_without_tools_and_thoughts_the_text_comes_through_as_it_is(text):
    text = without_thoughts(text)
    assert parse(text, []) == ([], text or None)


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS)
def test_what_is_no_call_is_all_there_once(text):
    text = without_thoughts(text)
    calls, content = parse(text, TOOLS)
    if not calls:
        assert (content or "") == text


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS)
def test_no_call_is_made_up(text):
    for call in parse(text, TOOLS)[0]:
        assert call["name"] in ("f", "go_on") and call["name"].replace("_", "") in text.replace("_", "").lower()
        assert all(str(value) in text or value is True for value in call["arguments"].values() if not isinstance(value, (dict, list)))
