"""Arguments as their schema asks for them; all else as it was written."""
import pytest

from toolgate.coercion import coerced

TREE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/node"}},
    "$defs": {
        "count": {"type": "integer"},
        "a/b~c": {"type": "boolean"},
        "alias": {"$ref": "#/$defs/count"},
        "loop": {"$ref": "#/$defs/loop"},
        "node": {
            "type": "object",
            "properties": {
                "n": {"$ref": "#/$defs/count"},
                "also": {"$ref": "#/$defs/alias"},
                "odd": {"$ref": "#/$defs/a~1b~0c"},
                "round": {"$ref": "#/$defs/loop"},
                "lost": {"$ref": "#/$defs/nowhere"},
                "far": {"$ref": "https://example.org/x"},
                "next": {"$ref": "#/$defs/node"},
            },
        },
    },
}


def of(**properties):
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("type", "said", "told"),
    [
        pytest.param("integer", '"3"', "3", id="an integer"),
        pytest.param("integer", '"-12"', "-12", id="a negative integer"),
        pytest.param("integer", '" 3\\n"', "3", id="an integer with white space around it"),
        pytest.param("integer", '"\\u0033"', "3", id="an integer in escapes"),
        pytest.param("integer", '"12345678901234567890123"', "12345678901234567890123", id="an integer with all its digits"),
        pytest.param("number", '"3"', "3", id="a number without a fraction"),
        pytest.param("number", '"3.50"', "3.50", id="a number with all its figures"),
        pytest.param("number", '"-1.5e-3"', "-1.5e-3", id="a number with an exponent"),
        pytest.param("boolean", '"true"', "true", id="true"),
        pytest.param("boolean", '"False"', "false", id="false as Python has it"),
        pytest.param("null", '"null"', "null", id="null"),
        pytest.param("null", '"None"', "null", id="null as Python has it"),
        pytest.param(["integer", "null"], '"3"', "3", id="the first of two types"),
        pytest.param(["integer", "null"], '"null"', "null", id="the second of two types"),
        pytest.param("array", '"[1, 2 ]"', "[1, 2 ]", id="a list as it was written"),
        pytest.param("object", '"{\\"a\\": 1.50}"', '{"a": 1.50}', id="an object as it was written"),
        pytest.param("object", '"{}"', "{}", id="an empty object"),
    ],
)
def test_a_string_becomes_what_the_schema_asks_for(type, said, told):
    assert coerced(f'{{"a": {said}}}', of(a={"type": type})) == (f'{{"a": {told}}}', ("coerced:a",))


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        pytest.param({"type": "string"}, '"007"', id="a string of figures"),
        pytest.param({"type": "string"}, '"true"', id="a string that says true"),
        pytest.param({"type": "string"}, '"{\\"a\\": 1}"', id="a string of JSON"),
        pytest.param({"type": "string"}, '"null"', id="a string that says null"),
        pytest.param({"type": ["integer", "string"]}, '"3"', id="a string where one of the types is string"),
        pytest.param({}, '"3"', id="a string where the schema has no type"),
        pytest.param({"type": "integer"}, "3", id="an integer"),
        pytest.param({"type": "integer"}, "9007199254740993", id="a long integer"),
        pytest.param({"type": "number"}, "3.50", id="a number"),
        pytest.param({"type": "boolean"}, "true", id="a boolean"),
        pytest.param({"type": "integer"}, "null", id="null"),
        pytest.param({"type": "integer"}, '"007"', id="an integer that JSON has not"),
        pytest.param({"type": "integer"}, '"+3"', id="an integer with a plus"),
        pytest.param({"type": "integer"}, '"1_000"', id="an integer with underscores"),
        pytest.param({"type": "integer"}, '"3 apples"', id="an integer and more"),
        pytest.param({"type": "integer"}, '"three"', id="a word for an integer"),
        pytest.param({"type": "integer"}, '""', id="an empty string for an integer"),
        pytest.param({"type": "number"}, '".5"', id="a number without its first figure"),
        pytest.param({"type": "number"}, '"NaN"', id="a number that is none"),
        pytest.param({"type": "number"}, '"Infinity"', id="infinity"),
        pytest.param({"type": "boolean"}, '"yes"', id="a word for a boolean"),
        pytest.param({"type": "boolean"}, '"1"', id="a figure for a boolean"),
        pytest.param({"type": "array"}, '"a, b"', id="a list that is no JSON"),
        pytest.param({"type": "array"}, '"[1, 2"', id="a list that is cut off"),
        pytest.param({"type": "array"}, '"{}"', id="an object for a list"),
        pytest.param({"type": "object"}, '"[]"', id="a list for an object"),
        pytest.param({"type": "object"}, '""', id="an empty string for an object"),
    ],
)
def test_what_stays(schema, said):
    assert coerced(f'{{"a": {said}}}', of(a=schema)) == (f'{{"a": {said}}}', ())


