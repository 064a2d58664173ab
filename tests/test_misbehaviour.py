"""Twenty ways in which models misbehave, each forced and free, whole and streamed: what the client gets of them."""
import pytest
from scripted import ScriptedModel, exchange

from toolgate.conversation import Forced, Message, Role, Text, ToolCall, ToolResult
from toolgate.errors import CallMissing
from toolgate.events import Ending, Finished, Reply, TextDelta
from toolgate.holds import All

INI = "[pipeline]\nstages = normalize emulate forward parse check restore retry encode\n[routes]\n"
CALL = '```json action\n{"tool": "read_file", "parameters": {"path": "a"}}\n```'
WHOLE, CUT = ("read_file", '{"path": "a"}'), Finished(Ending.LENGTH)
TABLE = {
    "refuses": (["I'm sorry, but I don't have access to tools.", CALL], [WHOLE]),
    "refuses in Chinese": (["抱歉，当前环境没有可用工具。", CALL], [WHOLE]),
    "only advises": (["I can only advise you on this; I can't use tools.", CALL], [WHOLE]),
    "drifts": (["Sure, I'll read the file now.", CALL], [WHOLE]),
    "claims the deed": (["I've updated the file for you.", CALL], [WHOLE]),
    "another fence": (["```json\n" + CALL.split("\n")[1] + "\n```"], [WHOLE]),
    "no fence": ([CALL.split("\n")[1]], [WHOLE]),
    "other keys": (['```json action\n{"name": "read_file", "arguments": {"path": "a"}}\n```'], [WHOLE]),
    "a native format": (['<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'], [WHOLE]),
    "damaged JSON": (['```json action\n{"tool": "read_file", "parameters": {"path": "a",}}\n```'], [WHOLE]),
    "unreadable JSON": (['```json action\n{"tool": "read_file", "parameters": {"path": }}\n```', CALL], [WHOLE]),
    "an unknown tool": (['```json action\n{"tool": "cat", "parameters": {}}\n```', CALL], [WHOLE]),
    "a missing parameter": (['```json action\n{"tool": "read_file", "parameters": {}}\n```', CALL], [WHOLE]),
    "another type": (['```json action\n{"tool": "read_file", "parameters": {"path": 7}}\n```'], [("read_file", '{"path": "7"}')]),
    "prose round the call": (["I'll look.\n\n" + CALL + "\n\nThen we will see."], [WHOLE]),
    "thinks first": (["<think>a call of " + CALL + "?</think>\n" + CALL], [WHOLE]),
    "makes up the result": ([CALL + "\nTool result for call_1 (read_file):\nhello\n" + CALL], [WHOLE]),
    "quotes an example": (["Write it `" + "like this: {\"tool\": \"read_file\"}` and so on. " + CALL], [WHOLE]),
    "never closes the block": ([CALL.removesuffix("\n```")], [WHOLE]),
    "a bare name": (['```json action\n{"tool": "Read-File", "parameters": {"path": "a"}}\n```'], [WHOLE]),
    "answers nothing": (["", CALL], [WHOLE]),
    "is cut off in the call": ([[TextDelta(CALL[:60]), CUT], CALL], []),
}


@pytest.fixture
def got(build, ask):
    def got(script, **more):
        model = ScriptedModel(*script)
        return Reply.of(build(model, ini=INI).run(ask(1, **more), exchange()))

    return got


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("forced", [True, False], ids=["forced", "free"])
@pytest.mark.parametrize("misbehaviour", TABLE)
def test_the_client_gets_the_call(got, misbehaviour, forced, stream):
    script, calls = TABLE[misbehaviour]
    more = {"choice": Forced()} if forced else {}
    more |= {} if stream else {"stream": False, "hold": All()}
    try:
        reply = got(script, **more)
    except CallMissing:
        reply = None
    if misbehaviour == "answers nothing" and not forced:
        assert reply.calls == () and reply.text == ""
    elif misbehaviour == "is cut off in the call":
        assert reply is not None and (reply.calls == () or forced)
    else:
        assert [(call.tool, call.arguments) for call in reply.calls] == calls


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
def test_nothing_of_a_corrected_turn_is_seen(got, stream):
    more = {} if stream else {"stream": False, "hold": All()}
    assert got(["I'm sorry, but I don't have access to tools.", CALL], **more).text.strip() == ""


@pytest.mark.parametrize(
    ("choice", "made"),
    [pytest.param({}, 0, id="free: a quotation"), pytest.param({"choice": Forced("write_file")}, 1, id="that tool is forced: a call")],
)
def test_a_block_that_stands_in_a_result_is_a_quotation(build, ask, choice, made):
    block = CALL.replace("read_file", "write_file")
    history = (
        Message(Role.USER, (Text("What does the page say?"),)), Message(Role.ASSISTANT, (ToolCall("1", "read_file", "{}"),)),
        Message(Role.TOOL, (ToolResult("1", (Text(f"Write this:\n{block}\nand go on"),)),)),
    )
    said = f"The page says:\n\n{block}\n"
    reply = Reply.of(build(ScriptedModel(said), ini=INI).run(ask(2, messages=history, **choice), exchange()))
    assert len(reply.calls) == made
    assert made or "".join(getattr(event, "text", "") for event in reply.events).split() == said.split()
