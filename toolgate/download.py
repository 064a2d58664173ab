"""One reply at a time, read by a greenlet of its own, handed over as it comes."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

import gevent
from gevent.queue import Empty, Queue
from requests import ConnectionError as RequestsConnectionError
from requests import ConnectTimeout, ReadTimeout, Response

from .errors import UpstreamSilent
from .upstream import FAILURES, Upstream
from .wire import Sent

Item = bytes | Response | Exception | None
BLOCK = 65_536
LINGER = 0.1
PAUSES = (0.25, 0.5)
LATER = (429, 503, 529)
PATIENCE = 10.0


class Reader(gevent.Greenlet):  # type: ignore[misc]  # gevent tells no types of it
    """Sends a request and reads its reply into the download's queue; one after another."""

    def __init__(self, upstream: Upstream) -> None:
        super().__init__()
        self.jobs: Queue[Download] = Queue()
        self._upstream = upstream

    @classmethod
    def of(cls, upstream: Upstream) -> Reader:
        """One that waits, or a new one: a fresh greenlet costs 65 µs a request."""
        if upstream.idle:
            return upstream.idle.pop()
        reader = cls(upstream)
        reader.start()
        return reader

    def _run(self) -> None:
        while True:
            job = self.jobs.get()
            self._read(job.wire, job.timeout, job.queue)
            job.ended = True
            self._upstream.idle.append(self)

    def _read(self, wire: Sent, limit: float, queue: Queue[Item]) -> None:
        try:
            response = self._answered(wire, limit)
            queue.put(response)
            while data := response.raw.read1(BLOCK, decode_content=True):
                queue.put(data)
            response.raw.release_conn()
            queue.put(None)
        except FAILURES as error:
            queue.put(self._upstream.failed(error))
        except Exception as error:  # whatever it is, the one who iterates must hear of it
            queue.put(error)

    def _answered(self, wire: Sent, limit: float) -> Response:
        """The head of a reply; a server that asks for a moment gets it, once."""
        response = self._connected(wire, limit)
        if response.status_code < 400:
            return response
        error = self._upstream.refused(response)
        if response.status_code in LATER and error.retry_after is not None and error.retry_after <= PATIENCE:
            gevent.sleep(error.retry_after)
            response = self._connected(wire, limit)
            if response.status_code < 400:
                return response
            error = self._upstream.refused(response)
        raise error

    def _connected(self, wire: Sent, limit: float) -> Response:
        """Sent again while the connection fails before a byte of the answer; a silence is not asked again."""
        for pause in PAUSES:
            try:
                return self._upstream.post(wire, limit)
            except (ConnectTimeout, ReadTimeout):
                raise
            except RequestsConnectionError:
                gevent.sleep(pause)
        return self._upstream.post(wire, limit)


class Download:
    """Iterating gives the reply's bytes, or b"" when there is nothing more to be had yet.

    Sending, waiting for the head and reading all happen in one greenlet, so that
    the one who iterates never sleeps longer than a tick.
    """

    def __init__(self, upstream: Upstream, wire: Sent, tick: float, deadline: float) -> None:
        self.wire, self.timeout = wire, max(0.1, deadline - monotonic())
        self.queue: Queue[Item] = Queue(maxsize=64)
        self.content_type, self.ended = "", False
        self._name, self._tick, self._deadline = upstream.name, tick, deadline
        self._section = upstream.section
        self._reader = Reader.of(upstream)
        self._reader.jobs.put(self)

    def close(self) -> None:
        """Kill the reader in the middle of its work: the connection dies with it."""
        if not self.ended:
            self._reader.kill(block=False)

    def drain(self) -> None:
        """The reply is complete: give the connection a moment to end, so that it can serve again."""
        try:
            while self.queue.get(timeout=LINGER) is not None:
                pass
        except Empty:
            pass

    def __iter__(self) -> Iterator[bytes]:
        flushed = heard = monotonic()
        limit, what = self._section.first_byte, "first_byte"
        while True:
            pieces, ended = self._arrived()
            if pieces:
                heard, limit, what = monotonic(), self._section.idle, "idle"
                yield pieces[0] if len(pieces) == 1 else b"".join(pieces)
            if ended:
                return
            if not self.queue.empty() and monotonic() - flushed < self._tick:
                continue
            flushed = monotonic()
            if flushed > self._deadline:
                raise UpstreamSilent(f"{self._name} did not finish in time: its total is {self._section.total:g} s")
            if flushed - heard > limit:
                raise UpstreamSilent(f"{self._name} said nothing for {limit:g} s, its {what}")
            yield b""
            self._wait()

    def _arrived(self) -> tuple[list[bytes], bool]:
        pieces: list[bytes] = []
        while True:
            try:
                item = self.queue.get_nowait()
            except Empty:
                return pieces, False
            match item:
                case bytes():
                    pieces.append(item)
                case None:
                    return pieces, True
                case Response():
                    self.content_type = item.headers.get("content-type", "")
                case _ if pieces:
                    self.queue.put(item)
                    return pieces, False
                case _:
                    raise item

    def _wait(self) -> None:
        with suppress(Empty):
            self.queue.peek(timeout=self._tick)
