"""What real clients send is read, and nothing of it reaches a chat-only server that such a server refuses."""
import orjson
import pytest
from captures import CHAT, NO_SECOND_CHOICE, name_of
from scripted import ScriptedModel, exchange

from toolgate.errors import ClientError
from toolgate.protocols import openai_chat
from toolgate.settings import UpstreamSection
from toolgate.upstream import Upstream

UPSTREAM = Upstream("up", UpstreamSection(url="http://127.0.0.1:1/v1"), openai_chat)

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("capture", CHAT, ids=name_of)
def test_a_capture_becomes_chat(build, capture):
    if name_of(capture) == NO_SECOND_CHOICE:
        with pytest.raises(ClientError) as caught:
            openai_chat.read_request(capture["body"], (), {})
        assert (caught.value.status, caught.value.param) == (400, "n")
        return
    pipeline = build(ScriptedModel())
    _, sent = pipeline.shaped(pipeline.normalize(capture["body"], exchange(), openai_chat), exchange())
    body = orjson.loads(openai_chat.write_request(sent, UPSTREAM).body)
    assert not {"tools", "tool_choice", "functions", "function_call", "parallel_tool_calls"} & body.keys()
    assert all(m["role"] in ("system", "user", "assistant") and m["content"] for m in body["messages"])
    assert not any("tool_calls" in m for m in body["messages"])
