"""Cline and Roo: the tool's name and its parameters as tags."""
from __future__ import annotations

import re
from collections.abc import Collection

from ..damage import Unreadable
from ..shapes import Said
from ..until import Until
from .dialect import Dialect, one_by_one, text_arguments, unframed

PARAMETER = re.compile(r"\s*<([A-Za-z_][\w-]*)>(.*?)</\1>", re.DOTALL)


def dialect_of(tool: str, parameters: Collection[str]) -> Dialect:
    """This tool's own tags; what has a tag in it that is no parameter of the tool is no call."""

    def read(body: str, name: str, closed: bool) -> list[Said]:
        try:
            told = [(one[1], unframed(one[2])) for one in one_by_one(PARAMETER, body.removesuffix(f"</{tool}>"))]
        except Unreadable:
            return []
        fits = closed and all(key in parameters for key, _ in told)
        return [text_arguments(tool, told)] if fits else []

    header = re.compile(rf"<{re.escape(tool)}>\s*(?=<[A-Za-z_][\w-]*>|</{re.escape(tool)}>)")
    return Dialect("cline", (f"<{tool}>",), header, read, lambda match: Until((f"</{tool}>",)), sure=False)
