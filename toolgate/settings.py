"""INI and environment in, typed settings out: the only module that knows the file is INI.

A variable of the environment beats one in `.env`, which beats the INI, which
beats the defaults.  Every fault is a `ConfigError` that names the file, the
section, the option, and the nearest name that is known.
"""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as IniError
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import urlsplit

import orjson
from dotenv import dotenv_values
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from .errors import ConfigError

MAIN, NATIVE = "default", "native"
AUTO = (NATIVE, MAIN)
OPENAI = "https://api.openai.com/v1"
ENVIRONMENT = {
    "UPSTREAM_BASE_URL": "where your model is served, up to and with /v1",
    "UPSTREAM_API_KEY": "its key, if it wants one; alone it means OpenAI's own address",
    "UPSTREAM_CODEC": "the protocol it speaks",
    "HOST": "the address to listen on",
    "PORT": "the port to listen on",
    "ADMIN_API_KEY": "the key that guards the admin API",
    "TOOLGATE_CONFIG": "an INI file to read",
}
NO_UPSTREAM = (
    "no model server is named: set UPSTREAM_BASE_URL to its address, up to and with /v1 "
    "(or UPSTREAM_API_KEY alone for OpenAI), or name one in an INI by --config"
)


def _words(raw: object) -> object:
    return tuple(raw.split()) if isinstance(raw, str) else raw


def _lists(raw: object) -> object:
    """`auto` is short for what both seeds ask: natively where the server can, else emulated."""
    words = _words(raw)
    return AUTO if words == ("auto",) else words


def _header_lines(raw: object) -> object:
    if not isinstance(raw, str):
        return raw
    lines = [line.partition(":") for line in raw.splitlines() if line.strip()]
    if faulty := [name for name, colon, _ in lines if not colon]:
        raise ValueError(f"each line is 'Name: value', not {faulty[0]!r}")
    return {name.strip(): value.strip() for name, _, value in lines}


def _json(raw: object) -> object:
    return orjson.loads(raw or "{}") if isinstance(raw, str) else raw


