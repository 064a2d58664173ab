"""Where visible text ends: at the client's stop sequence, and before a result that the model made up."""
import pytest

from toolgate.conversation import Message, Request, Role, Text, ToolCall
from toolgate.events import CallOpened, Ending, Finished, Reply, StopText, TextDelta, Waiting, whole_call
from toolgate.stops import stopped

CALL = whole_call(CallOpened("1", "f"), ToolCall("1", "f", "{}"))
ASKED = Request("m", (Message(Role.USER, (Text("four"),)),), stop=("Observation:", "\n\nHuman"))


def said(*items, size=0, asked=ASKED):
    """The text and the calls that pass, and how it ended."""
    events = []
    for item in items:
        pieces = [item[at : at + size] for at in range(0, len(item), size)] if size and isinstance(item, str) else [item]
        events += [TextDelta(piece) if isinstance(piece, str) else piece for piece in pieces]
    reply = Reply.of(stopped(iter([*events, Finished(Ending.STOP)]), asked))
    return reply.text, len(reply.calls), reply.finished.reason


@pytest.mark.parametrize("size", [0, 1, 3])
@pytest.mark.parametrize(
    ("text", "shown", "reason"),
    [
        pytest.param("a Observation: b", "a ", StopText("Observation:"), id="a stop"),
        pytest.param("Observation:", "", StopText("Observation:"), id="nothing before it"),
        pytest.param("a Observatory", "a Observatory", Ending.STOP, id="the beginning of a stop only"),
        pytest.param("a Observation", "a Observation", Ending.STOP, id="cut off in a stop"),
        pytest.param("a\n\nHuman Observation:", "a", StopText("\n\nHuman"), id="the first of two"),
        pytest.param("\n\n\n\nHuman", "\n\n", StopText("\n\nHuman"), id="its beginning twice"),
    ],
)
def test_a_clients_stop(text, shown, reason, size):
    assert said(text, size=size) == (shown, 0, reason)


@pytest.mark.parametrize("size", [0, 1, 3])
@pytest.mark.parametrize(
    ("after", "shown"),
    [
        pytest.param("Tool result for call_1 (f):\n3", "", id="at once"),
        pytest.param("\nTool result for call_1 (f):\n3", "", id="on the next line"),
        pytest.param("Now.\nTool result for call_1 (f):\n3", "Now.", id="after words"),
        pytest.param("The Tool result for f comes.", "The Tool result for f comes.", id="within a line"),
        pytest.param("Tool", "Tool", id="its beginning only"),
    ],
)
def test_a_result_that_the_model_made_up(after, shown, size):
    assert said(*CALL, after, *whole_call(CallOpened("2", "f"), ToolCall("2", "f", "{}")), size=size)[0] == shown


def test_a_call_behind_an_invented_result_is_not_made():
    assert said(*CALL, "\nTool result for 1 (f):\n3\n", *CALL)[1:] == (1, Ending.STOP)


def test_without_a_call_such_a_line_is_an_answer():
    assert said("Tool result for 1 (f):\n3")[0] == "Tool result for 1 (f):\n3"


def test_what_comes_between_does_not_hide_a_stop():
    assert said("a Obser", Waiting(), "vation: b")[0] == "a "


def test_the_rest_is_not_awaited_and_its_cost_is_estimated():
    def events():
        yield TextDelta("12345678Observation:")
        raise AssertionError("read on")

    [_, end] = stopped(events(), ASKED)
    assert (end.usage.input, end.usage.output, end.usage.estimated) == (1, 2, True)


def test_without_stops_events_pass_as_they_are():
    text = TextDelta("a")
    assert next(stopped(iter([text]), Request("m", ()))) is text
