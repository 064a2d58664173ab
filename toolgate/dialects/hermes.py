"""Hermes: a call between tags, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`."""
OPEN, CLOSE = "<tool_call>", "</tool_call>"
