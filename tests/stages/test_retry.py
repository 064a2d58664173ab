"""What is asked again, in which words, and when it is given up: trigger by trigger, attempt by attempt."""
import pytest
from scripted import ScriptedModel, exchange

from toolgate.conversation import Forced, Message, Never, Notice, Role, Text, ToolCall, ToolResult
from toolgate.events import Reply

READ = '```json action\n{"tool": "read_file", "parameters": {"path": "a"}}\n```'
UNKNOWN = '```json action\n{"tool": "whoami", "parameters": {}}\n```'
UNFIT = '```json action\n{"tool": "read_file", "parameters": {}}\n```'
BROKEN = '```json action\n{"tool": "read_file", "parameters": {"path": }}\n```'
ANNOUNCED = (
    "You said what you would do, or that it was done, and called no tool: nothing has happened.\n"
    "Write the ```json action``` block now, or, if no tool is needed, give the answer itself."
)
MISSING = (
    "Your last response did not include any ```json action``` block.\n"
    "You must respond with at least one valid action block now.\n"
    "Do not explain. Output the action block directly."
)


def corrections(build, ask, *script, **more):
    """What the model is told after each of its turns, and what the client gets."""
    model = ScriptedModel(*script)
    ini = "[pipeline]\nstages = normalize emulate forward parse check restore retry encode\n[routes]\n"
    reply = Reply.of(build(model, ini=ini).run(ask(1, **more), exchange()))
    told = [notices(sent.messages[-1]) for sent in model.sent[1:]]
    return told, reply, model.sent


def notices(message):
    return "".join(part.text for part in message.parts if type(part) is Notice)


@pytest.mark.parametrize(
    ("turns", "more", "words"),
    [
        pytest.param(["I do not have access to tools."], {}, [MISSING], id="a refusal"),
        pytest.param(["No tools.", "There are no tools."], {}, [MISSING, MISSING + "\nThis is correction 2: your whole reply must be action blocks, beginning with ```json action."], id="refused twice"),
        pytest.param(["Hello."], {"choice": Forced("read_file")}, [MISSING + '\nYou must call "read_file".'], id="a forced tool"),
        pytest.param(["I'll read the file now."], {}, [ANNOUNCED], id="drift"),
        pytest.param([UNFIT], {}, ["Call 1: the arguments do not fit. read_file: the arguments: 'path' is a required property\nSend only the corrected calls."], id="arguments that do not fit"),
        pytest.param([UNKNOWN], {}, ["Call 1: whoami is not known. If none of the tools that you have fits, answer in plain words.\nSend only the corrected calls."], id="an unknown tool"),
    ],
)
def test_the_words(build, ask, turns, more, words):
    told, reply, _ = corrections(build, ask, *turns, READ, **more)
    assert told == words and [call.tool for call in reply.calls] == ["read_file"]


def test_an_unreadable_call_is_asked_for_in_other_words_each_time(build, ask):
    told, _, _ = corrections(build, ask, BROKEN, BROKEN, READ)
    assert len(set(told)) == 2 and all(words.startswith("Call 1: it could not be read (") for words in told)


@pytest.mark.parametrize("turn", [UNKNOWN, READ.replace('"a"', '"<path>"')], ids=["an unknown tool", "the example's own arguments"])
def test_who_declines_twice_is_asked_without_tools(build, ask, turn):
    told, reply, sent = corrections(build, ask, turn, turn, "You are root.")
    assert (reply.text, reply.calls, sent[-1].choice) == ("You are root.", (), Never())
    assert [m.role for m in sent[-1].messages] == [Role.USER]


def test_what_is_announced_again_and_again_is_delivered(build, ask):
    told, reply, sent = corrections(build, ask, *["I'll read the file now."] * 3)
    assert (reply.text, len(sent)) == ("I'll read the file now.", 3)


@pytest.mark.parametrize("answer", ["The file says hello.", "I don't have access to that file.", "Which file?"])
def test_an_honest_answer_after_a_result_is_left_alone(build, ask, answer):
    history = (Message(Role.USER, (Text("go"),)), Message(Role.ASSISTANT, (ToolCall("1", "read_file", "{}"),)), Message(Role.TOOL, (ToolResult("1", (Text("hello"),)),)))
    told, reply, _ = corrections(build, ask, answer, messages=history)
    assert (told, reply.text) == ([], answer)
