"""What model servers send, in the many ways in which they do, as events; however the bytes are cut."""
import json

import pytest

from toolgate.conversation import Kind, Request, ToolCall
from toolgate.errors import UpstreamBroken
from toolgate.events import (
    CallClosed,
    CallGarbled,
    CallOpened,
    Ending,
    Finished,
    ReasoningDelta,
    Reply,
    TextDelta,
    Usage,
)
from toolgate.protocols import openai_chat

ASKED = Request("m", ())
END = {"finish_reason": "tool_calls"}


def frames(*choices, **more):
    """A stream of one choice each, ended as it should be."""
    chunks = [{"id": "1", "choices": [choice], **more} for choice in choices]
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"


def calls_stream(*pieces):
    return frames(*({"index": 0, "delta": {"tool_calls": [piece]}} for piece in pieces), {"delta": {}, **END})


def streamed(data, size=0):
    reader = openai_chat.reply_reader(ASKED)
    cuts = [data[at : at + size] for at in range(0, len(data), size)] if size else [data]
    return [event for cut in cuts for event in reader.feed(cut)] + list(reader.close() if not reader.done else ())


def whole(message, finish_reason="stop", **more):
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return list(openai_chat.read_reply(json.dumps({"choices": [choice], **more}).encode(), ASKED))


def called(events):
    """(name, arguments) of each call, each opened before it is closed and by the same id."""
    opened = [event for event in events if type(event) is CallOpened]
    calls = Reply.of(events).calls
    assert [(o.id, o.tool, o.kind) for o in opened] == [(c.id, c.tool, c.kind) for c in calls]
    assert all(call.id for call in calls) and len({call.id for call in calls}) == len(calls)
    return [(call.tool, call.arguments) for call in calls]


def fn(name=None, arguments=None, **more):
    return {**more, "function": {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}}


A, B = ("f", '{"a": 1}'), ("g", '{"b": 2}')


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize(
    ("pieces", "calls"),
    [
        pytest.param([fn("f", "", index=0, id="1"), fn(None, '{"a":', index=0), fn(None, " 1}", index=0)], [A], id="as the API does"),
        pytest.param([fn("f", '{"a": 1}', index=0, id="1"), fn("g", '{"b": 2}', index=1, id="2")], [A, B], id="two in one piece each"),
        pytest.param([fn("f", '{"a": 1}', id="1"), fn("g", '{"b": 2}', id="2")], [A, B], id="no index"),
        pytest.param([fn("f", '{"a":', id="1"), fn(None, " 1}")], [A], id="no index, in pieces"),
        pytest.param([fn("f", '{"a":', id="1"), fn(None, " 1}", id="1")], [A], id="no index, its id again"),
        pytest.param([fn("f", '{"a": 1}', index=0), fn("g", '{"b": 2}', index=1)], [A, B], id="no id"),
        pytest.param([fn("f", '{"a": 1}', index=0, id="1"), fn("g", '{"b": 2}', index=0, id="2")], [A, B], id="one index for all"),
        pytest.param([fn("f", '{"a":', index=0, id="1"), fn("g", '{"b": 2}', index=1, id="2"), fn(None, " 1}", index=0)], [A, B], id="mixed"),
        pytest.param([fn("f", '{"a":', index=0, id="1"), fn("f", " 1}", index=0, id="1")], [A], id="name and id in each piece"),
        pytest.param([fn(None, '{"a":', index=0, id="1"), fn("f", " 1}", index=0)], [A], id="the name late"),
        pytest.param([fn("f", None, index=0, id="1")], [("f", "{}")], id="no arguments"),
        pytest.param([fn("f", "", index=0, id="1"), fn("g", "", index=1, id="2")], [("f", "{}"), ("g", "{}")], id="two without arguments"),
        pytest.param([fn("f", {"a": 1}, index=0, id="1")], [("f", '{"a":1}')], id="arguments as an object"),
        pytest.param([{"index": 0, "id": "1", "type": "custom", "custom": {"name": "p", "input": "a"}}, {"index": 0, "type": "custom", "custom": {"input": "b"}}], [("p", "ab")], id="raw text"),
    ],
)
def test_calls_in_pieces(pieces, calls, size):
    assert called(streamed(calls_stream(*pieces), size)) == calls


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        pytest.param({"tool_calls": [fn("f", '{"a": 1}', id="1"), fn("g", '{"b": 2}', id="2")]}, [A, B], id="two"),
        pytest.param({"tool_calls": [fn("f", '{"a": 1}'), fn("g", '{"b": 2}')]}, [A, B], id="without ids"),
        pytest.param({"tool_calls": [fn("f", {"a": 1}, id="1")]}, [("f", '{"a":1}')], id="arguments as an object"),
        pytest.param({"tool_calls": None, "function_call": {"name": "f", "arguments": '{"a": 1}'}}, [A], id="legacy"),
        pytest.param({"tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "p", "input": "x"}}]}, [("p", "x")], id="raw text"),
        pytest.param({"tool_calls": []}, [], id="none"),
    ],
)
def test_calls_in_one_piece(message, calls):
    assert called(whole({"content": None, **message}, "tool_calls")) == calls


