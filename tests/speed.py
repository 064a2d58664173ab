"""How fast toolgate is beside a bare echo of the same parts, and whether it streams to many at once: `make speed`.

Three processes beside this one: a model server that answers at once, an echo
(Flask, gunicorn with a gevent worker, requests' adapter: parse, post, parse,
write) and toolgate.  The figures are ratios of the two in turn within one run;
absolute numbers belong to the machine.
"""
import json
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import gevent
from gevent import monkey

monkey.patch_all()

from gevent import socket  # noqa: E402
from scripted import free_port, started, stopped  # noqa: E402

HERE = Path(__file__).parent
CONNECTIONS, SECONDS, ROUNDS = 16, 3, 5
STREAMS, STREAM_SECONDS = 200, 10
SCHEMA = {"type": "object", "properties": {k: {"type": "string", "description": f"The {k} to work on, as a whole path or name."} for k in ("path", "pattern", "mode", "encoding")}, "required": ["path"]}
TOOLS = [{"type": "function", "function": {"name": f"tool_{n}", "description": "Does one thing with a file and says what came of it. " * 4, "parameters": SCHEMA}} for n in range(20)]
TURNS = [{"role": ("user", "assistant")[n % 2], "content": "Some words of a conversation that goes on for a while. " * 8} for n in range(9)]


def request(path, model, stream):
    body = json.dumps({"model": model, "messages": TURNS, "tools": TOOLS, "stream": stream}).encode()
    return b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (path.encode(), len(body), body)


def answer(sock, buffered):
    """One whole HTTP answer; returns its body and what came behind it."""
    while b"\r\n\r\n" not in buffered:
        buffered += received(sock)
    head, _, rest = buffered.partition(b"\r\n\r\n")
    assert b" 200 " in head.split(b"\r\n")[0], head
    lower = head.lower()
    if b"content-length:" in lower:
        size = int(lower.split(b"content-length:")[1].split(b"\r\n")[0])
        while len(rest) < size:
            rest += received(sock)
        return rest[:size], rest[size:]
    while not rest.endswith(b"0\r\n\r\n"):
        rest += received(sock)
    return rest, b""


def received(sock):
    data = sock.recv(262_144)
    assert data, "the server closed"
    return data


def load(port, asked, seconds):
    """Answers a second over `CONNECTIONS` connections that are kept."""
    done, until = [0], time.monotonic() + seconds

    def one():
        with socket.create_connection(("127.0.0.1", port)) as sock:
            buffered = b""
            while time.monotonic() < until:
                sock.sendall(asked)
                _, buffered = answer(sock, buffered)
                done[0] += 1

    gevent.joinall([gevent.spawn(one) for _ in range(CONNECTIONS)], raise_error=True)
    return done[0] / seconds


def compared(title, toolgate, echo, asked, unit=1):
    pairs = []
    for _ in range(ROUNDS):
        pairs.append((load(echo, asked, SECONDS) * unit, load(toolgate, asked, SECONDS) * unit))
    ratios = [b / a for a, b in pairs]
    print(f"{title:<34} echo {statistics.median(a for a, _ in pairs):>9,.0f}/s   toolgate {statistics.median(b for _, b in pairs):>9,.0f}/s"
          f"   ratio {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})")


def many_streams(port):
    """200 clients at once for 10 s: how long each chunk took from the model server to the client."""
    delays, chunks = [], [0]

    def one():
        with socket.create_connection(("127.0.0.1", port)) as sock:
            sock.sendall(request("/v1/chat/completions", "slow", True))
            buffered = b""
            while b"[DONE]" not in buffered[-200:]:
                data = received(sock)
                now = time.time()
                buffered = buffered[-200:] + data
                for piece in data.split(b'"content":"at ')[1:]:
                    chunks[0] += 1
                    delays.append(now - float(piece.split(b" ")[0]))

    began = time.monotonic()
    gevent.joinall([gevent.spawn(one) for _ in range(STREAMS)], raise_error=True)
    delays.sort()
    print(f"{STREAMS} streams through one worker       {chunks[0]} chunks in {time.monotonic() - began:.1f} s; delay median "
          f"{delays[len(delays) // 2] * 1000:.0f} ms, 99 % {delays[len(delays) * 99 // 100] * 1000:.0f} ms, most {delays[-1] * 1000:.0f} ms")


def main():
    model, echo, toolgate = free_port(), free_port(), free_port()
    with TemporaryDirectory() as folder:
        ini = Path(folder) / "toolgate.ini"
        ini.write_text(f"[upstream:model]\nurl = http://127.0.0.1:{model}/v1\n[routes]\n* = model\n")
        env = {"SPEED_UPSTREAM": f"http://127.0.0.1:{model}/v1", "TOOLGATE_CONFIG": str(ini), "PYTHONPATH": str(HERE)}
        gunicorn = [sys.executable, "-m", "gunicorn", "-k", "gevent", "-w", "1", "--worker-connections", "1000", "--log-level", "warning", "--keep-alive", "30", "--graceful-timeout", "1"]
        servers = [
            started([*gunicorn, "-b", f"127.0.0.1:{model}", "speed_servers:model"], model, env, HERE),
            started([*gunicorn, "-b", f"127.0.0.1:{echo}", "speed_servers:echo"], echo, env, HERE),
            started([sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", "-b", f"127.0.0.1:{toolgate}", "wsgi:app"], toolgate, env),
        ]
        try:
            compared("whole answers with a call", toolgate, echo, request("/v1/chat/completions", "call", False))
            compared("streamed events (2,000 an answer)", toolgate, echo, request("/v1/chat/completions", "long", True), 2000)
            many_streams(toolgate)
        finally:
            for server in servers:
                stopped(server)


main()
