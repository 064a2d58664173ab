"""Where one client request stands: one exchange, its hops, read-only to stages."""
from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from .conversation import Request
from .decisions import Decision, GiveUp
from .events import Reply, Usage

if TYPE_CHECKING:
    from .routes import Route


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: the key it came with ("" for none), and the protocol's own headers, which only a codec reads."""

    name: str = "anonymous"
    key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


class Headers(Protocol):
    """What a request's headers can be asked, in any spelling of their names."""

    def get(self, key: str, default: str) -> str: ...


def client_key(headers: Headers) -> str:
    """The key that a client came with, whichever header its SDK puts it in; "" for none."""
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    return bearer or headers.get("x-api-key", "") or headers.get("api-key", "")


def _new_call_id() -> str:
    return f"call_{secrets.token_hex(12)}"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One client call; `started` and `deadline` are of the monotonic clock, in seconds.

    `undecided` while it is not known which of the route's lists the model needs.
    `holding` is what the exchange holds over its hops (a slot of the upstream);
    the pipeline gives it back at the end, however that comes.
    """

    id: str
    client: Client
    route: Route
    started: float
    deadline: float
    undecided: bool = False
    new_call_id: Callable[[], str] = _new_call_id
    holding: ExitStack = field(default_factory=ExitStack, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Done:
    """A hop that is over; `decision` is None when it failed for good or was abandoned."""

    hop: Hop
    steps: tuple[tuple[str, Request], ...]
    reply: Reply
    decision: Decision | GiveUp | None
    overruled: tuple[tuple[str, Decision], ...]
    error: BaseException | None

    @property
    def sent(self) -> Request:
        return self.steps[-1][1] if self.steps else self.hop.asked


@dataclass(frozen=True, slots=True)
class Hop:
    """One trip to the upstream; `cause` is "client", the judge that wanted it, or "elsewhere"."""

    asked: Request
    exchange: Exchange
    cause: str = "client"
    earlier: tuple[Done, ...] = ()

    @property
    def number(self) -> int:
        return len(self.earlier) + 1

    def times_asked_by(self, stage: str) -> int:
        return sum(hop.cause == stage for hop in (*(done.hop for done in self.earlier), self))

    @property
    def spent(self) -> tuple[Usage, ...]:
        """What each hop before this one cost."""
        return tuple(done.reply.usage for done in self.earlier)

    def next(self, asked: Request, cause: str, done: Done) -> Hop:
        return Hop(asked, self.exchange, cause, (*self.earlier, done))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an exchange ended ("delivered", "failed", "abandoned"), and what it cost and kept back."""

    how: str
    error: BaseException | None = None
    hops: tuple[Done, ...] = ()
    shown: bool = False
    withheld: str = ""

    @property
    def usage(self) -> Usage:
        return sum((done.reply.usage for done in self.hops), Usage())
