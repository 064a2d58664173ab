"""Arguments as their schema asks for them: a string that says a number becomes one, and the like.

Only slices of the text are replaced, so that all else stays as it was written.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

import orjson

from .dialects.slices import Span, fields, items, replaced
from .references import Schema, referred

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
WORDS = {"boolean": {"true": "true", "false": "false"}, "null": {"null": "null", "none": "null"}}
SEVERAL = re.compile(r'"\s*[\[{]|".*,')
TYPE_WORDS = ("string", "integer", "number", "boolean", "array", "object")
OPENERS = {"array": "[", "object": "{"}


def coerced(arguments: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
    """The arguments with what the schema asks for, and the paths of what was changed."""
    kept, dropped = _without_unknown(arguments, schema)
    changes = list(_changes(kept, schema, schema, "", 0))
    if not changes:
        return kept, dropped
    text = replaced(kept, ((span, said) for span, said, _ in changes))
    return text, (*dropped, *(f"coerced:{path}" for *_, path in changes))


def _without_unknown(arguments: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
    """Without parameters that the schema forbids, and optional ones that only repeat the name of their type."""
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping) or arguments[:1] != "{":
        return arguments, ()
    needed = required if isinstance(required, list) else []
    closed = schema.get("additionalProperties") is False

    def is_surplus(key: str, value: str) -> bool:
        if key not in properties:
            return closed
        told = properties[key].get("type") if isinstance(properties[key], Mapping) else None
        return key not in needed and told in TYPE_WORDS and value == f'"{told}"'

    told = [(key, arguments[start:end]) for key, (start, end) in fields(arguments)]
    surplus = [key for key, value in told if is_surplus(key, value)]
    if not surplus:
        return arguments, ()
    kept = ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {value}" for key, value in told if key not in surplus)
    return f"{{{kept}}}", tuple(f"dropped:{key}" for key in surplus)


def _changes(text: str, schema: Schema, root: Schema, path: str, offset: int) -> Iterator[tuple[Span, str, str]]:
    """Each place of the text where the schema wants another type, from left to right."""
    schema = _resolved(schema, root)
    if text[:1] == "{":
        properties = schema.get("properties")
        for key, (start, end) in fields(text):
            wanted = properties.get(key) if isinstance(properties, Mapping) else None
            if isinstance(wanted, Mapping):
                yield from _of(text[start:end], wanted, root, f"{path}.{key}".lstrip("."), offset + start)
    elif text[:1] == "[" and isinstance(wanted := schema.get("items"), Mapping):
        for number, (start, end) in enumerate(items(text)):
            yield from _of(text[start:end], wanted, root, f"{path}[{number}]", offset + start)


def _of(text: str, schema: Schema, root: Schema, path: str, offset: int) -> Iterator[tuple[Span, str, str]]:
    schema = _resolved(schema, root)
    said = _meant(json.loads(text), schema, root) if text[:1] == '"' else _as_string(text, schema, root)
    if said is None:
        said = _as_list(text, schema, root)
    if said is not None:
        yield (offset, offset + len(text)), said, path
    elif text[:1] != '"':
        yield from _changes(text, schema, root, path, offset)


def _as_string(text: str, schema: Schema, root: Schema) -> str | None:
    """A number or a word where only a string will do, in the figures in which it was written."""
    kinds = [kind for branch in _branches(schema, root) for kind in _types(branch)]
    return f'"{text}"' if kinds == ["string"] and "type" in schema and text[:1] not in "{[n" else None


def _as_list(text: str, schema: Schema, root: Schema) -> str | None:
    """One value where a list is asked for, as a list of one."""
    kinds = [kind for branch in _branches(schema, root) for kind in _types(branch)]
    is_one = text[:1] != "[" and text not in ("null", '""') and not SEVERAL.match(text)
    return f"[{text}]" if kinds == ["array"] and is_one else None


def _meant(said: str, schema: Schema, root: Schema) -> str | None:
    """The JSON text that this string stands for, where the schema does not take it as it is."""
    if isinstance(values := schema.get("enum"), list) and said not in values:
        alike = [one for one in values if isinstance(one, str) and one.lower() == said.strip().lower()]
        if len(alike) == 1:
            return json.dumps(alike[0], ensure_ascii=False)
    wanted = [(kind, branch) for branch in _branches(schema, root) for kind in _types(branch)]
    if any(kind == "string" for kind, _ in wanted):
        return None
    bare = said.strip()
    for kind, branch in wanted:
        if (kind == "integer" and INTEGER.fullmatch(bare)) or (kind == "number" and NUMBER.fullmatch(bare)):
            return bare
        if word := WORDS.get(str(kind), {}).get(bare.lower()):
            return word
        if bare[:1] and bare[:1] == OPENERS.get(str(kind)) and _is_json(bare):
            return coerced(bare, {**root, **branch})[0]
    return None


def _branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    """The schema, or what it may be instead: an optional parameter is often `anyOf` of its type and null."""
    several = schema.get("anyOf") or schema.get("oneOf")
    for one in several if isinstance(several, list) else (schema,):
        yield _resolved(one, root) if isinstance(one, Mapping) else {"type": "string"}


def _types(schema: Schema) -> list[object]:
    """Its types; one that names none may be a string."""
    kind = schema.get("type", "string" if "type" not in schema else None)
    return kind if isinstance(kind, list) else [kind]


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


def _resolved(schema: Schema, root: Schema) -> Schema:
    """The schema behind a reference within the same document; a chain of them ends at ten."""
    for _ in range(10):
        ref = schema.get("$ref")
        found = referred(root, ref) if isinstance(ref, str) else None
        if not isinstance(found, Mapping):
            break
        schema = found
    return schema