@pytest.mark.parametrize(
    ("arguments", "schema", "told", "paths"),
    [
        pytest.param('{ "a" :"1",\n"b": "x"}', of(a={"type": "integer"}), '{ "a" :1,\n"b": "x"}', ["a"], id="white space around it"),
        pytest.param('{"a": "1", "b": 1.50, "c": "2"}', of(a={"type": "integer"}, c={"type": "integer"}), '{"a": 1, "b": 1.50, "c": 2}', ["a", "c"], id="what stands between two changes"),
        pytest.param('{"x": "1"}', of(a={"type": "integer"}), '{"x": "1"}', [], id="a parameter that nobody declared"),
        pytest.param('{"a": {"b": "1"}}', of(a=of(b={"type": "integer"})), '{"a": {"b": 1}}', ["a.b"], id="within an object"),
        pytest.param('{"a": ["1", 2, "3"]}', of(a={"type": "array", "items": {"type": "integer"}}), '{"a": [1, 2, 3]}', ["a[0]", "a[2]"], id="within a list"),
        pytest.param('{"a": [{"b": "1"}]}', of(a={"type": "array", "items": of(b={"type": "integer"})}), '{"a": [{"b": 1}]}', ["a[0].b"], id="within an object of a list"),
        pytest.param('{"a": "[\\"1\\", \\"x\\"]"}', of(a={"type": "array", "items": {"type": "integer"}}), '{"a": [1, "x"]}', ["a"], id="within a list that was a string"),
        pytest.param('{"a": "{\\"b\\": \\"1\\"}"}', of(a=of(b={"type": "integer"})), '{"a": {"b": 1}}', ["a"], id="within an object that was a string"),
        pytest.param('{"a": "1", "a": "2"}', of(a={"type": "integer"}), '{"a": 1, "a": 2}', ["a", "a"], id="a key that stands twice"),
        pytest.param("{}", of(a={"type": "integer"}), "{}", [], id="no arguments"),
        pytest.param('{"a": "1"}', {}, '{"a": "1"}', [], id="a schema that says nothing"),
        pytest.param('{"a": "1"}', {"properties": {"a": True}}, '{"a": "1"}', [], id="a parameter whose schema is true"),
        pytest.param('{"a": "1"}', {"properties": []}, '{"a": "1"}', [], id="properties that are none"),
    ],
)
def test_only_slices_are_replaced(arguments, schema, told, paths):
    assert coerced(arguments, schema) == (told, tuple(f"coerced:{path}" for path in paths))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param('{"root": {"n": "1"}}', '{"root": {"n": 1}}', id="it is followed"),
        pytest.param('{"root": {"also": "1"}}', '{"root": {"also": 1}}', id="through another reference"),
        pytest.param('{"root": {"odd": "true"}}', '{"root": {"odd": true}}', id="with a slash and a tilde in its name"),
        pytest.param('{"root": {"next": {"next": {"n": "1"}}}}', '{"root": {"next": {"next": {"n": 1}}}}', id="round and round with the value"),
        pytest.param('{"root": "{\\"next\\": {\\"n\\": \\"1\\"}}"}', '{"root": {"next": {"n": 1}}}', id="within an object that was a string"),
        pytest.param('{"root": {"round": "1"}}', '{"root": {"round": "1"}}', id="to itself means nothing"),
        pytest.param('{"root": {"lost": "1"}}', '{"root": {"lost": "1"}}', id="to nowhere means nothing"),
        pytest.param('{"root": {"far": "1"}}', '{"root": {"far": "1"}}', id="to another document is not followed"),
    ],
)
def test_a_reference(said, told):
    assert coerced(said, TREE)[0] == told
