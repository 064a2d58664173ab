"""The stage with a small Python program behind it, and a real server with a chat program."""
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from toolgate_exec.stage import Exec, Options

from toolgate.conversation import Message, Request, Role, Text
from toolgate.exchange import Client, Exchange, Hop

HERE = Path(__file__).parent
TOOLGATE = Path(sys.executable).parent / "toolgate"
OURS = ("TOOLGATE_CONFIG", "UPSTREAM_BASE_URL", "UPSTREAM_API_KEY", "UPSTREAM_CODEC", "HOST", "PORT")
INI = """
[server]
drain = 1
port = 0
[pipeline]
stages = normalize emulate exec parse check restore retry encode
[stage:exec]
command = {command}
[routes]
* = -
"""


@pytest.fixture
def ask(tmp_path):
    """The events of a program's answer; `program` is its Python text, `command` what to run in its place."""

    def ask(program="", said="hi", command=None, seconds=60.0, **options):
        script = tmp_path / "program.py"
        script.write_text("import os, sys, time\n" + textwrap.dedent(program))
        stage = Exec(Options(command=command or (sys.executable, "-u", str(script)), **options))
        request, now = Request("m", (Message(Role.USER, (Text(said),)),)), time.monotonic()
        exchange = Exchange("x", Client(), None, now, now + seconds)
        return stage.toolgate_forward(request=request, hop=Hop(request, exchange))

    return ask


@pytest.fixture
def servers():
    running = []
    yield running
    for server in running:
        server.terminate()
        server.wait(20)
        server.stdout.close()


@pytest.fixture
def serve(servers, tmp_path):
    """Start a server before a program of this folder; gives its address."""

    def serve(program):
        ini = tmp_path / "toolgate.ini"
        ini.write_text(INI.format(command=f"'{sys.executable}' -u '{HERE / program}' '{tmp_path / 'pids'}'"))
        env = {name: value for name, value in os.environ.items() if name not in OURS}
        command = [str(TOOLGATE), "serve", "--config", str(ini)]
        servers.append(subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True))
        line = servers[-1].stdout.readline()
        assert "listens on" in line, "the server did not start"
        return line.split()[-1]

    return serve


@pytest.fixture
def gone():
    """Is the process of this id gone, soon?"""

    def gone(pid, within=3.0):
        until = time.monotonic() + within
        while time.monotonic() < until:
            if not _runs(pid):
                return True
            time.sleep(0.05)
        return False

    return gone


def _runs(pid):
    """A zombie that nobody of ours can reap (an orphan's, under a lazy init) runs no more."""
    try:
        os.kill(pid, 0)
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
