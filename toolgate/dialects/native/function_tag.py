"""`<function=NAME>`: Qwen3-Coder's parameters in tags of their own, or Llama's JSON."""
from __future__ import annotations

import re

from ..damage import Unreadable
from ..shapes import Said
from .dialect import NAME, Dialect, json_arguments, text_arguments, unframed

OPENING = r"(?P<call><tool_call>\s*)?<function=(?P<name>[^>\n]+)>\s*"
FUNCTION = re.compile(rf"\s*<function=({NAME})>(.*?)</function>\s*", re.DOTALL)
PARAMETER = re.compile(r"\s*<parameter=([^>\n]+)>(.*?)(?:</parameter>|(?=\s*<parameter=)|\Z)", re.DOTALL)


def read(body: str, name: str, closed: bool) -> list[Said]:
    """Every function of the block: one, or several one after the other."""
    calls, at, whole = [], 0, f"<function={name}>{body.removesuffix('</tool_call>').rstrip()}"
    while at < len(whole):
        found = FUNCTION.match(whole, at)
        if not found:
            raise Unreadable("its tags do not fit together")
        calls.append(text_arguments(found[1], _parameters(found[2])))
        at = found.end()
    return calls


def _parameters(text: str) -> list[tuple[str, str]]:
    told, at = [], 0
    while text[at:].strip():
        found = PARAMETER.match(text, at)
        if not found:
            raise Unreadable("something stands between its parameters")
        told.append((found[1].strip(), unframed(found[2])))
        at = found.end()
    return told


FUNCTION_TAGS = Dialect(
    "function_tags", ("<tool_call>", "<function="), re.compile(rf"{OPENING}(?=<parameter=|</function>)"), read,
    closers=lambda match: ("</tool_call>",) if match["call"] else ("</function>",),
    tails=("</function>", "</tool_call>"),
)
FUNCTION_JSON = Dialect(
    "function_json", ("<tool_call>", "<function="), re.compile(rf"{OPENING}(?=\{{)"), json_arguments,
    tails=("</function>", "</tool_call>", "<|eot_id|>"),
)
