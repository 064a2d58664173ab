"""ReAct: `Action:` and `Action Input:` on lines of their own."""
import re

from .dialect import NAME, Dialect, json_arguments

THOUGHT = "Thought:"
AFTER_THOUGHT = ("\nAction:", "\nFinal Answer:")
REACT = Dialect(
    "react", ("Action:",),
    re.compile(rf"Action:[ \t]*(?P<name>{NAME})[ \t]*\r?\n\s*Action Input:\s*(?=[{{\"'])"), json_arguments, line=True,
)
