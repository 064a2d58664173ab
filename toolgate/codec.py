"""What a codec is: a wire protocol as values, both directions, no I/O."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from .conversation import Message, Request
from .errors import ToolgateError
from .events import Event, Reply
from .wire import Sent

if TYPE_CHECKING:
    from .upstream import Upstream


class ReplyReader(Protocol):
    """An upstream's stream, read as it comes; `done` once the protocol says that it is complete."""

    @property
    def done(self) -> bool: ...

    def feed(self, data: bytes) -> Iterable[Event]:
        """The events that these bytes complete."""

    def close(self) -> Iterable[Event]:
        """The last events; `UpstreamBroken` when the reply has no end."""


class ReplyWriter(Protocol):
    """The client's stream, written as it happens."""

    def write(self, event: Event) -> bytes:
        """The bytes that say this event; none for what this protocol need not say."""

    def alive(self) -> bytes:
        """Bytes that mean nothing, to keep the connection open."""

    def fail(self, error: ToolgateError) -> bytes:
        """The protocol's own error event."""


class Codec(Protocol):
    """One wire protocol.  It plays both sides, so its readers and writers test each other."""

    name: str
    path: str

    def new_call_id(self) -> str:
        """An id for a call of this protocol's clients, unique everywhere."""

    def model_of(self, body: object) -> str:
        """The model that a client's JSON names; `ClientError` if it names none."""

    def read_request(
        self, body: object, before: tuple[Message, ...], headers: Mapping[str, str]
    ) -> Request:
        """A client's JSON as a request; `ClientError` with the field's path where it is wrong."""

    def write_reply(self, reply: Reply, request: Request) -> bytes:
        """A whole reply for the client."""

    def reply_writer(self, request: Request) -> ReplyWriter:
        """A streamed reply for the client."""

    def write_error(self, error: ToolgateError) -> bytes:
        """An error for the client, in the protocol's envelope."""

    def write_request(self, request: Request, upstream: Upstream) -> Sent:
        """What is posted to a model server of this protocol."""

    def read_reply(self, body: bytes, request: Request) -> Iterator[Event]:
        """A whole reply of a model server; `UpstreamBroken` if it is none."""

    def reply_reader(self, request: Request) -> ReplyReader:
        """A streamed reply of a model server."""

    def refuses_tools(self, status: int, body: str) -> bool:
        """Does this error of a model server say that it takes no tools in fields?"""

    def garbled_call(self, body: str) -> bool:
        """Does this error say that the server could not read its own model's call, and not what that wrote?"""

    def message_of(self, body: str) -> str:
        """What an error of a model server says to a person; "" if it is of no known form."""

    def said_in_error(self, status: int, body: str) -> str:
        """What the model wrote, where a model server's own parser failed on it; else ""."""
