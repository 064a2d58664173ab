"""Mistral: `[TOOL_CALLS]` before a list of calls, or before a name and its `[ARGS]`."""
from __future__ import annotations

import re

from ..shapes import Said
from .dialect import NAME, Dialect, json_arguments, json_calls


def read(body: str, name: str, closed: bool) -> list[Said]:
    return json_arguments(body, name, closed) if name else json_calls(body, name, closed)


MISTRAL = Dialect(
    "mistral", ("[TOOL_CALLS]",),
    re.compile(rf"\[TOOL_CALLS\]\s*(?:(?=[{{\[])|(?P<name>{NAME})\s*(?:\[CALL_ID\][^\[\n]*)?\[ARGS\]\s*(?=\{{))"), read,
    tails=("</s>",),
)
