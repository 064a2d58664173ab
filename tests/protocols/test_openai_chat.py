"""Chat completions from a client to events and back, as the official types read them."""
import json

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from scripted import ScriptedModel, exchange

from toolgate.conversation import Auto, Forced, Never
from toolgate.errors import ClientError
from toolgate.protocols import openai_chat
from toolgate.settings import UpstreamSection
from toolgate.upstream import Upstream

TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
PATCH = {"type": "custom", "custom": {"name": "patch", "description": "p"}}
ASKED = [{"role": "user", "content": "hi"}]


def read(**more):
    return openai_chat.read_request({"model": "m", "messages": ASKED, **more}, (), {})


@pytest.mark.parametrize(
    ("more", "choice", "ignored"),
    [
        pytest.param({"tools": [TOOL]}, Auto(), (), id="none said: auto"),
        pytest.param({"tools": [TOOL], "tool_choice": "none"}, Never(), (), id="none"),
        pytest.param({"tools": [TOOL], "tool_choice": "required"}, Forced(), (), id="required"),
        pytest.param({"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "f"}}}, Forced("f"), (), id="named"),
        pytest.param({"tools": [TOOL], "tool_choice": {"type": "function", "name": "f"}}, Forced("f"), (), id="named flat"),
        pytest.param({"tools": [PATCH], "tool_choice": {"type": "custom", "custom": {"name": "patch"}}}, Forced("patch"), (), id="custom"),
        pytest.param({"functions": [TOOL["function"]], "function_call": {"name": "f"}}, Forced("f"), (), id="legacy"),
        pytest.param({"tool_choice": "required"}, Auto(), ("tool_choice",), id="no tools: dropped and said"),
        pytest.param({"tools": [TOOL, {"type": "web_search"}]}, Auto(), ("tools[1]",), id="a hosted tool: dropped and said"),
    ],
)
def test_choice(more, choice, ignored):
    request = read(**more)
    assert (request.choice, request.ignored) == (choice, ignored)


@pytest.mark.parametrize("form", [lambda allowed: {"allowed_tools": allowed}, lambda allowed: allowed], ids=["nested", "flat"])
def test_allowed_tools_leave_those_tools(form):
    other = {"type": "function", "function": {"name": "g"}}
    allowed = {"mode": "required", "tools": [{"type": "function", "function": {"name": "g"}}]}
    request = read(tools=[TOOL, other], tool_choice={"type": "allowed_tools", **form(allowed)})
    assert ([t.name for t in request.tools], request.choice) == (["g"], Forced())


@pytest.mark.parametrize(
    ("body", "param"),
    [
        pytest.param({"messages": "hi"}, "messages", id="messages"),
        pytest.param({"messages": [{"role": "bard", "content": "x"}]}, "messages[0].role", id="a role"),
        pytest.param({"messages": [*ASKED, {"role": "user", "content": 3}]}, "messages[1].content", id="content"),
        pytest.param({"messages": [{"role": "user", "content": [{"type": "smell"}]}]}, "messages[0].content[0]", id="a part"),
        pytest.param({"tools": {}}, "tools", id="tools"),
        pytest.param({"tools": [{"type": "function", "function": {}}]}, "tools[0].function.name", id="a tool without a name"),
        pytest.param({"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "g"}}}, "tool_choice", id="a choice of no tool sent"),
        pytest.param({"tools": [TOOL], "n": 2}, "n", id="two choices"),
        pytest.param({"max_tokens": 0}, "max_tokens", id="no tokens"),
        pytest.param({"stop": 3}, "stop", id="stop"),
        pytest.param({"messages": [{"role": ["user"], "content": "x"}]}, "messages[0].role", id="a list as role"),
        pytest.param({"messages": []}, "messages", id="no message"),
        pytest.param({"modalities": 5}, "modalities", id="modalities"),
        pytest.param({"modalities": ["audio"]}, "modalities", id="a spoken answer"),
        pytest.param({"temperature": "hot"}, "temperature", id="temperature"),
        pytest.param({"seed": 1.5}, "seed", id="seed"),
        pytest.param({"stream": "yes"}, "stream", id="stream"),
        pytest.param({"user": 5}, "user", id="user"),
        pytest.param({"parallel_tool_calls": "no"}, "parallel_tool_calls", id="parallel"),
        pytest.param({"tools": [{"type": "web_search"}], "tool_choice": {"type": "web_search"}}, "tool_choice", id="a hosted tool, forced"),
        pytest.param({"tools": [{"type": "web_search"}], "tool_choice": "required"}, "tool_choice", id="nothing left to call"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(body, param):
    with pytest.raises(ClientError) as caught:
        openai_chat.read_request({"model": "m", "messages": ASKED, **body}, (), {})
    assert (caught.value.status, caught.value.param) == (400, param)


CALL = '```json action\n{"tool": "f", "parameters": {}}\n```'


@pytest.mark.parametrize(
    ("more", "said", "field", "reason"),
    [
        pytest.param({}, "Hello.", "content", "stop", id="an answer"),
        pytest.param({"tools": [TOOL]}, CALL, "tool_calls", "tool_calls", id="a call"),
        pytest.param({"functions": [TOOL["function"]]}, CALL, "function_call", "function_call", id="a legacy call"),
    ],
)
def test_the_official_types_read_it(bytes_of, more, said, field, reason):
    body = {"model": "m", "messages": ASKED, **more}
    _, *whole = bytes_of(ScriptedModel(said), body)
    [choice] = ChatCompletion.model_validate_json(b"".join(whole)).choices
    assert (getattr(choice.message, field) is not None, choice.finish_reason) == (True, reason)
    _, *streamed = bytes_of(ScriptedModel(said), {**body, "stream": True})
    frames = [f.removeprefix("data: ") for f in b"".join(streamed).decode().split("\n\n") if f.startswith("data: {")]
    chunks = [ChatCompletionChunk.model_validate_json(frame) for frame in frames]
    assert [c.choices[0].finish_reason for c in chunks if c.choices[0].finish_reason] == [reason]
    assert any(getattr(c.choices[0].delta, field) for c in chunks)


@pytest.mark.parametrize("stream", [False, True])
def test_a_freeform_tool_gets_raw_text(build, stream):
    said = '```json action\n{"tool": "patch", "parameters": {"input": "a\\n\\"b\\""}}\n```'
    body = {"model": "m", "messages": ASKED, "tools": [PATCH], "stream": stream}
    out = b"".join(c for c in build(ScriptedModel(said)).answer(body, exchange(), openai_chat) if isinstance(c, bytes))
    assert json.dumps({"input": 'a\n"b"'}).strip("{}").replace(" ", "").encode() in out


@pytest.mark.parametrize(
    ("more", "sent"),
    [
        pytest.param({}, ["END"], id="no call may come: the server stops by itself"),
        pytest.param({"tools": [TOOL]}, None, id="a call may come as text, which a stop could cut"),
    ],
)
def test_stop_sequences(build, more, sent):
    pipeline = build(ScriptedModel())
    body = {"model": "m", "messages": ASKED, "stop": "END", **more}
    _, shaped = pipeline.shaped(pipeline.normalize(body, exchange(), openai_chat), exchange())
    upstream = Upstream("up", UpstreamSection(url="http://127.0.0.1:1/v1"), openai_chat)
    assert json.loads(openai_chat.write_request(shaped, upstream).body).get("stop") == sent
