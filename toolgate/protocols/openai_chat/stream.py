"""What is answered piece by piece: chat completion chunks ↔ events."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import time

import orjson

from ...conversation import Kind, Request
from ...errors import ToolgateError, UpstreamBroken
from ...events import (
    CallClosed,
    CallDelta,
    CallGarbled,
    CallOpened,
    CallRefused,
    Event,
    Finished,
    Frame,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from ..sse import COMMENT, FrameReader, write_frame
from .ids import new_id
from .incoming import MessageReader, choices_of, loaded, only_text, usage_of
from .reply import ended_by, error_json, said_in_error, usage_json
from .request import NAME, answered_in_legacy_form

DONE, ERROR = b"[DONE]", b'"error"'


class ReplyReader:
    """feed(bytes) -> events, close() -> the last ones; `done` once the reply is complete."""

    def __init__(self, request: Request) -> None:
        self.done = False
        self._frames = FrameReader()
        self._message = MessageReader()
        self._usage = Usage()

    def feed(self, data: bytes) -> Iterator[Event]:
        for _, frame in self._frames.feed(data):
            if self.done:
                return
            if frame == DONE:
                yield from self._finish()
            elif said := said_in_error(0, frame.decode("utf-8", "replace")) if ERROR in frame[:40] else "":
                yield TextDelta(said)
                yield from self._finish()
            else:
                yield from self._chunk(loaded(frame, "chunk"))

    def close(self) -> Iterator[Event]:
        yield from self.feed(b"\n\n")
        if not self.done and self._message.reason:
            yield from self._finish()
        if not self.done:
            raise UpstreamBroken("the reply broke off")

    def _chunk(self, chunk: dict[str, object]) -> Iterator[Event]:
        if text := only_text(chunk):
            yield TextDelta(text, (NAME, chunk))
            return
        self._usage = usage_of(chunk) or self._usage
        for choice in choices_of(chunk):
            yield from self._message.feed(choice, choice.get("delta") or choice.get("message"))

    def _finish(self) -> Iterator[Event]:
        self.done = True
        yield from self._message.close(self._usage)


class ReplyWriter:
    """write(event) -> the bytes that say it."""

    def __init__(self, request: Request) -> None:
        self._usage_wanted = bool(request.answer.of(NAME).get("usage"))
        self._head: dict[str, object] = {
            "id": new_id(), "object": "chat.completion.chunk", "created": int(time()), "model": request.model,
            "service_tier": "default", "system_fingerprint": None, **({"usage": None} if self._usage_wanted else {}),
        }
        self._legacy = answered_in_legacy_form(request)
        self._opened = False
        self._blank: str | None = ""
        self._calls = 0
        self._call: CallOpened | None = None
        self._argued = False

    def write(self, event: Event) -> bytes:
        match event:
            case TextDelta(text):
                return self._text(text, event.frame)
            case CallGarbled(text) | CallRefused(text=text):
                return self._text(text, None)
            case ReasoningDelta(text):
                return self._begun("") + self._chunk({"reasoning_content": text})
            case CallOpened():
                return self._begun(None) + self._opened_call(event)
            case CallDelta(fragment):
                return self._fragment(fragment)
            case CallClosed():
                return self._closed_call()
            case Finished(reason):
                said = ended_by(reason, self._calls > 0, self._legacy)
                return self._begun("") + self._ending(said, event.total)
        return b""

    def fail(self, error: ToolgateError) -> bytes:
        return write_frame(orjson.dumps(error_json(error)))

    def alive(self) -> bytes:
        return COMMENT

    def _text(self, text: str, frame: Frame | None) -> bytes:
        """Blank text waits for words: alone it would be an empty answer before a call."""
        if self._blank is not None:
            held, text = self._blank, self._blank + text
            if not text.strip():
                self._blank = text
                return b""
            self._blank, frame = None, None if held else frame
        if frame and frame[0] == NAME:
            return self._begun("") + self._again(frame[1])
        return self._begun("") + self._chunk({"content": text})

    def _begun(self, content: str | None) -> bytes:
        if self._opened:
            return b""
        self._opened = True
        return self._chunk({"role": "assistant", "content": content, "refusal": None})

    def _opened_call(self, event: CallOpened) -> bytes:
        self._call, self._argued = event, False
        if event.kind is Kind.FREEFORM:
            return self._piece({"id": event.id, "type": "custom", "custom": {"name": event.tool, "input": ""}})
        function = {"name": event.tool, "arguments": ""}
        if self._legacy:
            return self._chunk({"function_call": function})
        return self._piece({"id": event.id, "type": "function", "function": function})

    def _fragment(self, fragment: str) -> bytes:
        self._argued = self._argued or bool(fragment)
        if self._call and self._call.kind is Kind.FREEFORM:
            return self._piece({"custom": {"input": fragment}})
        if self._legacy:
            return self._chunk({"function_call": {"arguments": fragment}})
        return self._piece({"function": {"arguments": fragment}})

    def _closed_call(self) -> bytes:
        """A function's arguments are JSON, so none are `{}`."""
        is_function = self._call is not None and self._call.kind is not Kind.FREEFORM
        last = self._fragment("{}") if is_function and not self._argued else b""
        self._calls += 1
        return last

    def _piece(self, piece: dict[str, object]) -> bytes:
        return self._chunk({"tool_calls": [{"index": self._calls, **piece}]})

    def _ending(self, reason: str, usage: Usage) -> bytes:
        last = self._chunk({}, reason)
        if self._usage_wanted:
            last += write_frame(orjson.dumps({**self._head, "choices": [], "usage": usage_json(usage)}))
        return last + write_frame(DONE)

    def _again(self, frame: Mapping[str, object]) -> bytes:
        """A frame of our own protocol, said again but for ids and model."""
        return write_frame(orjson.dumps({**frame, **self._head}))

    def _chunk(self, delta: dict[str, object], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return write_frame(orjson.dumps({**self._head, "choices": [choice]}))
