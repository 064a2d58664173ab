"""A conversation as toolgate sees it: frozen values, no JSON, no protocol, no provider."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

import orjson

from .holds import Hold, Nothing, stricter


class Role(Enum):
    """Who speaks in a `Message`; a protocol's `developer` is `SYSTEM`, its `function` is `TOOL`."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class ToldBy(Enum):
    """How the model is told of its tools, and how it tells us of a call."""

    FIELDS = "fields"
    TEXT = "text"


class Kind(Enum):
    """What a tool takes: a JSON object, raw text, a search, a choice of tools, or nothing of ours."""

    FUNCTION = "function"
    FREEFORM = "freeform"
    SEARCH = "search"
    SELECTOR = "selector"
    HOSTED = "hosted"


@dataclass(frozen=True, slots=True)
class Echo:
    """Fields of one codec that must be echoed; no other codec reads them."""

    codec: str
    fields: Mapping[str, object]

    def of(self, codec: str) -> Mapping[str, object]:
        return self.fields if self.codec == codec else {}


NOTHING = Echo("", {})


@dataclass(frozen=True, slots=True)
class Text:
    """What somebody said, byte for byte."""

    text: str
    opaque: Echo = NOTHING


@dataclass(frozen=True, slots=True)
class Notice:
    """Words of toolgate's own; no stage takes them for the user's."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture by its address, which may be a `data:` URL; `detail` as the client gave it, or ""."""

    url: str
    detail: str = ""
    opaque: Echo = NOTHING


@dataclass(frozen=True, slots=True)
class File:
    """A file or a sound; `name` is what a person would call it, `opaque` holds it for its own codec."""

    name: str
    opaque: Echo = NOTHING


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What the model thought before it spoke."""

    text: str
    opaque: Echo = NOTHING


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call.

    `arguments` is the text as it was written: JSON for a function, raw text for a
    freeform tool.  It stays text, since reading it may lose digits, and since a
    history may hold arguments that no one can read.  `repairs` names each change
    made to what the model wrote, in the order in which it was made.
    """

    id: str
    tool: str
    arguments: str
    kind: Kind = Kind.FUNCTION
    repairs: tuple[str, ...] = ()
    opaque: Echo = NOTHING

    def parsed(self) -> object:
        """The arguments as a JSON value; `ValueError` if they are none."""
        return orjson.loads(self.arguments or "{}")

    def same_as(self, other: ToolCall) -> bool:
        """Would running both do the same thing twice?"""
        if self.tool != other.tool:
            return False
        return self.arguments == other.arguments or _read(self.arguments) == _read(other.arguments)


def _read(arguments: str) -> object:
    try:
        return orjson.loads(arguments)
    except ValueError:
        return arguments


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave; `tool` is its name where the client says it, `failed` where it says so."""

    call_id: str
    parts: tuple[Text | Image | File, ...]
    tool: str = ""
    failed: bool = False
    opaque: Echo = NOTHING

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if type(part) is Text)


Part = Text | Notice | Image | File | Reasoning | ToolCall | ToolResult | Echo


@dataclass(frozen=True, slots=True)
class Message:
    """One turn, or a part of one; `opaque` holds what its codec must echo with it."""

    role: Role
    parts: tuple[Part, ...]
    opaque: Echo = NOTHING


@dataclass(frozen=True, slots=True)
class Tool:
    """What a model may call; `schema` is the JSON Schema of its arguments.

    `recovered`: seen only in the history of a turn that brings no tools, so its
    schema is open; the model is told of it in text, never in fields.
    `deferred`: the client wants it named only once it is asked for.
    """

    name: str
    description: str
    schema: Mapping[str, object]
    kind: Kind = Kind.FUNCTION
    namespace: str = ""
    deferred: bool = False
    recovered: bool = False
    opaque: Echo = NOTHING


@dataclass(frozen=True, slots=True)
class Auto:
    """The model may call a tool."""


@dataclass(frozen=True, slots=True)
class Never:
    """The model must not call a tool."""


@dataclass(frozen=True, slots=True)
class Forced:
    """The model must call a tool: this one, or any."""

    tool: str | None = None


Choice = Auto | Never | Forced


@dataclass(frozen=True, slots=True)
class Prose:
    """The answer may have any form."""


@dataclass(frozen=True, slots=True)
class JsonObject:
    """The answer must be a JSON object."""


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The answer must be JSON that fits `schema`."""

    schema: Mapping[str, object]
    name: str = ""
    strict: bool = False


