"""Runs the stages; the whole control flow of toolgate is in `Pipeline.run`."""
from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import TypeVar

from .codec import Codec
from .conversation import Request, ToldBy
from .decisions import Again, AskForCall, Decision, Deliver, Elsewhere, GiveUp
from .errors import (
    ConfigError,
    PipelineError,
    SelectionFailed,
    StageFailed,
    ToolgateError,
    ToolsRefused,
    TooManyHops,
    Unmet,
    UpstreamError,
)
from .events import Event, ToolsChosen
from .exchange import Done, Exchange, Hop, Outcome
from .gate import Gate
from .loading import Stages
from .needs import Needs
from .wire import Head

T = TypeVar("T")
MODE, MODES = "x-toolgate-mode", {ToldBy.FIELDS: "native", ToldBy.TEXT: "emulated"}


class Course:
    """What an exchange has come to so far: its hops, and the gate of the last of them."""

    def __init__(self) -> None:
        self.hops: list[Done] = []
        self.gate: Gate | None = None
        self.told_by = ToldBy.FIELDS

    def outcome(self, how: str, error: BaseException | None = None) -> Outcome:
        gate = self.gate or Gate()
        return Outcome(how, error, tuple(self.hops), gate.shown or gate.released, gate.withheld)


class Pipeline:
    """One list of stages, or several of which each takes over when the one before it cannot."""

    def __init__(self, lists: Sequence[Stages], max_hops: int, needs: Needs | None = None) -> None:
        self.lists, self.max_hops = tuple(lists), max_hops
        self._needs = needs or Needs()
        for hook in ("toolgate_normalize", "toolgate_encode"):
            if len({stages.only(hook)[0] for stages in self.lists}) > 1:
                raise ConfigError(f"[routes] the lists of one route must share the stage for {hook}")

    def undecided(self, model: str) -> bool:
        return len(self.lists) > 1 and self._needs.of(model) is None

    def answer(self, body: object, exchange: Exchange, codec: Codec) -> Generator[Head | bytes, None, None]:
        """One `Head`, then bytes; told to the observers before and after."""
        course, outcome = Course(), None
        stage, encode = self.lists[0].only("toolgate_encode")
        try:
            self._tell("toolgate_record_start", exchange=exchange)
            request = self.normalize(body, exchange, codec)
            with closing(self.run(request, exchange, course)) as events, Blaming(stage):
                said = encode(events=events, request=request, codec=codec, exchange=exchange)
                with closing(blamed(stage, said)) as chunks:
                    for chunk in chunks:
                        yield chunk.saying(MODE, MODES[course.told_by]) if type(chunk) is Head else chunk
            outcome = course.outcome("delivered")
        except Exception as error:
            outcome = course.outcome("failed", error)
            raise
        finally:
            outcome = outcome or course.outcome("abandoned")
            exchange.holding.close()
            self._tell("toolgate_record_exchange", exchange=exchange, outcome=outcome)

    def normalize(self, body: object, exchange: Exchange, codec: Codec) -> Request:
        stage, normalize = self.lists[0].only("toolgate_normalize")
        with Blaming(stage):
            request: Request = normalize(body=body, codec=codec, exchange=exchange)
            return request

    def shaped(self, request: Request, exchange: Exchange) -> tuple[tuple[tuple[str, Request], ...], Request]:
        """The shape stages alone: what `apply`, `explain` and `count_tokens` show."""
        steps: list[tuple[str, Request]] = []
        sent = self._shape(self._lists_for(request)[0], Hop(request, exchange), steps)
        return tuple(steps), sent

    def run(
        self, request: Request, exchange: Exchange, course: Course | None = None
    ) -> Generator[Event, None, None]:
        hop, course, (stages, *others) = Hop(request, exchange), course or Course(), self._lists_for(request)
        while True:
            steps: list[tuple[str, Request]] = []
            overruled: list[tuple[str, Decision]] = []
            decision: Decision | GiveUp | None = None
            error: BaseException | None = None
            judge = ""
            gate = course.gate = Gate(before=course.gate)
            try:
                sent = self._shape(stages, hop, steps)
                course.told_by = sent.told_by
                gate.keep(sent)
                with closing(self._reading(stages, sent, hop)) as events:
                    for event in events:
                        yield from gate.offer(event)
                judge, decision = self._judge(stages, gate, sent, hop, bool(others), overruled)
            except BaseException as caught:
                error, decision = caught, self._despite(caught, gate, hop, others)
                if decision is None:
                    raise
            finally:
                done = Done(hop, tuple(steps), gate.reply, decision, tuple(overruled), error)
                course.hops.append(done)
                self._tell("toolgate_record_hop", done=done)
            match decision:
                case Deliver() if gate.says(hop.asked.kept) or not done.reply.all(ToolsChosen):
                    self._learn(request, stages, done)
                    return (yield from gate.open(hop.asked.kept, hop.spent))
                case Elsewhere():
                    hop, stages, others = hop.next(hop.asked, "elsewhere", done), others[0], others[1:]
                case Again(request=asked) | AskForCall(request=asked) if hop.number < self.max_hops:
                    hop = hop.next(asked, judge, done)
                case _:
                    return (yield from self._give_up(gate, done, judge))

    def _despite(self, error: BaseException, gate: Gate, hop: Hop, others: list[Stages]) -> Decision | GiveUp | None:
        """What to do though the hop failed; None: nothing, it is raised."""
        if isinstance(error, ToolsRefused) and others and gate.allows(elsewhere := Elsewhere(str(error))):
            self._needs.learn(hop.asked.model, self.lists.index(others[0]))
            return elsewhere
        failed = isinstance(error, (UpstreamError, PipelineError)) or (hop.asked.kept and isinstance(error, Unmet))
        return GiveUp() if failed and not gate.spoke and _last(gate.before, hop.asked) else None

    def _give_up(self, gate: Gate, done: Done, judge: str) -> Iterator[Event]:
        """The last complete reply that says anything, and the kept calls; else the error."""
        asked = getattr(done.decision, "request", done.hop.asked)
        if last := _last(gate, asked):
            spent = [*done.hop.spent, done.reply.usage]
            spent.remove(last.reply.usage)
            return last.open(asked.kept, tuple(spent))
        if done.error:
            raise done.error
        if isinstance(done.decision, Deliver):
            raise SelectionFailed("the model chose tools and did nothing else")
        raise TooManyHops(self.max_hops, judge)

    def _lists_for(self, request: Request) -> tuple[Stages, ...]:
        needed = self._needs.of(request.model) if len(self.lists) > 1 else None
        return self.lists if needed is None else (self.lists[needed],)

    def _learn(self, request: Request, stages: Stages, done: Done) -> None:
        """A list by which a call came is the one that this model needs."""
        if len(self.lists) > 1 and done.reply.calls:
            self._needs.learn(request.model, self.lists.index(stages))

    def _shape(self, stages: Stages, hop: Hop, steps: list[tuple[str, Request]]) -> Request:
        request = hop.asked
        for stage, shape in stages.of("toolgate_shape"):
            with Blaming(stage):
                request = shape(request=request, hop=hop) or request
            steps.append((stage, request))
        return request

    def _reading(self, stages: Stages, sent: Request, hop: Hop) -> Generator[Event, None, None]:
        """The chain of readers; every stream of it is closed at the end, outermost first."""
        streams: list[Generator[Event, None, None]] = []
        try:
            stage, forward = stages.only("toolgate_forward")
            with Blaming(stage):
                streams.append(blamed(stage, forward(request=sent, hop=hop)))
            for stage, read in stages.of("toolgate_read"):
                with Blaming(stage):
                    streams.append(blamed(stage, read(events=streams[-1], request=sent, hop=hop)))
            yield from streams[-1]
        finally:
            for stream in reversed(streams):
                stream.close()

    def _judge(
        self, stages: Stages, gate: Gate, sent: Request, hop: Hop, another: bool,
        overruled: list[tuple[str, Decision]],
    ) -> tuple[str, Decision]:
        reply = gate.reply
        for stage, judge in stages.of("toolgate_judge"):
            asked_before = hop.times_asked_by(stage)
            with Blaming(stage):
                said = judge(reply=reply, sent=sent, hop=hop, asked_before=asked_before)
            for decision in said if isinstance(said, tuple) else (said,):
                if decision is not None:
                    if gate.allows(decision) and (another or not isinstance(decision, Elsewhere)):
                        return stage, decision
                    overruled.append((stage, decision))
        return "pipeline", Deliver()

    def _tell(self, hook: str, **facts: object) -> None:
        """Tell every observer, whatever the others do; then let the first failure be known."""
        failures = []
        for stage, record in self.lists[0].of(hook):
            try:
                record(**facts)
            except Exception as error:
                failures.append(error if isinstance(error, ToolgateError) else StageFailed(stage, error))
        if failures:
            raise failures[0]


def _last(gate: Gate | None, asked: Request) -> Gate | None:
    """The gate of the last complete reply that has something to say."""
    return next((g for g in gate.complete() if g.says(asked.kept)), None) if gate else None


class Blaming:
    """Turn a stage's accident into a `StageFailed` that names the stage."""

    __slots__ = ("_stage",)

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, ToolgateError):
            raise StageFailed(self._stage, error) from error


def blamed(stage: str, items: Iterator[T]) -> Generator[T, None, None]:
    with Blaming(stage):
        yield from items
