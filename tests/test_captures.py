"""What real clients send is read, and nothing of it reaches a chat-only server that such a server refuses."""
import json

import orjson
import pytest
from needs import SHARED
from scripted import ScriptedModel, exchange

from toolgate.errors import ClientError
from toolgate.protocols import openai_chat
from toolgate.settings import UpstreamSection
from toolgate.upstream import Upstream

CAPTURES = [c for c in (json.loads(f.read_text()) for f in sorted((SHARED / "captures").glob("*__*.json")))
            if c["path"].startswith("/v1/chat/completions")]
UPSTREAM = Upstream("up", UpstreamSection(url="http://127.0.0.1:1/v1"), openai_chat)

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda c: f"{c['client']}__{c['turn']}")
def test_a_capture_becomes_chat(build, capture):
    if f"{capture['client']}__{capture['turn']}" == "sdk-openai-chat__07":
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
