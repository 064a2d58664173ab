"""The one offered tool that a model means by a name."""
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

PREFIX = re.compile(r"^(?:functions?|tools?)[.:/]")
APART = re.compile(r"[\s_-]+")


class Names:
    """Exact first, always; else a single tool of the same letters, case and separators aside."""

    def __init__(self, offered: Iterable[str], parameters: Mapping[str, Collection[str]] | None = None) -> None:
        self._exact, self._parameters = frozenset(offered), parameters or {}
        self._alike: dict[str, set[str]] = {}
        for name in self._exact:
            self._alike.setdefault(_letters(name), set()).add(name)

    def __bool__(self) -> bool:
        return bool(self._exact)

    def __iter__(self) -> Iterator[str]:
        return iter(self._exact)

    def parameters(self, name: str) -> Collection[str]:
        """What an offered tool takes, as far as its schema names it."""
        return self._parameters.get(name, ())

    def meant(self, name: str) -> str | None:
        """The offered spelling, or None where no tool or more than one is meant."""
        if name in self._exact:
            return name
        bare = name.strip()
        if not _letters(bare):
            return None
        for form in (bare, PREFIX.sub("", bare)):
            if form in self._exact:
                return form
            alike = self._alike.get(_letters(form), set())
            if len(alike) == 1:
                return next(iter(alike))
        return None


def _letters(name: str) -> str:
    return APART.sub("", name).lower()
