"""GLM 4: a name, then `<arg_key>` and `<arg_value>` in turn, within `<tool_call>`."""
from __future__ import annotations

import re

from ..damage import Unreadable
from ..shapes import Said
from ..until import Until
from .dialect import Dialect, one_by_one, text_arguments, unframed

PAIR = re.compile(r"\s*<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)


def read(body: str, name: str, closed: bool) -> list[Said]:
    if not closed:
        raise Unreadable("it is cut off")
    pairs = one_by_one(PAIR, body.removesuffix("</tool_call>"))
    return [text_arguments(name, [(pair[1].strip(), unframed(pair[2])) for pair in pairs])]


GLM = Dialect(
    "glm", ("<tool_call>",), re.compile(r"<tool_call>\s*(?P<name>[A-Za-z_][\w.-]*)\s*(?=<arg_key>|</tool_call>)"), read,
    body=lambda match: Until(("</tool_call>",)),
)
