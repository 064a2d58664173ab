"""What is a refusal to call, and what is an honest answer."""
import pytest

from toolgate.openings import is_incapable


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I don't have access to tools.",
        "There are no tools available in this conversation.",
        "Let me see. Unfortunately, I cannot use tools here.",
        "I don’t have access to your file system.",
        "抱歉，当前没有可用工具。",
        "当前环境无法调用工具，我只能提供建议。",
    ],
)
def test_a_refusal(text):
    assert is_incapable(text)


@pytest.mark.parametrize(
    "text",
    [
        "The file has no tools section.",
        "Use tools like grep for that.",
        "I cannot tell you the weather without the city. Which one?",
        "",
        "I don't have access to tools. " + "But here is a long answer. " * 30,
    ],
)
def test_an_answer(text):
    assert not is_incapable(text)


def test_after_a_result_only_a_denial_of_the_tools_is_a_refusal():
    assert not is_incapable("I don't have access to that file.", after_result=True)
    assert is_incapable("I don't have access to tools.", after_result=True)
