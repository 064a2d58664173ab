"""A real server with a chat program behind it."""
import json
import time
from concurrent.futures import ThreadPoolExecutor
from signal import SIGINT

import pytest
import requests

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = {"type": "function", "function": {"name": "get_weather", "description": "The weather.", "parameters": SCHEMA}}
QUESTION = {"role": "user", "content": "What is the weather in Oslo?"}


def post(url, *messages, **more):
    body = {"model": "any", "messages": messages, **more}
    return requests.post(f"{url}/v1/chat/completions", json=body, timeout=30, stream=bool(more.get("stream")))


def deltas(response):
    """(seconds since the first look, what was added) for each chunk that adds something."""
    began = time.monotonic()
    for line in response.iter_lines(chunk_size=1):
        if line.startswith(b"data: {"):
            for choice in json.loads(line[6:])["choices"]:
                yield time.monotonic() - began, choice["delta"]


def pids(tmp_path, count=1):
    until, file = time.monotonic() + 5, tmp_path / "pids"
    while time.monotonic() < until:
        found = file.read_text().split() if file.exists() else []
        if len(found) == count:
            return [int(pid) for pid in found]
        time.sleep(0.05)
    raise AssertionError("the program was not started")


def test_a_tool_is_called_and_its_result_answered(serve):
    url = serve("chat.py")
    [choice] = post(url, QUESTION, tools=[WEATHER]).json()["choices"]
    [call] = choice["message"]["tool_calls"]
    assert (choice["finish_reason"], choice["message"]["content"].strip()) == ("tool_calls", "Let me look.")
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == ("get_weather", {"city": "Oslo"})

    result = {"role": "tool", "tool_call_id": call["id"], "content": "sunny"}
    answer = post(url, QUESTION, choice["message"], result, tools=[WEATHER]).json()
    [choice] = answer["choices"]
    assert (choice["finish_reason"], choice["message"]["content"].strip()) == (
        "stop", "It is sunny in Oslo, the tool says."
    )
    assert answer["usage"]["prompt_tokens"] > 100 and answer["usage"]["completion_tokens"] == 9


def test_a_call_is_streamed(serve):
    added = [delta for _, delta in deltas(post(serve("chat.py"), QUESTION, tools=[WEATHER], stream=True))]
    pieces = [piece["function"] for delta in added for piece in delta.get("tool_calls", ())]
    assert pieces[0]["name"] == "get_weather"
    assert json.loads("".join(piece.get("arguments", "") for piece in pieces)) == {"city": "Oslo"}


def test_text_is_live(serve):
    came = [(at, delta["content"]) for at, delta in deltas(post(serve("slow.py"), QUESTION, stream=True))
            if delta.get("content")]
    assert [word for _, word in came] == ["one ", "two"] and came[1][0] - came[0][0] > 0.7


def test_programs_run_beside_each_other(serve):
    url, began = serve("slow.py"), time.monotonic()
    with ThreadPoolExecutor(5) as pool:
        said = list(pool.map(lambda _: post(url, QUESTION).json()["choices"][0]["message"]["content"], range(5)))
    assert said == ["one two"] * 5 and time.monotonic() - began < 4


@pytest.mark.parametrize("stream", [pytest.param(True, id="streamed"), pytest.param(False, id="whole")])
def test_a_client_that_leaves_kills_the_program(serve, tmp_path, gone, stream):
    url = serve("slow.py")
    with pytest.raises(requests.exceptions.RequestException):
        body = {"model": "any", "messages": [{"role": "user", "content": "long"}], "stream": stream}
        with requests.post(f"{url}/v1/chat/completions", json=body, timeout=1, stream=stream) as response:
            list(response.iter_content())
    assert gone(*pids(tmp_path))


def test_a_server_that_ends_kills_the_programs(serve, servers, tmp_path, gone):
    url = serve("slow.py")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(post, url, {"role": "user", "content": "long"})
        [pid] = pids(tmp_path)
        servers[0].send_signal(SIGINT)
        asked.exception()
    assert gone(pid)


def test_a_program_that_fails_is_502(serve):
    response = post(serve("no-such-file.py"), QUESTION)
    assert response.status_code == 502
    assert "ended with code 2" in response.json()["error"]["message"]
