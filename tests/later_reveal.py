"""A `reveal` stage as a stranger would write it: it holds the core to what it must carry."""
from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from pydantic import Field

from toolgate.conversation import Request
from toolgate.corrections import corrected
from toolgate.decisions import AskForCall
from toolgate.errors import SelectionFailed
from toolgate.events import CallRefused, Event, Reply, ToolsChosen
from toolgate.exchange import Hop
from toolgate.hookspecs import hookimpl
from toolgate.settings import Section


class Config(Section):
    max_continue_rounds: int = Field(3, ge=1, le=10, description="upstream calls a choice may cost")


class Reveal:
    """Only notes the choice; `pack` shows the tools on the next way in."""

    Config = Config

    def __init__(self, config: Config) -> None:
        self._rounds = config.max_continue_rounds

    @hookimpl
    def toolgate_judge(self, reply: Reply, sent: Request, hop: Hop, asked_before: int) -> AskForCall | None:
        names = tuple(name for choice in reply.all(ToolsChosen) for name in choice.names)
        if not names:
            return None
        if asked_before >= self._rounds:
            raise SelectionFailed(f"the model chose {asked_before + 1} times; last {', '.join(names)}")
        seen = hop.asked.revealed or ()
        known = tuple(name for name in dict.fromkeys(names) if sent.hidden(name) and name not in seen)
        if known:
            shown = replace(hop.asked, revealed=(*seen, *known)).keeping(reply.calls)
            return AskForCall(shown, f"chose {', '.join(known)}")
        asked = corrected(hop.asked, reply, sent.told_by, lambda event: _words(event, sent, seen))
        return AskForCall(asked, f"chose in vain: {', '.join(names)}")


def _words(event: Event, sent: Request, seen: tuple[str, ...]) -> str:
    match event:
        case ToolsChosen(names=names) if all(name in seen for name in names):
            return f"{', '.join(names)}: already shown, call it now."
        case ToolsChosen(names=names):
            offered = [tool.name for tool in sent.packed]
            near = dict.fromkeys(near for name in names for near in get_close_matches(name, offered, cutoff=0.3))
            return f"There is no tool {', '.join(names)}. Nearest: {', '.join(near or offered[:5])}."
        case CallRefused(reason=reason, hint=hint):
            return f"{reason.value}. {hint}".strip()
    return "it could not be read."