Format = Prose | JsonObject | JsonSchema


class Undo(Protocol):
    """The way back from the model's words to the client's."""

    def name(self, name: str) -> str: ...

    def call(self, call: ToolCall) -> ToolCall: ...


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing a shape stage did, and why."""

    stage: str
    op: str
    tool: str
    before: object
    after: object
    why: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model draws its words; None where the client leaves it to the model."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, in canonical form.

    Read-only: a stage returns a changed copy.  `tools` and `choice` stay to the
    end and say what the model may call, however it is told of them (`told_by`).
    `extras` are wire fields that are not modelled, `answer` is how the client's
    codec must answer; both are read by that codec alone.  `ignored` names the
    client's fields that are not obeyed.  `packed`, `revealed`, `kept` and
    `constrained` travel from hop to hop, all in the client's words but `revealed`.
    """

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    choice: Choice = Auto()
    parallel: bool = True
    stop: tuple[str, ...] = ()
    stream: bool = False
    max_tokens: int | None = None
    sampling: Sampling = Sampling()
    format: Format = Prose()
    effort: str = ""
    user: str = ""
    extras: Echo = NOTHING
    answer: Echo = NOTHING
    ignored: tuple[str, ...] = ()
    told_by: ToldBy = ToldBy.FIELDS
    packed: tuple[Tool, ...] = ()
    revealed: tuple[str, ...] | None = None
    kept: tuple[ToolCall, ...] = ()
    constrained: JsonSchema | None = None
    hold: Hold = Nothing()
    undo: tuple[Undo, ...] = ()
    operations: tuple[Operation, ...] = field(default=(), repr=False)

    def continued(self, *messages: Message) -> Request:
        """With these messages at the end."""
        return replace(self, messages=self.messages + messages)

    def keeping(self, calls: Iterable[ToolCall]) -> Request:
        """With these calls as good as delivered; one that was kept before is kept once."""
        kept = list(self.kept)
        for call in calls:
            if not any(call.same_as(other) for other in kept):
                kept.append(call)
        return replace(self, kept=tuple(kept))

    def undone_by(self, undo: Undo) -> Request:
        """With one more step on the way back to the client's words."""
        return replace(self, undo=(*self.undo, undo))

    def holding(self, hold: Hold) -> Request:
        """Held at least as strictly as this."""
        return replace(self, hold=stricter(self.hold, hold))

    def noting(self, *operations: Operation) -> Request:
        """With a note of what a shape stage did."""
        return replace(self, operations=self.operations + operations)

    def offered(self, name: str) -> Tool | None:
        """The tool of this name that the model may call now."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def hidden(self, name: str) -> Tool | None:
        """The tool of this name that stands behind the selector."""
        return next((tool for tool in self.packed if tool.name == name), None)

    @property
    def may_call(self) -> bool:
        """Could a call come of this at all?"""
        return bool(self.tools) and not isinstance(self.choice, Never)

    @property
    def must_call(self) -> Forced | None:
        """The call that must come of this; one forced by name has come once its result is what was said last."""
        if not isinstance(self.choice, Forced) or not self.tools:
            return None
        names = {call.id: call.tool for call in self.calls}
        last = self.messages[-1].parts if self.messages else ()
        results = (names.get(part.call_id, part.tool) for part in last if type(part) is ToolResult)
        return None if self.choice.tool and self.choice.tool in results else self.choice

    @property
    def called_lately(self) -> bool:
        """Was a tool called since the user last said something?"""
        for message in reversed(self.messages):
            if message.role is Role.USER:
                return False
            if any(type(part) in (ToolCall, ToolResult) for part in message.parts):
                return True
        return False

    @property
    def characters(self) -> int:
        """The length of all that is said in it."""
        spoken = (part for message in self.messages for part in message.parts)
        return sum(len(part.text) for part in spoken if isinstance(part, (Text, Notice, Reasoning)))

    @property
    def answers(self) -> bool:
        """Is a tool's result what was said last?"""
        return bool(self.messages) and any(type(part) is ToolResult for part in self.messages[-1].parts)

    @property
    def selects(self) -> bool:
        """Is the model asked to choose among packed tools?"""
        return any(tool.kind is Kind.SELECTOR for tool in self.tools)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every call of the history, oldest first."""
        return tuple(part for message in self.messages for part in message.parts if type(part) is ToolCall)
