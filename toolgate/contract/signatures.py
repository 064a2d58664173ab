"""Tools as TypeScript-like signatures, with nothing of their schemas lost.

A schema that is referred to once stands where it is used; one that is used
twice, or within itself, is declared by name before the signature.  So the text
grows with the schema, however its references multiply.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import orjson

from ..references import Schema, referred

TYPES = {"integer": "integer", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
SIGNS = {"anyOf": " | ", "oneOf": " | ", "allOf": " & "}
WRITTEN = {
    "type", "properties", "required", "items", "prefixItems", "description", "enum", "const", "$ref", "$defs",
    "definitions", "$schema", "$id", "title", "additionalProperties",
}
STRUCTURE = {"type", "properties", "items", "prefixItems", "enum", "const", "$ref", "additionalProperties", *SIGNS}
INDENT = "  "
BRIEF = 100
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
WORD = re.compile(r"[A-Za-z_$][\w$]*")


def signature(name: str, description: str, schema: Schema, brief: bool = False) -> str:
    """`name(parameters)`, what it is for before it as comment lines, the types that it needs before these.

    `brief` shortens descriptions and nothing else.
    """
    writer = Writer(schema, brief)
    parameters = writer.root()
    told = "".join(f"// {line}\n" for line in (*writer.lines(description), *writer.notes(schema)))
    return f"{writer.declared()}{told}{name}({parameters})"


class Writer:
    """Writes one JSON Schema as a type."""

    def __init__(self, root: Schema, brief: bool = False) -> None:
        self._root, self._brief = root, brief
        self._uses = _uses(root)
        self._names: dict[str, str] = {}
        self._declared: list[str] = []

    def root(self) -> str:
        """The parameters; nothing where there are none."""
        if "#" in self._uses:
            return self._name("#")
        told = self.type(self._root, 0)
        return "" if told in ("{}", "object", "any") else told

    def declared(self) -> str:
        """The types that more than one place needs, one after the other."""
        return "".join(f"{one}\n" for one in self._declared)

    def lines(self, description: str) -> list[str]:
        """A description as lines; of a brief one the first sentence, if that is short."""
        lines = [line.rstrip() for line in description.splitlines() if line.strip()]
        if not self._brief or not lines:
            return lines
        first = SENTENCE.split(" ".join(lines).strip(), 1)[0]
        return [first if len(first) <= BRIEF else f"{first[: BRIEF - 1].rsplit(' ', 1)[0]} …"]

    def notes(self, schema: object) -> list[str]:
        """The description, line by line, and every constraint that the type itself does not say."""
        if not isinstance(schema, Mapping):
            return []
        schema = self._whole(schema)
        rest = {key: value for key, value in schema.items() if key not in WRITTEN and key not in _composed(schema)}
        if schema.get("type") is not None and not _types(schema):
            rest = {"type": schema["type"], **rest}
        lines = self.lines(str(schema.get("description") or ""))
        if rest:
            lines.append(", ".join(f"{key}: {_json(value)}" for key, value in rest.items()))
        return lines

    def type(self, schema: object, depth: int) -> str:
        if not isinstance(schema, Mapping):
            return "never" if schema is False else "any"
        schema = self._whole(schema)
        told = [self._base(schema, depth)] if _has_base(schema) else []
        for key in _composed(schema):
            branches = [self._noted(one, depth) for one in schema[key]]  # type: ignore[attr-defined]  # _composed: a list
            told.append(_within(SIGNS[key].join(branches), SIGNS[key], len(_composed(schema)) + len(told) > 1))
        return " & ".join(told) or "any"

    def _base(self, schema: Schema, depth: int) -> str:
        """What the keywords other than the compositions say."""
        if isinstance(ref := schema.get("$ref"), str):
            return self._name(ref)
        if "const" in schema:
            return _json(schema["const"])
        if isinstance(values := schema.get("enum"), list) and values:
            return " | ".join(map(_json, values))
        kinds = _types(schema)
        return " | ".join(self._typed(kind, schema, depth) for kind in kinds) if kinds else "any"

    def _typed(self, kind: str, schema: Schema, depth: int) -> str:
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, depth)
        return TYPES[kind]

    def _array(self, schema: Schema, depth: int) -> str:
        first = schema.get("prefixItems") or schema.get("items")
        if isinstance(first, list):
            return f"[{', '.join(self._noted(one, depth) for one in first)}]"
        inner = self._noted(schema.get("items", True), depth)
        return f"({inner})[]" if " " in inner and not inner.endswith("}") else f"{inner}[]"

    def _object(self, schema: Schema, depth: int) -> str:
        properties, required = schema.get("properties"), schema.get("required")
        needed = required if isinstance(required, list) else ()
        named = {**(properties if isinstance(properties, Mapping) else {})}
        named |= {name: True for name in needed if isinstance(name, str) and name not in named}
        lines = [line for name, told in named.items() for line in self._property(name, told, name in needed, depth + 1)]
        more = schema.get("additionalProperties")
        if isinstance(more, Mapping) or (more is True and lines):
            lines.append(f"{INDENT * (depth + 1)}[key: string]: {self._noted(more, depth + 1)},")
        if not lines:
            return "{}" if more is False else "object"
        return "{\n" + "\n".join(lines) + f"\n{INDENT * depth}}}"

    def _property(self, name: str, told: object, needed: bool, depth: int) -> Iterator[str]:
        pad, note = INDENT * depth, self.notes(told)
        for line in note[:-1]:
            yield f"{pad}// {line}"
        end = f" // {note[-1]}" if note else ""
        key = name if WORD.fullmatch(name) else _json(name)
        yield f"{pad}{key}{'' if needed else '?'}: {self.type(told, depth)},{end}"

    def _noted(self, schema: object, depth: int) -> str:
        """A type within a type, what is said of it behind it."""
        told, notes = self.type(schema, depth), "; ".join(self.notes(schema)).replace("*/", "* /")
        return f"{told} /* {notes} */" if notes else told

    def _whole(self, schema: Schema) -> Schema:
        """With what it refers to in its place, unless that is declared by name."""
        for _ in range(len(self._uses)):
            ref = schema.get("$ref")
            if not isinstance(ref, str) or self._uses.get(ref, 2) > 1 or ref == "#":
                break
            target = referred(self._root, ref)
            if not isinstance(target, Mapping):
                break
            schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
        return schema

    def _name(self, ref: str) -> str:
        """The name of a declared type, which is written now if it is met for the first time."""
        if ref in self._names:
            return self._names[ref]
        target = self._root if ref == "#" else referred(self._root, ref)
        if target is None:
            return f"any /* {ref} */"
        plain = re.sub(r"[^\w$]", "_", ref.rpartition("/")[2]) if ref != "#" else "Parameters"
        taken = self._names.values()
        name = next(n for n in (plain, *(f"{plain}{i}" for i in range(2, len(taken) + 3))) if n not in taken)
        self._names[ref] = name
        told = "".join(f"// {line}\n" for line in self.notes(target)) if ref != "#" else ""
        self._declared.append(f"{told}type {name} = {self.type(target, 0)}")
        return name


def _uses(root: Schema) -> dict[str, int]:
    """How often each reference is met, each target being entered once."""
    uses: dict[str, int] = {}
    left: list[object] = [{key: value for key, value in root.items() if key not in ("$defs", "definitions")}]
    while left:
        match left.pop():
            case {"$ref": str(ref), **others}:
                uses[ref] = uses.get(ref, 0) + 1
                left += [others, *([referred(root, ref)] if uses[ref] == 1 and ref != "#" else [])]
            case Mapping() as schema:
                left += schema.values()
            case list() as several:
                left += several
    return uses


def _types(schema: Schema) -> list[str]:
    """The types it may have, by name or by what it says of them; none that is not known."""
    kind = schema.get("type")
    known = [one for one in (kind if isinstance(kind, list) else [kind]) if one in TYPES or one in ("object", "array")]
    if known or kind is not None:
        return known
    if {"properties", "required"} & schema.keys() or isinstance(schema.get("additionalProperties"), Mapping):
        return ["object"]
    return ["array"] if "items" in schema or "prefixItems" in schema else []


def _composed(schema: Schema) -> list[str]:
    """The compositions of types; those that only constrain (`required` alone) are written as they stand."""
    return [key for key in SIGNS if isinstance(several := schema.get(key), list) and _are_types(several)]


def _are_types(several: Iterable[object]) -> bool:
    return all(isinstance(one, bool) or (isinstance(one, Mapping) and STRUCTURE & one.keys()) for one in several)


def _has_base(schema: Schema) -> bool:
    """Does it say more than its compositions?  A bare `type: object` beside them says nothing new."""
    told = {key for key in ("$ref", "const", "enum", "properties", "items", "additionalProperties") if key in schema}
    return bool(told) or (bool(_types(schema)) and not _composed(schema))


def _within(told: str, sign: str, among: bool) -> str:
    return f"({told})" if among and sign.strip() in told else told


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
