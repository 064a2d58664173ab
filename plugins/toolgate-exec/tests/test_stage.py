"""The stage alone, with small programs."""
import os
import sys
import time

import pytest
from pydantic import ValidationError
from toolgate_exec.stage import Options

from toolgate.errors import UpstreamError, UpstreamSilent
from toolgate.events import Ending, Finished, TextDelta, Usage, Waiting


def text(events):
    return "".join(event.text for event in events if type(event) is TextDelta)


def test_it_answers_what_it_was_asked(ask):
    *events, last = ask("print(sys.stdin.read(), end='')", said="How are you?")
    assert text(events) == "User:\nHow are you?\n\nAssistant:\n"
    assert last == Finished(Ending.STOP, Usage(8, 8, estimated=True))


def test_text_comes_as_it_is_written(ask):
    came, began = [], time.monotonic()
    for event in ask("for word in 'abc': print(word, end=''); time.sleep(0.4)"):
        came.append((time.monotonic() - began, event))
    at = {event.text: seconds for seconds, event in came if type(event) is TextDelta}
    assert list(at) == ["a", "b", "c"] and at["c"] - at["a"] > 0.6


def test_a_silence_is_said_every_tick(ask):
    events = list(ask("time.sleep(1); print('x')"))
    assert events[0] == Waiting() and 3 <= events.index(TextDelta("x\n")) <= 10


def test_a_steady_flow_leaves_the_clock_its_turn(ask):
    events, began = [], time.monotonic()
    flow = ask("while True: os.write(1, b'x' * 100)")
    while time.monotonic() - began < 1.5:
        events.append(next(flow))
    flow.close()
    assert events.count(Waiting()) >= 3


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("'é€😀'.encode()", "é€😀", id="cut in the middle of characters"),
        pytest.param("'a€'.encode()[:-1]", "a�", id="cut off for good"),
        pytest.param("b'a\\xffb'", "a�b", id="not UTF-8"),
    ],
)
def test_utf_8(ask, written, read):
    assert text(ask(f"for byte in {written}: os.write(1, bytes([byte])); time.sleep(0.02)")) == read


def test_more_than_the_pipes_hold(ask):
    program = """
    os.write(2, b'e' * 300_000)
    asked = sys.stdin.read()
    os.write(2, b'e' * 300_000)
    sys.stdout.write(asked)
    """
    assert len(text(ask(program, said="x" * 500_000))) == 500_000 + len("User:\n\n\nAssistant:\n")


def test_it_need_not_read_what_it_is_asked(ask):
    assert text(ask("print('no')", said="x" * 500_000)) == "no\n"


def test_a_failure_names_code_and_complaint(ask):
    events = ask("print('a'); os.write(2, b'x' * 90_000 + b'\\nno such model\\n'); sys.exit(3)")
    with pytest.raises(UpstreamError, match=r"ended with code 3: .*\nno such model$") as raised:
        list(events)
    assert raised.value.status == 502 and len(str(raised.value)) < 3_000


def test_a_crash_is_a_failure_too(ask):
    with pytest.raises(UpstreamError, match="ended with code -9"):
        list(ask("os.kill(os.getpid(), 9)"))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        pytest.param("no-such-chat --fast", "'no-such-chat' was not found", id="not found"),
        pytest.param(os.path.dirname(__file__), "cannot be started: Permission denied", id="not a program"),
    ],
)
def test_a_command_that_cannot_run(ask, command, why):
    with pytest.raises(UpstreamError, match=why) as raised:
        list(ask(command=command))
    assert raised.value.status == 502


@pytest.mark.parametrize(
    "limits",
    [pytest.param({"timeout": 0.5}, id="its timeout"), pytest.param({"seconds": 0.5}, id="the request's deadline")],
)
def test_out_of_time(ask, gone, limits):
    pids = []
    with pytest.raises(UpstreamSilent, match=r"did not finish in 0\.5 s") as raised:
        for event in ask("print(os.getpid()); time.sleep(60)", **limits):
            pids += [int(event.text)] if type(event) is TextDelta else []
    assert raised.value.status == 504 and gone(pids[0], within=0.2)


@pytest.mark.parametrize(
    "written",
    [pytest.param("time.sleep(60)", id="silent"), pytest.param("while True: os.write(1, b'x' * 1000)", id="busy")],
)
def test_a_client_that_leaves(ask, gone, written):
    """The program, and its child that would have outlived it."""
    program = f"""
    child = os.fork() or time.sleep(60)
    print(os.getpid(), child, end='|')
    {written}
    """
    events, said = ask(program), ""
    while "|" not in said:
        said += text([next(events)])
    pid, child = map(int, said.partition("|")[0].split())
    events.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert gone(child)


def test_pipes_are_given_back(ask):
    list(ask("print('warm')"))
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        list(ask("print('x')"))
    assert len(os.listdir("/dev/fd")) == before


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        pytest.param("ollama run llama3", ("ollama", "run", "llama3"), id="plain"),
        pytest.param("llm -s 'be brief'", ("llm", "-s", "be brief"), id="quoted"),
        pytest.param("", None, id="empty"),
        pytest.param("llm 'oh", None, id="never closed"),
    ],
)
def test_command(raw, words):
    if words is None:
        with pytest.raises(ValidationError):
            Options(command=raw)
    else:
        assert Options(command=raw).command == words


def test_no_shell_reads_it(ask):
    command = f"{sys.executable} -c 'import sys; print(sys.argv[1:])' $HOME *"
    assert text(ask(command=command)) == "['$HOME', '*']\n"
