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
TOOL = re.compile(r"((?:^// .*\n)*)^([\w.-]+)\(\{?(.*?)\}?\)$", re.M | re.S)
PARAMETER = re.compile(r"^\s+(\w+)(\??): (\w+)", re.M)
ENDS = r"\n\nTool result for |\n\nIf the result|\n\nBased on|\Z"
RESULT = re.compile(rf"^Tool result for \S+ \((.+?)\)[^\n]*:\n(.*?)(?={ENDS})", re.M | re.S)
VALUE = re.compile(r'"([^"]+)"|\b(?:in|of|for|to|about|file)\s+([A-Z][\w.-]*|\S+\.\w+)|\b(\d+)\b')
COMMON = {"the", "and", "what", "for", "you", "get", "please", "with", "this", "that", "are"}
INTRODUCTION = "I am toolgate's built-in demo model: I pick tools by the words that they share with your question."


class Embedded(BaseAdapter):
    """Serves `embedded:` addresses as a chat completions server would, in this process."""

    def send(self, request: PreparedRequest, *_: object, **__: object) -> Response:  # type: ignore[override]
        if request.method == "GET":
            return _response(request, orjson.dumps({"object": "list", "data": [{"id": "demo", "object": "model"}]}))
        body = request.body or b""
        asked = orjson.loads(body)
        said, usage = answer(asked["messages"]), {"prompt_tokens": len(body) // 4}
        usage |= {"completion_tokens": len(said) // 4}
        if asked.get("stream"):
            return _response(request, b"".join(_chunks(said, usage)), "text/event-stream")
        message = {"role": "assistant", "content": said}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return _response(request, orjson.dumps({"id": _id(), "choices": [choice], "usage": usage}))

    def close(self) -> None:
        """Nothing is open."""


def answer(messages: list[Mapping[str, str]]) -> str:
    """What the demo model says to this prompt: a call of each tool that fits, or words."""
    told = "\n".join(m["content"] for m in messages if m["role"] == "system")
    last = messages[-1]["content"]
    if results := RESULT.findall(last):
        return "Here is what I found. " + " ".join(f"{name} says: {said.strip()}." for name, said in results)
    questions = [m["content"] for m in messages if m["role"] == "user" and "Tool result for" not in m["content"]]
    calls = list(_calls(told.partition("# Tools")[2], questions[-1] if questions else ""))
    return "\n".join(calls) or f"{INTRODUCTION} None of them fits what you ask."


def _calls(tools: str, question: str) -> Iterator[str]:
    wanted = _words(question)
    found = [(len(_words(f"{name} {about}") & wanted), name, body) for about, name, body in TOOL.findall(tools)]
    best = max((score for score, _, _ in found), default=0)
    for score, name, body in found:
        if score and score == best:
            values = ["".join(groups) for groups in VALUE.findall(question)] or [question.strip(" ?.")]
            for value in values if PARAMETER.search(body) else values[:1]:
                yield _block(name, body, value)


def _block(name: str, body: str, value: str) -> str:
    needed = [(key, kind) for key, optional, kind in PARAMETER.findall(body) if not optional]
    parameters = {key: int(value) if kind == "integer" and value.isdigit() else value for key, kind in needed}
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


def _response(request: PreparedRequest, body: bytes, kind: str = "application/json") -> Response:
    response = Response()
    response.status_code, response.request, response.url = 200, request, request.url or ""
    response.headers = CaseInsensitiveDict({"Content-Type": kind})
    response.raw = HTTPResponse(io.BytesIO(body), preload_content=False, headers={"Content-Type": kind})
    return response
