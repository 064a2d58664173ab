"""JSON as models write it → JSON, with a name for each repair; never a string that is shorter than it was."""
from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress

from json_repair import repair_json

from . import mended
from .mended import MadeUp
from .slices import Span, value_end

STRINGS = r'"(?:[^"\\]|\\.)*"|“[^“”]*”|\'(?:[^\'\\]|\\.)*\''
COMMENTS = r"//[^\n]*|\#[^\n]*|/\*.*?\*/"
TOKEN = re.compile(rf"(?P<string>{STRINGS})|(?P<comment>{COMMENTS})|(?P<word>-Infinity|[A-Za-z_$][\w$-]*)", re.S)
BAD_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.))', re.S)
STRING, CONTROL = re.compile(r'"(?:[^"\\]|\\.)*"', re.S), re.compile(r"[\x00-\x1f]")
COLON = re.compile(r"\s*[:：]")
FENCED = re.compile(r"`{3,}[\w ]*\n(.*)\n`{3,}\Z", re.S)
TRAILING = re.compile(r",(\s*[}\]])")
LONGEST_GUESSED = 50_000
"""Mending is a search: it takes about a second for this many characters, and more than linearly longer beyond."""
NO_VALUES = ("None", "NaN", "Infinity", "-Infinity", "undefined")
LITERALS = {"True": "true", "False": "false", **dict.fromkeys(NO_VALUES, "null")}
WIDE = str.maketrans({"：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]", "＂": '"'})
INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u2060"))
SPACE = " \t\r\n\ufeff\u200b"
BETWEEN = SPACE + ",}]"


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
    if not text:
        raise Unreadable("there is nothing in it")
    yield from (text[start:end] for start, end in _spans(text, 0))


def _spans(text: str, at: int) -> Iterator[Span]:
    while at < len(text):
        end = value_end(text, at)
        yield at, end
        at = end
        while at < len(text) and text[at] in BETWEEN:
            at += 1


def whole_until(body: str) -> int:
    """Where the last of the complete values ends with which a text begins; 0: it begins with none."""
    end, start = 0, len(body) - len(body.lstrip(BETWEEN + "["))
    with suppress(ValueError, RecursionError):
        for _, last in _spans(body, start):
            end = last
    return end


def _raw_breaks(text: str) -> str:
    """Raw line breaks and other control characters in a string stand for themselves."""
    return STRING.sub(lambda string: CONTROL.sub(_control, string[0]), text)


def _control(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


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
    """A block of which every quote is escaped, by a backslash or as an entity; a fence within tags."""
    if fenced := FENCED.match(text):
        text = fenced[1]
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
            return f'"{said}"' if COLON.match(text, token.end()) else LITERALS.get(said, said)
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
    for found in STRING.finditer(text):
        pieces += [TRAILING.sub(r"\1", text[done : found.start()]), found[0]]
        done = found.end()
    return "".join((*pieces, TRAILING.sub(r"\1", text[done:])))


def _guessed(body: str) -> list[str]:
    """What json_repair makes of it, where that is what stands there."""
    try:
        value = repair_json(body, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON: {error}") from error
    if not isinstance(value, (dict, list)) or not value:
        raise Unreadable("it is no JSON")
    try:
        return [mended.told(value, body)]
    except (MadeUp, RecursionError) as error:
        raise Unreadable(f"it is no JSON, and mended {error}") from error


REPAIRS = (("raw_line_breaks", _raw_breaks), ("tidied", _tidied))
