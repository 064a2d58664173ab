"""The WSGI rim: one route per codec, bytes in, bytes out, and nothing about stages."""
from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from time import monotonic

import orjson
from flask import Flask, Response, request

from .codec import Codec
from .errors import ClientError, ToolgateError
from .exchange import Client, Exchange
from .protocols import CODECS
from .routes import Route, Routes
from .settings import Settings
from .wire import Head

LIFETIME = 600.0
LOOK = 0.25


def create_app(settings: Settings) -> Flask:
    """The WSGI application of these settings; `ConfigError` where they cannot be used."""
    routes = Routes(settings)
    app = Flask("toolgate")
    for codec in CODECS.values():
        app.add_url_rule(codec.path, codec.name, _view(routes, codec), methods=["POST"])
    return app


def _view(routes: Routes, codec: Codec) -> Callable[[], Response]:
    def view() -> Response:
        try:
            body = _json(request.get_data(cache=False))
            model = codec.model_of(body)
            route = routes.find(model)
            exchange = _exchange(route, model, codec, dict(request.headers))
            chunks = route.pipeline.answer(body, exchange, codec)
            answer = primed(chunks, _leaving(request.environ.get("gunicorn.socket")))
            if answer.streams:
                return Response(answer, answer.head.status, answer.head.headers, direct_passthrough=True)
            return Response(b"".join(answer), answer.head.status, answer.head.headers)
        except ToolgateError as error:
            return Response(codec.write_error(error), error.status, content_type="application/json")

    return view


def _json(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except ValueError as error:
        raise ClientError(f"the body is not JSON: {error}") from error


def _exchange(route: Route, model: str, codec: Codec, headers: Mapping[str, str]) -> Exchange:
    now, undecided = monotonic(), route.pipeline.undecided(model)
    client = Client(headers=headers)
    return Exchange(secrets.token_hex(8), client, route, now, now + LIFETIME, undecided, codec.new_call_id)


class primed:
    """The chunks, the first of them awaited now, so that an early error still has a status line."""

    def __init__(self, chunks: Iterator[Head | bytes], left: Callable[[], bool]) -> None:
        self._chunks, self._left, self.head = chunks, left, Head(200)
        try:
            self._first = self._next()
        except BaseException:
            chunks.close()
            raise

    @property
    def streams(self) -> bool:
        return self.head.headers.get("Content-Type") == "text/event-stream"

    def __iter__(self) -> Iterator[bytes]:
        chunk = self._first
        while chunk:
            yield chunk
            chunk = self._next()

    def close(self) -> None:
        self._chunks.close()

    def _next(self) -> bytes:
        """The next bytes that there are; none at the end, or when the client has left."""
        for chunk in self._chunks:
            if self._left():
                break
            if type(chunk) is Head:
                self.head = chunk
            elif chunk:
                return chunk
        self._chunks.close()
        return b""


def _leaving(sock: object) -> Callable[[], bool]:
    """Has the client closed?  Asked often, looked at four times a second."""
    due = monotonic() + LOOK

    def left() -> bool:
        nonlocal due
        if sock is None or monotonic() < due:
            return False
        due = monotonic() + LOOK
        return is_closed(sock)

    return left


def is_closed(sock: socket.socket) -> bool:
    """Peek without waiting: a gevent socket would otherwise park the greenlet."""
    patience = sock.gettimeout()
    sock.settimeout(0)
    try:
        return sock.recv(1, socket.MSG_PEEK) == b""
    except (BlockingIOError, ValueError):
        return False
    except OSError:
        return True
    finally:
        sock.settimeout(patience)
