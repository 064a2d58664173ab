"""gpt-oss: a call is a message of the commentary channel that is addressed to a function."""
import re

from .dialect import NAME, Dialect, json_arguments

START = r"(?:<\|start\|>assistant)?"
HARMONY = Dialect(
    "harmony", ("<|start|>", "<|channel|>"),
    re.compile(
        rf"{START}<\|channel\|>(?:commentary|analysis)\s+to=(?P<name>{NAME})\s*(?:<\|constrain\|>\w+\s*)?<\|message\|>\s*(?=\{{)"
    ),
    json_arguments,
    tails=("<|call|>", "<|end|>", "<|return|>"),
)
THOUGHT = re.compile(rf"{START}<\|channel\|>analysis<\|message\|>")
ANSWER = re.compile(rf"{START}<\|channel\|>(?:final|commentary)(?:\s*<\|constrain\|>\w+\s*)?<\|message\|>")
ENDS = ("<|end|>", "<|return|>")
