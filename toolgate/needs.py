"""Which of a route's lists a model needs: learnt once, known to all workers for a while."""
from __future__ import annotations

from time import monotonic

from .store import Store

LASTS = 3600.0
"""Seconds: a model server may be started anew with other flags, and to find out again costs one request."""


class Needs:
    """`of(model)` is the number of the list, or None; `scope` tells upstreams and lists apart.

    Without a store it knows what this process has learnt.
    """

    def __init__(self, scope: str = "", store: Store | None = None) -> None:
        self._scope, self._store = scope, store
        self._known: dict[str, tuple[int, float]] = {}

    def of(self, model: str) -> int | None:
        number, until = self._known.get(model, (None, 0.0))
        if number is not None and monotonic() < until:
            return number
        told = self._store.get("needs", self._key(model)) if self._store else None
        if told is None:
            return None
        self._known[model] = int(told), monotonic() + LASTS
        return int(told)

    def learn(self, model: str, number: int) -> None:
        """Told again only where it is news: a store is written for each model once in a while, not for each reply."""
        known = self._known.get(model)
        if known and known[0] == number and monotonic() < known[1]:
            return
        self._known[model] = number, monotonic() + LASTS
        if self._store:
            self._store.put("needs", self._key(model), str(number).encode(), LASTS)

    def _key(self, model: str) -> str:
        return f"{self._scope}\n{model}"
