"""JSON as models write it → JSON, with a name for each repair; never a string that is shorter than it was."""
from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from json_repair import repair_json

from .slices import skipped, value_end

STRINGS = r'"(?:[^"\\]|\\.)*"|“[^“”]*”|\'(?:[^\'\\]|\\.)*\''
TOKEN = re.compile(rf"(?P<string>{STRINGS})|(?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)|(?P<word>[A-Za-z_$][\w$-]*)", re.S)
BAD_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.))', re.S)
TRAILING = re.compile(r",(\s*[}\]])")
LONGEST_GUESSED = 50_000
"""Mending is a search: it takes about a second for this many characters, and more than linearly longer beyond."""
LITERALS = {"True": "true", "False": "false", "None": "null", "NaN": "null", "Infinity": "null", "undefined": "null"}
WIDE = str.maketrans({"：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]", "＂": '"'})
INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u2060"))
SPACE = " \t\r\n\ufeff\u200b"
BETWEEN = SPACE + ",}]"
QUOTES = ('"', "'", "”", "“", '\\"')


class Unreadable(ValueError):
    """This is no JSON, and nothing that could be made JSON without guessing; says why."""


def values(body: str, closed: bool = True) -> tuple[list[str], tuple[str, ...]]:
    """Every JSON value of the body, as strict JSON text, and the names of the repairs.

    Only where the block was closed may a brace be missing: a text that ends in the
    middle was cut off, and half a file must not be written.
    """
    body = body.strip(SPACE)
    for repair, mend in ((None, str), *REPAIRS):
        try:
            return list(_split(mend(body))), (repair,) if repair else ()
        except (ValueError, RecursionError):
            continue
    if len(body) > LONGEST_GUESSED:
        raise Unreadable(f"it is no JSON, and longer than the {LONGEST_GUESSED} characters that are mended")
    if not closed:
        raise Unreadable("it is cut off, or no JSON")
    return _guessed(body), ("json_repair",)


def _split(text: str) -> Iterator[str]:
    """The values one after the other; between them may stand commas and surplus closing braces."""
    at, found = 0, False
    while at < len(text):
        end = value_end(text, at)
        yield text[at:end]
        found, at = True, end
        while at < len(text) and text[at] in BETWEEN:
            at += 1
    if not found:
        raise Unreadable("there is nothing in it")


def _raw_breaks(text: str) -> str:
    """Raw line breaks and tabs in a string stand for themselves."""
    decoder, at, pieces = json.JSONDecoder(strict=False), skipped(text, 0), []
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        pieces.append(_dumped(value))
        at = skipped(text, at)
    return "\n".join(pieces)


def _tidied(text: str) -> str:
    """What stands outside of strings as JSON has it; strings as JSON strings."""
    text = _unwrapped(text)
    pieces, done = [], 0
    for token in TOKEN.finditer(text):
        pieces += [_outside(text[done : token.start()]), _token(token, text)]
        done = token.end()
    tidy = _without_trailing("".join((*pieces, _outside(text[done:]))))
    return _raw_breaks(tidy)


def _unwrapped(text: str) -> str:
    """A block of which every quote is escaped, by a backslash or as an entity."""
    if '"' not in text and "&quot;" in text:
        return html.unescape(text)
    if '\\"' in text and not re.search(r'(?<!\\)"', text):
        return text.replace('\\"', '"').replace("\\\\", "\\")
    return text


def _token(token: re.Match[str], text: str) -> str:
    said = token[0]
    match token.lastgroup:
        case "comment":
            return ""
        case "word":
            after = text[token.end() :].lstrip()[:1]
            return f'"{said}"' if after in (":", "：") else LITERALS.get(said, said)
    if said[0] != '"':
        inner = said[1:-1].replace("\\'", "'") if said[0] == "'" else said[1:-1]
        said = '"' + re.sub(r'(?<!\\)"', r"\"", inner) + '"'
    return BAD_ESCAPE.sub(_escape, said)


def _escape(found: re.Match[str]) -> str:
    if found[1]:
        return found[0]
    return "'" if found[2] == "'" else "\\\\" + found[2]


def _outside(text: str) -> str:
    return text.translate(WIDE).translate(INVISIBLE)


def _without_trailing(text: str) -> str:
    """Without commas before a closing brace, but for those inside of strings."""
    pieces, done = [], 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"', text, re.S):
        pieces += [TRAILING.sub(r"\1", text[done : found.start()]), found[0]]
        done = found.end()
    return "".join((*pieces, TRAILING.sub(r"\1", text[done:])))


def _guessed(body: str) -> list[str]:
    """What json_repair makes of it, if every string of that stands in the body up to its closing quote."""
    try:
        value = repair_json(body, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON: {error}") from error
    if not isinstance(value, (dict, list)) or not value:
        raise Unreadable("it is no JSON")
    if (invented := next((leaf for leaf in _leaves(value) if not _stands(leaf, body)), None)) is not None:
        raise Unreadable(f"it is no JSON, and mending it would make up {str(invented.value)[:40]!r}")
    return [_dumped(value)]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A string, number, word or key of a mended value."""

    value: object


def _leaves(value: object) -> Iterator[Leaf]:
    match value:
        case dict():
            for key, one in value.items():
                yield Leaf(key)
                yield from _leaves(one)
        case list():
            for one in value:
                yield from _leaves(one)
        case _:
            yield Leaf(value)


def _stands(leaf: Leaf, body: str) -> bool:
    """Did the model write this, a string up to its closing quote?"""
    match leaf.value:
        case "":
            return any(f"{quote}{quote}" in body for quote in "\"'") or "“”" in body
        case str(said):
            return _whole(said, body) or (said.isidentifier() and bool(re.search(rf"\b{said}\s*[:：]", body)))
        case None:
            return re.search(r"null|None|undefined|NaN", body) is not None
        case bool():
            return re.search(str(leaf.value), body, re.IGNORECASE) is not None
    return re.search(r"\d", body) is not None and str(leaf.value).strip("0.") in body


def _whole(said: str, body: str) -> bool:
    """Does the body have this string, as it is or in JSON's escapes, and a quote right after it?"""
    for form in {said, json.dumps(said, ensure_ascii=False)[1:-1], json.dumps(said)[1:-1]}:
        at = body.find(form)
        while at >= 0:
            if body.startswith(QUOTES, at + len(form)):
                return True
            at = body.find(form, at + 1)
    return False


def _dumped(value: object) -> str:
    return json.dumps(_without_nan(value), ensure_ascii=False)


def _without_nan(value: object) -> object:
    match value:
        case float() if value != value or value in (float("inf"), float("-inf")):
            return None
        case dict():
            return {key: _without_nan(one) for key, one in value.items()}
        case list():
            return [_without_nan(one) for one in value]
    return value


REPAIRS = (("raw_line_breaks", _raw_breaks), ("tidied", _tidied))
