"""Calls written as a ```json action fence: its contract, its writer and its incremental reader."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from json.decoder import WHITESPACE, JSONDecoder, scanstring

import orjson

from ..conversation import ToldBy, ToolCall, ToolResult
from ..events import CallGarbled, CallOpened, Event, TextDelta, whole_call
from .scanner import MarkFinder, ValueEnd

OPEN, CLOSE = "```json action", "```"
FORM = OPEN + '\n{"tool": "...", "parameters": {...}}\n' + CLOSE
MARKS = (OPEN, "```json_action", "```action", "```tool_call")
NAMES = ("tool", "tool_name", "name", "function", "action")
ARGUMENTS = ("parameters", "arguments", "args", "params", "input", "action_input")
NONE = ("null", '""')
LONGEST = 1_000_000
_skip, _value = WHITESPACE.match, JSONDecoder().raw_decode


@lru_cache(256)
def contract(tools: bytes) -> str:
    """The text that tells a model its tools; `tools` is their JSON, which is also the key."""
    told = "\n".join(
        f"### {name}\n{description}\n{orjson.dumps(schema).decode()}"
        for name, description, schema in orjson.loads(tools)
    )
    return f"To call a tool, write\n{FORM}\nTools:\n{told}"


def write(part: ToolCall | ToolResult) -> str:
    if isinstance(part, ToolResult):
        return f"Result of the call:\n{part.text}"
    name = orjson.dumps(part.tool).decode()
    return f'{OPEN}\n{{"tool": {name}, "parameters": {part.arguments}}}\n{CLOSE}'


class CallReader:
    """feed(text) -> events; holds back a possible mark, or a call until it is whole."""

    def __init__(self, new_call_id: Callable[[], str], longest: int = LONGEST) -> None:
        self._new_call_id, self._longest = new_call_id, longest
        self._step = CallReader._prose
        self._marks = MarkFinder(MARKS)
        self._end = ValueEnd()
        self._body: list[str] = []
        self._size = 0
        self._seen, self._mark = "", OPEN

    @property
    def idle(self) -> bool:
        """In prose, with nothing held back."""
        return self._step is CallReader._prose and not self._marks.holds

    @property
    def examined(self) -> int:
        return self._marks.examined + self._end.examined

    def feed(self, text: str) -> Iterator[Event]:
        while text:
            events, text = self._step(self, text)
            yield from events

    def close(self) -> Iterator[Event]:
        if self._step is CallReader._inside and self._body:
            yield CallGarbled(self._mark + "".join(self._body), "the call is never closed")
        elif self._step is CallReader._after:
            yield from self._read("")
        elif rest := self._marks.close():
            yield TextDelta(rest)

    def _prose(self, text: str) -> tuple[tuple[Event, ...], str]:
        said, mark, rest = self._marks.feed(text)
        if mark:
            self._mark = mark
            self._step, self._end, self._body, self._size = CallReader._inside, ValueEnd(), [], 0
        return ((TextDelta(said),) if said else ()), rest

    def _inside(self, text: str) -> tuple[tuple[Event, ...], str]:
        """Collect up to the value's end or the limit, whichever comes first, however the text is cut."""
        part = text[: self._longest - self._size]
        at = self._end.feed(part)
        self._body.append(part if at < 0 else part[:at])
        self._size += len(part)
        if at >= 0:
            self._step, self._seen = CallReader._after, ""
            return (), text[at:]
        if self._size < self._longest:
            return (), ""
        self._step = CallReader._overlong
        garbled = CallGarbled(self._mark + "".join(self._body), f"it is longer than {self._longest} characters")
        return (garbled,), text[len(part) :]

    def _overlong(self, text: str) -> tuple[tuple[Event, ...], str]:
        """The rest of a call that was given up is text, and no mark in it opens another."""
        at = self._end.feed(text)
        if at < 0:
            return (TextDelta(text),), ""
        self._step = CallReader._prose
        return (TextDelta(text[:at]),), text[at:]

    def _after(self, text: str) -> tuple[tuple[Event, ...], str]:
        """Take blanks and the closing mark with the call; whatever else comes is prose."""
        self._seen += text
        seen = self._seen.lstrip()
        if not seen.startswith(CLOSE) and CLOSE.startswith(seen):
            return (), ""
        rest = seen.removeprefix(CLOSE)
        closing = self._seen[: len(self._seen) - len(rest)] if rest != seen else ""
        self._step = CallReader._line_end if closing else CallReader._prose
        return self._read(closing), rest

    def _line_end(self, text: str) -> tuple[tuple[Event, ...], str]:
        self._step = CallReader._prose
        return (), text.removeprefix("\n")

    def _read(self, closing: str) -> tuple[Event, ...]:
        return read(self._mark, "".join(self._body), closing, self._new_call_id)


def read(mark: str, body: str, closing: str, new_call_id: Callable[[], str]) -> tuple[Event, ...]:
    """The call that a fence's body says, its arguments as they were written."""
    text = f"{mark}{body}{closing}"
    try:
        fields = _fields(body)
        name, arguments = orjson.loads(_first(fields, NAMES)), _arguments(fields)
        if not isinstance(name, str) or not isinstance(orjson.loads(arguments), dict):
            raise ValueError("tool must be a name and parameters an object")
    except (ValueError, KeyError) as error:
        return (CallGarbled(text, f"{type(error).__name__}: {error}"),)
    call = ToolCall(new_call_id(), name, arguments)
    return whole_call(CallOpened(call.id, name, told_by=ToldBy.TEXT), call, text)


def _first(fields: dict[str, str], keys: tuple[str, ...]) -> str:
    return next(fields[key] for key in keys if key in fields) if fields.keys() & set(keys) else "null"


def _arguments(fields: dict[str, str]) -> str:
    """The text of the arguments' object; null, an empty string and no key at all mean none."""
    written = _first(fields, ARGUMENTS)
    if written in NONE:
        return "{}"
    return str(orjson.loads(written)) if written.startswith('"') else written


def _fields(body: str) -> dict[str, str]:
    """Each key of a JSON object with the text of its value."""
    orjson.loads(body)
    at, fields = _skip(body, body.index("{") + 1).end(), {}
    while body[at] != "}":
        key, at = scanstring(body, at + 1)
        start = _skip(body, _skip(body, at).end() + 1).end()
        _, at = _value(body, start)
        fields[key] = body[start:at]
        at = _skip(body, at).end()
        at = _skip(body, at + 1).end() if body[at] == "," else at
    return fields
