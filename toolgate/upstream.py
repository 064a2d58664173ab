"""The only HTTP client: one reply at a time, read by a greenlet of its own."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic

import gevent
from gevent.queue import Empty, Queue
from requests import PreparedRequest, RequestException, Response
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.exceptions import HTTPError

from .codec import Codec
from .embedded import Embedded
from .errors import KEYS, UpstreamError, UpstreamRefused, UpstreamSilent
from .settings import UpstreamSection
from .wire import Sent

BLOCK = 65_536
LINGER = 0.1


class Upstream:
    """Where a model lives, the connections to it, and the greenlets that read from them.

    A reader serves again when it is done: a fresh greenlet costs 65 µs a request.
    """

    def __init__(self, name: str, section: UpstreamSection, codec: Codec, key: str = "", pool: int = 1000) -> None:
        self.name, self.section, self.codec, self.key = name, section, codec, key
        self.url = section.url.rstrip("/")
        self._adapter = Embedded() if self.url == "embedded:" else HTTPAdapter(pool_connections=1, pool_maxsize=pool)
        self._verify = section.ca_bundle or True
        self._cert = section.client_cert or None
        self._proxies = {"http": section.proxy, "https": section.proxy} if section.proxy else {}
        self.idle: list[Reader] = []

    def reader(self) -> Reader:
        if self.idle:
            return self.idle.pop()
        reader = Reader(self)
        reader.start()
        return reader

    def post(self, wire: Sent, timeout: tuple[float, float]) -> Response:
        request = PreparedRequest()
        request.method, request.url, request.body = "POST", self.url + wire.path, wire.body
        request.headers = CaseInsensitiveDict({
            "Content-Type": "application/json",
            "Content-Length": str(len(wire.body)),
            "Accept-Encoding": "identity",
            **self._authorized(wire.key),
            **wire.headers,
        })
        return self._adapter.send(
            request, stream=True, timeout=timeout, verify=self._verify, cert=self._cert, proxies=self._proxies
        )


    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], client_key: str = ""
    ) -> Response:
        """Any request, its reply as a stream; `UpstreamError` if it cannot be reached."""
        request = PreparedRequest()
        request.method, request.url, request.body = method, self.url + path, body
        sized = {"Content-Length": str(len(body))} if body is not None else {}
        request.headers = CaseInsensitiveDict({**self._authorized(client_key), **headers, **sized})
        limits = (self.section.connect, self.section.first_byte)
        try:
            return self._adapter.send(
                request, stream=True, timeout=limits, verify=self._verify, cert=self._cert, proxies=self._proxies
            )
        except (RequestException, HTTPError, OSError) as error:
            raise UpstreamError(f"{self.name}: {error}") from error

    def refused(self, response: Response) -> UpstreamRefused:
        """Its error in its own words; that it takes no key of ours is the operator's fault, not the client's."""
        code, body = response.status_code, response.text
        error = UpstreamRefused(self.name, code, body, _seconds(response.headers.get("Retry-After", "")))
        if code in KEYS and self.section.key == "client":
            error.status = code
        elif code in KEYS:
            error.args = (f"{self.name} does not take its key ({code}): see [upstream:{self.name}] key_env",)
        return error

    def _authorized(self, client_key: str) -> dict[str, str]:
        """The key's header: the configured key, or the client's own where the section says so."""
        key = client_key if self.section.key == "client" else self.key
        if not key or self.section.auth == "none":
            return dict(self.section.extra_headers)
        told = {"Authorization": f"Bearer {key}"} if self.section.auth == "bearer" else {self.section.auth: key}
        return {**told, **self.section.extra_headers}


def _seconds(told: str) -> float | None:
    """`Retry-After` in seconds; a date in it is not read."""
    try:
        return max(0.0, float(told))
    except ValueError:
        return None


class Reader(gevent.Greenlet):
    """Sends a request and reads its reply into the download's queue; one after another."""

    def __init__(self, upstream: Upstream) -> None:
        super().__init__()
        self.jobs: Queue = Queue()
        self._upstream = upstream

    def _run(self) -> None:
        while True:
            job = self.jobs.get()
            self._read(job.wire, job.timeout, job.queue)
            job.ended = True
            self._upstream.idle.append(self)

    def _read(self, wire: Sent, timeout: float, queue: Queue) -> None:
        name = self._upstream.name
        try:
            response = self._upstream.post(wire, (self._upstream.section.connect, timeout))
            if response.status_code >= 400:
                raise self._upstream.refused(response)
            queue.put(response)
            while data := response.raw.read1(BLOCK):
                queue.put(data)
            response.raw.release_conn()
            queue.put(None)
        except (RequestException, HTTPError, OSError) as error:
            queue.put(UpstreamError(f"{name}: {error}"))
        except Exception as error:  # whatever it is, the one who iterates must hear of it
            queue.put(error)


class Download:
    """Iterating gives the reply's bytes, or b"" when there is nothing more to be had yet.

    Sending, waiting for the head and reading all happen in one greenlet, so that
    the one who iterates never sleeps longer than a tick.
    """

    def __init__(self, upstream: Upstream, wire: Sent, tick: float, deadline: float) -> None:
        self.wire, self.timeout = wire, max(0.1, deadline - monotonic())
        self.queue: Queue = Queue(maxsize=64)
        self.content_type, self.ended = "", False
        self._name, self._tick, self._deadline = upstream.name, tick, deadline
        self._section = upstream.section
        self._reader = upstream.reader()
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
