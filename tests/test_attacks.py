"""Texts that once made toolgate run a wrong call, lose text or fail: found by attacking the reading."""
import pytest

from toolgate.testing import parse, parse_stream

TOOLS = [
    {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}},
    {"name": "write_file", "parameters": {"type": "object", "properties": {
        "path": {"type": "string"}, "content": {"type": "string"}, "n": {"type": "integer"}, "x": {"type": "number"}, "l": {"type": "array"}}}},
]
B = '{"tool": "f", "parameters": {"a": 1}}'
C = f"```json action\n{B}\n```"


def written(inner):
    return '```json action\n{"tool": "write_file", "parameters": {' + inner + "}}\n```"


def called(text):
    whole = parse(text, TOOLS)
    assert parse_stream(text, TOOLS) == whole
    return [(call["name"], call["arguments"]) for call in whole[0]]


@pytest.mark.parametrize(
    "inner",
    ['"content": "say "" now"', '"content": "a""b"', '"content": "a" "b"', "\"content\": 'x' 'y'", '"content": f"x"', '"content": r"\\d"',
     '"content": """x"""', '"content": "x"; rm', '"content": "half'],
)
def test_a_string_is_never_shortened_nor_made_up(inner):
    assert called(written(inner)) == []


def test_an_unclosed_string_does_not_swallow_the_next_call():
    text = '```json action\n{"tool": "write_file", "parameters": {"content": "half\n```\nAgain:\n' + written('"content": "whole"')
    assert all(arguments == {"content": "whole"} for _, arguments in called(text))


@pytest.mark.parametrize(
    ("inner", "value"),
    [('"x": 0.12345678901234567,', 0.12345678901234567), ('"x": 1.0E2,', 100.0), ('"n": 12345678901234567890123,', 12345678901234567890123)],
)
def test_a_repair_keeps_the_figures_of_a_number(inner, value):
    [(_, arguments)] = called(written(inner))
    assert [*arguments.values()] == [value]


@pytest.mark.parametrize(
    "inner",
    ['"l": "[NaN]"', '"l": "[1e999]"', '"n": "1\u0662"', '"n": "' + "1" * 5000 + '"', '"l": "' + "[" * 100_000 + "]" * 100_000 + '"', '"content": "\\ud83d"'],
    ids=["NaN in a list", "too large a number", "another script's digit", "5000 figures", "100000 brackets", "half a character"],
)
def test_what_cannot_be_coerced_is_refused_without_an_accident(inner):
    assert called(written(inner)) == []


@pytest.mark.parametrize("head", ["{% if x & y %}\n", "{% x %} # c\n", "[a] C# \n"])
def test_signs_further_along_do_not_hide_a_call(head):
    assert called(head + B) == [("f", {"a": 1})]


def test_a_fence_with_a_long_label_is_another_fence():
    assert called("```" + "x" * 90 + "\n" + C + "\n```") == []


@pytest.mark.parametrize("block", [B, C], ids=["bare", "fenced"])
def test_paragraphs_round_a_call_stay_apart(block):
    assert (parse(f"mid\n{block}\nend", TOOLS)[1] or "").split() == ["mid", "end"]


@pytest.mark.parametrize("frame", ["{}", "```json\n{}\n```", "```json action\n{}\n```"])
def test_an_unknown_sibling_takes_no_valid_call_with_it(frame):
    text = frame.replace("{}", "[" + B + ', {"tool": "nope", "parameters": {}}]')
    assert called(text) == [("f", {"a": 1})]


def test_an_optional_parameter_is_read_by_its_type():
    tools = [{"name": "f", "parameters": {"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}}]
    assert parse(B.replace("1", '"3"'), tools)[0] == [{"name": "f", "arguments": {"a": 3}}]


def test_arguments_in_the_shape_of_their_schema_are_unwrapped():
    text = '```json action\n{"tool": "f", "parameters": {"type": "object", "properties": {"a": 3}}}\n```'
    assert called(text) == [("f", {"a": 3})]


def test_a_schema_in_the_place_of_arguments_is_no_call():
    text = '{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}'
    assert called(text) == []


@pytest.mark.parametrize("frame", ["{}", "```json action\n{}", "```json\n{}"])
def test_calls_that_were_whole_before_the_text_was_cut_off_are_made(frame):
    text = frame.replace("{}", B + "\n" + B.replace("1", "2") + '\n{"tool": "f", "param')
    assert called(text) == [("f", {"a": 1}), ("f", {"a": 2})]
    assert parse(text, TOOLS)[1].strip() == '{"tool": "f", "param'


@pytest.mark.parametrize(("times", "made"), [(2, 2), (3, 3), (4, 1), (40, 1)])
def test_a_stuck_model_calls_once(times, made):
    assert called("\n".join([B] * times)) == [("f", {"a": 1})] * made


def test_a_model_that_is_stuck_in_a_round_makes_each_call_once():
    other = B.replace("1", "2")
    assert called("\n".join([B, other] * 9)) == [("f", {"a": 1}), ("f", {"a": 2})]


def test_the_example_s_placeholder_is_no_value():
    assert called(written('"path": "<path>"')) == [] and called(written('"path": "<html>"')) != []


@pytest.mark.parametrize("depth", [300, 5_000, 20_000])
def test_deep_nesting_is_no_accident(depth):
    text = '```json action\n{"tool": "f", "parameters": {"a": ' + "[" * depth + "]" * depth + "}}\n```"
    assert called(text) == []
