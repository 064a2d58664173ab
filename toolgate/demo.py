"""A whole agent loop before one's eyes: the official SDK, a real toolgate, and what the model reads and writes.

The demo model stands behind a small server of this process, so that what is
shown as its prompt is what really arrived there.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from tempfile import TemporaryFile
from threading import Thread

import click
import orjson

from .embedded import completion
from .errors import ConfigError
from .settings import ENVIRONMENT

QUESTION = "What is the weather in Oslo and Rome? Then save the report to weather.txt"
NEEDS_SDK = "the demo needs the openai package: pip install 'toolgate-proxy[demo]'"
LISTENS = re.compile(r"toolgate listens on (\S+)")
MOST_HOPS = 6
TOOLS = [
    {"type": "function", "function": {"name": name, "description": about, "parameters": {
        "type": "object", "properties": {key: {"type": "string"} for key in needed}, "required": needed}}}
    for name, about, needed in (
        ("get_weather", "The weather in a city.", ["city"]),
        ("save_report", "Save a report as a file.", ["path", "text"]),
    )
]


def run() -> None:
    """Ask, run the tools, ask again, until the model answers in words; `ConfigError` without the SDK."""
    try:
        from openai import OpenAI
    except ImportError as error:
        raise ConfigError(NEEDS_SDK) from error
    with _model() as (address, heard), _toolgate(address) as url:
        click.echo(f"toolgate at {url}, a model that only chats at {address}\n")
        with OpenAI(base_url=f"{url}/v1", api_key="placeholder", max_retries=0) as client:
            _loop(client, heard)


def _loop(client: object, heard: list[tuple[list[dict[str, str]], str]]) -> None:
    messages: list[dict[str, object]] = [{"role": "user", "content": QUESTION}]
    shown_to_client = shown_to_model = 0
    for turn in range(1, MOST_HOPS):
        click.secho(f"—— turn {turn} " + "—" * 60, bold=True)
        _show("the client sends", f"tools: {', '.join(t['function']['name'] for t in TOOLS)}",  # type: ignore[index]
              *map(_brief, messages[shown_to_client:]))
        shown_to_client = len(messages)
        reply = client.chat.completions.create(model="demo", messages=messages, tools=TOOLS)  # type: ignore[attr-defined]
        prompt, wrote = heard[-1]
        _show("the model reads", *(f"[{m['role']}] {m['content']}" for m in prompt[shown_to_model:]), colour="yellow")
        shown_to_model = len(prompt)
        _show("the model writes", wrote, colour="yellow")
        message = reply.choices[0].message
        _show(f"the client gets ({reply.choices[0].finish_reason})", _brief(message.model_dump(exclude_none=True)))
        if not message.tool_calls:
            return
        messages.append(message.model_dump(exclude_none=True))
        messages += [_result(call) for call in message.tool_calls]
        shown_to_client += 1


def _result(call: object) -> dict[str, object]:
    """What the client's own tool gives."""
    asked = json.loads(call.function.arguments)  # type: ignore[attr-defined]  # the SDK is an extra
    said = f"{len(asked['city'])} degrees, sun in {asked['city']}" if "city" in asked else f"saved {asked['path']}"
    return {"role": "tool", "tool_call_id": call.id, "content": said}  # type: ignore[attr-defined]


def _brief(message: dict[str, object]) -> str:
    calls = message.get("tool_calls")
    told = [f"{c['function']['name']}({c['function']['arguments']})" for c in calls] if isinstance(calls, list) else []
    return f"[{message['role']}] {' '.join(filter(None, (str(message.get('content') or ''), *told)))}"


def _show(title: str, *paragraphs: str, colour: str = "cyan") -> None:
    click.secho(title, fg=colour, bold=True)
    for paragraph in paragraphs:
        click.echo("\n".join(f"  {line}" for line in paragraph.splitlines()))
    click.echo()


@contextmanager
def _model() -> Iterator[tuple[str, list[tuple[list[dict[str, str]], str]]]]:
    """The demo model's address, and what it was asked and said."""
    heard: list[tuple[list[dict[str, str]], str]] = []

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            body, kind, status = completion(asked)
            if status == 200:
                answer = orjson.loads(body)["choices"][0]["message"]["content"]
                heard.append((orjson.loads(asked)["messages"], answer))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """What is asked is shown already."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", heard
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _toolgate(upstream: str) -> Iterator[str]:
    """A toolgate of its own process before that address; nothing of the operator's settings counts."""
    environ = {**os.environ, **dict.fromkeys(ENVIRONMENT, ""), "UPSTREAM_BASE_URL": upstream}
    command = [sys.executable, "-m", "toolgate", "serve", "--port", "0"]
    with TemporaryFile("w+") as log:
        server = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout is not None  # a pipe was asked for
            found = next((found for line in server.stdout if (found := LISTENS.search(line))), None)
            if found is None:
                log.seek(0)
                raise ConfigError(f"toolgate serve ended with {server.wait()}: {log.read()}")
            yield found[1]
        finally:
            server.terminate()
            server.communicate()
