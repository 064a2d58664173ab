"""Put the request to the model server, and say when there is nothing to say."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from pydantic import Field

from ..conversation import Request, ToldBy
from ..errors import ToolsRefused, UpstreamRefused
from ..events import Event, Waiting
from ..exchange import Hop
from ..hookspecs import hookimpl
from ..settings import Section
from ..upstream import Download


class Config(Section):
    tick: float = Field(0.25, gt=0, description="how soon a silence, a lost client or the deadline is noticed")


class Forward:
    Config = Config
    needs_upstream = True

    def __init__(self, config: Config) -> None:
        self._tick = config.tick

    @hookimpl
    def toolgate_forward(self, request: Request, hop: Hop) -> Iterator[Event]:
        upstream = hop.exchange.route.upstream
        codec = upstream.codec
        wire = replace(codec.write_request(_there(request, hop), upstream), key=hop.exchange.client.key)
        read = _streamed if request.stream else _whole
        try:
            with closing(Download(upstream, wire, self._tick, hop.exchange.deadline)) as download:
                yield from read(download, codec, request)
        except UpstreamRefused as error:
            told = request.tools and request.told_by is ToldBy.FIELDS
            if told and codec.refuses_tools(error.answered, error.body):
                raise ToolsRefused(upstream.name, error.answered, error.body) from error
            raise


def _there(request: Request, hop: Hop) -> Request:
    """With the model's name at the upstream."""
    return replace(request, model=hop.exchange.route.model or request.model)


def _streamed(download: Download, codec: object, request: Request) -> Iterator[Event]:
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


def _whole(download: Download, codec: object, request: Request) -> Iterator[Event]:
    pieces = []
    for data in download:
        pieces.append(data)
        if not data:
            yield Waiting()
    yield from codec.read_reply(b"".join(pieces), request)
