"""Finds where a call in tags may end, in text that comes in pieces: each character is looked at once.

These have the interface of `Body`; a closing mark within a value cannot be told
from the call's own, so whoever reads it tries and goes on where it does not fit.
"""
from __future__ import annotations

import re

from .body import Closing, Growing
from .scanner import ValueEnd


class Until(Growing):
    """Ends at one of these marks."""

    def __init__(self, closers: tuple[str, ...]) -> None:
        super().__init__()
        self._closers = closers
        self._keep = max(map(len, closers)) - 1

    def next(self) -> Closing | None:
        text = self._rest
        self.examined += len(text)
        found = [(at, closer) for closer in self._closers if (at := text.find(closer)) >= 0]
        if found:
            at, closer = min(found)
            start, end = self._base + at, self._base + at + len(closer)
            self._leave(at + len(closer))
            return Closing(start, end, True)
        self._leave(max(0, len(text) - self._keep))
        return None

    def as_value_end(self) -> ValueEnd:
        return ValueEnd(1)

    def _leave(self, at: int) -> None:
        self._rest, self._base = self._rest[at:], self._base + at


class UntilBracket(Until):
    """Ends at the bracket that closes the one before it, Python's strings aside."""

    SIGN = re.compile(r"'''|\"\"\"|['\"\\\[\](){}]")

    def __init__(self) -> None:
        super().__init__(("'''",))
        self._depth, self._quote = 1, ""

    def next(self) -> Closing | None:
        text, at = self._rest, 0
        while found := self.SIGN.search(text, at):
            if len(text) - found.start() < 3 and found[0] in "'\"\\":
                self._step_back(found.start())
                return None
            at = found.end() + (found[0] == "\\")
            self._turn(found[0])
            if not self._depth:
                self.examined += at
                self._leave(at)
                return Closing(self._base - 1, self._base, False)
        self._step_back(len(text))
        return None

    def _step_back(self, at: int) -> None:
        self.examined += at
        self._leave(at)

    def _turn(self, sign: str) -> None:
        if self._quote:
            self._quote = "" if sign == self._quote else self._quote
        elif sign[0] in "'\"":
            self._quote = sign
        elif sign in "[({":
            self._depth += 1
        elif sign != "\\":
            self._depth -= 1
