"""Tells from the first words of a JSON value whether it can be a call, so that an answer need not wait."""
from __future__ import annotations

import re

from .names import Names
from .shapes import NAMES, WRAPPERS

LEAD = re.compile(r"[\s\ufeff\u200b]*(?:action[ \t]*\n)?[\s\ufeff\u200b]*", re.IGNORECASE)
KEY = re.compile(r"[\[\s]*[{｛][\s\u200b]*(?:[\"“'\\]{1,2})?([A-Za-z_]\w*)([^\w]?)")
VALUE = re.compile(r"[\"”'\\\s\u200b]*[:：][\s\u200b]*[\"“'\\]{1,2}([^\"”'\\]*)([\"”'\\])")
OPENED = re.compile(r"[\[\s]*(?:[{｛][\s\u200b\"“'\\]*)?$")
COMMENTED = re.compile(r"[\[\s]*[{｛]?[\s\u200b]*[/#&]")
"""A comment or an entity stands before the first key: what follows is not guessed at."""
LOOKED_AT = 400


def may_be_call(text: str, names: Names) -> bool | None:
    """Of the beginning of a value: True, it names an offered tool; False, it is none; None, too early to say.

    What is said once must hold for every longer beginning, or the answer would depend on how the text is cut.
    """
    text = text[:LOOKED_AT]
    text = text[LEAD.match(text).end() :]  # type: ignore[union-attr]  # it matches nothing at least
    if not text or "action".startswith(text.lower()):
        return None
    if text[0] == '"':
        return None if re.match(r'"(?:$|[{\[](?:$|\\))', text) else False
    if text[0] not in "{[｛":
        return False
    if OPENED.match(text) or COMMENTED.match(text):
        return None
    return _by_key(text, names)


def _by_key(text: str, names: Names) -> bool | None:
    key = KEY.match(text)
    if not key:
        return False
    if not key[2]:
        return None
    if key[1] not in WRAPPERS:
        return False
    value = VALUE.match(text, key.end(1))
    if key[1] not in NAMES or not value or not value[2]:
        return None
    return names.meant(value[1]) is not None
