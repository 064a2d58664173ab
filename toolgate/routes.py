"""Which upstream and which pipeline a model name gets."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from .errors import ConfigError, UnknownModel
from .loading import Stages, load
from .needs import Needs
from .pipeline import Pipeline
from .protocols import CODECS
from .settings import RouteSection, Settings
from .store import Store
from .upstream import Upstream


@dataclass(frozen=True, slots=True)
class Route:
    """`model` is the model's name at the upstream, "" where it is the client's own."""

    pattern: str
    upstream: Upstream | None
    pipeline: Pipeline
    model: str = ""

    @property
    def is_pattern(self) -> bool:
        return any(sign in self.pattern for sign in "*?[")


class Routes:
    """Every route of the settings; upstreams and lists that several routes name are made once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.upstreams = {name: _upstream(settings, name) for name in settings.upstreams()}
        self._stages: dict[str, Stages] = {}
        self._store = Store()
        self._routes = [self._route(pattern, section) for pattern, section in settings.routes()]

    def __iter__(self) -> Iterator[Route]:
        return iter(self._routes)

    @property
    def plugins(self) -> list[object]:
        """Every stage and observer in use, once."""
        found = {id(plugin): plugin for stages in self._stages.values() for plugin in stages.plugins}
        return list(found.values())

    def find(self, model: str) -> Route:
        """The exact name first, then patterns in the order of the settings."""
        for route in self._routes:
            if route.pattern == model or fnmatchcase(model, route.pattern):
                return route
        known = ", ".join(route.pattern for route in self._routes)
        raise UnknownModel(f"no route takes the model {model!r}; the routes are: {known}", "model")

    def _route(self, pattern: str, section: RouteSection) -> Route:
        if section.upstream and section.upstream not in self.upstreams:
            self._settings.upstream(section.upstream)
        lists = [self._list(name) for name in section.pipeline]
        upstream = self.upstreams[section.upstream] if section.upstream else None
        if upstream is None and any(getattr(p, "needs_upstream", False) for one in lists for p in one.plugins):
            raise ConfigError(f"{self._settings.file}: the route {pattern!r} names no upstream, and its list needs one")
        scope = "\n".join((upstream.url if upstream else "", section.model, *section.pipeline))
        pipeline = Pipeline(lists, self._hops(section), Needs(scope, self._store))
        return Route(pattern, upstream, pipeline, section.model)

    def _hops(self, section: RouteSection) -> int:
        return self._settings.pipeline(section.pipeline[0]).max_hops

    def _list(self, name: str) -> Stages:
        if name not in self._stages:
            self._stages[name] = load(self._settings, name)
        return self._stages[name]


def _upstream(settings: Settings, name: str) -> Upstream:
    section = settings.upstream(name)
    if section.codec not in CODECS:
        raise ConfigError(
            f"{settings.file}: [upstream:{name}] codec = {section.codec!r}: there is no such codec; "
            f"known: {', '.join(CODECS)}"
        )
    return Upstream(name, section, CODECS[section.codec], settings.secret(section.key_env))
