"""The command line, as a person runs it."""
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from scripted import ROOT, free_port, started, stopped

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


@pytest.mark.clients
def test_demo_goes_on_to_its_final_answer(tmp_path):
    done = run("demo", cwd=tmp_path, UPSTREAM_BASE_URL="http://127.0.0.1:1/v1")
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.split("—— turn ")[1:]
    assert first.count("get_weather({") >= 3 and "the client gets (tool_calls)" in first
    assert "save_report({" in second and "the client gets (tool_calls)" in second
    assert "the client gets (stop)" in third and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("ini", "told"),
    [
        pytest.param("[stage:retry:unused]\nattemps = 1\n", "did you mean 'attempts'", id="a section that no list uses"),
        pytest.param("[pipeline:unused]\nstages = normalise\n", "did you mean 'normalize'", id="a list that no route uses"),
        pytest.param("[upstream:x]\nurl = nonsense\n", "it must be an address", id="no address"),
        pytest.param("[upstream:x]\nurl = http://a/v1\nca_bundle = /no/such\n", "there is no such file", id="a missing file"),
        pytest.param("[routes]\n* = gone\n", "gone", id="a route to nowhere"),
    ],
)
def test_check_finds(tmp_path, ini, told):
    (tmp_path / "my.ini").write_text(ini)
    done = run("check", "--config", "my.ini", cwd=tmp_path, UPSTREAM_BASE_URL="http://127.0.0.1:1/v1")
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


def test_check_tells_no_secret(tmp_path):
    (tmp_path / "my.ini").write_text(
        "[upstream:x]\nurl = https://me:s3cret@host/v1?key=s3cret\nproxy = http://me:s3cret@proxy\nextra_headers = X-Key: s3cret\n"
        'extra_body = {"nested": {"api_key": "s3cret"}, "top_k": 3}\n[routes]\n* = x\n'
    )
    done = run("check", "--config", "my.ini", cwd=tmp_path)
    assert done.returncode == 0 and "s3cret" not in done.stdout and '"top_k":3' in done.stdout and "attempts = 2" in done.stdout


def test_ping_says_what_each_upstream_answers(tmp_path, upstream):
    (tmp_path / "my.ini").write_text(f"[upstream:there]\nurl = http://127.0.0.1:{upstream}/v1\n[upstream:away]\nurl = http://127.0.0.1:{free_port()}/v1\n[routes]\n* = there\n")
    done = run("check", "--ping", "--config", "my.ini", cwd=tmp_path)
    assert done.returncode == 1 and "there: it is there" in done.stdout and "away cannot be reached" in done.stdout


def gunicorn(*words, cwd=ROOT, **environ):
    env = {**{k: v for k, v in os.environ.items() if not k.startswith("UPSTREAM")}, **environ}
    return subprocess.run([sys.executable, "-m", "gunicorn", *words], cwd=cwd, env=env, capture_output=True, text=True, timeout=60)


def test_gunicorn_without_an_upstream_says_which_variable_to_set():
    done = gunicorn("-c", "gunicorn.conf.py", "-b", "127.0.0.1:0", "wsgi:app")
    assert done.returncode != 0 and "set UPSTREAM_BASE_URL" in done.stderr and "Traceback" not in done.stderr


def test_a_worker_that_cannot_stream_is_refused():
    done = gunicorn("-c", "gunicorn.conf.py", "-k", "sync", "-b", "127.0.0.1:0", "wsgi:app", UPSTREAM_BASE_URL="embedded:")
    assert done.returncode != 0 and "'sync' cannot stream" in done.stderr
