"""Which calls pass: of a tool that was offered, with arguments that fit its schema, whatever that schema is worth."""
import json
import socket

import pytest
from scripted import exchange

from toolgate.conversation import Kind, Request, ToldBy, Tool, ToolCall
from toolgate.events import CallClosed, CallOpened, CallRefused, Fault, Finished, Reply, whole_call
from toolgate.exchange import Hop
from toolgate.settings import Section
from toolgate.stages.check import Check

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": False}


def judged(arguments, schema=PATH, name="f", told_by=ToldBy.TEXT, **more):
    """What becomes of one call of `f`."""
    opened = CallOpened("1", name, told_by=told_by)
    request = Request("m", (), (Tool("f", "", schema, **more),), told_by=told_by)
    events = iter([*whole_call(opened, ToolCall("1", name, arguments), "what was written"), Finished()])
    return Reply.of(Check(Section()).toolgate_read(events, request, Hop(request, exchange())))


def test_a_call_that_fits_passes():
    assert judged('{"path": "a"}').calls == (ToolCall("1", "f", '{"path": "a"}'),)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        pytest.param("{}", "'path' is a required property", id="missing"),
        pytest.param('{"path": [3]}', "path: [3] is not of type 'string'", id="another type"),
        pytest.param('{"path": ', "no JSON", id="unreadable"),
        pytest.param("[]", "must be an object", id="no object"),
    ],
)
def test_a_call_that_does_not_fit_is_refused_with_its_text(arguments, hint):
    [refused] = judged(arguments).all(CallRefused)
    assert (refused.reason, refused.text) == (Fault.INVALID, "what was written") and hint in refused.hint


@pytest.mark.parametrize(
    ("arguments", "schema", "read", "repairs"),
    [
        pytest.param('{"path": "a", "b": 1}', PATH, '{"path": "a"}', ("dropped:b",), id="a parameter that the schema forbids"),
        pytest.param('{"path": 3}', PATH, '{"path": "3"}', ("coerced:path",), id="a number where a string is asked for"),
        pytest.param('{"l": "a"}', {"properties": {"l": {"type": "array"}}}, '{"l": ["a"]}', ("coerced:l",), id="one value for a list"),
        pytest.param('{"e": "RED"}', {"properties": {"e": {"enum": ["red", "blue"]}}}, '{"e": "red"}', ("coerced:e",), id="the case of an enum"),
        pytest.param('{"o": "integer"}', {"properties": {"o": {"type": "integer"}}}, "{}", ("dropped:o",), id="an optional parameter's type word"),
    ],
)
def test_reading_by_schema_costs_no_hop(arguments, schema, read, repairs):
    [call] = judged(arguments, schema).calls
    assert (call.arguments, call.repairs) == (read, repairs)


def test_an_unknown_tool_is_refused_and_no_other_is_named():
    [refused] = judged("{}", name="ff").all(CallRefused)
    assert refused.reason is Fault.UNKNOWN and refused.hint == "ff is not known."


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "file"}, {"properties": {"path": {"type": "sting"}}}, {"required": True}, {"properties": []},
        {"properties": {"path": {"pattern": "("}}}, {"properties": {"path": {"$ref": "#/$defs/gone"}}},
        {"properties": {"path": {"$ref": "#/properties/path"}}}, {"properties": {"path": {"minLength": "one"}}},
    ],
    ids=json.dumps,
)
def test_a_schema_that_is_none_refuses_no_call(schema):
    assert len(judged('{"path": "a"}', schema).calls) == 1


def test_a_reference_to_elsewhere_is_not_fetched():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/schema"
        assert len(judged('{"path": "a"}', {"properties": {"path": {"$ref": address}}}).calls) == 1
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_recovered_tool_is_checked_by_name_alone():
    assert len(judged('{"any": 1}', PATH, recovered=True).calls) == 1


def test_a_freeform_call_gives_its_raw_text():
    [call] = judged('{"input": "a\\nb"}', {}, kind=Kind.FREEFORM).calls
    assert (call.arguments, call.kind) == ("a\nb", Kind.FREEFORM)


def test_a_native_call_is_checked_by_name_alone():
    assert [type(e) for e in judged('{"other": 1}', told_by=ToldBy.FIELDS).events if type(e) in (CallClosed, CallRefused)] == [CallClosed]


def reply_of(*calls):
    """Several calls of one reply, each as (told_by, arguments)."""
    request = Request("m", (), (Tool("f", "", {}),))
    events = [e for n, (by, arguments) in enumerate(calls) for e in whole_call(CallOpened(str(n), "f", told_by=by), ToolCall(str(n), "f", arguments), "t" if by is ToldBy.TEXT else "")]
    return [call.arguments for call in Reply.of(Check(Section()).toolgate_read(iter([*events, Finished()]), request, Hop(request, exchange()))).calls]


@pytest.mark.parametrize(
    ("calls", "made"),
    [
        pytest.param([(ToldBy.TEXT, '{"a": 1}'), (ToldBy.FIELDS, '{"a":1}')], ['{"a": 1}'], id="the same as text and as a call: once"),
        pytest.param([(ToldBy.FIELDS, '{"a":1}'), (ToldBy.TEXT, '{"a": 1}')], ['{"a":1}'], id="the call first"),
        pytest.param([(ToldBy.TEXT, '{"a": 1}'), (ToldBy.FIELDS, '{"a":2}')], ['{"a": 1}', '{"a":2}'], id="two different ones"),
        pytest.param([(ToldBy.FIELDS, '{"a":1}'), (ToldBy.FIELDS, '{"a":1}')], ['{"a":1}', '{"a":1}'], id="twice as a call is twice"),
        pytest.param([(ToldBy.TEXT, '{"a": 1}'), (ToldBy.TEXT, '{"a": 1}')], ['{"a": 1}', '{"a": 1}'], id="twice as text is twice"),
    ],
)
def test_a_call_that_comes_both_ways_is_made_once(calls, made):
    assert reply_of(*calls) == made
