"""The same gunicorn for `toolgate serve` and for `gunicorn -c gunicorn.conf.py wsgi:app`."""
from __future__ import annotations

import gc
from collections.abc import Callable

from flask import Flask
from gunicorn.app.base import BaseApplication

from .app import create_app
from .errors import ConfigError
from .settings import Settings

STREAMS = "gevent"
LAST_SECONDS = 5
"""What a worker has to stop its stages once its clients are gone."""
CANNOT_STREAM = (
    "{} cannot stream: it serves one client at a time, or none while a model thinks; "
    "use worker_class = 'gevent', as `gunicorn -c gunicorn.conf.py wsgi:app` and `toolgate serve` do"
)


def configuration(settings: Settings) -> dict[str, object]:
    """Gunicorn's settings; `ConfigError` where ours cannot be used."""
    server = settings.server()
    return {
        "bind": f"{server.host}:{server.port}",
        "workers": server.workers,
        "worker_class": STREAMS,
        "worker_connections": server.connections,
        "graceful_timeout": server.drain + LAST_SECONDS,
        "timeout": 60,
        "keepalive": 10,
        "control_socket_disable": True,
        "on_starting": refuse_what_cannot_stream,
        "post_fork": _drains_sooner,
        "post_worker_init": _settle,
    }


def _drains_sooner(server: object, worker: object) -> None:
    """The worker counts the same limit as the arbiter that kills it: it must be done before, to close what is open."""
    cfg = worker.cfg  # type: ignore[attr-defined]  # gunicorn ships no types
    cfg.set("graceful_timeout", max(0, cfg.graceful_timeout - LAST_SECONDS))


def refuse_what_cannot_stream(server: object) -> None:
    """Stop at the start, with the reason; `server` is gunicorn's arbiter."""
    name = server.cfg.worker_class_str  # type: ignore[attr-defined]  # gunicorn ships no types
    if name != STREAMS:
        raise SystemExit(CANNOT_STREAM.format(f"the worker class {name!r}"))


def refuse_without_gevent() -> None:
    """The same for whoever loads the application without our configuration."""
    from gevent import monkey

    if not monkey.is_module_patched("socket"):
        raise ConfigError(CANNOT_STREAM.format("the worker class in use"))


def _settle(worker: object) -> None:
    """What lives as long as the worker need not be looked at by every collection."""
    gc.collect()
    gc.freeze()


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn, told by our settings in place of its own command line."""

    def __init__(self, settings: Settings, ready: Callable[[object], None]) -> None:
        self._settings, self._ready = settings, ready
        super().__init__()

    def load_config(self) -> None:
        for name, value in {**configuration(self._settings), "when_ready": self._ready}.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return create_app(self._settings)
