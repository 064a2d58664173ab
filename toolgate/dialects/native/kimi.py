"""Kimi K2: `functions.NAME:0` between `<|tool_call_begin|>` and `<|tool_call_argument_begin|>`."""
import re

from .dialect import Dialect, json_arguments

KIMI = Dialect(
    "kimi", ("<|tool_calls_section_begin|>", "<|tool_call_begin|>"),
    re.compile(
        r"(?:<\|tool_calls_section_begin\|>\s*)?<\|tool_call_begin\|>\s*(?P<name>[A-Za-z_][\w.-]*)(?::\d+)?\s*"
        r"<\|tool_call_argument_begin\|>\s*(?=\{)"
    ),
    json_arguments,
    tails=("<|tool_call_end|>", "<|tool_calls_section_end|>", "<|im_end|>"),
)
