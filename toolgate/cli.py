"""The command line: serve, demo, stages, check."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypeVar

import click
from gevent import monkey

from .errors import ConfigError, ToolgateError
from .loading import offered
from .settings import Settings

T = TypeVar("T")
CONFIG = click.option("--config", default="", metavar="FILE", help="an INI file; also by TOOLGATE_CONFIG")
HELLO = """\
toolgate listens on {url}

Ask it for a tool call:

  curl -s {url}/v1/chat/completions -H 'Content-Type: application/json' -d '{{
    "model": "demo", "messages": [{{"role": "user", "content": "What is the weather in Oslo?"}}],
    "tools": [{{"type": "function", "function": {{"name": "get_weather", "description": "The weather in a city.",
      "parameters": {{"type": "object", "properties": {{"city": {{"type": "string"}}}}, "required": ["city"]}}}}}}]}}'

Or point an SDK at it:

  from openai import OpenAI
  client = OpenAI(base_url="{url}/v1", api_key="placeholder")
  print(client.chat.completions.create(model="demo", messages=[{{"role": "user", "content": "Hello"}}]))
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="toolgate-proxy")
def main() -> None:
    """Gives any chat model tools: clients speak tool calls, the model only chats.

    Name your model server and start:

        UPSTREAM_BASE_URL=http://127.0.0.1:1234/v1 toolgate serve
    """


@main.command()
@CONFIG
@click.option("--host", help="the address to listen on; also by HOST")
@click.option("--port", type=int, help="the port to listen on; also by PORT")
def serve(config: str, host: str | None, port: int | None) -> None:
    """Serve clients until stopped; running replies get [server] drain seconds to end."""
    monkey.patch_all()  # before anything brings ssl: gevent must come first
    laid = {"HOST": host or "", "PORT": "" if port is None else str(port)}
    environ = {**os.environ, **{name: value for name, value in laid.items() if value}}
    from .inspection import inspect
    from .server import Server

    settings = _told(lambda: Settings.load(config, environ))
    _told(lambda: inspect(settings))

    def ready(server: object) -> None:
        host, port = server.LISTENERS[0].sock.getsockname()[:2]  # type: ignore[attr-defined]  # gunicorn's arbiter
        click.echo(HELLO.format(url=f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"))

    _told(lambda: Server(settings, ready).run())


@main.command()
def demo() -> None:
    """Show a whole agent loop, turn by turn: what is sent, what the model reads and writes, what comes back."""
    from .demo import run

    _told(run)


@main.command()
@CONFIG
def stages(config: str) -> None:
    """Print each list in the order in which a request meets its stages, and where they come from."""
    settings = _told(lambda: Settings.load(config))
    for name in _told(settings.pipelines):
        click.secho(f"[pipeline:{name}]", bold=True)
        for entry in _told(lambda name=name: settings.pipeline(name).stages):  # type: ignore[misc]
            point = _told(lambda entry=entry: offered(entry.partition(":")[0], settings.file))  # type: ignore[misc]
            package = f"{point.dist.name} {point.dist.version}" if point.dist else "?"
            click.echo(f"  {entry:<12} {point.value:<44} {package}")


@main.command()
@CONFIG
@click.option("--ping", is_flag=True, help="ask every upstream for its models")
def check(config: str, ping: bool) -> None:
    """Check an INI and print what is in force; secrets are masked."""
    from .inspection import inspect, sections, told

    settings = _told(lambda: Settings.load(config))
    _told(lambda: inspect(settings))
    for title, section in sections(settings):
        click.secho(f"[{title}]", bold=True)
        for option, value in told(section, settings):
            click.echo(f"  {option} = {value}".rstrip())
    if ping:
        answered = [_answers(settings, name) for name in settings.upstreams()]
        sys.exit(0 if all(answered) else 1)


def _answers(settings: Settings, name: str) -> bool:
    """Is it there, and does it take its key?  Not every server lists its models."""
    from .routes import Routes

    upstream = Routes(settings).upstreams[name]
    try:
        response = upstream.send("GET", "/models", None, {})
        if response.status_code not in (200, 404, 405):
            raise upstream.refused(response)
    except ToolgateError as error:
        click.secho(f"{name}: {error}", fg="red")
        return False
    if response.status_code != 200:
        click.secho(f"{name}: it is there and lists no models ({response.status_code})", fg="yellow")
        return True
    click.secho(f"{name}: it is there and lists its models", fg="green")
    return True


def _told(act: Callable[[], T]) -> T:
    """A fault of the configuration is one line, never a traceback."""
    try:
        return act()
    except ConfigError as error:
        click.secho(f"toolgate: {error}", fg="red", err=True)
        sys.exit(2)
