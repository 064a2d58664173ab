"""The command line, as a person runs it."""
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from scripted import free_port, started, stopped

TOOLGATE = str(Path(sys.executable).parent / "toolgate")


def run(*words, cwd, **environ):
    env = {"PATH": os.environ["PATH"], **environ}
    return subprocess.run([TOOLGATE, *words], cwd=cwd, env=env, capture_output=True, text=True, timeout=60)


def test_serve_without_an_upstream_says_which_variable_to_set(tmp_path):
    done = run("serve", cwd=tmp_path)
    assert done.returncode == 2 and "set UPSTREAM_BASE_URL" in done.stderr and "Traceback" not in done.stderr


def test_check_names_the_fault(tmp_path):
    (tmp_path / "my.ini").write_text("[stage:retyr]\nattempts = 1\n")
    done = run("check", "--config", "my.ini", cwd=tmp_path, UPSTREAM_BASE_URL="http://127.0.0.1:1/v1")
    assert done.returncode == 2 and "my.ini" in done.stderr and "did you mean 'retry'" in done.stderr


def test_check_masks_the_key(tmp_path):
    done = run("check", cwd=tmp_path, UPSTREAM_BASE_URL="http://127.0.0.1:1/v1", UPSTREAM_API_KEY="s3cret")
    assert done.returncode == 0 and "UPSTREAM_API_KEY (set)" in done.stdout and "s3cret" not in done.stdout


def test_stages_are_printed_in_their_order(tmp_path):
    lines = run("stages", cwd=tmp_path).stdout.splitlines()
    names = [line.split()[0] for line in lines if line.startswith("  ")]
    assert names[:8] == ["normalize", "emulate", "forward", "parse", "check", "restore", "retry", "encode"]


@pytest.mark.parametrize("dotenv", [True, False], ids=["from .env", "from the environment"])
def test_serve_serves(tmp_path, dotenv):
    port = free_port()
    if dotenv:
        (tmp_path / ".env").write_text("UPSTREAM_BASE_URL=embedded:\n")
    server = started([TOOLGATE, "serve", "--port", str(port)], port, {"UPSTREAM_BASE_URL": "embedded:"} if not dotenv else {}, tmp_path)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=10) as answer:
            assert answer.status == 200
    finally:
        stopped(server)


def test_a_worker_that_cannot_stream_is_refused():
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", "-k", "sync", "-b", "127.0.0.1:0", "wsgi:app"],
        cwd=root, env={**os.environ, "UPSTREAM_BASE_URL": "embedded:"}, capture_output=True, text=True, timeout=60,
    )
    assert done.returncode != 0 and "cannot stream" in done.stderr
