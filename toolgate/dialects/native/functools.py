"""Phi-4-mini: `functools` before a list of calls."""
import re

from .dialect import Dialect, json_calls

FUNCTOOLS = Dialect("functools", ("functools[",), re.compile(r"functools(?=\[)"), json_calls, line=True)
