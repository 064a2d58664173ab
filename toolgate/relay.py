"""Requests that are not for a conversation go to the upstream as they are."""
from __future__ import annotations

from collections.abc import Iterator

import orjson
from flask import Response, request
from requests import Response as Answer

from .errors import ClientError, NotFound
from .exchange import client_key
from .routes import Routes
from .upstream import Upstream

RELAYED = (
    "embeddings", "completions", "rerank", "moderations",
    "images/generations", "images/edits", "images/variations",
    "audio/speech", "audio/transcriptions", "audio/translations",
)
BLOCK = 65_536
PASSED = ("Content-Type", "Accept")
TOLD = ("Content-Type", "Retry-After", "Content-Disposition")


class Relay:
    """Unchanged but for the key: the same limits, no stages."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes

    def by_model(self, path: str) -> Response:
        """To the upstream of the model that the body or the form names."""
        data = request.get_data()
        route = self._routes.find(_model(data))
        if route.upstream is None:
            raise NotFound(f"the route {route.pattern!r} has no upstream that could take {path}")
        return _sent(route.upstream, path, data)

    def by_key(self, path: str) -> Response:
        """To an upstream that takes the client's own key; there is none: no such path."""
        for route in self._routes:
            if route.upstream and route.upstream.section.key == "client":
                return _sent(route.upstream, path, request.get_data())
        raise NotFound(f"there is no {request.method} {request.path} here")


def _sent(upstream: Upstream, path: str, data: bytes) -> Response:
    query = f"?{request.query_string.decode()}" if request.query_string else ""
    headers = {name: request.headers[name] for name in PASSED if name in request.headers}
    answer = upstream.send(request.method, path + query, data or None, headers, client_key(request.headers))
    told = {name: answer.headers[name] for name in TOLD if name in answer.headers}
    response = Response(_pieces(answer), answer.status_code, told, direct_passthrough=True)
    response.call_on_close(answer.close)
    return response


def _pieces(answer: Answer) -> Iterator[bytes]:
    """As they come: a sized read would wait until the block is full."""
    while piece := answer.raw.read1(BLOCK, decode_content=True):
        yield piece


def _model(data: bytes) -> str:
    if request.mimetype in ("multipart/form-data", "application/x-www-form-urlencoded"):
        model: object = request.form.get("model")
    else:
        model = _field(data)
    if isinstance(model, str) and model:
        return model
    raise ClientError("this request must name a model", "model")


def _field(data: bytes) -> object:
    try:
        body = orjson.loads(data)
    except ValueError as error:
        raise ClientError(f"the body is not JSON: {error}", code="invalid_json") from error
    return body.get("model") if isinstance(body, dict) else None
