"""The WSGI rim: paths in, bytes out, and nothing about stages."""
from __future__ import annotations

import atexit
import secrets
from collections.abc import Callable
from time import monotonic

import orjson
from flask import Flask, Response, request
from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException

from .answering import Primed, leaving
from .codec import Codec
from .errors import ClientError, NotAllowed, NotFound, PipelineError, TooLarge, ToolgateError
from .exchange import Client, Exchange, client_key
from .models import Models
from .protocols import CODECS
from .relay import RELAYED, Relay
from .routes import Route, Routes
from .settings import Settings

LIFETIME = 1800.0
EVERY = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def create_app(settings: Settings) -> Flask:
    """The WSGI application of these settings; `ConfigError` where they cannot be used."""
    routes = Routes(settings)
    app = Flask("toolgate", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.server().max_body
    for codec in CODECS.values():
        app.add_url_rule(codec.path, codec.name, _view(routes, codec), methods=["POST"])
    _add_others(app, routes)
    app.register_error_handler(Exception, _told)
    _start(routes)
    return app


def _add_others(app: Flask, routes: Routes) -> None:
    models, relay = Models(routes), Relay(routes)
    app.add_url_rule("/", "root", lambda: _json_response({"service": "toolgate"}))
    app.add_url_rule("/health", "health", lambda: _json_response({"status": "ok"}))
    app.add_url_rule("/v1/models", "models", lambda: _json_response(models.all(client_key(request.headers))))
    app.add_url_rule(
        "/v1/models/<path:name>", "model", lambda name: _json_response(models.one(name, client_key(request.headers)))
    )
    for path in RELAYED:
        app.add_url_rule(f"/v1/{path}", path, _relaying(relay.by_model), methods=["POST"])
    app.add_url_rule("/v1/<path:path>", "other", _relaying(relay.by_key), methods=EVERY)


def _start(routes: Routes) -> None:
    """Let the stages open what they need, here in the worker, and close it at its end."""
    for plugin in routes.plugins:
        if start := getattr(plugin, "start", None):
            start()
        if stop := getattr(plugin, "stop", None):
            atexit.register(stop)


def _view(routes: Routes, codec: Codec) -> Callable[[], Response]:
    def view() -> Response:
        id = _new_id()
        try:
            body = _json(request.get_data(cache=False))
            route = routes.find(model := codec.model_of(body))
            exchange = _exchange(id, route, model, codec, request.headers)
            chunks = route.pipeline.answer(body, exchange, codec)
            answer = Primed(chunks, leaving(request.environ.get("gunicorn.socket")))
            headers = {**answer.head.headers, **_named(id)}
            if answer.streams:
                return Response(answer, answer.head.status, headers, direct_passthrough=True)
            return Response(b"".join(answer), answer.head.status, headers)
        except ToolgateError as error:
            return _error_response(error, codec, id)

    return view


def _relaying(relayed: Callable[[str], Response]) -> Callable[..., Response]:
    def view(path: str = "") -> Response:
        response = relayed(request.path.removeprefix("/v1"))
        response.headers.update(_named(_new_id()))
        return response

    return view


def _json(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except ValueError as error:
        raise ClientError(f"the body is not JSON: {error}", code="invalid_json") from error


def _exchange(id: str, route: Route, model: str, codec: Codec, headers: Headers) -> Exchange:
    now, undecided = monotonic(), route.pipeline.undecided(model)
    lifetime = route.upstream.section.total if route.upstream else LIFETIME
    client = Client(key=client_key(headers), headers=dict(headers))
    return Exchange(id, client, route, now, now + lifetime, undecided, codec.new_call_id)


def _told(error: Exception) -> Response:
    """Whatever went wrong outside of a view, in the envelope of the path's protocol, never as HTML."""
    codec = next((c for c in CODECS.values() if c.path == request.path), next(iter(CODECS.values())))
    return _error_response(_as_ours(error), codec, _new_id())


def _as_ours(error: Exception) -> ToolgateError:
    if isinstance(error, ToolgateError):
        return error
    match getattr(error, "code", None) if isinstance(error, HTTPException) else 500:
        case 404:
            return NotFound(f"there is no {request.path} here")
        case 405:
            return NotAllowed(f"{request.path} does not take {request.method}")
        case 413:
            return TooLarge("the body is larger than this server reads; its limit is [server] max_body")
        case 500 | None:
            return PipelineError(f"toolgate had an accident: {error!r}")
    return ClientError(str(error))


def _error_response(error: ToolgateError, codec: Codec, id: str) -> Response:
    headers = {"Content-Type": "application/json", **_named(id)}
    if error.final:
        headers["x-should-retry"] = "false"
    if error.retry_after is not None:
        headers["Retry-After"] = f"{error.retry_after:g}"
    return Response(codec.write_error(error), error.status, headers)


def _json_response(value: object) -> Response:
    return Response(orjson.dumps(value), 200, {"Content-Type": "application/json", **_named(_new_id())})


def _named(id: str) -> dict[str, str]:
    """Both families' names for a request's id."""
    return {"x-request-id": id, "request-id": id}


def _new_id() -> str:
    return f"req_{secrets.token_hex(12)}"
