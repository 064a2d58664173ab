"""Claude, MiniMax and DeepSeek's DSML: `<invoke name="…">` and its parameters, alone or within a wrapper."""
from __future__ import annotations

import json
import re

from ..shapes import Said
from ..until import Until
from .dialect import Dialect, one_by_one, unframed

PREFIXES = ("", "antml" + ":", "｜DSML｜")
PREFIX = f"(?:{'|'.join(PREFIXES[1:])})?"
WRAPPERS = (*(f"{prefix}function_calls" for prefix in PREFIXES), "minimax:tool_call")
WRAPPER = rf"<(?P<wrapper>{'|'.join(WRAPPERS)})>\s*"
INVOKE_TAG = re.compile(rf'\s*<{PREFIX}invoke name="([^"\n]+)">(.*?)</{PREFIX}invoke>\s*', re.DOTALL)
PARAMETER = re.compile(
    rf'\s*<{PREFIX}parameter name="([^"\n]+)"(?: string="(true|false)")?>(.*?)</{PREFIX}parameter>', re.DOTALL
)


def read(body: str, name: str, closed: bool) -> list[Said]:
    """Every invocation of the block; the header has taken none of it."""
    text = re.sub(rf"\s*</(?:{'|'.join(WRAPPERS)})>\s*\Z", "", body)
    return [Said(one[1], _arguments(one[2]), True, ("text_values",)) for one in one_by_one(INVOKE_TAG, text)]


def _arguments(text: str) -> str:
    told = {one[1]: _value(unframed(one[3]), one[2]) for one in one_by_one(PARAMETER, text)}
    return json.dumps(told, ensure_ascii=False)


def _value(text: str, is_string: str | None) -> object:
    """DSML says itself whether it is text; for the others the schema says it."""
    if is_string == "false":
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _body(match: re.Match[str]) -> Until:
    wrapper = match["wrapper"]
    return Until((f"</{wrapper}>",) if wrapper else tuple(f"</{prefix}invoke>" for prefix in PREFIXES))


INVOKE = Dialect(
    "invoke", (*(f"<{wrapper}>" for wrapper in WRAPPERS), *(f"<{prefix}invoke name=" for prefix in PREFIXES)),
    re.compile(rf"(?:{WRAPPER})?(?=<{PREFIX}invoke name=\")"), read, body=_body,
)
