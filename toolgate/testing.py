"""What tests of models and of plugins need: read a text as toolgate would, with no server."""
from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic

from .conversation import Request, ToldBy, Tool
from .dialects.reader import CallReader
from .events import CallClosed, CallGarbled, CallRefused, Event, Finished, Reply, TextDelta
from .exchange import Client, Exchange, Hop
from .settings import Section
from .stages.check import Check
from .stages.parse import names_of, parsed

Call = dict[str, object]


def parse(text: str, tools: Iterable[Mapping[str, object]]) -> tuple[list[Call], str | None]:
    """The calls of a model's whole text, and the text that is left for the user, or None.

    :param tools: ``{"name": …, "parameters": <JSON Schema>}`` each
    :return: ``[{"name": …, "arguments": {…}}]`` in order, and the content
    """
    return parse_stream([text], tools)


def parse_stream(
    chunks: Iterable[str], tools: Iterable[Mapping[str, object]]
) -> tuple[list[Call], str | None]:
    """The same for a text that comes in pieces; the answer does not depend on how it is cut."""
    offered = tuple(Tool(str(tool["name"]), "", tool.get("parameters") or {}) for tool in tools)  # type: ignore[arg-type]  # a schema
    request = Request("", (), offered, told_by=ToldBy.TEXT)
    reply = Reply.of(_read(chunks, request))
    calls: list[Call] = [{"name": call.tool, "arguments": json.loads(call.arguments)} for call in reply.calls]
    return calls, "".join(_said(event) for event in reply.events) or None


def _read(chunks: Iterable[str], request: Request) -> Iterator[Event]:
    reader = CallReader(lambda: f"call_{secrets.token_hex(12)}", names_of(request), reads_calls=request.may_call)
    text: Iterator[Event] = (event for chunk in chunks for event in (TextDelta(chunk),))
    events = parsed(_ended(text), reader)
    exchange = Exchange("", Client(), None, monotonic(), monotonic())  # type: ignore[arg-type]  # no route is asked
    return Check(Section()).toolgate_read(events, request, Hop(request, exchange))


def _ended(events: Iterator[Event]) -> Iterator[Event]:
    yield from events
    yield Finished()


def _said(event: Event) -> str:
    match event:
        case TextDelta(text) | CallGarbled(text) | CallRefused(text=text):
            return text
        case CallClosed():
            return ""
    return ""
