"""What is asked: a chat completion's JSON ↔ `Request`."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import orjson

from ...conversation import (
    NOTHING,
    Auto,
    Choice,
    Echo,
    Forced,
    Format,
    JsonObject,
    JsonSchema,
    Kind,
    Message,
    Never,
    Prose,
    Request,
    Sampling,
    Tool,
)
from ...errors import ClientError
from .messages import Json, read_messages, wrong

NAME = "openai_chat"
MODELLED = {
    "model", "messages", "tools", "tool_choice", "functions", "function_call", "parallel_tool_calls", "stop", "stream",
    "stream_options", "max_tokens", "max_completion_tokens", "response_format", "reasoning_effort", "user", "n",
    *Sampling.__dataclass_fields__,
}
WITH_TOOLS_IGNORED = ("logprobs", "top_logprobs")
IGNORED = ("web_search_options", "moderation")


def model_of(body: object) -> str:
    match body:
        case {"model": str(model)} if model:
            return model
        case {"model": other}:
            raise wrong("model", "a name", other)
        case dict():
            raise ClientError("a chat completion needs a model", "model")
    raise ClientError("a chat completion is a JSON object")


def read_request(body: object, before: tuple[Message, ...], headers: Mapping[str, str]) -> Request:
    model = model_of(body)
    assert isinstance(body, dict)
    ignored = [field for field in IGNORED if body.get(field)]
    tools, legacy = _tools(body, ignored)
    tools, choice = _chosen(body, tools, ignored)
    _refuse(body, bool(tools))
    if tools:
        ignored += [field for field in WITH_TOOLS_IGNORED if body.get(field)]
    usage = bool(_object(body, "stream_options").get("include_usage"))
    return Request(
        model,
        before + read_messages(body.get("messages")),
        tools,
        choice,
        _of(body, "parallel_tool_calls", bool) is not False and not legacy,
        _stop(body.get("stop")),
        bool(_of(body, "stream", bool)),
        _most(body),
        _sampling(body),
        _format(_object(body, "response_format")),
        _of(body, "reasoning_effort", str) or "",
        _of(body, "user", str) or "",
        Echo(NAME, {k: v for k, v in body.items() if k not in MODELLED and k not in ignored}),
        Echo(NAME, {"usage": usage, "legacy": legacy, "limit": _limit_field(body)}),
        tuple(ignored),
    )


def _object(body: Json, field: str) -> Json:
    value = body.get(field)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong(field, "an object", value)
    return value


def _refuse(body: Json, tools: bool) -> None:
    count = body.get("n")
    if count not in (None, 1):
        raise ClientError(
            f"one choice a request, not n = {count!r}{': a second one would run every tool twice' if tools else ''}",
            "n", "unsupported_value",
        )
    modalities = body.get("modalities")
    if modalities is not None and not isinstance(modalities, list):
        raise wrong("modalities", "a list", modalities)
    if "audio" in (modalities or ()):
        raise ClientError("spoken answers are not supported", "modalities", "unsupported_value")


T = TypeVar("T")
TOLD = {bool: "true or false", str: "text", int: "a whole number"}


def _of(body: Json, field: str, kind: type[T]) -> T | None:
    value = body.get(field)
    if value is None or type(value) is kind:
        return value
    raise wrong(field, TOLD[kind], value)


def _sampling(body: Json) -> Sampling:
    for field in ("temperature", "top_p", "presence_penalty", "frequency_penalty"):
        if type(value := body.get(field)) not in (int, float, type(None)):
            raise wrong(field, "a number", value)
    _of(body, "seed", int)
    return Sampling(**{field: body.get(field) for field in Sampling.__dataclass_fields__})  # type: ignore[arg-type]  # just checked


def _limit_field(body: Json) -> str:
    """The name by which the client sets its limit: some servers know only the one, some only the other."""
    return "max_completion_tokens" if body.get("max_completion_tokens") is not None else "max_tokens"


def _most(body: Json) -> int | None:
    field = _limit_field(body)
    most = body.get(field)
    if most is not None and (type(most) is not int or most < 1):
        raise wrong(field, "a whole number of at least 1", most)
    return most


def _stop(raw: object) -> tuple[str, ...]:
    match raw:
        case None:
            return ()
        case str():
            return (raw,) if raw else ()
        case [*several] if all(isinstance(one, str) for one in several):
            return tuple(str(one) for one in several if one)
    raise wrong("stop", "a string or a list of strings", raw)


def _format(raw: Json) -> Format:
    match raw:
        case {"type": "json_object"}:
            return JsonObject()
        case {"type": "json_schema", "json_schema": {"schema": dict(schema), **more}}:
            return JsonSchema(schema, str(more.get("name") or ""), bool(more.get("strict")))
        case {"type": "json_schema"}:
            raise ClientError("a json_schema needs its schema", "response_format.json_schema.schema")
    return Prose()


def _tools(body: Json, ignored: list[str]) -> tuple[tuple[Tool, ...], bool]:
    """The tools, and whether they came in the legacy form."""
    for field in ("tools", "functions"):
        raw = body.get(field)
        if raw is not None and not isinstance(raw, list):
            raise wrong(field, "a list", raw)
        if raw:
            tools, unknown = _read_tools(field, orjson.dumps(raw))
            ignored += unknown
            return tools, field == "functions"
    return (), False


@lru_cache(256)
def _read_tools(field: str, raw: bytes) -> tuple[tuple[Tool, ...], tuple[str, ...]]:
    """The tools, and where those of unknown types stand.

    An agent sends the same tools with every request: knowing them again by their
    bytes costs a tenth of reading them.
    """
    read = _tool if field == "tools" else _function
    told = [(f"{field}[{at}]", read(one, f"{field}[{at}]")) for at, one in enumerate(orjson.loads(raw))]
    return tuple(tool for _, tool in told if tool), tuple(where for where, tool in told if tool is None)


def _tool(raw: object, where: str) -> Tool | None:
    match raw:
        case {"type": "custom", "custom": {"name": str(name), **more}} | {"type": "custom", "name": str(name), **more}:
            told = {str(key): value for key, value in more.items()}
            return Tool(name, str(more.get("description") or ""), {}, Kind.FREEFORM, opaque=Echo(NAME, told))
        case {"function": dict(function), **more} if more.get("type", "function") == "function":
            return _function(function, f"{where}.function")
        case {"type": "function", "name": str()}:
            return _function(raw, where)
        case {"type": str(kind)} if kind not in ("function", "custom"):
            return None
    raise wrong(where, "a tool", raw)


def _function(raw: object, where: str) -> Tool:
    match raw:
        case {"name": str(name), **more} if name:
            schema = more.get("parameters") or {}
            if not isinstance(schema, dict):
                raise wrong(f"{where}.parameters", "a JSON Schema", schema)
            opaque = Echo(NAME, {"strict": more["strict"]}) if "strict" in more else NOTHING
            return Tool(name, str(more.get("description") or ""), schema, opaque=opaque)
    raise wrong(f"{where}.name", "a name", raw.get("name") if isinstance(raw, dict) else raw)


def _chosen(body: Json, tools: tuple[Tool, ...], ignored: list[str]) -> tuple[tuple[Tool, ...], Choice]:
    """The choice, and the tools that it leaves; without any tools there is nothing to choose."""
    field = "tool_choice" if body.get("tool_choice") is not None else "function_call"
    raw = body.get(field)
    sent = body.get("tools") or body.get("functions")
    if raw is not None and not sent and raw != "none":
        ignored.append(field)
        return tools, Auto()
    match raw:
        case "required" | "any" if not tools:
            raise ClientError(f"{field} asks for a call, and none of the tools sent can be offered", field)
        case {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [*several]}} | {
            "type": "allowed_tools", "mode": mode, "tools": [*several]
        }:
            names = {_named(one) for one in several}
            return tuple(tool for tool in tools if tool.name in names), _choice(mode, tools, field)
    return tools, _choice(raw, tools, field)


def _choice(raw: object, tools: tuple[Tool, ...], field: str) -> Choice:
    match raw:
        case None | "auto":
            return Auto()
        case "none":
            return Never()
        case "required" | "any":
            return Forced()
        case dict() if name := _named(raw):
            if name not in {tool.name for tool in tools}:
                sent = ", ".join(tool.name for tool in tools)
                raise ClientError(f"{field} names {name!r}, which is not among the tools sent: {sent}", field)
            return Forced(name)
    raise wrong(field, "none, auto, required or a tool's name", raw)


def _named(raw: object) -> str:
    match raw:
        case {"function": {"name": str(name)}} | {"custom": {"name": str(name)}} | {"name": str(name)}:
            return name
    return ""


def answered_in_legacy_form(request: Request) -> bool:
    """Did the client send `functions`, and so wait for a `function_call`?"""
    return bool(request.answer.of(NAME).get("legacy"))


def without_recovered(request: Request) -> Request:
    """A server is never told of tools that only the history knows."""
    return replace(request, tools=tuple(tool for tool in request.tools if not tool.recovered))
