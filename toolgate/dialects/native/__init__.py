"""The ways in which model families write calls by themselves, in the order in which they are tried.

Each file has one way: the mark at which it begins, the header up to the arguments,
and how what follows is read.  No two headers match the same text.
"""
from __future__ import annotations

from .deepseek import DEEPSEEK
from .dialect import Dialect
from .function_tag import FUNCTION_JSON, FUNCTION_TAGS
from .functools import FUNCTOOLS
from .glm import GLM
from .harmony import HARMONY
from .invoke import INVOKE
from .kimi import KIMI
from .labels import LABELS
from .mistral import MISTRAL
from .python_tag import PYTHON_TAG
from .pythonic import PYTHONIC, TOOL_CODE
from .react import REACT

NATIVE: tuple[Dialect, ...] = (
    PYTHON_TAG, MISTRAL, DEEPSEEK, KIMI, HARMONY, FUNCTION_TAGS, FUNCTION_JSON, GLM, INVOKE, FUNCTOOLS, REACT, LABELS,
)


def by_mark(line: bool) -> dict[str, tuple[Dialect, ...]]:
    """Which dialects a mark may begin, of those that begin a line or of those that begin anywhere."""
    marks = dict.fromkeys(mark for dialect in NATIVE if dialect.line is line for mark in dialect.marks)
    return {mark: tuple(d for d in NATIVE if d.line is line and mark in d.marks) for mark in marks}


ANYWHERE, AT_LINE = by_mark(False), by_mark(True)

__all__ = ["ANYWHERE", "AT_LINE", "NATIVE", "PYTHONIC", "TOOL_CODE", "Dialect"]
