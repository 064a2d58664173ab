"""Where the contract stands, and which points it keeps at every level and placement."""
import pytest
from scripted import exchange

from toolgate.conversation import Message, Notice, Request, Role, Text, Tool, ToolCall, ToolResult
from toolgate.exchange import Hop
from toolgate.stages.emulate import Emulate, Options

TOOL = Tool("read", "Reads a file. It may be a large one, and then it takes a while. " * 3, {"type": "object", "properties": {"path": {"type": "string", "description": "The path. Absolute or not.", "minLength": 1}}, "required": ["path"]})
SYSTEM, USER = Message(Role.SYSTEM, (Text("Be brief."),)), Message(Role.USER, (Text("Read it."),))
POINTS = {
    "the tools are there": "you can use them now",
    "the form": '```json action\n{"tool": "NAME", "parameters": {"key": "value"}}\n```',
    "a block when one is needed": "When a tool is needed you must write the block",
    "independent calls together": "Independent calls: write several blocks",
    "dependent calls wait": "depends on the result of another one waits",
    "plain text otherwise": "plain text without a block only when no tool is needed",
    "no explaining": "explain why you could not call",
    "the first state": "1. A tool is needed",
    "the second state": "2. You have called and wait",
    "the third state": "3. The results suffice",
    "an example": '"parameters": {"path":"<path>"}',
    "a second call": "another block",
    "the types": "path: string",
    "the constraints": "minLength: 1",
}


def sent(*messages, placement="both", level="auto", tools=(TOOL,)):
    request = Request("m", messages or (SYSTEM, USER), tools)
    return Emulate(Options(placement=placement, level=level)).toolgate_shape(request, Hop(request, exchange())).messages


def text(*messages):
    return "".join(part.text for message in messages for part in message.parts)


@pytest.mark.parametrize("placement", ["both", "head", "tail"])
@pytest.mark.parametrize("level", ["full", "compact"])
@pytest.mark.parametrize("point", POINTS)
def test_every_level_and_placement_keeps_every_point(point, level, placement):
    words = POINTS[point].replace("another block", "one more thing is missing") if level == "full" else POINTS[point]
    assert words in text(*sent(placement=placement, level=level))


def test_compact_shortens_descriptions():
    full, compact = (text(*sent(level=level)) for level in ("full", "compact"))
    assert "// Reads a file.\nread(" in compact and "It may be a large one" in full and "It may be a large one" not in compact


@pytest.mark.parametrize(
    ("placement", "head", "tail"),
    [("head", True, "nothing"), ("tail", False, "contract"), ("both", True, "reminder")],
)
def test_where_it_stands(placement, head, tail):
    system, user = sent(placement=placement)
    assert ("# Tools" in text(system)) is head and text(system).startswith("Be brief.")
    assert {"nothing": "\n\n" not in text(user), "contract": "# Tools" in text(user), "reminder": "Reminder: you have tools" in text(user)}[tail]
    assert text(user).startswith("Read it.")


def test_a_turn_of_results_has_its_own_end_and_no_reminder():
    call, result = Message(Role.ASSISTANT, (ToolCall("1", "read", "{}"),)), Message(Role.TOOL, (ToolResult("1", (Text("x"),)),))
    assert "Reminder" not in text(*sent(SYSTEM, USER, call, result))


def test_the_client_s_words_stay_parts_of_their_own():
    assert [type(part) for part in sent()[1].parts] == [Text, Notice]


def test_many_tools_make_it_compact():
    tools = tuple(Tool(f"t{n}", TOOL.description, TOOL.schema) for n in range(200))
    assert "It may be a large one" not in text(*sent(tools=tools)) and "t199(" in text(*sent(tools=tools))
