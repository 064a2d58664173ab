"""`TOOL_CALL:` and `ARGUMENTS:` on lines of their own."""
import re

from .dialect import NAME, Dialect, json_arguments

LABELS = Dialect(
    "labels", ("TOOL_CALL:",),
    re.compile(rf"TOOL_CALL:[ \t]*(?P<name>{NAME})[ \t]*\r?\n\s*ARGUMENTS:\s*(?=\{{)"), json_arguments, line=True,
)
