"""Which models there are: the upstreams are asked, their lists merged and kept for a minute."""
from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from time import monotonic

import gevent
import orjson
from requests import RequestException

from .errors import UnknownModel, UpstreamBroken, UpstreamError
from .routes import Routes
from .upstream import Upstream

KEPT = 60.0
MOST = 1000
Model = dict[str, object]


class Models:
    """The merged list; where an upstream takes the client's own key, each client has its own."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._kept: dict[tuple[str, str], tuple[float, list[Model]]] = {}

    def all(self, key: str) -> dict[str, object]:
        """The list as OpenAI's clients read it; `UpstreamError` if no upstream answers and no route has a name."""
        asked = [gevent.spawn(self._of, upstream, key) for upstream in self._routes.upstreams.values()]
        gevent.joinall(asked)
        found = {str(model["id"]): model for model in self._named()}
        for job in asked:
            if isinstance(job.value, list):
                found |= {str(model["id"]): model for model in job.value}
        failed = [job.value for job in asked if isinstance(job.value, UpstreamError)]
        if failed and not found:
            raise failed[0]
        return {"object": "list", "data": list(found.values())}

    def one(self, name: str, key: str) -> Model:
        """One model of the list; `UnknownModel` if it is not there."""
        for model in self.all(key)["data"]:  # type: ignore[attr-defined]  # the list made above
            if model["id"] == name:
                return dict(model)
        raise UnknownModel(f"there is no model {name!r}", "model")

    def _named(self) -> Iterator[Model]:
        """The routes with a plain name are models too."""
        for route in self._routes:
            if not route.is_pattern:
                yield {"id": route.pattern, "object": "model", "created": 0, "owned_by": "toolgate"}

    def _of(self, upstream: Upstream, key: str) -> list[Model] | UpstreamError:
        whose = sha256(key.encode()).hexdigest() if upstream.section.key == "client" else ""
        kept = self._kept.get((upstream.name, whose))
        if kept and monotonic() - kept[0] < KEPT:
            return kept[1]
        try:
            models = list(_asked(upstream, key))
        except UpstreamError as error:
            return error
        if len(self._kept) > MOST:
            self._kept.clear()
        self._kept[upstream.name, whose] = monotonic(), models
        return models


def _asked(upstream: Upstream, key: str) -> Iterator[Model]:
    response = upstream.send("GET", "/models", None, {"Accept": "application/json"}, key)
    try:
        body = response.content
    except RequestException as error:
        raise UpstreamBroken(f"{upstream.name}: {error}") from error
    if response.status_code >= 400:
        raise upstream.refused(response)
    match _read(upstream, body):
        case {"data": [*models]}:
            for model in models:
                match model:
                    case {"id": str(id)}:
                        yield {"object": "model", "created": 0, "owned_by": upstream.name, **model, "id": id}
        case other:
            raise UpstreamBroken(f"{upstream.name}: its list of models is {str(other)[:80]}")


def _read(upstream: Upstream, body: bytes) -> object:
    try:
        return orjson.loads(body)
    except ValueError as error:
        raise UpstreamBroken(f"{upstream.name}: its list of models is no JSON: {body[:80]!r}") from error
