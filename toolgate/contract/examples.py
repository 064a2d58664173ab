"""A call that fits a tool's schema, to show the form and nothing else."""
from __future__ import annotations

from collections.abc import Mapping

from ..references import Schema, referred

PLAIN = {"integer": 1, "number": 1.5, "boolean": True, "null": None}
DEEPEST = 8


def arguments(schema: Schema, other: str = "") -> dict[str, object]:
    """The required parameters with values of their types; `other` goes before the words, for a second call."""
    return _object(schema, schema, other, 0)


def _object(schema: Schema, root: Schema, other: str, depth: int) -> dict[str, object]:
    properties, required = schema.get("properties"), schema.get("required")
    told = properties if isinstance(properties, Mapping) else {}
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return {name: _value(told.get(name, True), root, f"{other}{name}", other, depth + 1) for name in names}


def _value(schema: object, root: Schema, name: str, other: str, depth: int) -> object:
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return f"<{name}>"
    if isinstance(ref := schema.get("$ref"), str):
        return _value(referred(root, ref), root, name, other, depth + 1)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        if isinstance(values := schema.get(key), list) and values:
            return values[0]
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(several := schema.get(key), list) and several and "properties" not in schema:
            return _value(several[0], root, name, other, depth + 1)
    return _of_type(schema, root, name, other, depth)


def _of_type(schema: Schema, root: Schema, name: str, other: str, depth: int) -> object:
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object" or "properties" in schema:
        return _object(schema, root, other, depth)
    if kind == "array":
        return [_value(schema.get("items", True), root, name, other, depth + 1)] if schema.get("minItems") else []
    if kind in ("integer", "number") and (least := schema.get("minimum")) is not None:
        return least
    return PLAIN.get(str(kind), f"<{name}>")
