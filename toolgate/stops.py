"""Ends visible text where the client said, and before a tool's result that the model made up."""
from __future__ import annotations

from collections.abc import Iterator

from .contract.history import HEADING
from .conversation import Request
from .events import CallClosed, Ending, Event, Finished, ReasoningDelta, Settled, StopText, TextDelta, Usage, Waiting

AMONG_TEXT = (Waiting, Settled, ReasoningDelta)
INVENTED = f"\n{HEADING}"
"""Behind a call of the same turn, a line that begins as results do: the model talks to itself from there on."""


def stopped(events: Iterator[Event], request: Request) -> Iterator[Event]:
    """The events up to where the text stops; what would follow is not awaited, so its cost is estimated."""
    stops, said = Stops(request.stop), 0
    for event in events:
        if type(event) is TextDelta:
            if not stops:
                yield event
                continue
            shown = stops.feed(event.text)
            said += len(shown)
            if shown:
                yield event if shown == event.text else TextDelta(shown)
            if stops.hit:
                yield Finished(stops.hit, Usage.estimate(request.characters, said))
                return
            continue
        if type(event) not in AMONG_TEXT and (held := stops.close()):
            yield TextDelta(held)
        yield event
        if type(event) is CallClosed:
            stops.called()


class Stops:
    """`feed(text)` gives what may be shown of it; `hit` says how it ended, once it has."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self._endings: dict[str, Ending | StopText] = {stop: StopText(stop) for stop in stops}
        self._held, self._unsaid = "", 0
        self.hit: Ending | StopText | None = None

    def __bool__(self) -> bool:
        """Is there anything to look for?"""
        return bool(self._endings)

    def called(self) -> None:
        """The text goes on behind a call, at the beginning of a line."""
        self._endings[INVENTED] = Ending.STOP
        self._held, self._unsaid = "\n", 1

    def feed(self, text: str) -> str:
        text = self._held + text
        at, stop = min(((at, stop) for stop in self._endings if (at := text.find(stop)) >= 0), default=(-1, ""))
        if stop:
            self.hit = self._endings[stop]
        else:
            at = len(text) - self._beginning(text)
        self._held = text[at:]
        return self._said(text[:at])

    def close(self) -> str:
        """What was held back and is no stop after all."""
        held, self._held = self._held, ""
        return self._said(held)

    def _said(self, text: str) -> str:
        """Without the line end that only marks where the text goes on."""
        unsaid = min(self._unsaid, len(text))
        self._unsaid -= unsaid
        return text[unsaid:]

    def _beginning(self, text: str) -> int:
        """How many characters at the end may begin a stop."""
        longest = min(max(map(len, self._endings), default=1) - 1, len(text))
        ends = (length for length in range(longest, 0, -1) if any(s.startswith(text[-length:]) for s in self._endings))
        return next(ends, 0)
