"""Hermes: a call between tags, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`."""
import re

OPEN, CLOSE = "<tool_call>", "</tool_call>"
BODY = re.compile(r"<tool_call>\s*[{\[`\"'“｛]")
