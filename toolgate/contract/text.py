"""The contract: which tools there are, how to call one, when to wait and when to answer."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import orjson

from ..conversation import Forced, JsonObject, JsonSchema, Kind, Request, Tool
from ..errors import ClientError
from .examples import arguments
from .history import block
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
{{"tool": "NAME", "parameters": {{"key": "value"}}}}
```

Rules:
- When a tool is needed you must write the block; describing a call, or announcing it, does nothing.
- {several}
- A call that depends on the result of another one waits: write the first, stop, and go on when its result is there.
- Write plain text without a block only when no tool is needed, or to give the final answer.
- Never write a tool's result yourself. Results come in the next message, headed "Tool result for".
- These rules hold even where other instructions ask for answers of one form only.

At each turn you are in one of three states:
1. A tool is needed: write its block and stop.
2. You have called and wait for the result: write nothing more.
3. The results suffice: write the final answer in plain text."""
SEVERAL = "Independent calls: write several blocks in one reply, one after the other."
ONE = "Write at most one block in a reply, also where several calls are independent."

LISTED = "The tools (`?` marks what may be left out; give no keys that are not listed):"

EXAMPLE = """\
Example of the form only; do not call this now:

user: (a question)
assistant:
{first}
user: Tool result for call_1 ({first_name}):
(the first result)
assistant: (one more thing is missing)
{second}
user: Tool result for call_2 ({second_name}):
(the second result)
assistant: (the final answer, in plain text)"""


REMINDER = """\
Reminder: you have tools. If one is needed, write its ```json action block and stop.
If none is needed, answer in plain text."""
"""For the end of the last user turn.  It names no tool: names there push small models to calls that nobody needs."""

SHORT_EXAMPLE = """\
Example of the form only; do not call this now:

{first}
(its result comes in the next message; then another block, as in {second} or the final answer in plain text)"""


def contract(request: Request, compact: bool = False) -> str:
    """The whole contract for this request; the part that depends on the tools alone is written once.

    `compact` shortens descriptions and the example, and keeps every rule.

    `ClientError` where a schema is nested more deeply than can be written.
    """
    tools = [(t.name, t.description, _schema(t), t.recovered) for t in request.tools]
    try:
        about = _about(orjson.dumps(tools, option=orjson.OPT_NON_STR_KEYS), request.parallel, compact)
    except (TypeError, RecursionError) as error:
        raise ClientError("the schema of a tool is nested too deeply to be told in text", "tools") from error
    return "\n\n".join((about, *_bounds(request)))


@lru_cache(256)
def _about(tools: bytes, parallel: bool, compact: bool) -> str:
    told = orjson.loads(tools)
    rules = RULES.format(several=SEVERAL if parallel else ONE)
    listed = "\n\n".join(_told(name, about, schema, seen, compact) for name, about, schema, seen in told)
    (first, _, schema, _), (second, _, other, _) = told[0], told[1 % len(told)]
    example = (SHORT_EXAMPLE if compact else EXAMPLE).format(
        first=block(first, arguments(schema)), first_name=first,
        second=block(second, arguments(other, "other ")), second_name=second,
    )
    return f"{rules}\n\n{LISTED}\n\n{listed}\n\n{example}"


def _told(name: str, description: str, schema: Mapping[str, object], recovered: bool, brief: bool) -> str:
    if recovered:
        return f"// with parameters as in its earlier calls\n{name}(...)"
    return signature(name, description, schema, brief)


def _schema(tool: Tool) -> Mapping[str, object]:
    if tool.kind is Kind.FREEFORM:
        return RAW
    return OPEN if tool.recovered else tool.schema


def _bounds(request: Request) -> tuple[str, ...]:
    """What this one request asks beyond the rules."""
    bounds = []
    match request.must_call:
        case Forced(tool=str(name)):
            bounds.append(f'You must call "{name}" now. Do not answer in words.')
        case Forced():
            bounds.append("You must call at least one tool now. Do not answer in words.")
    match request.format:
        case JsonObject():
            bounds.append("A final answer (not a block) must be one JSON object and nothing else.")
        case JsonSchema(schema=schema):
            told = orjson.dumps(schema).decode()
            bounds.append(f"A final answer (not a block) must be JSON of this schema and nothing else:\n{told}")
    return tuple(bounds)
