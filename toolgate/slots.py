"""The slots of a model server that serves a few requests at once, counted over all workers.

A slot is a locked file; the kernel gives it back whatever becomes of the process.
Instances beside each other that name the same address share its slots.
"""
from __future__ import annotations

import fcntl
from collections.abc import Iterator
from hashlib import sha256
from io import FileIO
from pathlib import Path
from time import monotonic

import gevent

from .errors import UpstreamBusy, UpstreamFull
from .events import Event, Waiting
from .exchange import Exchange
from .store import shared_folder

PLACES = 16
"""How many may queue for each slot; at a local model's pace those behind would wait in vain."""
LOOK = 0.05


class Slots:
    """`taken` waits for one; the exchange that has it keeps it over its hops, until its end."""

    def __init__(self, url: str, count: int) -> None:
        folder = shared_folder()
        name = sha256(url.encode()).hexdigest()[:16]
        self._slots = [folder / f"{name}-slot-{number}.lock" for number in range(count)]
        self._places = [folder / f"{name}-place-{number}.lock" for number in range(count * PLACES)]
        self._held: set[str] = set()

    def taken(self, exchange: Exchange, wait: float, name: str) -> Iterator[Event]:
        """`Waiting` until there is one; `UpstreamFull` at once if the queue is full, `UpstreamBusy` after `wait` s."""
        if exchange.id in self._held:
            return
        slot = _locked(self._slots)
        if slot is None:
            with _place(self._places, name):
                until = monotonic() + wait
                while (slot := _locked(self._slots)) is None:
                    if monotonic() > until:
                        raise UpstreamBusy(f"{name}: no slot became free in {wait:g} s, its wait")
                    yield Waiting()
                    gevent.sleep(LOOK)
        self._held.add(exchange.id)
        exchange.holding.callback(self._given_back, exchange.id, slot)

    def _given_back(self, id: str, slot: FileIO) -> None:
        self._held.discard(id)
        slot.close()


def _place(places: list[Path], name: str) -> FileIO:
    place = _locked(places)
    if place is None:
        raise UpstreamFull(f"{name}: every slot is taken, and {len(places)} requests wait already")
    return place


def _locked(files: list[Path]) -> FileIO | None:
    """The first of the files that nobody holds, locked; None if each is held."""
    for path in files:
        file = FileIO(path, "w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
        else:
            return file
    return None
