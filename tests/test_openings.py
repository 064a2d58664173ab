"""What is a refusal to call, and what is an honest answer."""
import pytest

from toolgate.openings import drifts, is_incapable


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


@pytest.mark.parametrize(
    "text",
    ["I'll read the file now.", "Sure, let me check the weather for you:", "First, I will search for it.", "Okay. I'm going to run the tests.", "好的，我来读取文件。", "让我先看看这个目录：",
     "File notes.txt created successfully.", "I've updated the file for you.", "文件已成功创建。"],
)
def test_an_announcement_or_a_claim_without_a_call(text):
    assert drifts(text, called=False)


@pytest.mark.parametrize(
    "text",
    ["I'll explain: the loop ends at zero. That is all.", "Let me know if you need more.", "Let me check: it is 42.", "Which file shall I read?", "I will read it. Which one do you mean?",
     "The company was created in 1990.", "Hello! How can I help?", "", "I need to think of a word that rhymes with time: rhyme."],
)
def test_an_answer_is_left_alone(text):
    assert not drifts(text, called=False)


def test_a_deed_that_was_done_may_be_told():
    assert not drifts("File notes.txt created successfully.", called=True)
    assert drifts("Now I will read the next file.", called=True)
