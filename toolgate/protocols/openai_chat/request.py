"""What is asked: a chat completion's JSON ↔ `Request`."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson

from ...conversation import (
    Auto,
    Choice,
    Echo,
    Forced,
    Message,
    Never,
    Notice,
    Part,
    Request,
    Role,
    Sampling,
    Text,
    ToldBy,
    Tool,
    ToolCall,
    ToolResult,
)
from ...errors import ClientError
from ...wire import Sent

ROLES = {"developer": Role.SYSTEM, **{role.value: role for role in Role}}
NAME = "openai_chat"
MODELLED = {
    "model", "messages", "tools", "tool_choice", "parallel_tool_calls",
    "stop", "stream", "stream_options", "max_tokens", "temperature",
}


def model_of(body: object) -> str:
    match body:
        case {"model": str(model)}:
            return model
    raise ClientError("a chat completion needs a model")


def read_request(body: object, before: tuple[Message, ...], headers: Mapping[str, str]) -> Request:
    match body:
        case {"model": str(model), "messages": [*messages]}:
            stop = body.get("stop") or ()
            return Request(
                model,
                before + tuple(_message(raw) for raw in messages),
                tuple(_tool(raw) for raw in body.get("tools") or ()),
                _choice(body.get("tool_choice")),
                body.get("parallel_tool_calls") is not False,
                (stop,) if isinstance(stop, str) else tuple(stop),
                bool(body.get("stream")),
                body.get("max_tokens"),
                Sampling(body.get("temperature")),
                answer=Echo(NAME, {"usage": bool((body.get("stream_options") or {}).get("include_usage"))}),
                extras=Echo(NAME, {key: value for key, value in body.items() if key not in MODELLED}),
            )
    raise ClientError("a chat completion needs a model and messages")


def write_request(request: Request, upstream: object) -> Sent:
    body: dict[str, object] = {
        "model": request.model,
        "messages": [said for m in request.messages for said in _written(m)],
        **request.extras.of(NAME),
    }
    if request.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    told = [tool for tool in request.tools if not tool.recovered]
    if told and request.told_by is ToldBy.FIELDS:
        body |= {"tools": [_tool_json(tool) for tool in told], **_choice_json(request)}
    most = upstream.section.max_output_tokens
    if request.max_tokens is not None:
        body["max_tokens"] = min(request.max_tokens, most) if most else request.max_tokens
    if request.sampling.temperature is not None:
        body["temperature"] = request.sampling.temperature
    for field in upstream.section.drop:
        body.pop(field, None)
    return Sent("/chat/completions", orjson.dumps({**body, **upstream.section.extra_body}))


def _message(raw: object) -> Message:
    match raw:
        case {"role": "tool", "tool_call_id": str(id)}:
            return Message(Role.TOOL, (ToolResult(id, (Text(_text(raw.get("content"))),)),))
        case {"role": str(role)} if role in ROLES:
            said = _text(raw.get("content"))
            calls = tuple(_call(call) for call in raw.get("tool_calls") or ())
            return Message(ROLES[role], ((Text(said),) if said else ()) + calls)
    raise ClientError(f"this message has no role that we know: {str(raw)[:80]}")


def _text(content: object) -> str:
    match content:
        case str():
            return content
        case None:
            return ""
        case [*parts]:
            return "".join(part["text"] for part in parts if part.get("type") == "text")
    raise ClientError(f"this content is neither text nor parts: {str(content)[:80]}")


def _call(raw: object) -> ToolCall:
    match raw:
        case {"id": str(id), "function": {"name": str(name), "arguments": str(arguments)}}:
            return ToolCall(id, name, arguments or "{}")
    raise ClientError(f"this is no tool call: {str(raw)[:80]}")


def _tool(raw: object) -> Tool:
    try:
        function = raw["function"]
        return Tool(function["name"], function.get("description") or "", function.get("parameters") or {})
    except (KeyError, TypeError, AttributeError) as error:
        raise ClientError(f"this is no tool: {str(raw)[:80]}") from error


def _choice(raw: object) -> Choice:
    match raw:
        case None | "auto":
            return Auto()
        case "none":
            return Never()
        case "required":
            return Forced()
        case {"function": {"name": str(name)}}:
            return Forced(name)
    raise ClientError(f"tool_choice {raw!r} is not known")


def _choice_json(request: Request) -> dict[str, object]:
    match request.choice:
        case Forced(tool=str(name)):
            return {"tool_choice": {"type": "function", "function": {"name": name}}}
        case Forced():
            return {"tool_choice": "required"}
        case Never():
            return {"tool_choice": "none"}
    return {}


def _written(message: Message) -> Iterator[dict[str, object]]:
    results = [part for part in message.parts if isinstance(part, ToolResult)]
    for result in results:
        yield {"role": "tool", "tool_call_id": result.call_id, "content": result.text}
    calls = [_call_json(part) for part in message.parts if isinstance(part, ToolCall)]
    said = "".join(part.text for part in message.parts if isinstance(part, (Text, Notice)))
    if calls:
        yield {"role": message.role.value, "content": said or None, "tool_calls": calls}
    elif said or not results:
        yield {"role": message.role.value, "content": said}


def _call_json(call: Part) -> dict[str, object]:
    function = {"name": call.tool, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _tool_json(tool: Tool) -> dict[str, object]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}
