"""Reads every section of the settings, used or not, as a worker would, and tells it without its secrets."""
from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from .loading import config_of
from .routes import Routes
from .settings import Section, Settings

SECRET = re.compile(r"key|token|secret|password|authorization", re.IGNORECASE)
MASK = "***"
PASSWORD = re.compile(r"(?<=//)[^/@]+(?=@)")
QUERY = re.compile(r"([?&][^=&]+)=[^&]*")


def inspect(settings: Settings) -> None:
    """`ConfigError` for the first thing that a worker, or a list that is not used yet, would stumble over."""
    list(sections(settings))
    Routes(settings)


def sections(settings: Settings) -> Iterator[tuple[str, Section]]:
    """Each section's title and what is in force in it, in the order in which an operator thinks of them."""
    yield "server", settings.server()
    yield "admin", settings.admin()
    listed: dict[str, None] = {}
    for name in settings.pipelines():
        pipeline = settings.pipeline(name)
        yield f"pipeline:{name}", pipeline
        listed |= dict.fromkeys((*pipeline.stages, *pipeline.observers))
    for entry in dict.fromkeys((*listed, *settings.stages())):
        name, _, variant = entry.partition(":")
        yield f"stage:{entry}", settings.stage(name, variant, config_of(name, settings.file))
    for name in settings.upstreams():
        yield f"upstream:{name}", settings.upstream(name)
    for pattern, route in settings.routes():
        yield f"route:{pattern}", route


def told(section: Section, settings: Settings) -> Iterator[tuple[str, str]]:
    """(option, value) of a section, secrets masked."""
    for option, value in section.model_dump().items():
        if option == "key_env" and value:
            yield option, f"{value} ({'set' if settings.secret(str(value)) else 'not set'})"
        elif option == "extra_headers" and isinstance(value, dict):
            yield option, ", ".join(f"{name}: {MASK}" for name in value)
        elif SECRET.search(option) and isinstance(value, str) and value and option != "key":
            yield option, MASK
        else:
            yield option, _written(value)


def _written(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case tuple() | list():
            return " ".join(map(str, value))
        case dict():
            return orjson.dumps(_masked(value)).decode() if value else ""
        case str():
            return QUERY.sub(rf"\\1={MASK}", PASSWORD.sub(MASK, value)) if "://" in value else value
    return str(value)


def _masked(value: object) -> object:
    match value:
        case dict():
            return {k: MASK if SECRET.search(str(k)) and isinstance(v, str) else _masked(v) for k, v in value.items()}
        case list():
            return [_masked(one) for one in value]
    return value
