"""Tools as TypeScript-like signatures, with nothing of their schemas lost."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import orjson

TYPES = {"integer": "integer", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
SAID = {
    "type", "properties", "required", "items", "description", "enum", "const", "anyOf", "oneOf", "allOf", "$ref",
    "$defs", "definitions", "$schema", "title", "additionalProperties",
}
INDENT = "  "


def signature(name: str, description: str, schema: Mapping[str, object]) -> str:
    """`name(parameters)`, its description before it as comment lines."""
    told = "".join(f"// {line}\n" for line in description.splitlines())
    return f"{told}{name}({Writer(schema).shape(schema, 0)})"


class Writer:
    """Writes a JSON Schema as a type; a reference to a shape that is being written is left as its name."""

    def __init__(self, root: Mapping[str, object]) -> None:
        self._root, self._within = root, ("",)

    def shape(self, schema: object, depth: int) -> str:
        if not isinstance(schema, Mapping):
            return "never" if schema is False else "any"
        if isinstance(ref := schema.get("$ref"), str):
            return self._referred(ref, depth)
        if "const" in schema:
            return _json(schema["const"])
        if isinstance(values := schema.get("enum"), list):
            return " | ".join(map(_json, values))
        for key, sign in (("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")):
            if isinstance(several := schema.get(key), list):
                return sign.join(self.shape(one, depth) for one in several)
        return self._typed(schema, depth)

    def _typed(self, schema: Mapping[str, object], depth: int) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self._typed({**schema, "type": one}, depth) for one in kind)
        if kind == "object" or "properties" in schema:
            return self._object(schema, depth)
        if kind == "array":
            inner = self.shape(schema.get("items", True), depth)
            return f"({inner})[]" if " " in inner and not inner.startswith("{") else f"{inner}[]"
        return TYPES.get(str(kind), "any")

    def _object(self, schema: Mapping[str, object], depth: int) -> str:
        properties, required = schema.get("properties"), schema.get("required")
        lines = [
            line
            for name, told in (properties.items() if isinstance(properties, Mapping) else ())
            for line in self._property(name, told, name in (required if isinstance(required, list) else ()), depth + 1)
        ]
        more = schema.get("additionalProperties")
        if isinstance(more, Mapping):
            lines.append(f"{INDENT * (depth + 1)}[key: string]: {self.shape(more, depth + 1)}")
        if not lines:
            return "{}"
        return "{\n" + "\n".join(lines) + f"\n{INDENT * depth}}}"

    def _property(self, name: str, told: object, needed: bool, depth: int) -> Iterable[str]:
        pad, note = INDENT * depth, _note(told)
        for line in note[:-1]:
            yield f"{pad}// {line}"
        end = f" // {note[-1]}" if note else ""
        yield f"{pad}{name}{'' if needed else '?'}: {self.shape(told, depth)},{end}"

    def _referred(self, ref: str, depth: int) -> str:
        name = ref.rpartition("/")[2] or "the whole"
        if ref in self._within:
            return name
        found: object = self._root
        for step in ref.removeprefix("#").strip("/").split("/") if ref != "#" else ():
            found = found.get(step) if isinstance(found, Mapping) else None
        if found is None:
            return "any"
        self._within = (*self._within, ref)
        try:
            return self.shape(found, depth)
        finally:
            self._within = self._within[:-1]


def _note(told: object) -> list[str]:
    """The description, line by line, and every constraint that the type itself does not say."""
    if not isinstance(told, Mapping):
        return []
    rest = {key: value for key, value in told.items() if key not in SAID}
    lines = [line for line in str(told.get("description", "")).splitlines() if line.strip()]
    if rest:
        lines.append(", ".join(f"{key}: {_json(value)}" for key, value in rest.items()))
    return lines


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
