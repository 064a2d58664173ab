"""Every error toolgate raises on purpose, cut by whose fault it is.

    ToolgateError
      ConfigError            the operator's, start-up only
      ClientError            400, what was asked is wrong
        PromptTooLong        400
        NotFound             404, no such path
          UnknownModel       404
        NotAllowed           405, no such method there
        TooLarge             413
        Unmet                422, what a model did wrong and no repeat will mend
          TooManyHops
          SelectionFailed
          CallMissing
      UpstreamError          502
        UpstreamRefused      the upstream's own status, where the client can mend it
          ToolsRefused       it knows no tools; another list may answer
        UpstreamBroken       502, it closed in the middle or spoke nonsense
        UpstreamSilent       504
        UpstreamFull         429, no place in the queue for one of its slots
        UpstreamBusy         503, no slot of it became free in time
      PipelineError          500
        StageFailed
        Refusing             503, an observer will not have the exchange

A codec alone turns them into bodies.  `status` and `code` sit on the class of
whose fault it is, `param` (the field that is wrong) and `retry_after` (seconds)
on the instance.  `final` says that asking again cannot help.
"""
from __future__ import annotations

from typing import ClassVar

TOLD = {400: 400, 404: 404, 413: 413, 422: 422, 429: 429, 408: 504, 504: 504, 503: 503, 529: 503}
KEYS = (401, 403)


class ToolgateError(Exception):
    """The root; `str()` of it is what the client or the operator reads."""

    status: int = 500
    code: str = "internal_error"
    final: ClassVar[bool] = False

    def __init__(self, message: str, param: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.param, self.retry_after = param, retry_after


class ConfigError(ToolgateError):
    """The configuration cannot be used; names file, section and option."""


class ClientError(ToolgateError):
    """What was asked is wrong; `param` is the path of the field, as in `messages[2].content`."""

    status, code, final = 400, "invalid_value", True

    def __init__(self, message: str, param: str | None = None, code: str = "") -> None:
        super().__init__(message, param)
        self.code = code or self.code


class PromptTooLong(ClientError):
    """The prompt is longer than the model's window; agents shorten their history on exactly this code."""

    code = "context_length_exceeded"


class NotFound(ClientError):
    """No such path."""

    status, code = 404, "not_found"


class UnknownModel(NotFound):
    """No route takes this model."""

    code = "model_not_found"


class NotAllowed(ClientError):
    """The path is there, the method is not."""

    status, code = 405, "method_not_allowed"


class TooLarge(ClientError):
    """The body is larger than this server reads."""

    status, code = 413, "request_too_large"


class Unmet(ClientError):
    """What a model did wrong and no repeat will mend; never 5xx, since agents repeat those for ever."""

    status, code = 422, "unmet"


class TooManyHops(Unmet):
    """The model was asked as often as the pipeline allows, and said nothing that can be delivered."""

    code = "too_many_hops"

    def __init__(self, limit: int, judge: str) -> None:
        super().__init__(f"the model was asked {limit} times; {judge!r} would ask again")


class SelectionFailed(Unmet):
    """The model chose among packed tools and called none."""

    code = "tool_selection_failed"


class CallMissing(Unmet):
    """A call was forced, and none came."""

    code = "tool_call_missing"


class UpstreamError(ToolgateError):
    """The model server failed; names it."""

    status, code = 502, "upstream_error"


class UpstreamRefused(UpstreamError):
    """The model server answered with an error of its own."""

    def __init__(
        self, upstream: str, answered: int, body: str, said: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(f"{upstream} answered {answered}: {(said or body)[:2000]}", retry_after=retry_after)
        self.upstream, self.answered, self.body = upstream, answered, body
        self.status = TOLD.get(answered, 502)


class ToolsRefused(UpstreamRefused):
    """The model server will not have tools in fields."""


class UpstreamBroken(UpstreamError):
    """The model server closed in the middle, or spoke nonsense."""


class UpstreamSilent(UpstreamError):
    """The model server did not answer in time."""

    status, code = 504, "upstream_timeout"


class UpstreamFull(UpstreamError):
    """Every slot of the model server is taken, and every place in the queue for one."""

    status, code = 429, "rate_limit_exceeded"


class UpstreamBusy(UpstreamError):
    """No slot of the model server became free in time."""

    status, code = 503, "overloaded"


class PipelineError(ToolgateError):
    """A stage broke the rules of the pipeline."""


class StageFailed(PipelineError):
    """A stage had an accident; names the stage."""

    code = "stage_failed"

    def __init__(self, stage: str, cause: Exception) -> None:
        super().__init__(f"stage {stage!r} failed: {cause!r}")
        self.stage = stage


class Refusing(PipelineError):
    """An observer will not have the exchange, for instance because it cannot be recorded."""

    status, code = 503, "refused"
