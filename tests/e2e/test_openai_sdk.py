"""The official SDK before a real gunicorn and a model server that only chats."""
import json
import secrets

import pytest
import requests

openai = pytest.importorskip("openai")
pytestmark = [pytest.mark.clients, pytest.mark.server]

PLACE = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "description": "The weather.", "parameters": PLACE}},
    {"type": "function", "function": {"name": "now", "description": "The time.", "parameters": {"type": "object"}}},
]
OSLO, ROME = {"city": "Oslo"}, {"city": "Rome"}


def action(tool, parameters):
    return "```json action\n" + json.dumps({"tool": tool, "parameters": parameters}) + "\n```\n"


BROKEN = '```json action\n{"tool": "get_weather", "parameters": {"city": }}\n```'


@pytest.fixture
def client(toolgate):
    with openai.OpenAI(base_url=f"http://127.0.0.1:{toolgate}/v1", api_key="placeholder", max_retries=0) as client:
        yield client


@pytest.fixture(params=["whole", "streamed"])
def say(request, client):
    """Ask once and give the SDK's own message object, and why it ended."""

    def say(messages, **more):
        if request.param == "whole":
            [choice] = client.chat.completions.create(model="m", messages=messages, **more).choices
            return choice.message, choice.finish_reason
        with client.chat.completions.stream(model="m", messages=messages, **more) as stream:
            stream.until_done()
            [choice] = stream.get_final_completion().choices
            return choice.message, choice.finish_reason

    return say


def asked(*hops):
    return {"role": "user", "content": json.dumps({"id": secrets.token_hex(6), "hops": hops})}


def called(message):
    return [(c.function.name, json.loads(c.function.arguments)) for c in message.tool_calls or ()]


@pytest.mark.parametrize(
    ("hops", "more", "calls", "text"),
    [
        pytest.param([[action("get_weather", OSLO)]], {}, [("get_weather", OSLO)], None, id="one call"),
        pytest.param([[action("get_weather", OSLO) + action("get_weather", ROME)]], {},
                     [("get_weather", OSLO), ("get_weather", ROME)], None, id="two parallel calls"),
        pytest.param([[action("now", {})]], {}, [("now", {})], None, id="no arguments"),
        pytest.param([["I will look. " + action("now", {})]], {}, [("now", {})], "I will look.", id="prose and a call"),
        pytest.param([["It is warm there, as always in June."]], {}, [], "It is warm there, as always in June.", id="an answer"),
        pytest.param([["I do not have access to tools."], [action("now", {})]], {"tool_choice": "required"},
                     [("now", {})], None, id="a refusal is corrected"),
        pytest.param([[action("now", {}) + BROKEN], [action("get_weather", OSLO)]], {},
                     [("now", {}), ("get_weather", OSLO)], None, id="valid and broken: both, each once"),
        pytest.param([["Look. " + action("now", {}) + BROKEN], [{"status": 500}]], {}, [("now", {})], "Look. " + BROKEN,
                     id="the second hop fails: the first one's text and calls"),
    ],
)
def test_the_client_gets(say, hops, more, calls, text):
    message, reason = say([asked(*hops)], tools=TOOLS, **more)
    assert called(message) == calls
    assert (message.content or "").strip() == (text or "").strip()
    assert reason == ("tool_calls" if calls else "stop")
    assert len({c.id for c in message.tool_calls or ()}) == len(calls)


def turn_of(message):
    calls = [{"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}}
             for c in message.tool_calls or ()]
    return {"role": "assistant", "content": message.content, **({"tool_calls": calls} if calls else {})}


@pytest.mark.parametrize("tools_in", [pytest.param(5, id="tools in every turn"), pytest.param(1, id="tools in the first turn only")])
def test_five_turns(say, upstream, tools_in):
    question = asked(*([action("get_weather", {"city": city})] for city in "ABCD"), ["All four are sunny."])
    messages = [question]
    for turn in range(4):
        message, reason = say(messages, **({"tools": TOOLS} if turn < tools_in else {}))
        assert (called(message), reason) == ([("get_weather", {"city": "ABCD"[turn]})], "tool_calls")
        messages += [turn_of(message), {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "sunny"}]
    message, reason = say(messages, **({"tools": TOOLS} if tools_in == 5 else {}))
    assert (message.content, message.tool_calls or [], reason) == ("All four are sunny.", [], "stop")
    key = json.loads(question["content"])["id"]
    _, sent = requests.get(f"http://127.0.0.1:{upstream}/closed/{key}").json()
    assert [m["role"] for m in sent[-1]["messages"]][1:] == ["user"] + ["assistant", "user"] * 4
    assert sent[-1]["messages"][-1]["content"].startswith("Tool result for ")


def test_results_alone(say):
    message, reason = say([asked(["It is noon."]), {"role": "tool", "tool_call_id": "call_1", "content": "12:00"}])
    assert (message.content, reason) == ("It is noon.", "stop")


def test_results_alone_that_name_their_tool_call_once_more_and_then_answer(say):
    """No turn brings tools, and the history holds no call: what is known is what the results say."""
    history = [asked([action("now", {})], ["It is noon."]), {"role": "tool", "tool_call_id": "call_1", "name": "now", "content": "11:59"}]
    message, reason = say(history)
    assert (called(message), reason) == ([("now", {})], "tool_calls")
    history += [turn_of(message), {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "12:00"}]
    message, reason = say(history)
    assert (message.content, reason) == ("It is noon.", "stop")
