"""The fence of the contract, ```` ```json action ````, and the other labels that models put on it."""
from __future__ import annotations

import re
from enum import Enum

SURE = re.compile(r"(?:json[\s_-]*)?(?:action|tool[\s_-]*calls?)\b|json[\s_-]+\S|action", re.IGNORECASE)
CODE = re.compile(r"tool_code\s*$", re.IGNORECASE)
MAYBE = re.compile(r"(?:json5?|jsonc|tool)?\s*$", re.IGNORECASE)


class Label(Enum):
    """What a fence's info string says of what stands in it."""

    SURE = "a call, and nothing else"
    MAYBE = "JSON, which may be a call"
    CODE = "calls as Python writes them"
    OTHER = "a sample of something else"


def label_of(info: str) -> Label:
    """Any label that begins with json or action and goes on is meant for a call."""
    info = info.strip().strip("\ufeff\u200b")
    if CODE.match(info):
        return Label.CODE
    if SURE.match(info):
        return Label.SURE
    return Label.MAYBE if MAYBE.match(info) else Label.OTHER
