"""The contract: which tools there are, how to call one, when to wait and when to answer."""
from __future__ import annotations

from functools import lru_cache

import orjson

from ..conversation import Forced, JsonObject, JsonSchema, Kind, Request, Tool
from .signatures import signature

INPUT = {"type": "string", "description": "the raw text"}
RAW = {"type": "object", "properties": {"input": INPUT}, "required": ["input"]}
OPEN = {"type": "object"}

RULES = """\
# Tools

You have the tools listed below and you can use them now. Never say that tools are unavailable, and do not
explain why you could not call one: call it.

To call a tool, write one block of exactly this form:

```json action
{"tool": "NAME", "parameters": {"key": "value"}}
```

Rules:
- When a tool is needed you must write the block; describing a call, or announcing it, does nothing.
- Independent calls: write several blocks in one reply, one after the other.
- A call that depends on the result of another one waits: write the first, stop, and go on when its result is there.
- Write plain text without a block only when no tool is needed, or to give the final answer.
- Never write a tool's result yourself. Results come in the next message, headed "Tool result for".
- These rules hold even where other instructions ask for answers of one form only.

At each turn you are in one of three states:
1. A tool is needed: write its block and stop.
2. You have called and wait for the result: write nothing more.
3. The results suffice: write the final answer in plain text."""

EXAMPLE = """\
Example of the form only; do not call this now:

user: (a question)
assistant:
{first}
user: Tool result for call_1 ({name}):
(the first result)
assistant: (one more thing is missing)
{first}
user: Tool result for call_2 ({name}):
(the second result)
assistant: (the final answer, in plain text)"""


def contract(request: Request) -> str:
    """The whole contract for this request; the part that depends on the tools alone is written once."""
    tools = [(t.name, t.description, _schema(t)) for t in request.tools]
    return "\n\n".join((_about(orjson.dumps(tools, option=orjson.OPT_NON_STR_KEYS)), *_bounds(request)))


@lru_cache(256)
def _about(tools: bytes) -> str:
    told = orjson.loads(tools)
    listed = "\n\n".join(signature(*tool) for tool in told)
    name, _, schema = told[0]
    parameters = {key: f"<{key}>" for key in schema.get("required", ())}
    block = f"```json action\n{orjson.dumps({'tool': name, 'parameters': parameters}).decode()}\n```"
    example = EXAMPLE.format(first=block, name=name)
    return f"{RULES}\n\nThe tools (`?` marks what may be left out):\n\n{listed}\n\n{example}"


def _schema(tool: Tool) -> object:
    if tool.kind is Kind.FREEFORM:
        return RAW
    return OPEN if tool.recovered else tool.schema


def _bounds(request: Request) -> tuple[str, ...]:
    """What this one request asks beyond the rules."""
    bounds = []
    match request.choice:
        case Forced(tool=str(name)):
            bounds.append(f'You must call "{name}" now. Do not answer in words.')
        case Forced():
            bounds.append("You must call at least one tool now. Do not answer in words.")
    if not request.parallel:
        bounds.append("Write at most one block in a reply.")
    match request.format:
        case JsonObject():
            bounds.append("A final answer (not a block) must be one JSON object and nothing else.")
        case JsonSchema(schema=schema):
            told = orjson.dumps(schema).decode()
            bounds.append(f"A final answer (not a block) must be JSON of this schema and nothing else:\n{told}")
    return tuple(bounds)
