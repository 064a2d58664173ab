"""GLM 4: a name, then `<arg_key>` and `<arg_value>` in turn, within `<tool_call>`."""
from __future__ import annotations

import re

from ..damage import Unreadable
from ..shapes import Said
from .dialect import Dialect, text_arguments, unframed

PAIR = re.compile(r"\s*<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)


def read(body: str, name: str, closed: bool) -> list[Said]:
    if not closed:
        raise Unreadable("it is cut off")
    told, at, body = [], 0, body.removesuffix("</tool_call>")
    while body[at:].strip():
        found = PAIR.match(body, at)
        if not found:
            raise Unreadable("its keys and values do not fit together")
        told.append((found[1].strip(), unframed(found[2])))
        at = found.end()
    return [text_arguments(name, told)]


GLM = Dialect(
    "glm", ("<tool_call>",), re.compile(r"<tool_call>\s*(?P<name>[A-Za-z_][\w.-]*)\s*(?=<arg_key>|</tool_call>)"), read,
    closers=lambda match: ("</tool_call>",),
)
