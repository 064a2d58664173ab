"""The chunks of an answer as a WSGI server wants them, and whether the one who asked is still there."""
from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterator
from time import monotonic

from .wire import Head

LOOK = 0.25


class Primed:
    """The chunks, the first of them awaited now, so that an early error still has a status line."""

    def __init__(self, chunks: Generator[Head | bytes, None, None], left: Callable[[], bool]) -> None:
        self._chunks, self._left, self.head = chunks, left, Head(200)
        try:
            self._first = self._next()
        except BaseException:
            chunks.close()
            raise

    @property
    def streams(self) -> bool:
        return self.head.headers.get("Content-Type") == "text/event-stream"

    def __iter__(self) -> Iterator[bytes]:
        chunk = self._first
        while chunk:
            yield chunk
            chunk = self._next()

    def close(self) -> None:
        self._chunks.close()

    def _next(self) -> bytes:
        """The next bytes that there are; none at the end, or when the client has left."""
        for chunk in self._chunks:
            if self._left():
                break
            if isinstance(chunk, Head):
                self.head = chunk
            elif chunk:
                return chunk
        self._chunks.close()
        return b""


def leaving(sock: socket.socket | None) -> Callable[[], bool]:
    """Has the client closed?  Asked often, looked at four times a second."""
    due = monotonic() + LOOK

    def left() -> bool:
        nonlocal due
        if sock is None or monotonic() < due:
            return False
        due = monotonic() + LOOK
        return is_closed(sock)

    return left


def is_closed(sock: socket.socket) -> bool:
    """Peek without waiting: a gevent socket would otherwise park the greenlet."""
    patience = sock.gettimeout()
    sock.settimeout(0)
    try:
        return sock.recv(1, socket.MSG_PEEK) == b""
    except (BlockingIOError, ValueError):
        return False
    except OSError:
        return True
    finally:
        sock.settimeout(patience)
