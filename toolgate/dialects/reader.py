"""Reads what a model writes, piece by piece: prose, thoughts, and the calls that stand among them."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from ..conversation import ToldBy, ToolCall
from ..events import CallGarbled, CallOpened, Event, ReasoningDelta, TextDelta, whole_call
from .beginnings import LONGEST_RUN, Beginnings, Block, Found, Literal, Musing, Sample, Sign, Thought, Wait
from .body import Beyond, Body, Closing
from .damage import Unreadable, values, whole_until
from .heads import LOOKED_AT, may_be_call
from .names import Names
from .native import Dialect, react
from .scanner import MarkFinder, ValueEnd
from .shapes import Said as Spoken
from .shapes import calls_of
from .until import Until

LONGEST, LONGEST_GUESS = 1_000_000, 10_000
TRIES, STUCK = 4, 4
END = "\n"
"""Behind the last character: a mark at the very end is one only once it is known that nothing follows."""
SPECIAL = re.compile(r"[\n`~<\[]")
BLANK = re.compile(r"[\s\ufeff\u200b]*")
LINE_END = re.compile(r"[ \t]*(?:\r?\n|\r)\u200b?")
LONGEST_BLANK, LONGEST_THOUGHT = 400, 2_000
"""What is held back of the white space before a block, and of a `Thought:` that may be the answer."""
STEP = 4096
"""Text is worked through in steps, so that what is left of it is not copied as a whole for each mark in it."""
Said = tuple[list[Event], str]


class CallReader:
    """`feed(text)` gives events, `close()` the last ones; `passes(text)`: it is prose as it stands.

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
        self._body: Body | Until = Body()
        self._sure = self._called = self._bare = self._apart = False
        self._fence = ("`", 3)
        self._beginnings = Beginnings(names, reads_calls)
        self._block_of = Block(0, self._body, False)
        self._tries: list[Closing] = []
        self._thinking: list[str] = []
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
        elif step is CallReader._musing:
            self._marks.close()
            yield TextDelta("".join(self._thinking))
            self._thinking = []
        elif (rest := held + self._marks.close()) and step is not CallReader._after_call and not self._drops:
            yield TextDelta(rest)
        self._drops = False

    def abandon(self) -> Iterator[Event]:
        """What is held, as text: the model broke off, and nothing of it may be run."""
        held, step = self._taken(), self._step
        self._step = CallReader._prose
        if step is CallReader._block:
            yield CallGarbled(self._opening + self._body.text, "the model broke off in the middle of it")
        elif rest := "".join(self._thinking) or held + self._marks.close():
            yield ReasoningDelta(rest) if step is CallReader._thought else TextDelta(rest)

    def _taken(self) -> str:
        held, self._held = self._held, ""
        return held

    @property
    def _dialect(self) -> Dialect | None:
        return self._block_of.dialect

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
            if (found := self._beginnings.at_line(text, at)) is not None:
                return self._begun(text, at, found)
            self._begins_line = False
            self._quote = text[at] == ">"
            return self._inline(text, at)
        return self._inline(text, 0)

    def _begun(self, text: str, at: int, found: Found) -> Said:
        """What was found at this place has its way; what stands before it is said."""
        before = text[:at] if text[:at].strip() or not self._begins_line else ""
        said: list[Event] = [TextDelta(before)] if before else []
        match found:
            case Wait():
                return self._held_from(text, at)
            case Block():
                return self._open(text, at, found)
            case Thought(end, marks):
                self._marks, self._step = MarkFinder(marks), CallReader._thought
                return said, text[end:]
            case Musing():
                self._marks, self._step = MarkFinder(react.AFTER_THOUGHT), CallReader._musing
                return said, text[at:]
            case Sign(end, answers):
                self._begins_line = answers
                return said, text[end:]
            case Sample(end, sign, run):
                self._fence, self._step = (sign, run), CallReader._sample
            case Literal(end):
                pass
        self._begins_line = False
        return [TextDelta(text[:end])], text[end:]

    def _held_from(self, text: str, at: int) -> Said:
        """What stands before a possible mark is said; white space that begins the line waits with it."""
        kept = 0 if self._begins_line else at
        self._held = text[kept:]
        return ([TextDelta(text[:kept])] if kept else []), ""

    def _musing(self, text: str) -> Said:
        """A `Thought:` is reasoning where an action follows, and else the answer."""
        self._thinking.append(text)
        _, mark, rest = self._marks.feed(text)
        whole = "".join(self._thinking)
        if not mark and len(whole) < LONGEST_THOUGHT:
            return [], ""
        self._thinking, self._step, self._begins_line = [], CallReader._prose, True
        before = whole[: len(whole) - len(rest) - len(mark)] if mark else whole
        if mark == react.AFTER_THOUGHT[0]:
            return [ReasoningDelta(before.removeprefix(react.THOUGHT).strip())], mark.lstrip() + rest
        self._begins_line = False
        return [TextDelta(before)], mark + rest

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
            elif not self._code and not self._quote and (tagged := self._beginnings.anywhere(text, at)) is not None:
                return self._begun(text, at, tagged)
            else:
                at += 1
        return [TextDelta(text)], ""

    def _in_line(self, text: str, at: int, end: int) -> Said | None:
        """A run of backticks within a line: the contract's fence, or code that begins or ends."""
        run = end - at
        if run > LONGEST_RUN:
            return None
        may_open = not self._code and not self._quote and run >= 3 and self._reads
        if may_open and (found := self._beginnings.fence(text, at, True)) is not None:
            return self._begun(text, at, found)
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

    def _open(self, text: str, at: int, block: Block) -> Said:
        """Before a block that may be a call; white space alone before it is a part of it."""
        blank = BLANK.match(text) if self._begins_line else None
        kept = max(0, blank.end() - LONGEST_BLANK) if blank else at
        self._apart = blank is not None and "\n" in blank[0]
        self._opening, self._block_of, self._body = text[kept : block.end], block, block.body
        self._sure = self._called = block.sure
        self._bare, self._tries = not block.sure and block.end == at, []
        self._step, self._code = CallReader._block, 0
        return ([TextDelta(text[:kept])] if kept else []), text[block.end :]

    def _block(self, text: str) -> Said:
        room = self._longest - len(self._body)
        self._body.add(text[:room])
        if not self._called and not self._dialect and (said := self._guessed()) is not None:
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
        at = blank.end() if blank else 0
        if at == len(text):
            return self._hold_blank(text)
        for tail in self._dialect.tails if self._dialect else ():
            if text.startswith(tail, at):
                return [], text[at + len(tail) :] or ""
            if tail.startswith(text[at : at + len(tail)]):
                return self._hold(text)
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
        else:
            if not self._dialect and (events := self._before_the_cut(body)):
                yield from events
                return
        text = self._opening + body
        yield CallGarbled(text, "the call is never closed") if self._called else TextDelta(text)

    def _before_the_cut(self, body: str) -> list[Event]:
        """The calls that were whole before the text was cut off in the middle of one."""
        end = whole_until(body)
        try:
            events = self._calls(body[:end].lstrip("["), "", False) if end else []
        except Unreadable:
            return []
        return [*events, CallGarbled(body[end:], "it is cut off")] if events else []

    def _calls(self, body: str, closing: str, closed: bool) -> list[Event]:
        """The events of every call in a body; the text of the block goes with the first."""
        repairs: tuple[str, ...] = ()
        if self._dialect:
            spoken = self._dialect.read(body + closing, self._block_of.name, closed)
        else:
            texts, repairs = values(re.sub(r"\A[\s\ufeff\u200b]*action[ \t]*\n", "", body), closed)
            spoken = [said for text in texts for said in calls_of(text)]
        events: list[Event] = []
        found = [(said, self._names.meant(said.name)) for said in spoken]
        if not self._sure and not any(name is not None and said.surely for said, name in found):
            return []
        for said, name in _without_stuck(found):
            renamed = () if name in (None, said.name) else ("name",)
            id, all_repairs = self._new_call_id(), (*repairs, *said.repairs, *renamed)
            call = ToolCall(id, name or said.name, said.arguments, repairs=all_repairs)
            text = "" if events else self._opening + body + closing
            events += whole_call(CallOpened(id, call.tool, told_by=ToldBy.TEXT), call, text)
        return events


def _without_stuck(found: list[tuple[Spoken, str | None]]) -> list[tuple[Spoken, str | None]]:
    """Where one block says a call time and again, the model is stuck: each of its calls is made once."""
    times = Counter((said.name, said.arguments) for said, _ in found)
    if not found or times.most_common(1)[0][1] < STUCK:
        return found
    return list({(said.name, said.arguments): (said, name) for said, name in reversed(found)}.values())[::-1]


def _reasoning(text: str) -> Iterator[Event]:
    if text:
        yield ReasoningDelta(text)
