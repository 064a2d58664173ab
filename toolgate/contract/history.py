"""What was called and what came back, as the text that a chat-only model reads."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import orjson

from ..conversation import File, Image, Kind, Message, Notice, Part, Role, Text, ToolCall, ToolResult

OPTIONAL = (
    "If the result above suffices, give the final answer in plain text. If a further call is needed, write it in "
    "the structured format; do not repeat a call that was answered."
)
HEADING = "Tool result for "
EXPECTED = "Based on the tool result above, continue with the next appropriate action using the structured format."


def as_text(messages: Iterable[Message], expected: bool) -> tuple[Message, ...]:
    """The turns without calls and results; `expected`: a further call must come of this request."""
    messages = tuple(answered(tuple(messages)))
    names = {part.id: part.tool for message in messages for part in message.parts if type(part) is ToolCall}
    said: list[Message] = []
    for message in messages:
        if message.role is Role.TOOL and said and said[-1].role is Role.TOOL:
            said[-1] = Message(Role.TOOL, (*said[-1].parts, Notice("\n\n"), *_parts(message, names)))
        elif parts := tuple(_parts(message, names)):
            said.append(Message(message.role, parts, message.opaque))
    last = len(said) - 1
    return tuple(_closed(one, EXPECTED if expected and at == last else OPTIONAL) for at, one in enumerate(said))


def answered(messages: tuple[Message, ...]) -> Iterator[Message]:
    """With an empty result behind each call to which none came, where the conversation went on without it."""
    open_calls: dict[str, ToolCall] = {}
    for message in messages:
        if message.role is not Role.TOOL:
            yield from _empty(open_calls)
            open_calls = {part.id: part for part in message.parts if type(part) is ToolCall}
        for part in message.parts:
            if type(part) is ToolResult:
                open_calls.pop(part.call_id, None)
        yield message
    if messages and messages[-1].role is Role.TOOL:
        yield from _empty(open_calls)


def _empty(calls: Iterable[str]) -> Iterator[Message]:
    return (Message(Role.TOOL, (ToolResult(id, ()),)) for id in calls)


def block(tool: str, parameters: object) -> str:
    """The fenced block that calls a tool; `parameters` is any JSON value."""
    return _fenced(tool, orjson.dumps(parameters).decode())


def _fenced(tool: str, parameters: str) -> str:
    return f'```json action\n{{"tool": {_json(tool)}, "parameters": {parameters}}}\n```'


def call_text(call: ToolCall) -> str:
    """The block that the model should have written, its id on the line before it."""
    return f"Call {call.id}:\n{_fenced(call.tool, _parameters(call))}"


def _parameters(call: ToolCall) -> str:
    """As they were written where that is an object; raw text, and what cannot be read, as one string."""
    if call.kind is Kind.FREEFORM:
        return f'{{"input": {_json(call.arguments)}}}'
    try:
        call.parsed()
    except ValueError:
        return _json(call.arguments)
    return call.arguments.strip() or "{}"


def _closed(message: Message, continuation: str) -> Message:
    """A turn of results becomes the user's, with what may come next at its end."""
    if message.role is not Role.TOOL:
        return message
    return Message(Role.USER, (*message.parts, Notice(f"\n\n{continuation}")))


def _parts(message: Message, names: Mapping[str, str]) -> Iterator[Part]:
    apart = ""
    for part in message.parts:
        match part:
            case Text(text="") | Notice(text=""):
                continue
            case Text() | Notice() | Image() | File():
                yield part
            case ToolCall():
                yield Notice(f"{apart}{call_text(part)}\n")
            case ToolResult():
                yield from _result(part, names)
            case _:
                continue
        apart = "\n"


def _result(result: ToolResult, names: Mapping[str, str]) -> Iterable[Part]:
    name = names.get(result.call_id, result.tool)
    whose = f"{result.call_id} ({name})" if name else result.call_id
    yield Notice(f"{HEADING}{whose}{', which failed' if result.failed else ''}:\n")
    if any(type(part) is not Text or part.text for part in result.parts):
        yield from result.parts
    else:
        yield Notice("(no result)")


def _json(text: str) -> str:
    return orjson.dumps(text).decode()
