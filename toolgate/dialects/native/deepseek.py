"""DeepSeek V3, R1 and V3.1: a name behind `<｜tool▁call▁begin｜>`, with or without a fence round its arguments."""
import re

from .dialect import NAME, Dialect, json_arguments

BEGIN, SEP = "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"
DEEPSEEK = Dialect(
    "deepseek", ("<｜tool▁calls▁begin｜>", BEGIN),
    re.compile(
        rf"(?:<｜tool▁calls▁begin｜>\s*)?{BEGIN}(?:function{SEP})?\s*(?P<name>{NAME})"
        rf"(?:{SEP}\s*|\s*\n)(?:```(?:json)?\s*)?(?=\{{)"
    ),
    json_arguments,
    tails=("```", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>", "<｜end▁of▁sentence｜>"),
)
