"""The demo model: it knows tools only from the text of its prompt."""
import json
import re

import pytest

from toolgate.contract.text import contract
from toolgate.conversation import Request, Tool
from toolgate.embedded import answer, completion


def tool(name, about, *needed):
    return Tool(name, about, {"type": "object", "properties": {key: {"type": "string"} for key in needed}, "required": list(needed)})


TOLD = contract(Request("m", (), (tool("get_weather", "The weather in a city.", "city"), tool("get_time", "The time in a city.", "city"), tool("ping", "Answers."))))


def calls(question, *turns):
    messages = [{"role": "system", "content": TOLD}, {"role": "user", "content": question}, *turns]
    blocks = re.findall(r"```json action\n(.*?)\n```", answer(messages), re.DOTALL)
    return [(block["tool"], block["parameters"]) for block in map(json.loads, blocks)]


@pytest.mark.parametrize(
    ("question", "called"),
    [
        pytest.param("What is the weather in Oslo?", [("get_weather", {"city": "Oslo"})], id="one"),
        pytest.param("The weather in Oslo and Rome?", [("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"})], id="one tool twice"),
        pytest.param("The weather in Oslo and the time in Rome?", [("get_weather", {"city": "Oslo"}), ("get_time", {"city": "Rome"})], id="two tools"),
        pytest.param("Ping, please", [("ping", {})], id="no parameters"),
        pytest.param("Hello", [], id="none fits"),
    ],
)
def test_calls(question, called):
    assert calls(question) == called


def test_a_second_step_waits_for_the_first():
    question = "Get the weather in Oslo, then the time in Rome"
    assert [name for name, _ in calls(question)] == ["get_weather"]
    done = [{"role": "assistant", "content": "```json action\n{}\n```"}, {"role": "user", "content": "Tool result for 1 (get_weather):\nsun"}]
    assert [name for name, _ in calls(question, *done)] == ["get_time"]


def test_it_says_that_it_is_the_demo():
    assert "demo model" in answer([{"role": "user", "content": "Hello"}])


@pytest.mark.parametrize("stream", [False, True])
def test_it_answers_as_a_server_would(stream):
    body, kind, _ = completion(json.dumps({"messages": [{"role": "user", "content": "Hello"}], "stream": stream}).encode())
    assert (b"[DONE]" in body, "event-stream" in kind) == (stream, stream)
