"""What the server answers outside of a conversation, and to what it cannot read."""
import json
import socket

import pytest
import requests


@pytest.fixture
def at(toolgate):
    return f"http://127.0.0.1:{toolgate}"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        pytest.param("GET", "/nowhere", None, 404, "not_found", id="no such path"),
        pytest.param("GET", "/v1/files", None, 404, "not_found", id="a path of the API that is not relayed"),
        pytest.param("DELETE", "/v1/models", None, 404, "not_found", id="a method that is not relayed"),
        pytest.param("POST", "/health", b"", 405, "method_not_allowed", id="a method that is not there"),
        pytest.param("POST", "/v1/chat/completions", b"{oops", 400, "invalid_json", id="no JSON"),
        pytest.param("POST", "/v1/chat/completions", b"", 400, "invalid_json", id="an empty body"),
        pytest.param("POST", "/v1/chat/completions", b"[]", 400, "invalid_value", id="JSON that is no object"),
        pytest.param("POST", "/v1/embeddings", b"{}", 400, "invalid_value", id="no model to relay to"),
    ],
)
def test_an_error_is_in_the_envelope(at, method, path, body, status, code):
    response = requests.request(method, at + path, data=body, headers={"Content-Type": "application/json"})
    error = response.json()["error"]
    assert (response.status_code, error["code"], set(error)) == (status, code, {"message", "type", "param", "code"})
    assert response.headers["x-request-id"].startswith("req_") and response.headers["x-should-retry"] == "false"


def test_a_body_that_is_too_large(at):
    host, port = at.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 99000000\r\n\r\n")
        answer = b""
        while b"}}" not in answer and (piece := client.recv(65536)):
            answer += piece
    assert b" 413 " in answer.split(b"\r\n")[0] and b"request_too_large" in answer


def test_probes(at):
    assert requests.head(at + "/").status_code == 200
    assert requests.get(at + "/health").json() == {"status": "ok"}


def test_models_are_the_upstreams(at):
    listed = requests.get(at + "/v1/models").json()
    assert listed["object"] == "list" and "up-1" in [model["id"] for model in listed["data"]]
    assert requests.get(at + "/v1/models/up-1").json()["id"] == "up-1"
    assert requests.get(at + "/v1/models/none").json()["error"]["code"] == "model_not_found"


def test_embeddings_go_through_unchanged(at):
    body = {"model": "m", "input": ["a"], "unknown": 1}
    assert requests.post(at + "/v1/embeddings", json=body).json() == body


def test_every_answer_has_an_id(at):
    script = json.dumps({"id": "ids", "hops": [["hi there"], ["hi there"]]})
    body = {"model": "m", "messages": [{"role": "user", "content": script}]}
    ids = {requests.post(at + "/v1/chat/completions", json=body).headers["request-id"] for _ in range(2)}
    assert len(ids) == 2
