"""Reads what a model writes, piece by piece: prose, thoughts, and the calls that stand among them."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..conversation import ToldBy, ToolCall
from ..events import CallGarbled, CallOpened, Event, ReasoningDelta, TextDelta, whole_call
from . import hermes
from .body import Beyond, Body, Closing
from .damage import Unreadable, values
from .fence import Label, label_of
from .heads import LOOKED_AT, may_be_call
from .names import Names
from .scanner import MarkFinder, ValueEnd
from .shapes import calls_of

LONGEST, LONGEST_GUESS = 1_000_000, 10_000
TRIES = 4
END = "\n"
"""Behind the last character: a mark at the very end is one only once it is known that nothing follows."""
THOUGHTS = {"<think>": "</think>", "<thinking>": "</thinking>"}
TAGS = (hermes.OPEN, *THOUGHTS)
LONGEST_TAG = max(map(len, TAGS))
SPECIAL = re.compile(r"[\n`~<]")
BLANK = re.compile(r"[\s\ufeff\u200b]*")
LINE_END = re.compile(r"[ \t]*(?:\r?\n|\r)\u200b?")
INFO = re.compile(r"[^\n{\[\"“｛`]*")
NAMED = re.compile(r"Call \S+:[ \t]*\r?\n[ \t]*")
NAMING = re.compile(r"(?:C|Ca|Cal|Call|Call \S*|Call \S+:[ \t]*\r?(?:\n[ \t]*)?)\Z")
LONGEST_LABEL = 160
LONGEST_INFO, LONGEST_RUN, LONGEST_BLANK = 80, 80, 400
"""What is held back of a fence's label, of a run of backticks, and of the white space before a block."""
STEP = 4096
"""Text is worked through in steps, so that what is left of it is not copied as a whole for each mark in it."""
Said = tuple[list[Event], str]


