"""What a program reads."""
import pytest
from toolgate_exec.transcript import transcript

from toolgate.conversation import File, Image, Message, Notice, Reasoning, Role, Text, ToolCall, ToolResult

CALL = ToolCall("c1", "read_file", '{"path": "a"}')


def test_turns_are_headed_paragraphs():
    turns = [(Role.SYSTEM, "Be brief."), (Role.USER, "Hi"), (Role.ASSISTANT, "Hello"), (Role.USER, "Bye")]
    said = transcript(Message(role, (Text(text),)) for role, text in turns)
    assert said == "System:\nBe brief.\n\nUser:\nHi\n\nAssistant:\nHello\n\nUser:\nBye\n\nAssistant:\n"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        pytest.param((Text("a\n"), Notice("b")), "a\nb", id="toolgate's own words as the user's"),
        pytest.param((Text("Look: "), Image("data:image/png;base64,AA")), "Look: [an image]", id="a picture"),
        pytest.param((File("a.pdf"), File("")), "[a file: a.pdf][a file]", id="files"),
        pytest.param((Reasoning("hm"), Text("a")), "a", id="thoughts are left out"),
        pytest.param((CALL,), "[a call of read_file]", id="a call that no stage wrote as text"),
        pytest.param((ToolResult("c1", (Text("a"), Image("b"))),), "a[an image]", id="its result"),
    ],
)
def test_parts(parts, words):
    assert transcript([Message(Role.USER, parts)]) == f"User:\n{words}\n\nAssistant:\n"
