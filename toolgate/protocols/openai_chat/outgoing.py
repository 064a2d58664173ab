"""What is posted to a model server that speaks chat completions."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import orjson

from ...conversation import (
    File,
    Forced,
    Image,
    JsonObject,
    JsonSchema,
    Kind,
    Message,
    Never,
    Notice,
    Part,
    Request,
    Role,
    Text,
    ToldBy,
    Tool,
    ToolCall,
    ToolResult,
)
from ...errors import ClientError
from ...wire import Sent
from .messages import NAME, Json
from .request import without_recovered

if TYPE_CHECKING:
    from ...upstream import Upstream

ONLY_BY_FIELDS = ("logprobs", "top_logprobs")
SIZED = {"temperature", "top_p", "seed", "presence_penalty", "frequency_penalty"}


def write_request(request: Request, upstream: Upstream) -> Sent:
    section, fields = upstream.section, request.told_by is ToldBy.FIELDS
    body: Json = {"model": request.model, "messages": list(_messages(request, upstream)), **request.extras.of(NAME)}
    body |= {name: value for name in SIZED if (value := getattr(request.sampling, name)) is not None}
    body |= _limits(request, section.max_output_tokens)
    if request.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    if fields:
        body |= _tools(without_recovered(request))
    else:
        for name in ONLY_BY_FIELDS:
            body.pop(name, None)
    if request.stop and (fields or not request.may_call):
        body["stop"] = list(request.stop)  # where a call may come as text, a stop could cut it
    for name in section.drop:
        body.pop(name, None)
    return Sent("/chat/completions", _dumped({**body, **section.extra_body}))


def _dumped(body: Json) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError as error:
        raise ClientError("the request is nested too deeply to be sent on") from error


def _limits(request: Request, most: int | None) -> Json:
    limits: Json = {}
    if request.max_tokens is not None:
        field = str(request.answer.of(NAME).get("limit") or "max_tokens")
        limits[field] = min(request.max_tokens, most) if most else request.max_tokens
    if request.effort:
        limits["reasoning_effort"] = request.effort
    if request.user:
        limits["user"] = request.user
    match request.format:
        case JsonObject() if not request.tools or request.told_by is ToldBy.FIELDS:
            limits["response_format"] = {"type": "json_object"}
        case JsonSchema(schema, name, strict) if not request.tools or request.told_by is ToldBy.FIELDS:
            told = {"name": name or "answer", "schema": schema, "strict": strict}
            limits["response_format"] = {"type": "json_schema", "json_schema": told}
    return limits


def _tools(request: Request) -> Json:
    if not request.tools:
        return {}
    body: Json = {"tools": [_tool(tool) for tool in request.tools]}
    match request.choice:
        case Forced(tool=str(name)):
            kind = "custom" if (tool := request.offered(name)) and tool.kind is Kind.FREEFORM else "function"
            body["tool_choice"] = {"type": kind, kind: {"name": name}}
        case Forced():
            body["tool_choice"] = "required"
        case Never():
            body["tool_choice"] = "none"
    return body if request.parallel else {**body, "parallel_tool_calls": False}


def _tool(tool: Tool) -> Json:
    if tool.kind is Kind.FREEFORM:
        custom = {"name": tool.name, "description": tool.description, **tool.opaque.of(NAME)}
        return {"type": "custom", "custom": custom}
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema or {"type": "object"}}
    return {"type": "function", "function": {**function, **tool.opaque.of(NAME)}}


def _messages(request: Request, upstream: Upstream) -> Iterator[Json]:
    roles = upstream.section.roles
    messages: Iterable[Message] = request.messages
    if "no_system" in roles:
        messages = [Message(Role.USER, m.parts) if m.role is Role.SYSTEM else m for m in messages]
    if "alternate" in roles:
        messages = [_merged(tuple(run)) for _, run in groupby(messages, key=lambda message: message.role)]
    for message in messages:
        yield from _written(message, upstream)


def _merged(run: tuple[Message, ...]) -> Message:
    """Neighbours of one role as one turn, a blank line between them."""
    first, *others = run
    if first.role is Role.TOOL:
        return first if not others else Message(first.role, tuple(p for m in run for p in m.parts))
    parts = first.parts
    for message in others:
        parts = (*parts, Notice("\n\n"), *message.parts)
    return Message(first.role, parts)


def _written(message: Message, upstream: Upstream) -> Iterator[Json]:
    for result in (part for part in message.parts if type(part) is ToolResult):
        yield {"role": "tool", "tool_call_id": result.call_id, "content": _content(result.parts, upstream) or ""}
    calls = [_call(part) for part in message.parts if type(part) is ToolCall]
    said = _content(message.parts, upstream)
    if calls:
        yield {"role": message.role.value, "content": said or None, "tool_calls": calls}
    elif said:
        yield {"role": message.role.value, "content": said}


def _content(parts: Iterable[Part], upstream: Upstream) -> str | list[Json]:
    """Text where it is nothing else; parts where a picture really goes along."""
    written = [said for part in parts for said in _part(part, upstream)]
    if all(part["type"] == "text" for part in written):
        return "".join(str(part["text"]) for part in written)
    return written


def _part(part: Part, upstream: Upstream) -> Iterator[Json]:
    section = upstream.section
    match part:
        case Text(text=text) | Notice(text=text):
            yield {"type": "text", "text": text}
        case Image(url, detail) if section.images == "pass":
            yield {"type": "image_url", "image_url": {"url": url, **({"detail": detail} if detail else {})}}
        case Image():
            yield _in_place("an image", section.images, upstream)
        case File(opaque=opaque) if section.files == "pass" and opaque.of(NAME):
            yield dict(opaque.of(NAME))
        case File(name=name):
            yield _in_place(name, section.files, upstream)


def _in_place(what: str, handling: str, upstream: Upstream) -> Json:
    if handling == "refuse":
        raise ClientError(f"{upstream.name} does not take {what}", "messages", "unsupported_content")
    return {"type": "text", "text": f"[{what}]"}


def _call(call: ToolCall) -> Json:
    if call.kind is Kind.FREEFORM:
        return {"id": call.id, "type": "custom", "custom": {"name": call.tool, "input": call.arguments}}
    return {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}}
