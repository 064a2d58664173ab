"""One run of a command: text in, bytes out as they come, and none of its processes left behind."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from signal import SIGKILL
from time import monotonic

import gevent
from gevent.queue import Empty, Queue
from gevent.subprocess import PIPE, Popen

from toolgate import UpstreamError

BLOCK = 65_536
TAIL = 2_000


class Program:
    """Iterating gives what the program writes, or b"" when there is nothing more to be had yet.

    Each of the three pipes has a greenlet of its own, so that none of them can
    fill up and stop the program, and so that the one who iterates never sleeps
    longer than a tick.  `close` kills the whole group: a shell's children too.
    """

    def __init__(self, command: Sequence[str], asked: bytes, tick: float) -> None:
        self._process, self._tick = _started(command), tick
        self._pieces: Queue[bytes | None] = Queue(maxsize=16)
        self._errors, self._ended = b"", False
        self._pumps = [gevent.spawn(self._tell, asked), gevent.spawn(self._hear), gevent.spawn(self._drain)]

    @property
    def code(self) -> int:
        """How it ended; negative: by that signal."""
        return int(self._process.returncode or 0)

    @property
    def complaint(self) -> str:
        """The last lines that it wrote to stderr."""
        return self._errors.decode("utf-8", "replace").strip()

    def __iter__(self) -> Iterator[bytes]:
        due = monotonic()
        while True:
            if self._pieces.empty() or monotonic() >= due:
                yield b""
                due = monotonic() + self._tick
            with suppress(Empty):
                piece = self._pieces.get(timeout=self._tick)
                if piece is None:
                    return
                yield piece

    def kill(self) -> None:
        """Kill the group; once it has ended, its id may be another's."""
        if not self._ended:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, SIGKILL)

    def close(self) -> None:
        """Kill the group if it still runs, reap the program, and give the pipes back."""
        self.kill()
        try:
            self._process.wait()
        finally:
            gevent.killall(self._pumps)
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                pipe.close()

    def _tell(self, asked: bytes) -> None:
        """A program need not read to the end what it is asked."""
        left, stdin = memoryview(asked), self._process.stdin
        with suppress(BrokenPipeError):
            while left:
                left = left[stdin.write(left):]
        stdin.close()

    def _hear(self) -> None:
        while piece := self._process.stdout.read(BLOCK):
            self._pieces.put(piece)
        self._process.wait()
        self._ended = True
        self._pumps[-1].join(self._tick)  # what it complained of may be read later than its end
        self._pieces.put(None)

    def _drain(self) -> None:
        while piece := self._process.stderr.read(BLOCK):
            self._errors = (self._errors + piece)[-TAIL:]


def _started(command: Sequence[str]) -> Popen:
    """Running in a group of its own; gevent's `Popen` cooperates, whether the rest is patched or not."""
    try:
        return Popen(command, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)
    except FileNotFoundError as error:
        raise UpstreamError(f"the command {command[0]!r} was not found") from error
    except OSError as error:
        raise UpstreamError(f"the command {command[0]!r} cannot be started: {error.strerror or error}") from error