def test_legacy_pieces_are_one_call():
    pieces = [{"delta": {"function_call": p}} for p in ({"name": "f", "arguments": ""}, {"arguments": '{"a":'}, {"arguments": " 1}"})]
    assert called(streamed(frames(*pieces, {"delta": {}, "finish_reason": "function_call"}))) == [A]


def test_a_call_passes_live_while_it_comes():
    reader = openai_chat.reply_reader(ASKED)
    events = list(reader.feed(b"data: " + json.dumps({"choices": [{"delta": {"tool_calls": [fn("f", '{"a', index=0, id="1")]}}]}).encode() + b"\n\n"))
    assert [type(event).__name__ for event in events] == ["CallOpened", "CallDelta"]


def test_a_call_without_a_name_is_text_not_an_error():
    [garbled, end] = streamed(calls_stream(fn(None, "{}", index=0, id="1")))
    assert (type(garbled), garbled.text, end.reason) == (CallGarbled, "{}", Ending.CALLS)


@pytest.mark.parametrize(
    ("message", "events"),
    [
        pytest.param({"content": "hi"}, [TextDelta("hi")], id="text"),
        pytest.param({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "hi"}]}, [ReasoningDelta("hm"), TextDelta("hi")], id="parts"),
        pytest.param({"content": None, "refusal": "no"}, [TextDelta("no")], id="a refusal"),
        pytest.param({"content": "hi", "reasoning_content": "hm"}, [ReasoningDelta("hm"), TextDelta("hi")], id="reasoning_content"),
        pytest.param({"content": "hi", "reasoning": "hm"}, [ReasoningDelta("hm"), TextDelta("hi")], id="reasoning"),
        pytest.param({"content": "hi", "reasoning": {"effort": "low"}}, [TextDelta("hi")], id="reasoning that is no text"),
        pytest.param({"content": ""}, [], id="nothing"),
    ],
)
def test_what_is_said(message, events):
    assert whole(message)[:-1] == events
    assert streamed(frames({"delta": message}, {"delta": {}, "finish_reason": "stop"}))[:-1] == events


@pytest.mark.parametrize(
    ("said", "reason"),
    [("stop", Ending.STOP), ("length", Ending.LENGTH), ("content_filter", Ending.FILTERED), ("tool_calls", Ending.CALLS), (None, Ending.STOP), ("eos", Ending.STOP)],
)
def test_how_it_ended(said, reason):
    assert whole({"content": "x"}, said)[-1].reason is reason


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        pytest.param({"prompt_tokens": 3, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}, "completion_tokens_details": {"reasoning_tokens": 1}}, Usage(3, 2, 1, 0, 1), id="all"),
        pytest.param({"prompt_tokens": 3, "completion_tokens": None, "prompt_tokens_details": None}, Usage(3), id="some null"),
        pytest.param(None, Usage(), id="null"),
    ],
)
def test_what_it_cost(usage, read):
    assert whole({"content": "x"}, usage=usage)[-1] == Finished(Ending.STOP, read)


