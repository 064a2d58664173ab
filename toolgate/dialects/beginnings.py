"""Tells what begins at a place of a text: a call in one of its forms, a thought, a sample, or nothing.

The answer never depends on how the text was cut: where more of it could change
the answer, the answer is `Wait`.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from . import hermes
from .body import Body
from .fence import Label, label_of
from .names import Names
from .native import ANYWHERE, AT_LINE, PYTHONIC, TOOL_CODE, Dialect, cline, harmony, pythonic, react
from .until import Until

THOUGHTS = {"<think>": "</think>", "<thinking>": "</thinking>"}
TAGS = (*dict.fromkeys((hermes.OPEN, *ANYWHERE, *harmony.ENDS)), *THOUGHTS)
LINE_SIGNS = frozenset(mark[0] for mark in (*AT_LINE, react.THOUGHT))
INFO = re.compile(r"[^\n{\[\"“｛`]*")
NAMED = re.compile(r"Call \S+:[ \t]*\r?\n[ \t]*")
NAMING = re.compile(r"(?:C|Ca|Cal|Call|Call \S*|Call \S+:[ \t]*\r?(?:\n[ \t]*)?)\Z")
LONGEST_LABEL, LONGEST_HEADER, LONGEST_INFO, LONGEST_RUN = 160, 300, 80, 80
"""What is waited for at most, in characters: the line that names a call, a header, a fence's label, its backticks."""


@dataclass(frozen=True, slots=True)
class Wait:
    """More text is needed."""


@dataclass(frozen=True, slots=True)
class Block:
    """What may be a call: its body begins at `end`; `sure` where it is nothing else, if it can be read."""

    end: int
    body: Body | Until
    sure: bool
    dialect: Dialect | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning from `end` on, up to one of the marks."""

    end: int
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Musing:
    """A `Thought:`, which is reasoning only if an action follows."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A fence of something else, whose content begins at `end`."""

    end: int
    sign: str
    run: int


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of the model's own, up to `end`, that is no text; an answer begins behind it if `answers`."""

    end: int
    answers: bool = False


@dataclass(frozen=True, slots=True)
class Literal:
    """What looked like a mark and is text up to `end`."""

    end: int


Found = Wait | Block | Thought | Musing | Sample | Sign | Literal
WAIT = Wait()


