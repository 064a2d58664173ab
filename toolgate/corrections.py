"""What was wrong with a turn, said back to the model in the way in which it was told of its tools."""
from __future__ import annotations

from collections.abc import Callable, Iterator

from .conversation import Message, Notice, Request, Role, Text, ToldBy, ToolResult
from .events import CallClosed, CallGarbled, CallRefused, Event, Reply, ToolsChosen

ACCEPTED = "Accepted, do not repeat it."
ASKED = "Send only the corrected calls."
ANSWERED = (CallClosed, CallRefused, ToolsChosen)
Answered = CallClosed | CallRefused | ToolsChosen
Words = Callable[[Event], str]


def corrected(asked: Request, reply: Reply, told_by: ToldBy, words: Words, again: str = "") -> Request:
    """`asked` with this turn and every fault of it; its valid calls are kept.

    `again` stands last and makes a later correction differ from an earlier one.
    """
    form = _by_fields if told_by is ToldBy.FIELDS and reply.all(*ANSWERED) else _in_text
    ask = f"{ASKED} {again}".rstrip()
    answers = form(reply, lambda event: ACCEPTED if type(event) is CallClosed else words(event), ask)
    return asked.continued(reply.as_message(), *answers).keeping(reply.calls)


def _by_fields(reply: Reply, words: Words, ask: str) -> Iterator[Message]:
    """Each call gets a result; text that is no call has none, so the last result tells of it."""
    answered: tuple[Answered, ...] = reply.all(*ANSWERED)
    *others, last = answered
    more = "".join(f"\nBesides: {words(event)}" for event in reply.all(CallGarbled))
    for event in others:
        yield _result(event.call.id, words(event))
    yield _result(last.call.id, f"{words(last)}{more}\n{ask}")


def _in_text(reply: Reply, words: Words, ask: str) -> Iterator[Message]:
    """Calls by number: their names are the client's by now."""
    calls: tuple[Answered | CallGarbled, ...] = reply.all(*ANSWERED, CallGarbled)
    told = "\n".join(f"Call {number}: {words(event)}" for number, event in enumerate(calls, 1))
    yield Message(Role.USER, (Notice(f"{told}\n{ask}"),))


def _result(id: str, words: str) -> Message:
    return Message(Role.TOOL, (ToolResult(id, (Text(words),)),))
