"""Put the request to a command-line program, and pass on what it writes while it writes it."""
from __future__ import annotations

import shlex
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Annotated

from pydantic import BeforeValidator, Field

from toolgate import (
    Ending,
    Event,
    Finished,
    Hop,
    Request,
    Section,
    TextDelta,
    UpstreamError,
    UpstreamSilent,
    Usage,
    Waiting,
    hookimpl,
)

from .program import Program
from .transcript import transcript

TICK = 0.25


def _split(raw: object) -> object:
    words = tuple(shlex.split(raw)) if isinstance(raw, str) else raw
    if not words:
        raise ValueError("it names no program")
    return words


class Options(Section):
    command: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field(
        description="the program and its arguments, quoted as for a shell; no shell runs it"
    )
    timeout: float = Field(600.0, gt=0, description="seconds one answer may take; then the program is killed: 504")


class Exec:
    Config = Options

    def __init__(self, config: Options) -> None:
        self._command, self._timeout = config.command, config.timeout
        self._running: set[Program] = set()

    @hookimpl
    def toolgate_forward(self, request: Request, hop: Hop) -> Iterator[Event]:
        asked = transcript(request.messages)
        limit = min(self._timeout, hop.exchange.deadline - monotonic())
        with self._run(asked) as program:
            said = yield from _said(_in_time(program, limit, self._command[0]))
            if program.code:
                raise UpstreamError(f"{self._command[0]} ended with code {program.code}: {program.complaint}")
        yield Finished(Ending.STOP, Usage.estimate(len(asked), said))

    def stop(self) -> None:
        """The worker ends, and programs in groups of their own would outlive it.

        A worker that is killed after its drain comes not here; what it leaves
        dies at the next word that it writes.
        """
        for program in self._running:
            program.kill()

    @contextmanager
    def _run(self, asked: str) -> Iterator[Program]:
        program = Program(self._command, asked.encode(), TICK)
        self._running.add(program)
        try:
            yield program
        finally:
            program.close()
            self._running.discard(program)


def _in_time(program: Program, limit: float, name: str) -> Iterator[bytes]:
    until = monotonic() + limit
    for data in program:
        if monotonic() > until:
            raise UpstreamSilent(f"{name} did not finish in {max(limit, 0):.1f} s")
        yield data


def _said(pieces: Iterator[bytes]) -> Generator[Event, None, int]:
    """The events; a character may come in two pieces.  Returns how many characters were said."""
    decoder, said = getincrementaldecoder("utf-8")("replace"), 0
    for data in pieces:
        if not data:
            yield Waiting()
        elif text := decoder.decode(data):
            said += len(text)
            yield TextDelta(text)
    if rest := decoder.decode(b"", final=True):
        yield TextDelta(rest)
    return said + len(rest)
