"""The pieces of a JSON text, each as it was written."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from json.decoder import WHITESPACE, JSONDecoder, scanstring  # type: ignore[attr-defined]  # not in typeshed

Span = tuple[int, int]


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


_skip, _value = WHITESPACE.match, JSONDecoder(parse_constant=_refused).raw_decode


def value_end(text: str, start: int) -> int:
    """Where the value that begins at `start` ends; `ValueError` if there is none."""
    return int(_value(text, start)[1])


def skipped(text: str, at: int) -> int:
    """The next place that is no white space."""
    return int(_skip(text, at).end())


def fields(text: str) -> Iterator[tuple[str, Span]]:
    """Each key of an object with the place of its value; of a key that stands twice, both."""
    at = skipped(text, text.index("{") + 1)
    while text[at] != "}":
        key, at = scanstring(text, at + 1)
        start = skipped(text, skipped(text, at) + 1)
        end = value_end(text, start)
        yield key, (start, end)
        at = _next(text, end)


def items(text: str) -> Iterator[Span]:
    """The place of each item of a list."""
    at = skipped(text, text.index("[") + 1)
    while text[at] != "]":
        end = value_end(text, at)
        yield at, end
        at = _next(text, end)


def replaced(text: str, changes: Iterable[tuple[Span, str]]) -> str:
    """The text with other words in these places, given from left to right."""
    pieces, done = [], 0
    for (start, end), words in changes:
        pieces += [text[done:start], words]
        done = end
    return "".join((*pieces, text[done:]))


def _next(text: str, at: int) -> int:
    at = skipped(text, at)
    return skipped(text, at + 1) if text[at] == "," else at
