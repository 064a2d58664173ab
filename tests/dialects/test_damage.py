"""JSON as models write it: what is mended, what it is called, and what is left alone."""
import json

import pytest

from toolgate.dialects.damage import Unreadable, values

BACKSLASH = "\\"


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        pytest.param('{"a": 1}', ['{"a": 1}'], id="one value"),
        pytest.param('{ "a" :1.50,\n "b":[ ] }', ['{ "a" :1.50,\n "b":[ ] }'], id="white space and figures stay as written"),
        pytest.param('{"a": "\\u00e9\\/"}', ['{"a": "\\u00e9\\/"}'], id="escapes stay as written"),
        pytest.param('{"a": "\\ud800"}', ['{"a": "\\ud800"}'], id="half of a surrogate pair stays as written"),
        pytest.param('{"a": 1, "a": 2}', ['{"a": 1, "a": 2}'], id="a key that stands twice stays twice"),
        pytest.param('{"a": 1e400}', ['{"a": 1e400}'], id="a number beyond floats stays as written"),
        pytest.param('{"a": 1}\n{"b": 2}', ['{"a": 1}', '{"b": 2}'], id="one value a line"),
        pytest.param('{"a": 1}{"b": 2}', ['{"a": 1}', '{"b": 2}'], id="values with nothing between them"),
        pytest.param('{"a": 1},\n{"b": 2},', ['{"a": 1}', '{"b": 2}'], id="values with commas between them"),
        pytest.param('{"a": {}}}}', ['{"a": {}}'], id="surplus closing braces"),
        pytest.param('[{"a": 1}]]', ['[{"a": 1}]'], id="a surplus closing bracket"),
        pytest.param('\ufeff{"a": 1}\r\n', ['{"a": 1}'], id="a byte order mark before it"),
        pytest.param('\u200b {"a": 1}\u200b', ['{"a": 1}'], id="zero-width spaces around it"),
        pytest.param('{"a": "\u200b\ufeff"}', ['{"a": "\u200b\ufeff"}'], id="zero-width characters of a string stay"),
    ],
)
def test_json_needs_no_repair(body, texts):
    assert values(body) == (texts, ())


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param('{"a": "x\ny"}', {"a": "x\ny"}, id="a raw line break is a line break"),
        pytest.param('{"a": "x\r\ny"}', {"a": "x\r\ny"}, id="a raw Windows line end stays one"),
        pytest.param('{"a": "\tx"}', {"a": "\tx"}, id="a raw tab is a tab"),
        pytest.param('{"a": "x\n\n\n"}', {"a": "x\n\n\n"}, id="line breaks at the end of a string stay"),
        pytest.param('{"a": "x\\ny\nz"}', {"a": "x\ny\nz"}, id="escaped and raw ones side by side"),
        pytest.param('{"a": "x\ny", "n": 12345678901234567890123}', {"a": "x\ny", "n": 12345678901234567890123}, id="long integers keep their digits"),
        pytest.param('{"a": "x\n```\n<think>&lt;“，”"}', {"a": "x\n```\n<think>&lt;“，”"}, id="marks in the string stay"),
    ],
)
def test_raw_line_breaks_stand_for_themselves(body, value):
    texts, repairs = values(body)
    assert ([json.loads(text) for text in texts], repairs) == ([value], ("raw_line_breaks",))


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param('{"a": 1,}', {"a": 1}, id="a comma before the closing brace"),
        pytest.param('{"a": [1, 2,\n],}', {"a": [1, 2]}, id="a comma before a closing bracket"),
        pytest.param('{"a": ",}",}', {"a": ",}"}, id="a comma and a brace within a string stay"),
        pytest.param('{"a": ",]\\",}",}', {"a": ',]",}'}, id="they stay behind an escaped quote too"),
        pytest.param('{"a": 1 // one\n}', {"a": 1}, id="a comment to the end of the line"),
        pytest.param('{"a": 1 # one\n}', {"a": 1}, id="a comment as in Python"),
        pytest.param('{/* it\'s "one" */"a": 1}', {"a": 1}, id="a comment with quotes in it"),
        pytest.param('{"a": "http://x # y /* z */",}', {"a": "http://x # y /* z */"}, id="what looks like a comment in a string stays"),
        pytest.param("{'a': 'x'}", {"a": "x"}, id="single quotes"),
        pytest.param("{'a': 'say \"x\"'}", {"a": 'say "x"'}, id="double quotes within single quotes"),
        pytest.param("{'a': 'it\\'s'}", {"a": "it's"}, id="an escaped apostrophe within single quotes"),
        pytest.param("{'a': \"it's\"}", {"a": "it's"}, id="an apostrophe within double quotes"),
        pytest.param("{'a': ''}", {"a": ""}, id="an empty string in single quotes"),
        pytest.param("{“a”: “x”}", {"a": "x"}, id="curly quotes"),
        pytest.param('{“a”: “say "x"”}', {"a": 'say "x"'}, id="double quotes within curly ones"),
        pytest.param('{"a": "“x”",}', {"a": "“x”"}, id="curly quotes of a string stay"),
        pytest.param('｛"a"： ［1， 2］｝', {"a": [1, 2]}, id="full-width marks"),
        pytest.param('{"a"： "１：，｛"}', {"a": "１：，｛"}, id="full-width marks of a string stay"),
        pytest.param('{"a": True, "b": False, "c": None}', {"a": True, "b": False, "c": None}, id="words of Python"),
        pytest.param('{"a": "True None", "b": True}', {"a": "True None", "b": True}, id="words of Python in a string stay"),
        pytest.param('{"a": undefined}', {"a": None}, id="undefined is null"),
        pytest.param('{a: 1, b_c: true, $d: null}', {"a": 1, "b_c": True, "$d": None}, id="keys without quotes"),
        pytest.param('{True: 1}', {"True": 1}, id="a word as a key is a key"),
        pytest.param(r'{"a": "\d+\.x"}', {"a": r"\d+\.x"}, id="a backslash before no escape stays"),
        pytest.param(r'{"a": "\\d\q"}', {"a": r"\d\q"}, id="a proper escape beside it is decoded once"),
        pytest.param(r'{"a": "it\'s"}', {"a": "it's"}, id="an escaped apostrophe is an apostrophe"),
        pytest.param(r'{"a": "\u00e9\x"}', {"a": "é\\x"}, id="an escaped letter beside it is the letter"),
        pytest.param(r'{\"a\": \"x\"}', {"a": "x"}, id="a block of which every quote is escaped"),
        pytest.param("{&quot;a&quot;: &quot;x &lt; y&quot;}", {"a": "x < y"}, id="a block that is escaped as HTML"),
        pytest.param('{"a": "&quot;&amp;",}', {"a": "&quot;&amp;"}, id="entities of a string stay"),
        pytest.param('{"a": 12345678901234567890123,}', {"a": 12345678901234567890123}, id="long integers keep their digits"),
        pytest.param('{"a": "  x \n",}', {"a": "  x \n"}, id="white space of a string stays"),
        pytest.param('{"a": "\u200b\ufeff",}', {"a": "\u200b\ufeff"}, id="invisible characters of a string stay"),
        pytest.param('{"a":\u200b 1}', {"a": 1}, id="invisible characters outside of strings go"),
    ],
)
def test_tidied_outside_of_strings(body, value):
    texts, repairs = values(body)
    assert ([json.loads(text) for text in texts], repairs) == ([value], ("tidied",))


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param('{"a": NaN}', {"a": None}, id="not a number"),
        pytest.param('{"a": [Infinity, -Infinity]}', {"a": [None, None]}, id="infinity with both signs"),
        pytest.param('{"a": "NaN", "b": NaN}', {"a": "NaN", "b": None}, id="but not the word in a string"),
    ],
)
def test_what_json_cannot_say_is_null(body, value):
    assert [json.loads(text) for text in values(body)[0]] == [value]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param('{"a": 1 "b": 2}', {"a": 1, "b": 2}, id="a missing comma"),
        pytest.param('{"a": "x"\n"b": "y"}', {"a": "x", "b": "y"}, id="a missing comma at a line end"),
        pytest.param('{"a": {"b": "x"}', {"a": {"b": "x"}}, id="a missing closing brace"),
        pytest.param('{"a": ["x", "y"', {"a": ["x", "y"]}, id="a missing bracket and brace"),
        pytest.param('{"a": "say "x" now"}', {"a": 'say "x" now'}, id="inner quotes without a backslash"),
    ],
)
def test_guessed_when_the_block_was_closed(body, value):
    texts, repairs = values(body)
    assert ([json.loads(text) for text in texts], repairs) == ([value], ("json_repair",))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("", id="nothing"),
        pytest.param(" \n\ufeff", id="nothing but white space"),
        pytest.param("no call today", id="prose"),
        pytest.param('{"a": ', id="no value behind the colon"),
        pytest.param('{"a": "half a fi', id="cut within a string"),
        pytest.param('{"a": "whole", "b": "half a fi', id="cut within the second string"),
        pytest.param('{"a": "half' + BACKSLASH, id="cut within an escape"),
    ],
)
def test_what_was_cut_off_is_not_read(body):
    with pytest.raises(Unreadable):
        values(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('{"a": {"b": 1}', id="a brace is missing"),
        pytest.param('{"a": ["x", "y"', id="a bracket and a brace are missing"),
        pytest.param('{"a": 1 "b": 2}', id="a comma is missing"),
        pytest.param('{"a": "say "x" now"}', id="quotes are ambiguous"),
    ],
)
def test_nothing_is_guessed_in_an_open_block(body):
    with pytest.raises(Unreadable):
        values(body, closed=False)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('{"a": 1}', id="JSON"),
        pytest.param("{'a': 1,}", id="tidied"),
        pytest.param('{"a": 1}}', id="with a surplus brace"),
    ],
)
def test_a_whole_value_is_read_in_an_open_block(body):
    assert [json.loads(text) for text in values(body, closed=False)[0]] == [{"a": 1}]
