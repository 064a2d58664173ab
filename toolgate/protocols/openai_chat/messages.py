"""The turns of a conversation, as a chat completion says them."""
from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from ...conversation import (
    Echo,
    File,
    Image,
    Kind,
    Message,
    Part,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from ...errors import ClientError

NAME = "openai_chat"
ROLES = {"developer": Role.SYSTEM, "function": Role.TOOL, **{role.value: role for role in Role}}
Json = dict[str, object]


def wrong(where: str, wanted: str, got: object) -> ClientError:
    """A field of the wrong form, with its path."""
    return ClientError(f"{where} must be {wanted}, not {str(got)[:80]!r}", where)


def read_messages(raw: object) -> tuple[Message, ...]:
    """Every message; `ClientError` with the path of what is wrong."""
    if not isinstance(raw, list) or not raw:
        raise wrong("messages", "a list of at least one message", raw)
    messages: list[Message] = []
    last: dict[str, str] = {}  # the id of each tool's last call, for results that name only the tool
    for at, one in enumerate(raw):
        messages.append(_message(one, f"messages[{at}]", last))
        last |= {part.tool: part.id for part in messages[-1].parts if type(part) is ToolCall}
    return tuple(messages)


def _message(raw: object, where: str, last: dict[str, str]) -> Message:
    if not isinstance(raw, dict):
        raise wrong(where, "an object", raw)
    role = raw.get("role")
    if not isinstance(role, str) or role not in ROLES:
        raise wrong(f"{where}.role", f"one of {', '.join(ROLES)}", role)
    content = tuple(_content(raw.get("content"), f"{where}.content"))
    if ROLES[role] is Role.TOOL:
        name = raw.get("name") if isinstance(raw.get("name"), str) else ""
        id = raw.get("tool_call_id") or last.get(str(name)) or _made_up(where)
        return Message(Role.TOOL, (ToolResult(str(id), content, str(name)),))  # type: ignore[arg-type]  # no calls in it
    thought = raw.get("reasoning_content") or raw.get("reasoning")
    thinking = (Reasoning(thought),) if isinstance(thought, str) and role == "assistant" else ()
    refusal = raw.get("refusal")
    said = (Text(refusal),) if isinstance(refusal, str) and refusal else ()
    return Message(ROLES[role], (*thinking, *content, *said, *_calls(raw, where)))


def _content(content: object, where: str) -> Iterator[Part]:
    match content:
        case None | "":
            return
        case str():
            yield Text(content)
        case [*parts]:
            for at, part in enumerate(parts):
                yield from _part(part, f"{where}[{at}]")
        case _:
            raise wrong(where, "text or a list of parts", content)


def _part(part: object, where: str) -> Iterator[Part]:
    match part:
        case {"type": "text", "text": str(text)} | {"type": "refusal", "refusal": str(text)}:
            if text:
                yield Text(text)
        case {"type": "image_url", "image_url": {"url": str(url), **more}}:
            yield Image(url, str(more.get("detail") or ""))
        case {"type": "input_audio", "input_audio": dict(sound)}:
            yield File("a sound", Echo(NAME, {"type": "input_audio", "input_audio": sound}))
        case {"type": "file", "file": dict(file)}:
            yield File(str(file.get("filename") or "a file"), Echo(NAME, {"type": "file", "file": file}))
        case str():
            yield Text(part)
        case _:
            raise wrong(where, "a part of a known type", part)


def _calls(raw: Json, where: str) -> Iterator[ToolCall]:
    calls = raw.get("tool_calls") or []
    if not isinstance(calls, list):
        raise wrong(f"{where}.tool_calls", "a list", calls)
    for at, call in enumerate(calls):
        yield _call(call, f"{where}.tool_calls[{at}]")
    match raw.get("function_call"):
        case {"name": str(name), **more}:
            yield ToolCall(_made_up(where), name, _arguments(more.get("arguments"), "{}"))


def _call(raw: object, where: str) -> ToolCall:
    id = _id(raw, where)
    match raw:
        case {"custom": {"name": str(name), **more}}:
            return ToolCall(id, name, _arguments(more.get("input"), ""), Kind.FREEFORM)
        case {"function": {"name": str(name), **more}}:
            return ToolCall(id, name, _arguments(more.get("arguments"), "{}"))
    raise wrong(where, "a tool call", raw)


def _arguments(raw: object, none: str) -> str:
    """As they were written; some clients send an object in place of its text."""
    if raw is None or raw == "":
        return none
    return raw if isinstance(raw, str) else orjson.dumps(raw).decode()


def _id(raw: object, where: str) -> str:
    id = raw.get("id") if isinstance(raw, dict) else None
    return id if isinstance(id, str) and id else _made_up(where)


def _made_up(where: str) -> str:
    """An id for what came without one: by its place, so that the same history gives the same text."""
    return "call_" + "_".join(re.findall(r"\d+", where))
