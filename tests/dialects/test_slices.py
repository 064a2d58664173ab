"""The pieces of a JSON text, each as it was written."""
import pytest

from toolgate.dialects.slices import fields, items, replaced, skipped, value_end


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        pytest.param("{}", 0, 2, id="an empty object"),
        pytest.param('{"a": "}"} x', 0, 10, id="a brace in a string ends nothing"),
        pytest.param('"a\\"b" ', 0, 6, id="an escaped quote ends nothing"),
        pytest.param("[1, 2]", 1, 2, id="a number within a list"),
        pytest.param("-1.5e3,", 0, 6, id="a number with all its signs"),
        pytest.param("nullx", 0, 4, id="a word, whatever follows"),
        pytest.param("9" * 400, 0, 400, id="a number of 400 figures"),
    ],
)
def test_value_end(text, start, end):
    assert value_end(text, start) == end


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("x", id="a word that JSON has not"),
        pytest.param("NaN", id="NaN"),
        pytest.param("-Infinity", id="minus infinity"),
        pytest.param('{"a": Infinity}', id="infinity within an object"),
        pytest.param('{"a": 1', id="an object that does not end"),
        pytest.param('"a', id="a string that does not end"),
        pytest.param('"a\nb"', id="a raw line break in a string"),
        pytest.param("[1,]", id="a comma before the end"),
        pytest.param("'a'", id="single quotes"),
    ],
)
def test_what_is_no_value_has_no_end(text):
    with pytest.raises(ValueError):
        value_end(text, 0)


@pytest.mark.parametrize(
    ("text", "at", "place"),
    [
        pytest.param("a", 0, 0, id="none to skip"),
        pytest.param(" \t\r\na", 0, 4, id="every white space of JSON"),
        pytest.param("a  ", 1, 3, id="up to the end"),
        pytest.param("\u00a0a", 0, 0, id="a no-break space is none"),
    ],
)
def test_skipped(text, at, place):
    assert skipped(text, at) == place


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("{}", [], id="nothing"),
        pytest.param("{ \n }", [], id="nothing but white space"),
        pytest.param('{"a":1}', [("a", "1")], id="one"),
        pytest.param(' { "a" : 1 , "b" : [ 2 ] } ', [("a", "1"), ("b", "[ 2 ]")], id="white space everywhere"),
        pytest.param('{"a": {"b": {}}, "c": "},{"}', [("a", '{"b": {}}'), ("c", '"},{"')], id="braces in values"),
        pytest.param('{"\\u0061\\"": 1}', [('a"', "1")], id="escapes in a key are decoded"),
        pytest.param('{"a": "\\u0061"}', [("a", '"\\u0061"')], id="escapes in a value stay"),
        pytest.param('{"a": 1.50, "b": 9007199254740993}', [("a", "1.50"), ("b", "9007199254740993")], id="figures stay"),
        pytest.param('{"a": 1, "a": 2}', [("a", "1"), ("a", "2")], id="a key that stands twice is told twice"),
        pytest.param('{"": ""}', [("", '""')], id="an empty key"),
        pytest.param('{"a:b,": null}', [("a:b,", "null")], id="signs in a key"),
    ],
)
def test_fields(text, told):
    assert [(key, text[start:end]) for key, (start, end) in fields(text)] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("[]", [], id="nothing"),
        pytest.param("[ \n ]", [], id="nothing but white space"),
        pytest.param("[1]", ["1"], id="one"),
        pytest.param(' [ 1 , "a" ,{ } ] ', ["1", '"a"', "{ }"], id="white space everywhere"),
        pytest.param('[[1, 2], "],["]', ["[1, 2]", '"],["'], id="brackets in items"),
        pytest.param("[true, false, null]", ["true", "false", "null"], id="words"),
    ],
)
def test_items(text, told):
    assert [text[start:end] for start, end in items(text)] == told


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        pytest.param([], "0123456789", id="nothing to change"),
        pytest.param([((2, 4), "x")], "01x456789", id="shorter"),
        pytest.param([((2, 4), "xyz")], "01xyz456789", id="longer"),
        pytest.param([((0, 1), "a"), ((9, 10), "b")], "a12345678b", id="at both ends"),
        pytest.param([((2, 4), "a"), ((4, 6), "b")], "01ab6789", id="side by side"),
        pytest.param([((5, 5), "x")], "01234x56789", id="between two characters"),
        pytest.param([((0, 10), "")], "", id="all of it by nothing"),
    ],
)
def test_replaced(changes, text):
    assert replaced("0123456789", changes) == text
