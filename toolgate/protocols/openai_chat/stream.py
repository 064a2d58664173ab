"""What is answered piece by piece: chat completion chunks ↔ events."""
from __future__ import annotations

from collections.abc import Iterator
from time import time

import orjson

from ...conversation import Kind, Request, ToolCall
from ...errors import ToolgateError, UpstreamError
from ...events import (
    CallClosed,
    CallDelta,
    CallGarbled,
    CallOpened,
    CallRefused,
    Event,
    Finished,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from ..sse import COMMENT, FrameReader, write_frame
from .reply import ended_by, ending_of, error_json, new_id, usage_json, usage_of
from .request import NAME, answered_in_legacy_form

DONE = b"[DONE]"
PLAIN = {"content"}


class ReplyReader:
    """feed(bytes) -> events, close() -> the last ones; `done` once the reply is complete."""

    def __init__(self, request: Request) -> None:
        self.done = False
        self._frames = FrameReader()
        self._call: list[str] = []
        self._index = -1
        self._reason = ""
        self._usage = Usage()

    def feed(self, data: bytes) -> Iterator[Event]:
        for _, frame in self._frames.feed(data):
            if frame == DONE:
                yield from self._finish()
            else:
                yield from self._chunk(_loaded(frame))

    def close(self) -> Iterator[Event]:
        yield from self.feed(b"\n\n")
        if not self.done and self._reason:
            yield from self._finish()
        if not self.done:
            raise UpstreamError("the reply broke off")

    def _chunk(self, chunk: dict) -> Iterator[Event]:
        if "error" in chunk:
            raise UpstreamError(f"the upstream broke off: {str(chunk['error'])[:200]}")
        if chunk.get("usage"):
            self._usage = usage_of(chunk)
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            if thought := delta.get("reasoning_content") or delta.get("reasoning"):
                yield ReasoningDelta(thought)
            if text := delta.get("content"):
                alone = delta.keys() == PLAIN and not choice.get("finish_reason")
                yield TextDelta(text, (NAME, chunk) if alone else None)
            for piece in delta.get("tool_calls") or ():
                yield from self._piece(piece)
            self._reason = choice.get("finish_reason") or self._reason

    def _piece(self, piece: dict) -> Iterator[Event]:
        function = piece.get("function") or {}
        if piece["index"] != self._index:
            yield from self._close_call()
            self._index = piece["index"]
            self._call = [piece["id"], function["name"]]
            yield CallOpened(piece["id"], function["name"])
        if fragment := function.get("arguments"):
            self._call.append(fragment)
            yield CallDelta(fragment)

    def _close_call(self) -> Iterator[Event]:
        if not self._call:
            return
        (id, name, *fragments), self._call = self._call, []
        if not fragments:
            yield CallDelta("{}")
        yield CallClosed(ToolCall(id, name, "".join(fragments) or "{}"))

    def _finish(self) -> Iterator[Event]:
        if not self.done:
            self.done = True
            yield from self._close_call()
            yield Finished(ending_of(self._reason), self._usage)


def _loaded(frame: bytes) -> dict:
    try:
        return orjson.loads(frame)
    except ValueError as error:
        raise UpstreamError(f"this is no chunk: {frame[:80]!r}") from error


class ReplyWriter:
    """write(event) -> the bytes that say it."""

    def __init__(self, request: Request) -> None:
        self._usage_wanted = bool(request.answer.of(NAME).get("usage"))
        self._head = {
            "id": new_id(), "object": "chat.completion.chunk", "created": int(time()),
            "model": request.model,
        }
        self._legacy = answered_in_legacy_form(request)
        self._opened = False
        self._calls = 0
        self._freeform = False

    def write(self, event: Event) -> bytes:
        kind = type(event)
        if kind is TextDelta and event.frame and event.frame[0] == NAME:
            return self._begun("") + self._again(event.frame[1])
        match event:
            case TextDelta(text) | CallGarbled(text) | CallRefused(text=text):
                return self._begun("") + self._chunk({"content": text})
            case ReasoningDelta(text):
                return self._begun("") + self._chunk({"reasoning_content": text})
            case CallOpened():
                return self._begun(None) + self._opened_call(event)
            case CallDelta(fragment):
                return self._fragment(fragment)
            case CallClosed():
                self._calls += 1
                return b""
            case Finished(reason):
                said = ended_by(reason, self._calls > 0, self._legacy)
                return self._begun("") + self._ending(said, event.total)
        return b""

    def fail(self, error: ToolgateError) -> bytes:
        return write_frame(orjson.dumps(error_json(error)))

    def alive(self) -> bytes:
        return COMMENT

    def _begun(self, content: str | None) -> bytes:
        if self._opened:
            return b""
        self._opened = True
        return self._chunk({"role": "assistant", "content": content, "refusal": None})

    def _opened_call(self, event: CallOpened) -> bytes:
        self._freeform = event.kind is Kind.FREEFORM
        if self._freeform:
            return self._piece({"id": event.id, "type": "custom", "custom": {"name": event.tool, "input": ""}})
        function = {"name": event.tool, "arguments": ""}
        if self._legacy:
            return self._chunk({"function_call": function})
        return self._piece({"id": event.id, "type": "function", "function": function})

    def _fragment(self, fragment: str) -> bytes:
        if self._freeform:
            return self._piece({"custom": {"input": fragment}})
        if self._legacy:
            return self._chunk({"function_call": {"arguments": fragment}})
        return self._piece({"function": {"arguments": fragment}})

    def _piece(self, piece: dict) -> bytes:
        return self._chunk({"tool_calls": [{"index": self._calls, **piece}]})

    def _ending(self, reason: str, usage: Usage) -> bytes:
        last = self._chunk({}, reason)
        if self._usage_wanted:
            last += write_frame(orjson.dumps({**self._head, "choices": [], "usage": usage_json(usage)}))
        return last + write_frame(DONE)

    def _again(self, frame: dict) -> bytes:
        """A frame of our own protocol, said again but for ids and model."""
        return write_frame(orjson.dumps({**frame, **self._head}))

    def _chunk(self, delta: dict, reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return write_frame(orjson.dumps({**self._head, "choices": [choice]}))
