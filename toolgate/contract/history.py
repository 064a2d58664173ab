"""What was called and what came back, as the text that a chat-only model reads."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import orjson

from ..conversation import File, Image, Kind, Message, Notice, Part, Role, Text, ToolCall, ToolResult

OPTIONAL = (
    "If the result above suffices, give the final answer in plain text. If a further call is needed, write it in "
    "the structured format; do not repeat a call that was answered."
)
EXPECTED = "Based on the tool result above, continue with the next appropriate action using the structured format."


def as_text(messages: Iterable[Message], expected: bool) -> tuple[Message, ...]:
    """The turns without calls and results; `expected`: a further call must come of this request."""
    messages = tuple(messages)
    names = {part.id: part.tool for message in messages for part in message.parts if type(part) is ToolCall}
    said: list[Message] = []
    for message in messages:
        if message.role is Role.TOOL and said and said[-1].role is Role.TOOL:
            said[-1] = Message(Role.TOOL, (*said[-1].parts, Notice("\n\n"), *_parts(message, names)))
        elif parts := tuple(_parts(message, names)):
            said.append(Message(message.role, parts, message.opaque))
    return tuple(_closed(message, EXPECTED if expected else OPTIONAL) for message in said)


def _closed(message: Message, continuation: str) -> Message:
    """A turn of results becomes the user's, with what may come next at its end."""
    if message.role is not Role.TOOL:
        return message
    return Message(Role.USER, (*message.parts, Notice(f"\n\n{continuation}")))


def _parts(message: Message, names: Mapping[str, str]) -> Iterable[Part]:
    for part in message.parts:
        match part:
            case Text() | Notice() | Image() | File():
                yield part
            case ToolCall():
                yield Notice(f"{_break(message, part)}{call_text(part)}\n")
            case ToolResult():
                yield from _result(part, names)


def _break(message: Message, part: Part) -> str:
    return "" if part is message.parts[0] else "\n"


def call_text(call: ToolCall) -> str:
    """The block that the model should have written, its id on the line before it."""
    name = orjson.dumps(call.tool).decode()
    arguments = call.arguments or "{}"
    if call.kind is Kind.FREEFORM:
        arguments = orjson.dumps({"input": call.arguments}).decode()
    return f'Call {call.id}:\n```json action\n{{"tool": {name}, "parameters": {arguments}}}\n```'


def _result(result: ToolResult, names: Mapping[str, str]) -> Iterable[Part]:
    name = names.get(result.call_id, result.tool)
    whose = f"{result.call_id} ({name})" if name else result.call_id
    yield Notice(f"Tool result for {whose}{', which failed' if result.failed else ''}:\n")
    if any(type(part) is not Text or part.text for part in result.parts):
        yield from result.parts
    else:
        yield Notice("(no output)")
