"""What a model server says in a message or a delta → events, whichever of the many dialects of this protocol it speaks.

Servers leave out `index`, `id` or `name`, repeat them, say them late, mix the
pieces of several calls, send arguments as an object or content as parts.  Calls
come out whole and one after the other: the one that is open passes live, pieces
of others wait until its arguments are complete.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import orjson

from ...conversation import Kind, ToolCall
from ...errors import UpstreamBroken
from ...events import (
    CallClosed,
    CallDelta,
    CallGarbled,
    CallOpened,
    Ending,
    Event,
    Finished,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from .ids import new_call_id

ENDINGS = {
    "stop": Ending.STOP, "tool_calls": Ending.CALLS, "function_call": Ending.CALLS, "length": Ending.LENGTH,
    "content_filter": Ending.FILTERED,
}
LEGACY = "function_call"
Json = Mapping[str, object]


@dataclass(slots=True)
class Coming:
    """A call of which pieces come; it is open once its name is known and its turn has come."""

    id: str = ""
    name: str = ""
    kind: Kind = Kind.FUNCTION
    fragments: list[str] = field(default_factory=list)
    told: int = 0

    @property
    def is_complete(self) -> bool:
        """Is its text a whole JSON value?  Raw text may always go on."""
        try:
            orjson.loads("".join(self.fragments))
        except ValueError:
            return False
        return self.kind is Kind.FUNCTION


class MessageReader:
    """`feed(choice)` gives the events of one choice of a chunk or a reply, `close()` the last ones."""

    def __init__(self) -> None:
        self._calls: dict[object, Coming] = {}
        self._last: object = None
        self._opened = False
        self.reason = ""

    def feed(self, choice: Json, said: object) -> Iterator[Event]:
        """`said` is its message or its delta."""
        delta = _object(said)
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(thought, str) and thought:
            yield ReasoningDelta(thought)
        yield from _content(delta.get("content"))
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            yield TextDelta(refusal)
        for at, piece in enumerate(_list(delta.get("tool_calls"))):
            yield from self._piece(_object(piece), at)
        if isinstance(piece := delta.get(LEGACY), Mapping):
            yield from self._piece({"index": LEGACY, "function": piece}, 0)
        reason = choice.get("finish_reason")
        self.reason = reason if isinstance(reason, str) and reason else self.reason

    def close(self, usage: Usage) -> Iterator[Event]:
        """What waited, call by call, and the end."""
        while self._calls:
            yield from self._told()
            yield from self._closed()
        yield Finished(ENDINGS.get(self.reason, Ending.STOP), usage)

    def _piece(self, piece: Json, at: int) -> Iterator[Event]:
        body = _object(piece.get("custom") or piece.get("function"))
        key = self._key(piece, body, at)
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = Coming(kind=Kind.FREEFORM if piece.get("custom") else Kind.FUNCTION)
        self._last = key
        call.id = call.id or _text(piece.get("id"))
        call.name = call.name or _text(body.get("name"))
        if fragment := _arguments(body.get("input") if call.kind is Kind.FREEFORM else body.get("arguments")):
            call.fragments.append(fragment)
        yield from self._told()
        while len(self._calls) > 1 and self._first.is_complete:
            yield from self._closed()
            yield from self._told()

    def _key(self, piece: Json, body: Json, at: int) -> object:
        """Which call a piece belongs to; a new id with a name begins another one, whatever its index says."""
        index, id = piece.get("index"), _text(piece.get("id"))
        key = index if index is not None else (at if self._last is None else self._last)
        known = self._calls.get(key) if isinstance(key, (int, str)) else None
        another = bool(known and id and known.id and id != known.id and body.get("name"))
        if another or (index is None and (at or id) and body.get("name") and not (known and known.id == id)):
            return f"{len(self._calls)}:{at}:{id}"
        return key if isinstance(key, (int, str)) else str(key)

    @property
    def _first(self) -> Coming:
        return next(iter(self._calls.values()))

    def _told(self) -> Iterator[Event]:
        """What the first call can say now."""
        call = self._first
        if not call.name:
            return
        if not self._opened:
            self._opened, call.id = True, call.id or new_call_id()
            yield CallOpened(call.id, call.name, call.kind)
        for fragment in call.fragments[call.told :]:
            yield CallDelta(fragment)
        call.told = len(call.fragments)

    def _closed(self) -> Iterator[Event]:
        call = self._calls.pop(next(iter(self._calls)))
        text = "".join(call.fragments)
        if not self._opened:
            yield CallGarbled(text, "the call names no tool")
            return
        self._opened = False
        if not text and call.kind is Kind.FUNCTION:
            text = "{}"
            yield CallDelta(text)
        yield CallClosed(ToolCall(call.id, call.name, text, call.kind))


def only_text(chunk: Json) -> str:
    """The text of a chunk that gives text and nothing else, as nearly all do: such a one is said again as it is.

    Written for speed: this runs once a token, and a pattern with rests would copy the chunk.
    """
    choices = chunk.get("choices")
    if type(choices) is not list or len(choices) != 1 or type(choice := choices[0]) is not dict:
        return ""
    delta = choice.get("delta")
    if type(delta) is not dict or len(delta) != 1 or type(text := delta.get("content")) is not str:
        return ""
    return "" if choice.get("finish_reason") or choice.get("index") or chunk.get("usage") else text


def loaded(data: bytes, what: str) -> dict[str, object]:
    """A JSON object of a model server; an error in its place is raised in its words."""
    try:
        raw = orjson.loads(data)
    except ValueError as error:
        raise UpstreamBroken(f"the model server sent no {what}: {data[:80]!r}") from error
    if not isinstance(raw, dict):
        raise UpstreamBroken(f"the model server sent no {what}: {data[:80]!r}")
    if said := raw.get("error"):
        raise UpstreamBroken(f"the model server broke off: {_words(said)[:2000]}")
    return raw


def choices_of(raw: Json) -> Iterator[Json]:
    """The first choice, in one piece or as often as it comes; no other was asked for."""
    return (choice for choice in map(_object, _list(raw.get("choices"))) if choice.get("index") in (0, None))


def usage_of(raw: Json) -> Usage | None:
    """Tokens as the server counts them; None where it says nothing."""
    usage = raw.get("usage")
    if not isinstance(usage, Mapping):
        return None
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    return Usage(
        _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"),
        cached=_count(prompt, "cached_tokens"), reasoning=_count(completion, "reasoning_tokens"),
    )


def _count(told: object, name: str) -> int:
    value = told.get(name) if isinstance(told, Mapping) else 0
    return int(value) if isinstance(value, (int, float)) else 0


def _content(content: object) -> Iterator[Event]:
    """Text, or a list of parts of which some may be thoughts."""
    if isinstance(content, str):
        if content:
            yield TextDelta(content)
        return
    for part in _list(content):
        match part:
            case {"type": "thinking", "thinking": thoughts}:
                yield ReasoningDelta("".join(event.text for event in _content(thoughts) if type(event) is TextDelta))
            case {"text": str(text)} if text:
                yield TextDelta(text)


def _arguments(said: object) -> str:
    if said is None or isinstance(said, str):
        return said or ""
    return orjson.dumps(said).decode()


def _words(error: object) -> str:
    match error:
        case {"message": str(said)} | str(said):
            return said
    return orjson.dumps(error).decode()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object) -> Json:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UpstreamBroken(f"the model server sent {str(value)[:80]!r} where an object belongs")
    return value


def _list(value: object) -> Iterable[object]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise UpstreamBroken(f"the model server sent {str(value)[:80]!r} where a list belongs")
    return value
