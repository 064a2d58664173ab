"""Put the request to the model server, and say when there is nothing to say."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from pydantic import Field

from ..codec import Codec
from ..conversation import Request, ToldBy
from ..download import Download
from ..errors import ToolsRefused, UpstreamRefused
from ..events import CallDelta, CallGarbled, Event, Finished, ReasoningDelta, TextDelta, Usage, Waiting
from ..exchange import Hop
from ..hookspecs import hookimpl
from ..settings import Section

SPOKEN = (TextDelta, ReasoningDelta)


class Options(Section):
    tick: float = Field(0.25, gt=0, description="how soon a silence, a lost client or the deadline is noticed")


class Forward:
    Config = Options
    needs_upstream = True

    def __init__(self, config: Options) -> None:
        self._tick = config.tick

    @hookimpl
    def toolgate_forward(self, request: Request, hop: Hop) -> Iterator[Event]:
        upstream = hop.exchange.route.upstream
        assert upstream is not None  # a route without one is refused at the start
        codec, renamed = upstream.codec, hop.exchange.route.model
        there = replace(request, model=renamed) if renamed else request
        wire = replace(codec.write_request(there, upstream), key=hop.exchange.client.key)
        if upstream.slots:
            yield from upstream.slots.taken(hop.exchange, upstream.section.wait, upstream.name)
        read = _streamed if request.stream else _whole
        try:
            with closing(Download(upstream, wire, self._tick, hop.exchange.deadline)) as download:
                yield from _counted(read(download, codec, request), len(wire.body))
        except UpstreamRefused as error:
            yield from _despite(error, codec, request)


def _despite(error: UpstreamRefused, codec: Codec, request: Request) -> Iterator[Event]:
    """What an error of a server that was told of tools in fields means: no tools here, or what the model wrote."""
    if not request.tools or request.told_by is ToldBy.TEXT:
        raise error
    if said := codec.said_in_error(error.answered, error.body):
        yield TextDelta(said)
        yield Finished()
    elif codec.garbled_call(error.body):
        yield CallGarbled("", f"{error.upstream} could not read it")
        yield Finished()
    elif codec.refuses_tools(error.answered, error.body):
        raise ToolsRefused(error.upstream, error.answered, error.body) from error
    else:
        raise error


def _counted(events: Iterator[Event], asked: int) -> Iterator[Event]:
    """The events, with an estimate where the server does not say what they cost; `asked` in bytes."""
    said = 0
    for event in events:
        kind = type(event)
        if kind in SPOKEN:
            said += len(event.text)  # type: ignore[union-attr]  # by its kind
        elif isinstance(event, CallDelta):
            said += len(event.fragment)
        elif isinstance(event, Finished) and not (event.usage.input or event.usage.output):
            event = replace(event, usage=Usage.estimate(asked, said))
        yield event


def _streamed(download: Download, codec: Codec, request: Request) -> Iterator[Event]:
    reader = codec.reply_reader(request)
    for data in download:
        if not data:
            yield Waiting()
        elif "json" in download.content_type:
            yield from codec.read_reply(data + b"".join(download), request)
            return
        else:
            yield from reader.feed(data)
        if reader.done:
            download.drain()
            return
    yield from reader.close()


def _whole(download: Download, codec: Codec, request: Request) -> Iterator[Event]:
    pieces = []
    for data in download:
        pieces.append(data)
        if not data:
            yield Waiting()
    yield from codec.read_reply(b"".join(pieces), request)
