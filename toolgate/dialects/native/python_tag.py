"""Llama 3: `<|python_tag|>` before a JSON call."""
import re

from .dialect import Dialect, json_calls

PYTHON_TAG = Dialect(
    "python_tag", ("<|python_tag|>",), re.compile(r"<\|python_tag\|>\s*(?=[{\[])"), json_calls,
    tails=("<|eom_id|>", "<|eot_id|>"),
)
