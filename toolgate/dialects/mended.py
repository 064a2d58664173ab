"""JSON that a repair library guessed, told along the text it came from: nothing made up, nothing left out or shortened.

The guess says how the text is cut into keys and values; every one of them must
stand in the text, in that order, and between them only JSON's own signs.
"""
from __future__ import annotations

import json
import re

SIGNS = re.compile(r"[\s{}\[\],:\"'“”‘’＂：，｛｝［］\\\ufeff\u200b]*|//[^\n]*|/\*.*?\*/", re.S)
SIGN = re.compile(r"[\s{}\[\],:\"'“”‘’＂：，｛｝［］\\\ufeff\u200b/]")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
WORDS = {
    "true": re.compile("true", re.IGNORECASE), "false": re.compile("false", re.IGNORECASE),
    "null": re.compile("null|None|NaN|undefined|[+-]?Infinity"),
}
QUOTES = "\"'“”＂"
QUOTE = re.compile(rf"\\?[{QUOTES}]")
COLON = re.compile(r"[\"'“”‘’＂\\]*\s*[:：]")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "/": "/", "'": "'"}
FENCED = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})[ \t]*(?:json|action|tool)")


class MadeUp(ValueError):
    """The guess says what the text does not; names the first such thing."""


def told(value: object, text: str) -> str:
    """The guessed value as strict JSON, its numbers as they stand in the text; `MadeUp` where it departs from it."""
    walk = Walk(text)
    said = walk.value(value)
    walk.end()
    return said


class Walk:
    """A place in the text that moves over what was accounted for."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def value(self, value: object) -> str:
        match value:
            case dict():
                return "{" + ", ".join(f"{self._key(key)}: {self.value(one)}" for key, one in value.items()) + "}"
            case list():
                return "[" + ", ".join(map(self.value, value)) + "]"
            case str():
                return self._string(value)
            case bool() | None:
                return self._word(json.dumps(value))
        return self._number(value)

    def end(self) -> None:
        """Nothing but signs may follow."""
        if rest := self._text[self._skipped() :]:
            raise MadeUp(f"it would leave out {rest[:40]!r}")

    def _key(self, key: str) -> str:
        said = self._string(key, is_key=True)
        colon = COLON.match(self._text, self._at)
        if not colon:
            raise MadeUp(f"it would make up a key {key[:40]!r}")
        self._at = colon.end()
        return said

    def _string(self, said: str, is_key: bool = False) -> str:
        if FENCED.search(said):
            raise MadeUp("another block begins in one of its strings")
        self._at = self._found(said, is_key and said.isidentifier())
        return json.dumps(said, ensure_ascii=False)

    def _found(self, said: str, may_be_bare: bool) -> int:
        """Where this string ends: before a quote, or it was cut off.  Some of the signs before it may be its own."""
        last = self._skipped()
        for start in range(self._at, last + 1) if not said or SIGN.match(said) else (last,):
            end = _end(said, self._text, start)
            if end >= 0 and (may_be_bare or self._is_quoted(start, end)):
                return end
        raise MadeUp(f"it would make up {said[:40]!r}")

    def _is_quoted(self, start: int, end: int) -> bool:
        """A quote behind it; around nothing at all two of them."""
        behind = QUOTE.match(self._text, end)
        return behind is not None and (end > start or self._text[start - 1 : start] in QUOTES)

    def _word(self, word: str) -> str:
        found = WORDS[word].match(self._text, self._skipped())
        if not found:
            raise MadeUp(f"it would make up {word}")
        self._at = found.end()
        return word

    def _number(self, value: object) -> str:
        found = NUMBER.match(self._text, self._skipped())
        if not found or float(found[0]) != value:
            raise MadeUp(f"it would make up {value!r}")
        self._at = found.end()
        return found[0]

    def _skipped(self) -> int:
        at = self._at
        while (found := SIGNS.match(self._text, at)) and found.end() > at:
            at = found.end()
        return at


def _end(said: str, text: str, at: int) -> int:
    """Where `said` ends if it stands at this place, as it is or in JSON's escapes; else -1."""
    if text.startswith(said, at):
        return at + len(said)
    for sign in said:
        if text.startswith("\\u", at) and _unicode(text, at) == sign:
            at += 6
        elif text[at : at + 1] == "\\" and ESCAPES.get(text[at + 1 : at + 2]) == sign:
            at += 2
        elif text[at : at + 1] == sign:
            at += 1
        else:
            return -1
    return at


def _unicode(text: str, at: int) -> str:
    digits = text[at + 2 : at + 6]
    return chr(int(digits, 16)) if re.fullmatch("[0-9a-fA-F]{4}", digits) else ""
