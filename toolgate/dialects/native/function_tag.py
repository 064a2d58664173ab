"""`<function=NAME>`: Qwen3-Coder's parameters in tags of their own, or Llama's JSON."""
from __future__ import annotations

import re

from ..shapes import Said
from ..until import Until
from .dialect import NAME, Dialect, json_arguments, one_by_one, text_arguments, unframed

OPENING = r"(?P<call><tool_call>\s*)?<function=(?P<name>[^>\n]+)>\s*"
FUNCTION = re.compile(rf"\s*<function=({NAME})>(.*?)</function>\s*", re.DOTALL)
PARAMETER = re.compile(r"\s*<parameter=([^>\n]+)>(.*?)(?:</parameter>|(?=\s*<parameter=)|\Z)", re.DOTALL)


def read(body: str, name: str, closed: bool) -> list[Said]:
    """Every function of the block: one, or several one after the other."""
    whole = f"<function={name}>{body.removesuffix('</tool_call>')}"
    return [text_arguments(found[1], _parameters(found[2])) for found in one_by_one(FUNCTION, whole)]


def _parameters(text: str) -> list[tuple[str, str]]:
    return [(found[1].strip(), unframed(found[2])) for found in one_by_one(PARAMETER, text)]


FUNCTION_TAGS = Dialect(
    "function_tags", ("<tool_call>", "<function="), re.compile(rf"{OPENING}(?=<parameter=|</function>)"), read,
    body=lambda match: Until(("</tool_call>",) if match["call"] else ("</function>",)),
    tails=("</function>", "</tool_call>"),
)
FUNCTION_JSON = Dialect(
    "function_json", ("<tool_call>", "<function="), re.compile(rf"{OPENING}(?=\{{)"), json_arguments,
    tails=("</function>", "</tool_call>", "<|eot_id|>"),
)