def test_the_last_usage_counts_though_others_say_null():
    last = b'data: {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 1}}\n\ndata: [DONE]\n\n'
    stream = frames({"delta": {"content": "x"}, "finish_reason": "stop"}, usage=None).removesuffix(b"data: [DONE]\n\n") + last
    assert streamed(stream)[-1].usage == Usage(5, 1)


def test_what_comes_after_the_end_is_not_read():
    assert streamed(frames({"delta": {"content": "a"}}) + frames({"delta": {"content": "b"}}))[:-1] == [TextDelta("a")]


def test_another_choice_is_not_mixed_in():
    stream = frames({"index": 0, "delta": {"content": "a"}}, {"index": 1, "delta": {"content": "b"}})
    assert streamed(stream)[:-1] == [TextDelta("a")]


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"null", b"{}", b'{"choices": []}', b'{"choices": [1]}', b'{"choices": {}}', b'{"choices": [{"message": "x"}]}',
     b'{"choices": [{"message": {"tool_calls": [1]}}]}', b'{"choices": [{"message": {"tool_calls": {}}}]}', b'{"error": {"message": "no"}}'],
)
def test_nonsense_is_the_upstreams_fault(body):
    with pytest.raises(UpstreamBroken):
        list(openai_chat.read_reply(body, ASKED))


@pytest.mark.parametrize(
    "stream",
    [b"", b"data: x\n\n", b"data: [1]\n\n", b'data: {"error": {"message": "no"}}\n\n', b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n',
     b'data: {"choices": [{"delta": []}]}\n\n', b'data: {"choices": [{"delta": {"tool_calls": [[]]}}]}\n\n'],
)
def test_a_broken_stream_is_the_upstreams_fault(stream):
    with pytest.raises(UpstreamBroken):
        streamed(stream)


def test_an_error_that_is_null_is_none():
    assert streamed(frames({"delta": {"content": "a"}, "finish_reason": "stop"}, error=None))[0] == TextDelta("a")


def test_an_end_without_done_is_an_end():
    assert streamed(frames({"delta": {"content": "a"}, "finish_reason": "stop"}).removesuffix(b"data: [DONE]\n\n"))[-1].reason is Ending.STOP


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param({"error": {"code": "tool_use_failed", "failed_generation": "<function=f>"}}, "<function=f>", id="Groq"),
        pytest.param({"error": {"code": 500, "message": "Failed to parse input at pos 12: <tool_call>{"}}, "<tool_call>{", id="llama.cpp"),
        pytest.param({"error": {"message": "no"}}, "", id="another error"),
        pytest.param([], "", id="no error"),
    ],
)
def test_what_the_model_wrote_where_the_servers_parser_failed(body, said):
    assert openai_chat.said_in_error(500, json.dumps(body)) == said


@pytest.mark.parametrize("kind", [Kind.FUNCTION, Kind.FREEFORM])
def test_what_is_written_is_read_again(kind):
    call = ToolCall("call_1", "f", '{"a": "ü\\n"}' if kind is Kind.FUNCTION else "ü\n{", kind)
    events = [ReasoningDelta("hm"), TextDelta("a "), CallOpened("call_1", "f", kind), CallClosed(call), Finished(Ending.CALLS, Usage(3, 2, 1, 0, 1))]
    again = list(openai_chat.read_reply(openai_chat.write_reply(Reply.of(events), ASKED), ASKED))
    assert (Reply.of(again).text, Reply.of(again).calls, again[-1].usage) == ("a ", (call,), Usage(3, 2, 1, 0, 1))


def test_what_the_model_wrote_is_read_from_an_error_in_the_stream():
    error = b'data: {"error":{"code":500,"message":"Failed to parse input at pos 5: <tool_call>{}","type":"server_error"}}\n\n'
    assert streamed(frames({"delta": {"content": "Look. "}}).removesuffix(b"data: [DONE]\n\n") + error)[:-1] == [TextDelta("Look. "), TextDelta("<tool_call>{}")]
