"""What a native dialect is, and the two forms of arguments that several of them share."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..body import Body
from ..damage import Unreadable, values
from ..shapes import Said, arguments_of, calls_of
from ..until import Until

NAME = r"[A-Za-z_][\w.:-]*"
Read = Callable[[str, str, bool], list[Said]]


BLANK = re.compile(r"\s*\Z")


def by_value(match: re.Match[str]) -> Body | Until:
    """It ends with its JSON value."""
    return Body()


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of writing calls.

    `header` matches from a mark on, and only once it is known what follows;
    its group `name` has the tool's name where that stands before the arguments.
    `body` makes what finds the end of a call.
    `read(body, name, closed)` gives the calls of what stands between; it raises
    `Unreadable`, and gives none for what is no call after all.  `tails` are end
    tokens that go with a call.  `line`: it begins at the beginning of a line only.
    `sure`: it is a call and nothing else, if it can be read.
    """

    name: str
    marks: tuple[str, ...]
    header: re.Pattern[str]
    read: Read
    body: Callable[[re.Match[str]], Body | Until] = by_value
    tails: tuple[str, ...] = ()
    line: bool = False
    sure: bool = True


def one_by_one(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that the text is made of, white space aside; `Unreadable` where something else stands between."""
    at = 0
    while not BLANK.match(text, at):
        found = pattern.match(text, at)
        if not found:
            raise Unreadable("its tags do not fit together")
        yield found
        at = found.end()


def json_calls(body: str, name: str, closed: bool) -> list[Said]:
    """Values that say calls by themselves."""
    return [said for text in values(body, closed)[0] for said in calls_of(text)]


def json_arguments(body: str, name: str, closed: bool) -> list[Said]:
    """One value, the arguments of the named tool; none at all are `{}`."""
    if not body.strip():
        return [Said(name, "{}", True)]
    texts, repairs = values(body, closed)
    arguments = arguments_of(texts[0]) if len(texts) == 1 else None
    if arguments is None:
        raise Unreadable("the arguments are no object")
    return [Said(name, arguments, True, repairs)]


def text_arguments(name: str, told: Iterable[tuple[str, str]]) -> Said:
    """Parameters as text: what type they have is the schema's to say, so they go on as strings."""
    return Said(name, json.dumps(dict(told), ensure_ascii=False), True, ("text_values",))


def unframed(value: str) -> str:
    """Without the one line break behind the opening tag and before the closing one, which are the template's."""
    return re.sub(r"\A\r?\n|\r?\n\Z", "", value)
