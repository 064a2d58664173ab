"""What a model says, piece by piece: a reply is a run of these, ended by one `Finished`."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from .conversation import NOTHING, Echo, Kind, Message, Part, Reasoning, Role, Text, ToldBy, ToolCall

Frame = tuple[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens; `input` counts everything, `cached` and `cache_written` are parts of it, `reasoning` of `output`."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0
    estimated: bool = False

    @classmethod
    def estimate(cls, asked: int, said: int) -> Usage:
        """Of characters: English text and JSON have about four a token with the tokenizers of the day."""
        return cls(-(-asked // 4), -(-said // 4), estimated=True)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_written + other.cache_written,
            self.reasoning + other.reasoning,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Started:
    """The hop has begun, and its input is known."""

    usage: Usage


@dataclass(slots=True)
class TextDelta:
    text: str
    frame: Frame | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallOpened:
    id: str
    tool: str
    kind: Kind = Kind.FUNCTION
    namespace: str = ""
    told_by: ToldBy = ToldBy.FIELDS


@dataclass(frozen=True, slots=True)
class CallDelta:
    fragment: str


@dataclass(frozen=True, slots=True)
class CallClosed:
    """`text` is what the model wrote, marks and all; empty for a native call."""

    call: ToolCall
    text: str = ""


@dataclass(frozen=True, slots=True)
class CallGarbled:
    """Text that set out to be a call and could not be read as one."""

    text: str
    problem: str


class Fault(Enum):
    UNKNOWN = "there is no such tool"
    INVALID = "the arguments do not fit"
    COPIED = "the arguments are the example's own"
    QUOTED = "it was only quoted"
    SURPLUS = "one call was allowed"


@dataclass(frozen=True, slots=True)
class CallRefused:
    """A readable call that must not reach the client as a call, only as its text."""

    call: ToolCall
    reason: Fault
    hint: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ToolsChosen:
    """The model asks to see these tools: names in its own words."""

    names: tuple[str, ...]
    call: ToolCall


@dataclass(frozen=True, slots=True)
class Opaque:
    """A frame that is no event of ours; a quiet one belongs to reasoning, others count as prose."""

    codec: str
    frame: Mapping[str, object]
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """What was said so far begins like neither a refusal nor an announcement."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """All that came has been said; also said again every tick, for those who keep time."""


class Ending(Enum):
    STOP = "stop"
    CALLS = "calls"
    LENGTH = "length"
    FILTERED = "filtered"
    REFUSED = "refused"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class StopText:
    """The model wrote one of the client's stop sequences."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """`earlier` is what the hops before cost; the client's codec adds as its clients expect."""

    reason: Ending | StopText = Ending.STOP
    usage: Usage = Usage()
    earlier: tuple[Usage, ...] = ()
    opaque: Echo = NOTHING

    @property
    def total(self) -> Usage:
        return sum(self.earlier, self.usage)


Event = (
    Started | TextDelta | ReasoningDelta | CallOpened | CallDelta | CallClosed | CallGarbled
    | CallRefused | ToolsChosen | Opaque | Settled | Waiting | Finished
)
CALL = (CallOpened, CallDelta, CallClosed)
E = TypeVar("E")


def whole_call(opened: CallOpened, call: ToolCall, text: str = "") -> tuple[Event, ...]:
    return opened, CallDelta(call.arguments), CallClosed(call, text)


@dataclass(frozen=True, slots=True)
class Reply:
    """All the events of one hop, for a judge to look at."""

    events: tuple[Event, ...]

    @classmethod
    def of(cls, events: Iterable[Event]) -> Reply:
        return cls(tuple(events))

    def all(self, *kinds: type[E]) -> tuple[E, ...]:
        return tuple(event for event in self.events if type(event) in kinds)  # type: ignore[misc]  # by its kind

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.all(TextDelta))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(event.call for event in self.all(CallClosed))

    @property
    def usage(self) -> Usage:
        return sum((event.usage for event in self.all(Finished)), Usage())

    @property
    def finished(self) -> Finished:
        return next(iter(self.all(Finished)), Finished())

    @property
    def total(self) -> Usage:
        """What all hops up to this reply cost together."""
        return self.finished.total

    def as_message(self) -> Message:
        """What the model said, as a turn of the conversation, in the order it was said."""
        parts: list[Part] = []
        for event in self.events:
            match event:
                case TextDelta(text) | CallGarbled(text) if parts and type(parts[-1]) is Text:
                    parts[-1] = Text(parts[-1].text + text)
                case TextDelta(text) | CallGarbled(text):
                    parts.append(Text(text))
                case ReasoningDelta(text) if parts and type(parts[-1]) is Reasoning:
                    parts[-1] = Reasoning(parts[-1].text + text)
                case ReasoningDelta(text):
                    parts.append(Reasoning(text))
                case Opaque(codec, frame, quiet=True):
                    parts.append(Echo(codec, frame))
                case CallClosed(call=call) | CallRefused(call=call) | ToolsChosen(call=call):
                    parts.append(call)
        return Message(Role.ASSISTANT, tuple(parts))
