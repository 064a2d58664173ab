"""The shapes in which a JSON value says a call: which tool, with which arguments, as they were written."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .slices import fields, items

NAMES = ("tool", "tool_name", "name", "function", "action")
ARGUMENTS = ("parameters", "arguments", "args", "params", "input", "action_input")
WRAPPERS = {*NAMES, *ARGUMENTS, "tool_calls", "id", "type", "role", "content", "index"}
PROPER = ("parameters", "arguments")
"""What stands under these is the arguments or a mistake, never a parameter of that name."""
FLAT = ("tool", "tool_name")
BESIDE_NAME = {"id", "type", "index", "role"}


@dataclass(frozen=True, slots=True)
class Said:
    """A call as a value says it; `surely` where the value has the arguments' key, or is nothing but a call."""

    name: str
    arguments: str
    surely: bool
    repairs: tuple[str, ...] = ()


def calls_of(text: str) -> Iterator[Said]:
    """Every call that this strict JSON text says, in order."""
    match text[:1]:
        case "[":
            for start, end in items(text):
                yield from calls_of(text[start:end])
        case '"':
            if (inner := _inner(text)) is not None:
                yield from calls_of(inner)
        case "{":
            told = {key: text[start:end] for key, (start, end) in fields(text)}
            yield from _of_object(told)


def _of_object(told: Mapping[str, str]) -> Iterator[Said]:
    if told.get("tool_calls", "").startswith("["):
        yield from calls_of(told["tool_calls"])
        return
    if told.get("function", "").startswith("{"):
        yield from calls_of(told["function"])
        return
    key = next((key for key in NAMES if told.get(key, "").startswith('"')), None)
    if key is None:
        return
    name = json.loads(told[key])
    rest = {other: value for other, value in told.items() if other != key}
    for wrapper in ARGUMENTS:
        if wrapper in rest and (arguments := arguments_of(rest[wrapper])) is not None:
            repairs = () if arguments == rest[wrapper] else ("arguments_as_text",)
            if (values := _in_schemas_shape(arguments)) is not None:
                arguments, repairs = values, (*repairs, "schemas_shape")
            if not _is_definition(arguments):
                yield Said(name, arguments, True, repairs)
            return
        if wrapper in rest and wrapper in PROPER:
            return
    others = rest.keys() - BESIDE_NAME
    if key in FLAT:
        flat = ", ".join(f"{json.dumps(other, ensure_ascii=False)}: {value}" for other, value in rest.items())
        yield Said(name, f"{{{flat}}}", not others, ("flat_arguments",) if rest else ())
    elif not others:
        yield Said(name, "{}", False)


def arguments_of(text: str) -> str | None:
    """The text of the arguments' object; null and an empty string mean none, a JSON text in a string is read."""
    if text in ("null", '""'):
        return "{}"
    if text.startswith("{"):
        return text
    inner = _inner(text) if text.startswith('"') else None
    return inner if inner and inner.startswith("{") else None


def _inner(text: str) -> str | None:
    """The JSON text that stands in this JSON string, if it is one."""
    inner = json.loads(text).strip()
    try:
        json.loads(inner)
    except ValueError:
        return None
    return str(inner) if inner[:1] in ("{", "[", '"') else None


def _is_definition(arguments: str) -> bool:
    """A tool's schema in the place of its arguments: a definition somebody asked for, no call."""
    told = {key: arguments[start:end] for key, (start, end) in fields(arguments)}
    return told.get("type") == '"object"' and told.get("properties", "").startswith("{")


def _in_schemas_shape(arguments: str) -> str | None:
    """The values that stand where a schema has its properties: small models copy the shape of the schema."""
    told = {key: arguments[start:end] for key, (start, end) in fields(arguments)}
    properties = told.get("properties", "")
    if told.get("type") != '"object"' or not properties.startswith("{"):
        return None
    values = [properties[start:end] for _, (start, end) in fields(properties)]
    return properties if values and not all(value.startswith("{") for value in values) else None
