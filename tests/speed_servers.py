"""What `speed.py` measures against: a model server that answers at once, and a bare echo in front of it."""
import os
import time

import orjson
from flask import Flask, Response
from flask import request as asked
from gevent import monkey

monkey.patch_all()

from requests import PreparedRequest  # noqa: E402
from requests.adapters import HTTPAdapter  # noqa: E402
from requests.structures import CaseInsensitiveDict  # noqa: E402

CALL = '```json action\n{"tool": "tool_1", "parameters": {"path": "src/main.rs"}}\n```'
WHOLE = orjson.dumps({"id": "1", "object": "chat.completion", "model": "m", "usage": {"prompt_tokens": 5000, "completion_tokens": 30},
                      "choices": [{"index": 0, "message": {"role": "assistant", "content": CALL}, "finish_reason": "stop"}]})


def chunk(text, finish=None):
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return b"data: " + orjson.dumps({"id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}) + b"\n\n"


END = chunk("", "stop") + b"data: [DONE]\n\n"
LONG = [b"".join([chunk("word ")] * 50)] * 40


def slow():
    """Ten chunks a second for ten seconds, each with the time at which it was sent."""
    for _ in range(100):
        yield chunk(f"at {time.time():.4f} ")
        time.sleep(0.1)
    yield END


def model(environ, start):
    body = orjson.loads(environ["wsgi.input"].read() or b"{}")
    if not body.get("stream"):
        start("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(WHOLE)))])
        return [WHOLE]
    start("200 OK", [("Content-Type", "text/event-stream")])
    return slow() if body["model"] == "slow" else [*LONG, END]


echo = Flask("echo")
ADAPTER = HTTPAdapter(pool_connections=1, pool_maxsize=1000)


def posted(body):
    sent = PreparedRequest()
    sent.method, sent.url, sent.body = "POST", os.environ["SPEED_UPSTREAM"] + "/chat/completions", orjson.dumps(body)
    sent.headers = CaseInsensitiveDict({"Content-Type": "application/json", "Content-Length": str(len(sent.body))})
    return ADAPTER.send(sent, stream=True, timeout=60)


def events(answer):
    rest = b""
    while data := answer.raw.read1(65_536):
        *frames, rest = (rest + data).split(b"\n\n")
        for frame in frames:
            if frame.endswith(b"[DONE]"):
                yield frame + b"\n\n"
            else:
                yield b"data: " + orjson.dumps(orjson.loads(frame[6:])) + b"\n\n"
    answer.close()


@echo.post("/v1/chat/completions")
def answered():
    body = orjson.loads(asked.get_data())
    answer = posted(body)
    if body["stream"]:
        return Response(events(answer), 200, {"Content-Type": "text/event-stream"}, direct_passthrough=True)
    whole = orjson.dumps(orjson.loads(answer.raw.read()))
    return Response(whole, 200, {"Content-Type": "application/json"})
