"""Every chat body that real clients sent, before a real gunicorn and a server that only chats, read by the official types."""
import pytest
import requests
from captures import CHAT, NO_SECOND_CHOICE, name_of

pytestmark = [pytest.mark.shared, pytest.mark.server, pytest.mark.clients]
types = pytest.importorskip("openai.types.chat")


@pytest.mark.parametrize("capture", CHAT, ids=name_of)
def test_a_capture_is_answered(toolgate, capture):
    body = capture["body"]
    reply = requests.post(f"http://127.0.0.1:{toolgate}/v1/chat/completions", json=body, timeout=60)
    if name_of(capture) == NO_SECOND_CHOICE:
        assert (reply.status_code, reply.json()["error"]["param"]) == (400, "n")
        return
    assert reply.status_code == 200, reply.text
    if not body.get("stream"):
        [choice] = types.ChatCompletion.model_validate(reply.json()).choices
        assert choice.message.content or choice.message.tool_calls or choice.message.function_call
        return
    *frames, done = [line.removeprefix("data: ") for line in reply.text.splitlines() if line.startswith("data: ")]
    chunks = [types.ChatCompletionChunk.model_validate_json(frame) for frame in frames]
    assert done == "[DONE]"
    assert len([choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]) == 1
