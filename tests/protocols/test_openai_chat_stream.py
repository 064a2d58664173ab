"""The chunks that clients get: the order, the fields and the rules measured with real clients."""
import json

import pytest

from toolgate.conversation import Echo, Kind, Request, ToolCall
from toolgate.events import (
    CallClosed,
    CallDelta,
    CallOpened,
    Ending,
    Finished,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from toolgate.protocols import openai_chat

FIRST = {"role": "assistant", "content": "", "refusal": None}
BEFORE_A_CALL = {"role": "assistant", "content": None, "refusal": None}


def call(id, name, *fragments, kind=Kind.FUNCTION):
    closed = CallClosed(ToolCall(id, name, "".join(fragments), kind))
    return [CallOpened(id, name, kind), *map(CallDelta, fragments), closed]


def chunks(*events, **answer):
    writer = openai_chat.reply_writer(Request("m", (), answer=Echo("openai_chat", answer)))
    *frames, done, rest = b"".join(map(writer.write, events)).split(b"\n\n")
    assert (done, rest) == (b"data: [DONE]", b"")
    return [json.loads(frame.removeprefix(b"data: ")) for frame in frames]


def said(*events, **answer):
    """The deltas in order, and the one finish_reason."""
    told = [chunk["choices"][0] for chunk in chunks(*events, **answer) if chunk["choices"]]
    *deltas, last = told
    assert last["delta"] == {} and all(choice["finish_reason"] is None for choice in deltas)
    return [choice["delta"] for choice in deltas], last["finish_reason"]


def opening(at, id, name):
    return {"tool_calls": [{"index": at, "id": id, "type": "function", "function": {"name": name, "arguments": ""}}]}


def piece(at, arguments):
    return {"tool_calls": [{"index": at, "function": {"arguments": arguments}}]}


@pytest.mark.parametrize(
    ("events", "deltas", "reason"),
    [
        pytest.param([TextDelta("a"), TextDelta("b")], [FIRST, {"content": "a"}, {"content": "b"}], "stop", id="text"),
        pytest.param([TextDelta("a"), *call("1", "f", '{"x":', "1}")], [FIRST, {"content": "a"}, opening(0, "1", "f"), piece(0, '{"x":'), piece(0, "1}")], "tool_calls", id="text then call"),
        pytest.param(call("1", "f", "{}"), [BEFORE_A_CALL, opening(0, "1", "f"), piece(0, "{}")], "tool_calls", id="call only"),
        pytest.param([*call("1", "f", "{}"), *call("2", "g", "{}")], [BEFORE_A_CALL, opening(0, "1", "f"), piece(0, "{}"), opening(1, "2", "g"), piece(1, "{}")], "tool_calls", id="two calls"),
        pytest.param(call("1", "f"), [BEFORE_A_CALL, opening(0, "1", "f"), piece(0, "{}")], "tool_calls", id="no arguments"),
        pytest.param([ReasoningDelta("hm"), TextDelta("a")], [FIRST, {"reasoning_content": "hm"}, {"content": "a"}], "stop", id="reasoning"),
        pytest.param([TextDelta("\n"), TextDelta(" "), *call("1", "f", "{}")], [BEFORE_A_CALL, opening(0, "1", "f"), piece(0, "{}")], "tool_calls", id="blank text before a call is no answer"),
        pytest.param([TextDelta("\n"), TextDelta("a")], [FIRST, {"content": "\na"}], "stop", id="blank text before words goes with them"),
        pytest.param([], [FIRST], "stop", id="nothing"),
        pytest.param(
            call("1", "p", "raw", kind=Kind.FREEFORM),
            [BEFORE_A_CALL, {"tool_calls": [{"index": 0, "id": "1", "type": "custom", "custom": {"name": "p", "input": ""}}]}, {"tool_calls": [{"index": 0, "custom": {"input": "raw"}}]}],
            "tool_calls", id="raw text",
        ),
    ],
)
def test_the_order_of_the_deltas(events, deltas, reason):
    assert said(*events, Finished()) == (deltas, reason)


def test_legacy():
    deltas = [BEFORE_A_CALL, {"function_call": {"name": "f", "arguments": ""}}, {"function_call": {"arguments": "{}"}}]
    assert said(*call("1", "f", "{}"), Finished(), legacy=True) == (deltas, "function_call")


@pytest.mark.parametrize(("reason", "told"), [(Ending.LENGTH, "length"), (Ending.FILTERED, "content_filter"), (Ending.CALLS, "stop")])
def test_how_it_ended(reason, told):
    assert said(TextDelta("a"), Finished(reason))[1] == told


def test_a_cut_reply_says_so_though_it_called():
    assert said(*call("1", "f", "{}"), Finished(Ending.LENGTH))[1] == "length"


def test_every_chunk_has_the_same_head():
    heads = [{k: v for k, v in chunk.items() if k != "choices"} for chunk in chunks(TextDelta("a"), Finished())]
    assert heads[0] == heads[-1] and heads[0].keys() == {"id", "object", "created", "model", "service_tier", "system_fingerprint"}
    assert (heads[0]["object"], heads[0]["model"], len(heads[0]["id"])) == ("chat.completion.chunk", "m", len("chatcmpl-") + 24)


def test_usage_comes_last_and_is_null_before_where_it_was_asked_for():
    *before, last = chunks(TextDelta("a"), Finished(Ending.STOP, Usage(3, 2), (Usage(10, 1),)), usage=True)
    assert [chunk["usage"] for chunk in before] == [None] * len(before)
    assert last["choices"] == [] and last["usage"]["total_tokens"] == 16


def test_a_frame_of_this_protocol_is_said_again_but_for_its_head():
    frame = {"id": "x", "model": "other", "choices": [{"index": 0, "delta": {"content": "a"}}], "citations": [1]}
    chunk = chunks(TextDelta("a", ("openai_chat", frame)), Finished())[1]
    assert (chunk["citations"], chunk["model"], chunk["choices"]) == ([1], "m", frame["choices"])