class CallReader:
    """`feed(text)` gives events, `close()` the last ones; `idle` while text passes as it is.

    It keeps back only what it needs to decide: white space, the beginning of a mark,
    a value until its first key tells that it is no call, and a call until it is whole.
    What is no call comes out byte for byte, once.  The steps are plain functions: a
    bound one would make a cycle, and each reply would wait for the collector.
    """

    def __init__(
        self, new_call_id: Callable[[], str], names: Names, longest: int = LONGEST, reads_calls: bool = True
    ) -> None:
        self._new_call_id, self._names, self._longest, self._reads = new_call_id, names, longest, reads_calls
        self._step: Callable[[CallReader, str], Said] = CallReader._prose
        self._held = ""
        self._begins_line, self._code, self._quote, self._drops = True, 0, False, False
        self._opening = ""
        self._body = Body()
        self._sure = self._called = self._bare = self._apart = False
        self._fence = ("`", 3)
        self._tries: list[Closing] = []
        self._marks = MarkFinder(())
        self._value = ValueEnd()
        self._examined = 0

    @property
    def examined(self) -> int:
        """Characters looked at, to show that this is linear."""
        return self._examined + self._body.examined + self._marks.examined + self._value.examined

    def passes(self, text: str) -> bool:
        """Is this text prose as it stands, with nothing held back before it?"""
        return (
            self._step is CallReader._prose
            and not self._held
            and not self._begins_line
            and not SPECIAL.search(text)
        )

    def feed(self, text: str) -> Iterator[Event]:
        for at in range(0, len(text), STEP):
            left = self._taken() + text[at : at + STEP]
            while left:
                events, left = self._step(self, left)
                yield from events

    def close(self) -> Iterator[Event]:
        """What is still held: a call that is whole, or text."""
        while self._step is CallReader._block:
            events, rest = self._block(END)
            if self._step is CallReader._block:
                self._step = CallReader._prose
                events += self._closed_block(self._body.text.removesuffix(END))
                rest = END
            yield from events
            yield from self.feed(rest.removesuffix(END))
        held, step = self._taken(), self._step
        self._step, self._begins_line, self._code = CallReader._prose, True, 0
        if step is CallReader._thought:
            yield from _reasoning(held + self._marks.close())
        elif (rest := held + self._marks.close()) and step is not CallReader._after_call and not self._drops:
            yield TextDelta(rest)
        self._drops = False

    def abandon(self) -> Iterator[Event]:
        """What is held, as text: the model broke off, and nothing of it may be run."""
        held, step = self._taken(), self._step
        self._step = CallReader._prose
        if step is CallReader._block:
            yield CallGarbled(self._opening + self._body.text, "the model broke off in the middle of it")
        elif rest := held + self._marks.close():
            yield ReasoningDelta(rest) if step is CallReader._thought else TextDelta(rest)

    def _taken(self) -> str:
        held, self._held = self._held, ""
        return held

    def _hold(self, text: str) -> Said:
        self._held = text
        return [], ""

    def _hold_blank(self, text: str) -> Said:
        """As much white space as may go with a block; what stands before it is said."""
        self._held = text[-LONGEST_BLANK:]
        said = text[:-LONGEST_BLANK]
        return ([TextDelta(said)] if said and not self._drops else []), ""

    # prose

    def _prose(self, text: str) -> Said:
        self._examined += len(text)
        if self._begins_line:
            blank = BLANK.match(text)
            at = blank.end() if blank else 0
            if at == len(text):
                return self._hold_blank(text)
            if self._drops:
                self._drops = False
                return [], text[at:]
            opened = self._opened(text, at)
            if opened is not None:
                return opened
            self._begins_line = False
            self._quote = text[at] == ">"
            return self._inline(text, at)
        return self._inline(text, 0)

    def _opened(self, text: str, at: int) -> Said | None:
        """A block that begins at this line, or a wait until that is known; None: it is prose."""
        if not self._reads:
            return self._by_tag(text, at)
        if text[at] in "`~":
            return self._by_fence(text, 0, at, False)
        if text[at] in "{[｛":
            return self._open(text, at, at, Body(), False)
        if text[at] == "C" and (named := self._by_label(text, at)) is not None:
            return named
        return self._by_tag(text, at)

    def _by_label(self, text: str, at: int) -> Said | None:
        """The line before a block in which the history names calls; a model may write it too."""
        seen = text[at : at + LONGEST_LABEL]
        label = NAMED.match(seen)
        if label and label.end() < len(seen):
            return self._by_fence(text, 0, at + label.end(), True) if seen[label.end()] in "`~" else None
        return self._hold(text) if len(seen) < LONGEST_LABEL and NAMING.match(seen) else None

    def _by_fence(self, text: str, start: int, at: int, only_sure: bool) -> Said | None:
        """A fence whose mark stands at `at`; what stands from `start` on is a part of the block."""
        sign, end = text[at], at
        while end < len(text) and text[end] == sign:
            end += 1
        info = INFO.match(text, end)
        stop = info.end() if info else end
        if end - at <= LONGEST_RUN and (end == len(text) or (stop == len(text) and stop - end < LONGEST_INFO)):
            return self._hold(text)
        label = label_of(text[end:stop]) if stop - end < LONGEST_INFO else Label.OTHER
        if not 3 <= end - at <= LONGEST_RUN or text.startswith("`", stop) or (only_sure and label is not Label.SURE):
            return None
        self._fence = sign, end - at
        if label is Label.OTHER:
            self._step, self._begins_line = CallReader._sample, False
            return [TextDelta(text[:stop])], text[stop:]
        return self._open(text, start, stop, Body(sign, end - at), label is Label.SURE)

    def _by_tag(self, text: str, at: int) -> Said | None:
        if text[at] != "<":
            return None
        rest = text[at : at + LONGEST_TAG]
        for tag in TAGS if self._reads else THOUGHTS:
            if rest.startswith(tag):
                return self._tagged(text, at, tag)
            if tag.startswith(rest):
                return self._held_from(text, at)
        return None

    def _held_from(self, text: str, at: int) -> Said:
        """What stands before a possible mark is said; white space that begins the line waits with it."""
        kept = 0 if self._begins_line else at
        self._held = text[kept:]
        return ([TextDelta(text[:kept])] if kept else []), ""

    def _tagged(self, text: str, at: int, tag: str) -> Said:
        if tag not in THOUGHTS:
            return self._open(text, at, at + len(tag), Body(tag=hermes.CLOSE), True)
        self._marks, self._step = MarkFinder((THOUGHTS[tag],)), CallReader._thought
        said = text[:at] if text[:at].strip() or not self._begins_line else ""
        return ([TextDelta(said)] if said else []), text[at + len(tag) :]

    def _inline(self, text: str, at: int) -> Said:
        """The rest of a line: code and quotations hide marks, everything else is prose."""
        while found := SPECIAL.search(text, at):
            at = found.start()
            sign = text[at]
            if sign == "\n":
                self._begins_line, self._code, self._quote = True, 0, False
                return ([TextDelta(text[:at])] if at else []), text[at:]
            if sign == "`":
                end = at
                while end < len(text) and text[end] == "`":
                    end += 1
                if end == len(text):
                    return self._held_from(text, max(at, end - LONGEST_RUN - 1))
                opened = self._in_line(text, at, end)
                if opened is not None:
                    return opened
                at = end
            elif not self._code and not self._quote and (tagged := self._by_tag(text, at)) is not None:
                return tagged
            else:
                at += 1
        return [TextDelta(text)], ""

    def _in_line(self, text: str, at: int, end: int) -> Said | None:
        """A run of backticks within a line: the contract's fence, or code that begins or ends."""
        run = end - at
        if run > LONGEST_RUN:
            return None
        if not self._code and not self._quote and run >= 3 and self._reads:
            opened = self._by_fence(text, at, at, True)
            if opened == ([], ""):
                return self._held_from(text, at)
            if opened is not None:
                return opened
        if not self._code:
            self._code = run
        elif self._code == run:
            self._code = 0
        return None

    # what is no prose

    def _thought(self, text: str) -> Said:
        said, mark, rest = self._marks.feed(text)
        if mark:
            self._step, self._begins_line, self._drops = CallReader._prose, True, True
        return list(_reasoning(said)), rest

    def _sample(self, text: str) -> Said:
        """A code block of something else: nothing in it is a call."""
        self._examined += len(text)
        sign, run = self._fence
        if self._begins_line:
            closing = re.match(rf"[ \t]{{0,80}}({sign}{{0,80}})[ \t]{{0,80}}", text)
            at, marks = (closing.end(), len(closing[1])) if closing else (0, 0)
            if at == len(text):
                return self._hold(text)
            if marks >= run and text[at] in "\r\n":
                self._step, self._begins_line = CallReader._prose, False
                return [TextDelta(text[:at])], text[at:]
        end = text.find("\n") + 1
        self._begins_line = end > 0
        return [TextDelta(text[:end] if end else text)], text[end:] if end else ""

    def _value_as_text(self, text: str) -> Said:
        """The rest of a JSON value that is no call, up to its end or to a fence: nothing in it is a call."""
        said, mark, rest = self._marks.feed(text)
        at = self._value.feed(said)
        if at < 0 and not mark:
            return ([TextDelta(said)] if said else []), rest
        self._step, self._begins_line = CallReader._prose, False
        if at < 0:
            return ([TextDelta(said)] if said else []), mark + rest
        return [TextDelta(said[:at])], said[at:] + self._marks.close() + mark + rest

    # blocks

    def _open(self, text: str, start: int, end: int, body: Body, sure: bool) -> Said:
        """Before a block that may be a call; white space alone before it is a part of it."""
        blank = BLANK.match(text) if self._begins_line else None
        kept = max(0, blank.end() - LONGEST_BLANK) if blank else start
        self._apart = blank is not None and "\n" in blank[0]
        self._opening, self._body, self._sure, self._called = text[kept:end], body, sure, sure
        self._bare, self._tries = not sure and end == start, []
        self._step, self._code = CallReader._block, 0
        return ([TextDelta(text[:kept])] if kept else []), text[end:]

    def _block(self, text: str) -> Said:
        room = self._longest - len(self._body)
        self._body.add(text[:room])
        if not self._called and (said := self._guessed()) is not None:
            return said[0], said[1] + text[room:]
        while (found := self._body.next()) is not None:
            if (said := self._looked(found)) is not None:
                return said[0], said[1] + text[room:]
        if len(self._body) < self._longest:
            return [], ""
        return self._overlong(), text[room:]

    def _guessed(self) -> Said | None:
        """No call after all: all of it is text; None while it may be one."""
        body = self._body
        verdict = may_be_call(body.text, self._names) if len(body) < LOOKED_AT or len(body) > LONGEST_GUESS else None
        if verdict is None and len(body) > LONGEST_GUESS:
            verdict = any(name in body.text for name in self._names)
        if verdict is not False:
            self._called = bool(verdict)
            return None
        return self._as_text(body.text)

    def _as_text(self, body: str) -> Said:
        if self._bare:
            self._marks, self._value = MarkFinder(("\n```", "\n~~~")), ValueEnd()
            self._step = CallReader._value_as_text
        else:
            self._step = CallReader._sample
        self._begins_line = False
        return ([TextDelta(self._opening)] if self._opening else []), body

    def _looked(self, found: Closing | Beyond) -> Said | None:
        """Is the block whole now?  None: no, it goes on."""
        body = self._body.text
        if isinstance(found, Beyond):
            line = body.find("\n", len(body[: found.start].rstrip()), found.start)
            start = end = line if line >= 0 else found.start
        else:
            start, end = found.start, found.end
        if isinstance(found, Closing) and found.quoted:
            self._tries.append(found)
            if len(self._tries) > TRIES:
                return None
        try:
            events = self._calls(body[:start], body[start:end], isinstance(found, Closing))
        except Unreadable as error:
            if isinstance(found, Beyond) or found.quoted:
                return None
            return self._unreadable(body, end, str(error))
        if not events:
            return self._no_call(body, end, isinstance(found, Closing))
        return events, self._after(body[end:])

    def _after(self, rest: str) -> str:
        """White space behind a call goes with it, but for what keeps two paragraphs apart."""
        self._step, self._begins_line = CallReader._after_call, False
        return rest

    def _after_call(self, text: str) -> Said:
        blank = BLANK.match(text)
        if not blank or blank.end() == len(text):
            return self._hold_blank(text)
        self._step, self._begins_line = CallReader._prose, True
        line = LINE_END.match(text)
        return [], text[line.end() :] if line and not self._apart else text

    def _unreadable(self, body: str, end: int, problem: str) -> Said | None:
        if not self._called:
            return self._no_call(body, end, True)
        self._step, self._begins_line = CallReader._prose, False
        return [CallGarbled(self._opening + body[:end], problem)], body[end:]

    def _no_call(self, body: str, end: int, closed: bool) -> Said | None:
        """A readable value that says no call."""
        if self._sure:
            return self._unreadable(body, end, "it names no tool")
        if not closed:
            return self._as_text(body)
        self._step, self._begins_line = CallReader._prose, False
        return [TextDelta(self._opening + body[:end])], body[end:]

    def _overlong(self) -> list[Event]:
        """The rest of a call that was given up is text, and no mark in it opens another."""
        problem = f"it is longer than {self._longest} characters"
        said: list[Event] = [CallGarbled(self._opening + self._body.text, problem)]
        self._step, self._bare = CallReader._value_as_text, True
        self._marks, self._value = MarkFinder(()), self._body.as_value_end()
        return said

    def _closed_block(self, body: str) -> Iterator[Event]:
        """At the end of the text: whole though the mark is missing, or cut off."""
        for closing in (None, *self._tries):
            end = len(body) if closing is None else closing.end
            at = len(body) if closing is None else closing.start
            try:
                events = self._calls(body[:at], body[at:end], closing is not None)
            except Unreadable:
                continue
            if events:
                yield from events
                if body[end:]:
                    yield TextDelta(body[end:])
                return
            break
        text = self._opening + body
        yield CallGarbled(text, "the call is never closed") if self._called else TextDelta(text)

    def _calls(self, body: str, closing: str, closed: bool) -> list[Event]:
        """The events of every call in a body; the text of the block goes with the first."""
        body_read = re.sub(r"\A[\s\ufeff\u200b]*action[ \t]*\n", "", body)
        texts, repairs = values(body_read, closed)
        events: list[Event] = []
        found = [(said, self._names.meant(said.name)) for text in texts for said in calls_of(text)]
        if not self._sure and not any(name is not None and said.surely for said, name in found):
            return []
        for said, name in found:
            renamed = () if name in (None, said.name) else ("name",)
            id, all_repairs = self._new_call_id(), (*repairs, *said.repairs, *renamed)
            call = ToolCall(id, name or said.name, said.arguments, repairs=all_repairs)
            text = "" if events else self._opening + body + closing
            events += whole_call(CallOpened(id, call.tool, told_by=ToldBy.TEXT), call, text)
        return events


def _reasoning(text: str) -> Iterator[Event]:
    if text:
        yield ReasoningDelta(text)
