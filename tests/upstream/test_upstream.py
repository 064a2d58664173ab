"""What an upstream's section means on the wire, before a real server of its own process."""
import gzip
import json
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests
from scripted import free_port, started, stopped

ASKED = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
REPLY = json.dumps({"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}).encode()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((dict(self.headers), body))
        status, headers = self.server.answers.pop(0) if self.server.answers else self.server.answer
        if status == "cut":
            self.connection.close()
            return
        if status == "silent":
            self.server.released.wait(20)
            return
        self.send_response(status)
        said = gzip.compress(REPLY) if "Content-Encoding" in headers else REPLY
        for name, value in {**headers, "Content-Length": str(len(said))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


@pytest.fixture
def served(tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.answer, server.answers, server.released = [], (200, {}), [], threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    running = []

    def served(options="", scheme="http", **environ):
        port, ini = free_port(), tmp_path / "toolgate.ini"
        ini.write_text(f"[upstream:up]\nurl = {scheme}://127.0.0.1:{server.server_port}/v1\n{options}\n[routes]\n* = up\n")
        command = [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", "-b", f"127.0.0.1:{port}", "wsgi:app"]
        running.append(started(command, port, {"TOOLGATE_CONFIG": str(ini), **environ}))
        return server, f"http://127.0.0.1:{port}/v1/chat/completions"

    yield served
    server.released.set()
    for one in running:
        stopped(one)
    server.shutdown()


@pytest.mark.parametrize(
    ("options", "header", "value"),
    [
        pytest.param("key_env = KEY", "Authorization", "Bearer own", id="its own key, as a bearer"),
        pytest.param("key_env = KEY\nauth = x-api-key", "x-api-key", "own", id="its own key, in x-api-key"),
        pytest.param("key_env = KEY\nauth = none", "Authorization", None, id="no key"),
        pytest.param("", "Authorization", None, id="the client's key is never sent"),
        pytest.param("key = client", "Authorization", "Bearer theirs", id="unless the section says so"),
        pytest.param("extra_headers = X-Team: blue", "X-Team", "blue", id="another header"),
    ],
)
def test_headers(served, options, header, value):
    server, url = served(options, KEY="own")
    assert requests.post(url, json=ASKED, headers={"Authorization": "Bearer theirs"}).status_code == 200
    assert server.asked[0][0].get(header) == value


def test_body(served):
    server, url = served('extra_body = {"cache": true}\ndrop = user temperature\nmax_output_tokens = 5')
    requests.post(url, json={**ASKED, "user": "u", "temperature": 1, "max_tokens": 9})
    assert server.asked[0][1] == {**ASKED, "cache": True, "max_tokens": 5}


@pytest.mark.parametrize(
    ("answer", "status", "told"),
    [
        pytest.param((401, {}), 502, "key_env", id="a key that is not taken is the operator's fault"),
        pytest.param((404, {}), 404, "up answered 404", id="what the client can mend keeps its status"),
        pytest.param((500, {}), 502, "up answered 500", id="an accident there is a bad gateway"),
        pytest.param((429, {"Retry-After": "33"}), 429, "up answered 429", id="a limit"),
        pytest.param(("silent", {}), 504, "said nothing for 1 s, its first_byte", id="silence"),
    ],
)
def test_its_errors(served, answer, status, told):
    server, url = served("first_byte = 1")
    server.answer = answer
    response = requests.post(url, json=ASKED)
    assert response.status_code == status and told in response.json()["error"]["message"]
    assert response.headers.get("Retry-After") == answer[1].get("Retry-After")


def test_it_is_away(served):
    server, url = served()
    server.shutdown()
    server.server_close()
    response = requests.post(url, json=ASKED)
    assert response.status_code == 502 and response.json()["error"]["message"].startswith("up cannot be reached")


def test_a_compressed_reply_is_read(served):
    server, url = served()
    server.answer = (200, {"Content-Encoding": "gzip", "Content-Type": "application/json"})
    assert requests.post(url, json=ASKED).json()["choices"][0]["message"]["content"] == "ok"


def test_a_server_that_names_no_usage_is_estimated(served):
    _, url = served()
    response = requests.post(url, json=ASKED)
    assert json.loads(response.headers["x-toolgate-usage"])["estimated"] is True
    assert response.json()["usage"]["completion_tokens"] == 1


@pytest.mark.parametrize(
    ("answers", "asked", "status"),
    [
        pytest.param([("cut", {}), ("cut", {})], 3, 200, id="a connection that fails twice"),
        pytest.param([("cut", {})] * 3, 3, 502, id="but not for ever"),
        pytest.param([(429, {"Retry-After": "1"})], 2, 200, id="a moment that it asks for"),
        pytest.param([(503, {"Retry-After": "1"}), (503, {"Retry-After": "1"})], 2, 503, id="but once"),
        pytest.param([(429, {"Retry-After": "11"})], 1, 429, id="a longer one is the client's"),
        pytest.param([(500, {})], 1, 502, id="an accident is not repeated"),
    ],
)
def test_it_is_asked_again_before_the_first_byte(served, answers, asked, status):
    server, url = served()
    server.answers += answers
    assert (requests.post(url, json=ASKED).status_code, len(server.asked)) == (status, asked)


def test_https_with_a_certificate_of_ones_own(served, tmp_path):
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *name, *files],
                   check=True, capture_output=True)
    server, url = served(f"ca_bundle = {tmp_path / 'cert'}", "https")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    assert requests.post(url, json=ASKED).status_code == 200


def test_a_prompt_beyond_the_window_is_the_error_on_which_agents_compact(served):
    server, url = served("context = 100")
    error = requests.post(url, json={"model": "m", "messages": [{"role": "user", "content": "x" * 444}]}, timeout=10)
    assert (error.status_code, error.json()["error"]["code"], server.asked) == (400, "context_length_exceeded", [])
    assert requests.post(url, json={"model": "m", "messages": [{"role": "user", "content": "x" * 440}]}, timeout=10).status_code == 200
