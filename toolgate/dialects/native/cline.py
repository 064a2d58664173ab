"""Cline and Roo: the tool's name and its parameters as tags."""
from __future__ import annotations

import re
from collections.abc import Collection

from ..shapes import Said
from .dialect import Dialect, text_arguments, unframed

PARAMETER = re.compile(r"\s*<([A-Za-z_][\w-]*)>(.*?)</\1>", re.DOTALL)


def dialect_of(tool: str, parameters: Collection[str]) -> Dialect:
    """This tool's own tags; what has a tag in it that is no parameter of the tool is no call."""

    def read(body: str, name: str, closed: bool) -> list[Said]:
        text, told, at = body.removesuffix(f"</{tool}>"), [], 0
        if not closed:
            return []
        while text[at:].strip():
            found = PARAMETER.match(text, at)
            if not found or found[1] not in parameters:
                return []
            told.append((found[1], unframed(found[2])))
            at = found.end()
        return [text_arguments(tool, told)]

    header = re.compile(rf"<{re.escape(tool)}>\s*(?=<[A-Za-z_][\w-]*>|</{re.escape(tool)}>)")
    return Dialect("cline", (f"<{tool}>",), header, read, closers=lambda match: (f"</{tool}>",))