def _address(raw: object) -> object:
    if isinstance(raw, str) and raw.strip() != "embedded:":
        parts = urlsplit(raw.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("it must be an address, as in http://127.0.0.1:1234/v1")
    return raw


def _existing(raw: object) -> object:
    if raw and isinstance(raw, str) and not Path(raw).exists():
        raise ValueError("there is no such file")
    return raw


Names = Annotated[tuple[str, ...], BeforeValidator(_words)]
Lists = Annotated[tuple[str, ...], BeforeValidator(_lists)]
Headers = Annotated[dict[str, str], BeforeValidator(_header_lines)]
JsonFields = Annotated[dict[str, object], BeforeValidator(_json)]
Roles = Annotated[tuple[Literal["alternate", "no_system", "no_developer"], ...], BeforeValidator(_words)]
Address = Annotated[str, BeforeValidator(_address)]
Existing = Annotated[str, BeforeValidator(_existing)]
Handling = Literal["pass", "placeholder", "refuse"]


class Section(BaseModel):
    """Base of every section: unknown options are errors, values are frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class ServerSection(Section):
    host: str = Field("127.0.0.1", description="the address to listen on; 0.0.0.0 is every network this machine is on")
    port: int = Field(8000, ge=0, le=65535, description="the port to listen on; 0: a free one, which the log names")
    workers: int = Field(1, ge=1, le=256, description="processes; one serves hundreds of streams, more use more cores")
    connections: int = Field(1000, ge=1, description="clients one worker serves at the same time")
    max_body: int = Field(32_000_000, ge=1, description="the largest request, in bytes; beyond it: 413")
    drain: int = Field(30, ge=0, description="seconds that running replies get to end when the server is stopped")


class AdminSection(Section):
    key_env: str = Field("ADMIN_API_KEY", description="the environment variable with the key for the admin API")


class PipelineSection(Section):
    stages: Names = Field(description="stages from the client inwards, then back out")
    observers: Names = Field((), description="plugins that only listen")
    max_hops: int = Field(8, ge=1, le=64, description="upstream calls one request may cost")


class UpstreamSection(Section):
    codec: str = Field("openai_chat", description="the protocol it speaks")
    url: Address = Field(description="its base address, up to and with /v1; embedded: is the demo model")
    key_env: str = Field("", description="the environment variable that has its key")
    key: Literal["own", "client"] = Field(
        "own", description="own: the client's key is ignored and never sent; client: it is passed on"
    )
    auth: Literal["bearer", "x-api-key", "api-key", "none"] = Field("bearer", description="how the key is sent")
    extra_headers: Headers = Field({}, description="sent with every request, one 'Name: value' a line")
    extra_body: JsonFields = Field({}, description="a JSON object laid over every request's body")
    drop: Names = Field((), description="fields this server does not take; they are left out of the body")
    ca_bundle: Existing = Field("", description="a file of certificates to trust in place of the system's")
    client_cert: Existing = Field("", description="a file with the certificate and key to show the server")
    proxy: str = Field("", description="an HTTP proxy to reach it by; the environment's proxies are not used")
    roles: Roles = Field((), description="alternate: merge neighbours; no_system, no_developer: it knows no such role")
    max_output_tokens: int | None = Field(None, ge=1, description="the most it writes; a larger wish is cut to this")
    context: int | None = Field(
        None, ge=1, description="tokens its window holds; a longer prompt (about 4 characters a token) is 400"
    )
    images: Handling = Field("pass", description="pass: sent on; placeholder: a note in their place; refuse: 400")
    files: Handling = Field("placeholder", description="files and sounds likewise")
    connect: float = Field(5.0, gt=0, description="seconds to reach it")
    first_byte: float = Field(600.0, gt=0, description="seconds until it begins to answer")
    idle: float = Field(120.0, gt=0, description="seconds of silence in the middle of an answer")
    total: float = Field(1800.0, gt=0, description="seconds one client request may take, all its hops together")
    slots: int = Field(0, ge=0, description="requests it serves at once, counted over all workers; 0: no limit")
    wait: float = Field(60.0, ge=0, description="seconds to queue for a slot; then 503")


class RouteSection(Section):
    upstream: str = Field("", description="the name of an [upstream:...]; none where a stage forwards by itself")
    model: str = Field("", description="the model's name there, if it is another")
    pipeline: Lists = Field(
        (MAIN,), description="its list; a second one takes over when the first cannot; auto: native, then default"
    )


BUILT_IN = {
    MAIN: "normalize emulate forward parse check restore retry encode",
    NATIVE: "normalize forward parse check restore retry encode",
}
SINGLE = {"server": ServerSection, "admin": AdminSection, "pipeline": PipelineSection, "routes": None}
FAMILIES = {"pipeline": PipelineSection, "stage": None, "upstream": UpstreamSection, "route": RouteSection}
S = TypeVar("S", bound=Section)


class Settings:
    """What an INI text and an environment say; each section is checked when it is asked for."""

    def __init__(self, text: str = "", environ: Mapping[str, str] | None = None, file: str = "the settings") -> None:
        self.file, self.environ = file, dict(environ or {})
        self._ini = ConfigParser(
            interpolation=None, delimiters=("=",), comment_prefixes=("#", ";"), inline_comment_prefixes=(";",),
            default_section="no section is a default",
        )
        self._ini.optionxform = str  # type: ignore[assignment,method-assign]  # typeshed: the documented way
        try:
            self._ini.read_string(text, file)
        except IniError as error:
            raise ConfigError(f"{file}: {str(error).strip()}") from error
        for section in self._ini.sections():
            self._known(section)

    @classmethod
    def load(cls, config: str = "", environ: Mapping[str, str] | None = None, dotenv: str = ".env") -> Settings:
        """The INI of `config`, or of TOOLGATE_CONFIG, or none; `.env` stands in the working directory."""
        found = {key: value for key, value in dotenv_values(dotenv).items() if value is not None}
        merged = {**found, **(os.environ if environ is None else environ)}
        file = config or merged.get("TOOLGATE_CONFIG", "")
        try:
            text = Path(file).read_text(encoding="utf-8") if file else ""
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: the configuration cannot be read: {error}") from error
        return cls(text, merged, file or "the environment")

    def server(self) -> ServerSection:
        laid = {option: self.environ[name] for option, name in (("host", "HOST"), ("port", "PORT"))
                if self.environ.get(name)}
        return self._read(ServerSection, {}, "server", laid=laid)

    def admin(self) -> AdminSection:
        return self._read(AdminSection, {}, "admin")

    def pipelines(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*BUILT_IN, *self._family("pipeline"))))

    def pipeline(self, name: str = MAIN) -> PipelineSection:
        if name not in self.pipelines():
            raise ConfigError(f"{self.file}: there is no [pipeline:{name}]{_nearest(name, self.pipelines())}")
        base = self._options("pipeline")
        if name != MAIN:
            base.pop("stages", None)
        built_in = {"stages": BUILT_IN[name]} if name in BUILT_IN else {}
        return self._read(PipelineSection, built_in | base, f"pipeline:{name}" if name != MAIN else "pipeline")

    def upstreams(self) -> tuple[str, ...]:
        named = self._family("upstream")
        return (*named, "env") if self._by_environment and "env" not in named else named

    def upstream(self, name: str) -> UpstreamSection:
        if name not in self.upstreams():
            raise ConfigError(f"{self.file}: there is no [upstream:{name}]{_nearest(name, self.upstreams())}")
        laid = self._environment_upstream() if name == "env" else {}
        return self._read(UpstreamSection, {}, f"upstream:{name}", laid=laid)

    def stages(self) -> tuple[str, ...]:
        """What stands behind `stage:` in the file's sections, variants included."""
        return self._family("stage")

    def stage(self, name: str, variant: str, model: type[S]) -> S:
        entry = f"{name}:{variant}"
        if variant and entry not in self.stages():
            raise ConfigError(f"{self.file}: {entry} stands in a list and needs a section [stage:{entry}]")
        base = self._options(f"stage:{name}") if variant else {}
        return self._read(model, base, f"stage:{entry}" if variant else f"stage:{name}")

    def routes(self) -> tuple[tuple[str, RouteSection], ...]:
        """(model pattern, route): exact names, then patterns as they stand in the file, `*` last."""
        found = dict(self._routes())
        if "*" not in found and self._by_environment:
            found["*"] = RouteSection.model_validate({"upstream": "env", "pipeline": AUTO})
        if not found:
            raise ConfigError(NO_UPSTREAM)
        return tuple(sorted(found.items(), key=lambda route: (any(c in route[0] for c in "*?["), route[0] == "*")))

    def secret(self, name: str) -> str:
        """The value of an environment variable, "" if it is not set."""
        return self.environ.get(name, "") if name else ""

    def _routes(self) -> Iterator[tuple[str, RouteSection]]:
        for pattern in self._family("route"):
            yield pattern, self._read(RouteSection, {}, f"route:{pattern}")
        for pattern, line in self._options("routes").items():
            upstream, _, lists = line.partition(",")
            told = {"upstream": upstream.strip().removeprefix("-"), **({"pipeline": lists} if lists.strip() else {})}
            yield pattern, self._checked(RouteSection, told, "routes", pattern)

    @property
    def _by_environment(self) -> bool:
        return bool(self.environ.get("UPSTREAM_BASE_URL") or self.environ.get("UPSTREAM_API_KEY"))

    def _environment_upstream(self) -> dict[str, str]:
        codec = self.environ.get("UPSTREAM_CODEC")
        url = self.environ.get("UPSTREAM_BASE_URL") or OPENAI
        return {"url": url, "key_env": "UPSTREAM_API_KEY", **({"codec": codec} if codec else {})}

    def _family(self, family: str) -> tuple[str, ...]:
        return tuple(s.partition(":")[2] for s in self._ini.sections() if s.startswith(f"{family}:"))

    def _options(self, section: str) -> dict[str, str]:
        return dict(self._ini[section]) if self._ini.has_section(section) else {}

    def _read(self, model: type[S], base: Mapping[str, str], section: str, laid: Mapping[str, str] | None = None) -> S:
        return self._checked(model, {**base, **self._options(section), **(laid or {})}, section)

    def _checked(self, model: type[S], raw: Mapping[str, object], section: str, option: str = "") -> S:
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            faults = "; ".join(_fault(model, dict(fault), option) for fault in error.errors())
            raise ConfigError(f"{self.file}: [{section}] {faults}") from error

    def _known(self, section: str) -> None:
        family, colon, name = section.partition(":")
        if section in SINGLE or (colon and name and family in FAMILIES):
            return
        known = (*SINGLE, *(f"{family}:{name or '...'}" for family in FAMILIES))
        raise ConfigError(f"{self.file}: there is no section [{section}]{_nearest(section, known)}")


def _fault(model: type[Section], fault: Mapping[str, object], option: str) -> str:
    path = fault["loc"] or ("",)
    name = option or ".".join(map(str, path))  # type: ignore[call-overload]  # pydantic: a tuple of names
    if fault["type"] == "extra_forbidden":
        return f"{name}: there is no such option{_nearest(name, tuple(model.model_fields))}"
    if fault["type"] == "missing":
        return f"{name}: it must be set"
    return f"{name} = {fault['input']!r}: {str(fault['msg']).removeprefix('Value error, ')}"


def _nearest(name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}" if known else ""
