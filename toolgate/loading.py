"""Entry points → configured stages → ordered callers; refuses a list that lies."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy

from . import hookspecs
from .errors import ConfigError
from .settings import MAIN, Section, Settings

Named = tuple[str, object]
Caller = Callable[..., Any]
"""A hook of one stage: pluggy checks its arguments by name, and nobody what it returns."""
GROUP = "toolgate.stages"


class Stages:
    """The registered stages, hook by hook.

    Pluggy broadcasts; a pipeline folds.  So every stage and every observer gets
    a caller of its own, from which the others of its kind are left out: an
    observer's wrapper sees each single stage run, and one observer that fails
    does not silence the next.
    """

    def __init__(
        self, stages: Sequence[Named], observers: Sequence[Named] = (), where: str = "[pipeline]"
    ) -> None:
        self._where = where
        self._manager = manager = pluggy.PluginManager("toolgate")
        manager.add_hookspecs(hookspecs)
        try:
            for name, plugin in (*stages, *observers):
                manager.register(plugin, name=name)
            manager.check_pending()
        except (pluggy.PluginValidationError, ValueError) as error:
            raise ConfigError(f"{where} stages: {error}") from error
        self.plugins = [plugin for _, plugin in (*stages, *observers)]
        self._of: dict[str, list[tuple[str, Caller]]] = {
            hook: [] for hook in (*hookspecs.STAGE_HOOKS, *hookspecs.RECORD_HOOKS)
        }
        self._place(stages)
        self._listen(observers)
        for hook in hookspecs.SINGLE:
            if len(self._of[hook]) != 1:
                raise ConfigError(f"{where} stages: exactly one stage must do {hook}")

    def of(self, hook: str) -> list[tuple[str, Caller]]:
        return self._of[hook]

    def only(self, hook: str) -> tuple[str, Caller]:
        [one] = self._of[hook]
        return one

    def _place(self, stages: Sequence[Named]) -> None:
        above, furthest = "", 0
        for name, plugin in stages:
            hook = self._only_hook(name, plugin)
            place = hookspecs.STAGE_HOOKS.index(hook)
            if place < furthest:
                raise ConfigError(f"{self._where} stages: {name!r} must stand above {above!r}")
            above, furthest = name, place
            self._of[hook].append((name, self._alone(hook, plugin, stages)))

    def _listen(self, observers: Sequence[Named]) -> None:
        for name, plugin in observers:
            callers = self._manager.get_hookcallers(plugin) or ()
            if not callers:
                raise ConfigError(f"{self._where} observers: {name!r} listens to no hook")
            for hook in (caller.name for caller in callers):
                if hook in hookspecs.RECORD_HOOKS:
                    self._of[hook].append((name, self._alone(hook, plugin, observers)))
                elif not self._impl(hook, plugin).wrapper:
                    raise ConfigError(f"{self._where} observers: {name!r} may only wrap {hook}")

    def _alone(self, hook: str, plugin: object, peers: Sequence[Named]) -> Caller:
        others = [other for _, other in peers if other is not plugin]
        return self._manager.subset_hook_caller(hook, others)

    def _only_hook(self, name: str, plugin: object) -> str:
        hooks = [caller.name for caller in self._manager.get_hookcallers(plugin) or ()]
        if len(hooks) != 1 or hooks[0] not in hookspecs.STAGE_HOOKS:
            raise ConfigError(f"{self._where} stages: {name!r} must implement one stage hook, not {hooks}")
        impl = self._impl(hooks[0], plugin)
        if impl.wrapper or impl.hookwrapper or impl.tryfirst or impl.trylast:
            raise ConfigError(f"{self._where} stages: {name!r} must be a plain hookimpl; the list is the order")
        return hooks[0]

    def _impl(self, hook: str, plugin: object) -> pluggy.HookImpl:
        impls: list[pluggy.HookImpl] = getattr(self._manager.hook, hook).get_hookimpls()
        return next(impl for impl in impls if impl.plugin is plugin)


def load(settings: Settings, pipeline: str = MAIN) -> Stages:
    """The stages and observers of a list, each configured by its section."""
    section = settings.pipeline(pipeline)
    return Stages(
        [(entry, made(settings, entry)) for entry in section.stages],
        [(entry, made(settings, entry)) for entry in section.observers],
        f"{settings.file}: [pipeline{'' if pipeline == MAIN else ':' + pipeline}]",
    )


def made(settings: Settings, entry: str) -> object:
    """One stage: "retry" or, with a section laid over the stage's own, "retry:patient"."""
    name, _, variant = entry.partition(":")
    stage = offered(name, settings.file).load()
    return stage(settings.stage(name, variant, stage.Config))


def config_of(name: str, file: str) -> type[Section]:
    """What may stand in a stage's section."""
    config: type[Section] = offered(name, file).load().Config
    return config


def offered(name: str, file: str) -> EntryPoint:
    """The entry point of a stage; only listed stages are ever imported."""
    found = entry_points(group=GROUP, name=name)
    if not found:
        known = sorted({point.name for point in entry_points(group=GROUP)})
        near = get_close_matches(name, known, 1, 0.5)
        told = f"did you mean {near[0]!r}?" if near else f"installed: {', '.join(known)}"
        raise ConfigError(f"{file}: no installed package offers a stage {name!r}; {told}")
    if len(found) > 1:
        packages = ", ".join(sorted(point.dist.name if point.dist else "?" for point in found))
        raise ConfigError(f"{file}: {len(found)} packages offer a stage {name!r}: {packages}; remove one")
    return next(iter(found))
