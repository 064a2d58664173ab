"""A `pack` stage as a stranger would write it: it holds the core to what it must carry."""
from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from toolgate.conversation import Forced, Kind, Message, Never, Notice, Operation, Request, Role, Tool, ToolCall
from toolgate.holds import All, Peek
from toolgate.hookspecs import hookimpl
from toolgate.settings import Section

SELECTOR = "call_tool"
REVEALED = "The tools you asked for are shown now. Call them."
SCHEMA = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
    "required": ["names"],
}


class Config(Section):
    prose: Literal["peek", "hold"] = Field("peek", description="hold: nothing is shown before the choice is known")
    peek_characters: int = Field(400, ge=0, description="prose longer than this is an answer")
    peek_seconds: float = Field(2.0, ge=0, description="prose older than this is an answer")


class Pack:
    Config = Config

    def __init__(self, config: Config) -> None:
        peek = Peek(config.peek_characters, config.peek_seconds)
        self._hold = peek if config.prose == "peek" else All()

    @hookimpl
    def toolgate_shape(self, request: Request) -> Request | None:
        if not request.tools or isinstance(request.choice, Never):
            return None
        chosen = _chosen(request)
        shown = tuple(tool for tool in request.tools if tool.name in chosen)
        selector = _selector(request.tools)
        packed = replace(request, packed=(*request.tools, selector))
        if shown:
            told = (*request.messages, Message(Role.USER, (Notice(REVEALED),)))
            return replace(packed, tools=shown, messages=told).noting(*_notes(shown, "reveal", "chosen"))
        choice = Forced(SELECTOR) if isinstance(request.choice, Forced) else request.choice
        packed = replace(packed, tools=(selector,), choice=choice)
        return packed.holding(self._hold).noting(*_notes(request.tools, "pack", "behind the selector"))


def _chosen(request: Request) -> tuple[str, ...]:
    """What was chosen in this exchange, must be called, or was asked for last in the history."""
    if request.revealed is not None:
        return request.revealed
    match request.choice:
        case Forced(tool=str(name)):
            return (name,)
    calls = (p for m in reversed(request.messages) for p in reversed(m.parts) if type(p) is ToolCall)
    last = next(calls, None)
    return _asked_for(last) if last and last.tool == SELECTOR else ()


def _asked_for(call: ToolCall) -> tuple[str, ...]:
    try:
        return tuple(call.parsed()["names"])
    except (ValueError, KeyError, TypeError):
        return ()


def _selector(tools: tuple[Tool, ...]) -> Tool:
    names = ", ".join(tool.name for tool in tools)
    return Tool(SELECTOR, f"Ask for the definitions of tools before you call them: {names}", SCHEMA, Kind.SELECTOR)


def _notes(tools: tuple[Tool, ...], op: str, why: str) -> tuple[Operation, ...]:
    return tuple(Operation("pack", op, tool.name, None, None, why) for tool in tools)
