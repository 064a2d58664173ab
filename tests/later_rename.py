"""A `rename` stage as a stranger would write it: it holds the core to what it must carry."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BeforeValidator, Field

from toolgate.conversation import Choice, Forced, Message, Operation, Request, ToolCall
from toolgate.hookspecs import hookimpl
from toolgate.settings import Section

Pairs = Annotated[
    dict[str, str],
    BeforeValidator(lambda raw: dict(pair.split("=") for pair in raw.split()) if isinstance(raw, str) else raw),
]


class Config(Section):
    names: Pairs = Field({}, description="client=model pairs, one a line")


@dataclass(frozen=True, slots=True)
class Unrename:
    names: Mapping[str, str]

    def name(self, name: str) -> str:
        return self.names.get(name, name)


class Rename:
    Config = Config

    def __init__(self, config: Config) -> None:
        self._names = config.names
        self._undo = Unrename({new: old for old, new in config.names.items()})

    @hookimpl
    def toolgate_shape(self, request: Request) -> Request | None:
        renamed = [tool.name for tool in request.tools if tool.name in self._names]
        if not renamed:
            return None
        tools = tuple(replace(t, name=self._names.get(t.name, t.name)) for t in request.tools)
        messages = tuple(self._message(message) for message in request.messages)
        done = [Operation("rename", "rename", n, n, self._names[n], "configured") for n in renamed]
        renamed = replace(request, tools=tools, messages=messages, choice=self._choice(request.choice))
        return renamed.undone_by(self._undo).noting(*done)

    def _choice(self, choice: Choice) -> Choice:
        match choice:
            case Forced(tool=str(name)):
                return Forced(self._names.get(name, name))
        return choice

    def _message(self, message: Message) -> Message:
        if not any(type(part) is ToolCall for part in message.parts):
            return message
        return replace(message, parts=tuple(
            replace(part, tool=self._names.get(part.tool, part.tool)) if type(part) is ToolCall else part
            for part in message.parts
        ))
