"""The conversation as plain text, for a program that knows nothing but stdin."""
from __future__ import annotations

from collections.abc import Iterable

from toolgate import File, Image, Message, Notice, Role, Text, ToolCall, ToolResult
from toolgate.conversation import Part

HEADINGS = {Role.SYSTEM: "System:", Role.USER: "User:", Role.ASSISTANT: "Assistant:", Role.TOOL: "Tool:"}


def transcript(messages: Iterable[Message]) -> str:
    """A headed paragraph for each turn, and the heading of the one that is to be written."""
    turns = [f"{HEADINGS[message.role]}\n{_words(message.parts)}\n\n" for message in messages]
    return "".join(turns) + f"{HEADINGS[Role.ASSISTANT]}\n"


def _words(parts: Iterable[Part]) -> str:
    return "".join(map(_said, parts))


def _said(part: Part) -> str:
    match part:
        case Text(text) | Notice(text):
            return text
        case Image():
            return "[an image]"
        case File(name):
            return f"[a file: {name}]" if name else "[a file]"
        case ToolCall(tool=tool):  # calls and results are text already where `emulate` is in the list
            return f"[a call of {tool}]"
        case ToolResult(parts=parts):
            return _words(parts)
    return ""