class Beginnings:
    """`at_line` and `anywhere` look at one place; None: it is prose."""

    def __init__(self, names: Names, reads_calls: bool) -> None:
        self._names, self._reads, self._harmony = names, reads_calls, False
        self._own_tags = {f"<{name}>": name for name in names} if reads_calls else {}
        self._tags = (*TAGS, *self._own_tags) if reads_calls else tuple(THOUGHTS)
        self._longest_tag = max(map(len, self._tags))

    def at_line(self, text: str, at: int) -> Found | None:
        """At the first sign of a line."""
        sign = text[at]
        if not self._reads:
            return self.anywhere(text, at)
        if sign in "`~":
            return self.fence(text, at, False)
        if sign == "[" and (found := self._bracket(text, at)) is not None:
            return found
        if sign in "{[｛":
            return Block(at, Body(), False)
        if sign == "C" and (found := self._label(text, at)) is not None:
            return found
        return self._line(text, at) if sign in LINE_SIGNS else self.anywhere(text, at)

    def anywhere(self, text: str, at: int) -> Found | None:
        """A tag or another mark that may stand within a line."""
        if text[at] not in "<[":
            return None
        rest = text[at : at + self._longest_tag]
        for tag in self._tags:
            if rest.startswith(tag):
                return self._tagged(text, at, tag)
            if tag.startswith(rest):
                return WAIT
        return None

    def fence(self, text: str, at: int, only_sure: bool) -> Found | None:
        """A fence whose signs begin at `at`; within a line only one whose label is sure."""
        sign, end = text[at], at
        while end < len(text) and text[end] == sign:
            end += 1
        info, run = INFO.match(text, end), end - at
        stop = info.end() if info else end
        if run <= LONGEST_RUN and (end == len(text) or (stop == len(text) and stop - end < LONGEST_INFO)):
            return WAIT
        label = label_of(text[end:stop]) if stop - end < LONGEST_INFO else Label.OTHER
        if not 3 <= run <= LONGEST_RUN or text.startswith("`", stop) or (only_sure and label is not Label.SURE):
            return None
        if label is Label.CODE:
            return Block(stop, Until((f"\n{sign * run}",)), False, TOOL_CODE)
        return Sample(stop, sign, run) if label is Label.OTHER else Block(stop, Body(sign, run), label is Label.SURE)

    def _bracket(self, text: str, at: int) -> Found | None:
        """Mistral's mark, or a list of calls as Python writes them; else it is JSON."""
        if (tagged := self.anywhere(text, at)) is not None:
            return tagged
        seen = text[at : at + LONGEST_LABEL]
        if found := pythonic.BEGINS.match(seen):
            return self._native(at, PYTHONIC, found) if self._names.meant(found["name"]) else None
        return WAIT if len(seen) < LONGEST_LABEL and pythonic.MAY_BEGIN.match(seen) else None

    def _line(self, text: str, at: int) -> Found | None:
        """A label at the beginning of a line, or the thought that stands before one."""
        for mark in (*AT_LINE, react.THOUGHT):
            if text.startswith(mark, at):
                return Musing() if mark == react.THOUGHT else self._headed(text, at, mark)
            if mark.startswith(text[at : at + len(mark)]):
                return WAIT
        return None

    def _label(self, text: str, at: int) -> Found | None:
        """The line before a block in which the history names calls; a model may write it too."""
        seen = text[at : at + LONGEST_LABEL]
        label = NAMED.match(seen)
        if label and label.end() < len(seen):
            return self.fence(text, at + label.end(), True) if seen[label.end()] in "`~" else None
        return WAIT if len(seen) < LONGEST_LABEL and NAMING.match(seen) else None

    def _tagged(self, text: str, at: int, tag: str) -> Found:
        if tag in harmony.ENDS:
            return Sign(at + len(tag)) if self._harmony else Literal(at + len(tag))
        return Thought(at + len(tag), (THOUGHTS[tag],)) if tag in THOUGHTS else self._headed(text, at, tag)

    def _headed(self, text: str, at: int, mark: str) -> Found:
        """What begins at this mark: a call, once the header up to its arguments is there; else text."""
        seen = text[at : at + LONGEST_HEADER]
        for dialect in self._dialects_of(mark):
            if found := dialect.header.match(seen):
                named = found.groupdict().get("name") if dialect.line else None
                unknown = named is not None and self._names.meant(named) is None
                return Literal(at + 1) if unknown else self._native(at, dialect, found)
        if found := harmony.THOUGHT.match(seen):
            self._harmony = True
            return Thought(at + found.end(), harmony.ENDS)
        if found := harmony.ANSWER.match(seen):
            self._harmony = True
            return Sign(at + found.end(), answers=True)
        if mark == hermes.OPEN and (hermes.BODY.match(seen) or len(seen) == LONGEST_HEADER):
            return Block(at + len(mark), Body(tag=hermes.CLOSE), True)
        return WAIT if len(seen) < LONGEST_HEADER else Literal(at + 1)

    def _dialects_of(self, mark: str) -> tuple[Dialect, ...]:
        if tool := self._own_tags.get(mark):
            return (cline.dialect_of(tool, self._names.parameters(tool)),)
        return AT_LINE.get(mark) or ANYWHERE.get(mark, ())

    def _native(self, at: int, dialect: Dialect, found: re.Match[str]) -> Block:
        """A call of a native dialect; `found` is its header."""
        name = found.groupdict().get("name") or ""
        return Block(at + found.end(), dialect.body(found), dialect.sure, dialect, name)
