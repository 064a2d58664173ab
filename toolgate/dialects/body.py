"""Finds where a block of JSON ends, in text that comes in pieces: each character is looked at once."""
from __future__ import annotations

import re
from dataclasses import dataclass

from .scanner import ValueEnd

BETWEEN = " \t\r\n,}]\ufeff\u200b"
LINE = 40
LABELS = ("json", "action", "tool")
"""How the label of a block begins; such a mark in a block was meant to open the next one."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The block's own closing mark; `quoted` where it stands in what may be a string, so that it may be data."""

    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Beyond:
    """A value is complete, and what follows is neither another one nor the closing mark."""

    start: int


Found = Closing | Beyond


class Growing:
    """A text that comes in pieces: the whole of it, and the rest that was not looked at yet."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._rest, self._base, self._size = "", 0, 0
        self.examined = 0

    def __len__(self) -> int:
        return self._size

    @property
    def text(self) -> str:
        whole = "".join(self._pieces)
        self._pieces = [whole]
        return whole

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text)
        self._rest += text


class Body(Growing):
    """`add(text)`, then `next()` until it gives None: what was found so far, at places counted from the start.

    `sign` and `run` are those of a fence (```` ``` ````), `tag` is a closing tag; a block
    without either ends with its value.  Braces count outside of double quotes only.
    """

    def __init__(self, sign: str = "", run: int = 3, tag: str = "") -> None:
        super().__init__()
        self._sign, self._run, self._tag = sign, run, tag
        self._first = first = tag[:1] or sign
        self._outside = re.compile(rf'["{{}}\[\]{first}]')
        self._inside = re.compile(rf'["\\{first}]')
        self._between = re.compile(rf"[^{re.escape(' ' + BETWEEN[1:])}]")
        self._depth = 0
        self._quoted, self._skip, self._blank, self._had_value = False, False, True, False

    @property
    def complete(self) -> bool:
        """Has a value ended, and no other begun?"""
        return self._had_value and not self._depth and not self._quoted

    def next(self) -> Found | None:
        text, at = self._rest, 0
        if self._skip and text:
            self._skip, at = False, 1
        while at < len(text) and (found := self._look_for().search(text, at)):
            start, at = found.start(), found.end()
            sign = found[0]
            if self._first and sign == self._first:
                mark = self._mark(text, start)
                if mark is None:
                    self._leave(text, start)
                    return None
                at, told = mark
                if told:
                    self._leave(text, at)
                    return told
            if self.complete and sign not in "{[":
                self._had_value = False
                self._leave(text, start)
                return Beyond(self._base)
            at += self._turn(sign)
        else:
            at = max(at, len(text))
        self._skip = at > len(text)
        self._leave(text, min(at, len(text)))
        return None

    def as_value_end(self) -> ValueEnd:
        """What finds the end of the value that this body is in the middle of."""
        return ValueEnd(max(1, self._depth), self._quoted, self._skip)

    def _turn(self, sign: str) -> int:
        """What a sign does to where we are; 1 where the next character is escaped."""
        if sign == "\\":
            return 1
        if sign == '"':
            self._quoted = not self._quoted
        elif sign in "{[":
            self._depth += 1
        elif sign in "}]":
            self._had_value, self._depth = True, max(0, self._depth - 1)
        return 0

    def _look_for(self) -> re.Pattern[str]:
        if self._quoted:
            return self._inside
        return self._between if self.complete else self._outside

    def _mark(self, text: str, at: int) -> tuple[int, Closing | None] | None:
        """Where the run or tag at this place ends, and what it closes; None: more text is needed."""
        if self._tag:
            if text.startswith(self._tag, at):
                return self._closing(at, at + len(self._tag))
            return None if self._tag.startswith(text[at:]) else (at + 1, None)
        end = at
        while end < len(text) and text[end] == self._sign:
            end += 1
        after = end
        while after < len(text) and text[after] in " \t":
            after += 1
        if after == len(text) and after - end < LINE:
            return None
        if end - at < self._run or (self._quoted and not self._begins_line(text, at)):
            return end, None
        word = text[after : after + LINE].lower()
        if word and any(label.startswith(word) for label in LABELS):
            return None
        if word.startswith(LABELS):
            if self._quoted:
                return end, None
            return self._closing(at, at + self._run if end - at >= 2 * self._run else at)
        return self._closing(at, end)

    def _closing(self, start: int, end: int) -> tuple[int, Closing]:
        return end, Closing(self._base + start, self._base + end, self._quoted)

    def _begins_line(self, text: str, at: int) -> bool:
        start = text.rfind("\n", max(0, at - LINE), at)
        if start < 0 and (at > LINE or not self._blank):
            return False
        return not text[start + 1 : at].strip()

    def _leave(self, text: str, at: int) -> None:
        """All up to this place was looked at."""
        if at:
            start = text.rfind("\n", max(0, at - LINE), at)
            blank = not text[start + 1 : at].strip()
            self._blank = blank and (start >= 0 or (self._blank and at <= LINE))
        self._rest, self._base = text[at:], self._base + at
        self.examined += at
