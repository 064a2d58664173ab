"""SIGTERM: running replies end, within bounds, and the stages are stopped even then."""
import json
import secrets
import signal
import sys
import time

import pytest
import requests
from scripted import free_port, started

pytestmark = pytest.mark.server


@pytest.fixture
def served(upstream, tmp_path):
    running = []

    def served(drain):
        port, ini = free_port(), tmp_path / "toolgate.ini"
        ini.write_text(f"[server]\ndrain = {drain}\n[upstream:up]\nurl = http://127.0.0.1:{upstream}/v1\n[routes]\n* = up\n")
        command = [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", "-b", f"127.0.0.1:{port}", "wsgi:app"]
        running.append(started(command, port, {"TOOLGATE_CONFIG": str(ini)}))
        return running[-1], f"http://127.0.0.1:{port}/v1/chat/completions"

    yield served
    for server in running:
        server.kill()
        server.wait()


def streaming(url, *steps):
    """The lines of a stream, once the first words have come."""
    script = json.dumps({"id": secrets.token_hex(6), "hops": [steps]})
    reply = requests.post(url, json={"model": "m", "stream": True, "messages": [{"role": "user", "content": script}]}, stream=True, timeout=30)
    lines = reply.iter_lines(chunk_size=1)
    return next(line for line in lines if b"content" in line), lines


def test_a_running_reply_ends(served):
    server, url = served(drain=20)
    _, lines = streaming(url, "first ", 3, "last")
    server.send_signal(signal.SIGTERM)
    rest = b"\n".join(lines)
    assert b"last" in rest and b"[DONE]" in rest
    assert server.wait(20) == 0


def test_a_reply_that_does_not_end_is_cut_when_the_drain_is_over(served):
    server, url = served(drain=1)
    _, lines = streaming(url, "first ", 60, "last")
    server.send_signal(signal.SIGTERM)
    began = time.monotonic()
    with pytest.raises(requests.exceptions.RequestException):
        list(lines)
    assert time.monotonic() - began < 6
    assert server.wait(10) == 0
