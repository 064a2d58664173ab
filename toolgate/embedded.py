"""The demo model: it only chats, and knows tools from nothing but the text of its prompt."""
from __future__ import annotations

import io
import re
import secrets
from collections.abc import Iterator, Mapping

import orjson
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPResponse

from .protocols.sse import write_frame

WORD = re.compile(r"[A-Za-z]{3,}|\d+")
TOOL = re.compile(r"((?:^// [^\n]*\n)*)^([\w.-]+)\(\{?(.*?)\}?\)$", re.M | re.S)
PARAMETER = re.compile(r"^\s+(\w+)(\??): (\w+)", re.M)
ENDS = r"\n\nTool result for |\n\nIf the result|\n\nBased on|\Z"
RESULT = re.compile(rf"^Tool result for \S+ \((.+?)\)[^\n]*:\n(.*?)(?={ENDS})", re.M | re.S)
STEP = re.compile(r",?\s*\b(?:and then|then|after that)\b\s*|[.;?!]\s+")
CLAUSE = re.compile(r"\s+and\s+|,\s+")
VALUE = re.compile(r'"([^"]+)"|\b(?:in|of|for|to|about|file)\s+([A-Z][\w.-]*|\S+\.\w+)|\b(\d+)\b|^([A-Z][\w.-]*)\W*$')
COMMON = {"the", "and", "what", "for", "you", "get", "please", "with", "this", "that", "are"}
TEXTS = {"text", "content", "body", "message", "report"}
CALLED, ANSWERED = "```json action", "Tool result for"
NAME = "(toolgate's demo model) "
REFUSAL = "the demo model only chats and does not support tools"
INTRODUCTION = NAME + "I pick tools by the words that they share with your question. None of them fits what you ask."


class Embedded(BaseAdapter):
    """Serves `embedded:` addresses as a chat completions server would, in this process."""

    def send(self, request: PreparedRequest, *_: object, **__: object) -> Response:
        if request.method == "GET":
            return _response(request, orjson.dumps({"object": "list", "data": [{"id": "demo", "object": "model"}]}))
        body = request.body or b""
        return _response(request, *completion(body.encode() if isinstance(body, str) else body))

    def close(self) -> None:
        """Nothing is open."""


def completion(body: bytes) -> tuple[bytes, str, int]:
    """What a chat completions server answers to this body, its content type, and the status."""
    asked = orjson.loads(body)
    if "tools" in asked:
        return orjson.dumps({"error": {"message": REFUSAL}}), "application/json", 400
    said, usage = answer(asked["messages"]), {"prompt_tokens": len(body) // 4}
    usage |= {"completion_tokens": len(said) // 4}
    if asked.get("stream"):
        return b"".join(_chunks(said, usage)), "text/event-stream", 200
    choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
    return orjson.dumps({"id": _id(), "choices": [choice], "usage": usage}), "application/json", 200


def answer(messages: list[Mapping[str, str]]) -> str:
    """What the demo model says to this prompt: the calls of the question's next step, or words."""
    told = "\n".join(m["content"] for m in messages if m["role"] == "system").partition("# Tools")[2]
    asked = [at for at, m in enumerate(messages) if m["role"] == "user" and ANSWERED not in m["content"]]
    since = messages[asked[-1] :] if asked else messages
    results = [found for m in since if m["role"] == "user" for found in RESULT.findall(m["content"])]
    step = sum(CALLED in m["content"] for m in since if m["role"] == "assistant")
    question = since[0]["content"].partition("\n\nReminder: ")[0] if asked else ""
    steps = [one for one in STEP.split(question) if one.strip()]
    findings = " ".join(f"{name} says: {said.strip()}." for name, said in results)
    if step < len(steps) and (calls := list(_calls(told, steps[step], findings))):
        return "\n".join(calls)
    return f"{NAME}Here is what I found. {findings}" if results else INTRODUCTION


def _calls(told: str, step: str, findings: str) -> Iterator[str]:
    """Clause by clause, the tool that shares the most words with it; one that names none means the tool before."""
    tools = [(_words(f"{name} {about}"), name, body) for about, name, body in TOOL.findall(told)]
    last: tuple[str, str] | None = None
    for clause in CLAUSE.split(step):
        wanted = _words(clause)
        words, name, body = max(tools, key=lambda tool: len(tool[0] & wanted), default=(set(), "", ""))
        if words & wanted:
            last = (name, body)
        if last and (words & wanted or VALUE.search(clause)):
            yield _block(*last, clause, findings)


def _block(name: str, body: str, clause: str, findings: str) -> str:
    values = ["".join(groups) for groups in VALUE.findall(clause)] or [clause.strip(" ?.")]
    needed = [(key, kind) for key, optional, kind in PARAMETER.findall(body) if not optional]
    parameters: dict[str, object] = {}
    for key, kind in needed:
        value = findings if key in TEXTS and findings else values[min(len(parameters), len(values) - 1)]
        parameters[key] = int(value) if kind == "integer" and value.isdigit() else value
    return f"```json action\n{orjson.dumps({'tool': name, 'parameters': parameters}).decode()}\n```"


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text.replace("_", " "))} - COMMON


def _chunks(said: str, usage: Mapping[str, int]) -> Iterator[bytes]:
    head = {"id": _id(), "object": "chat.completion.chunk"}
    for at in range(0, len(said), 12):
        yield _frame({**head, "choices": [{"index": 0, "delta": {"content": said[at : at + 12]}}]})
    yield _frame({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage})
    yield write_frame(b"[DONE]")


def _frame(chunk: object) -> bytes:
    return write_frame(orjson.dumps(chunk))


def _id() -> str:
    return f"chatcmpl-{secrets.token_hex(12)}"


def _response(
    request: PreparedRequest, body: bytes, kind: str = "application/json", status: int = 200
) -> Response:
    response = Response()
    response.status_code, response.request, response.url = status, request, request.url or ""
    response.headers = CaseInsensitiveDict({"Content-Type": kind})
    response.raw = HTTPResponse(io.BytesIO(body), preload_content=False, headers={"Content-Type": kind})
    return response
