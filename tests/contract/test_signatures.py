"""What a model reads of a tool: nothing of its schema is lost, and any schema gives a text."""
import pytest

from toolgate.contract.signatures import signature

NODE = {"type": "object", "description": "a node", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}


def parameter(schema, **root):
    """The one parameter `p` as it is written."""
    return signature("f", "", {"type": "object", "properties": {"p": schema}, **root})


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        pytest.param({"type": "string"}, "p?: string,", id="a plain type"),
        pytest.param({"type": ["integer", "null"]}, "p?: integer | null,", id="several types"),
        pytest.param({"enum": ["r", "w"]}, 'p?: "r" | "w",', id="values"),
        pytest.param({"const": 3}, "p?: 3,", id="one value"),
        pytest.param({"type": "string", "minLength": 1, "default": "a"}, '// minLength: 1, default: "a"', id="constraints"),
        pytest.param({"type": "string", "description": "one\ntwo"}, "  // one\n  p?: string, // two", id="a description"),
        pytest.param({"type": "array", "items": {"type": "string", "maxLength": 3}}, "(string /* maxLength: 3 */)[]", id="what is said of items"),
        pytest.param({"anyOf": [{"type": "string", "description": "d"}, {"type": "null"}]}, "string /* d */ | null", id="what is said of a branch"),
        pytest.param({"type": "string", "description": "x", "anyOf": [{"minLength": 2}]}, 'anyOf: [{"minLength":2}]', id="branches that only constrain"),
        pytest.param({"properties": {"a": {}}, "oneOf": [{"properties": {"b": {"const": 1}}}]}, "a?: any", id="properties beside branches"),
        pytest.param({"type": "object", "additionalProperties": {"type": "integer"}}, "[key: string]: integer", id="a map"),
        pytest.param({"type": "object"}, "p?: object,", id="an open object"),
        pytest.param({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}, "[string, integer]", id="a tuple"),
        pytest.param({"type": "file"}, 'p?: any, // type: "file"', id="a type that JSON Schema does not know"),
        pytest.param({"required": ["x"]}, "x: any,", id="a required name without its schema"),
        pytest.param(True, "p?: any,", id="anything"),
        pytest.param(False, "p?: never,", id="nothing"),
    ],
)
def test_a_parameter(schema, told):
    assert told in parameter(schema)


def test_a_comment_that_would_end_early_is_kept_open():
    assert "/* a * / b */" in parameter({"anyOf": [{"type": "string", "description": "a */ b"}, {"type": "null"}]})


def test_required_parameters_have_no_question_mark():
    assert "  p: string," in parameter({"type": "string"}, required=["p"])


def test_a_name_that_is_no_word_is_quoted():
    assert '"a b"?: any' in signature("f", "", {"properties": {"a b": {}}})


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "properties": {}}], ids=str)
def test_a_tool_without_parameters(schema):
    assert signature("ping", "Answers.", schema) == "// Answers.\nping()"


def test_what_is_said_of_the_whole():
    told = signature("f", "", {"description": "all of it", "properties": {"p": {}}, "anyOf": [{"required": ["p"]}]})
    assert told.startswith('// all of it\n// anyOf: [{"required":["p"]}]\nf({')


@pytest.mark.parametrize(
    ("schema", "definitions", "told"),
    [
        pytest.param({"$ref": "#/$defs/a"}, {"a": {"type": "integer", "minimum": 2}}, "p?: integer, // minimum: 2", id="used once: in its place"),
        pytest.param({"$ref": "#/$defs/a", "description": "own"}, {"a": {"type": "integer", "description": "its"}}, "p?: integer, // own", id="the nearer description"),
        pytest.param({"$ref": "#/$defs/a~1b"}, {"a/b": {"type": "integer"}}, "p?: integer,", id="an escaped name"),
        pytest.param({"$ref": "#/$defs/Node"}, {"Node": NODE}, "// a node\ntype Node = {\n  kids?: Node[],\n}\nf({\n  p?: Node,\n})", id="within itself: declared"),
        pytest.param({"$ref": "#/$defs/gone"}, {}, "any /* #/$defs/gone */", id="nowhere"),
    ],
)
def test_a_reference(schema, definitions, told):
    assert told in parameter(schema, **{"$defs": definitions})


def test_a_schema_within_itself():
    assert signature("f", "", {"properties": {"p": {"$ref": "#"}}}) == "type Parameters = {\n  p?: Parameters,\n}\nf(Parameters)"


def test_references_that_multiply_stay_small():
    steps = {f"d{i}": {"properties": {k: {"$ref": f"#/$defs/d{i + 1}"} for k in "lr"}} for i in range(60)}
    assert len(parameter({"$ref": "#/$defs/d0"}, **{"$defs": {**steps, "d60": {"type": "string"}}})) < 4000


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": [1]}, {"properties": {"a": None}}, {"type": 7}, {"type": [7]}, {"enum": []}, {"anyOf": []}, {"anyOf": {}},
        {"$ref": 5}, {"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}, {"$ref": "http://x"}, {"items": 5},
        {"required": None}, {"required": True, "properties": {"a": {}}}, {"required": [1]}, {"description": 5},
    ],
    ids=str,
)
def test_no_schema_is_too_odd(schema):
    assert "f(" in signature("f", "", schema)
