"""The files that an operator starts from are whole, and say what is in force."""
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from toolgate.routes import Routes
from toolgate.settings import (
    BUILT_IN,
    ENVIRONMENT,
    AdminSection,
    PipelineSection,
    RouteSection,
    ServerSection,
    Settings,
    UpstreamSection,
)

ROOT = Path(__file__).parent.parent
INI = (ROOT / "config/toolgate.ini").read_text()
SECTIONS = {"server": ServerSection, "admin": AdminSection, "pipeline": PipelineSection,
            "upstream:local": UpstreamSection, "route:claude-*": RouteSection}
STAGES = {f"stage:{p.name}": p.load().Config for p in entry_points(group="toolgate.stages")
          if p.value.startswith("toolgate.stages.")}


def options(section):
    """The options of a section, commented or not, with their values."""
    body = re.search(rf"^;?\[{re.escape(section)}\]\n(.*?)(?=^;?\[|\Z)", INI, re.M | re.S)
    assert body, section
    return dict(re.findall(r"^;(\w+) = ?(.*)$", body[1], re.M))


@pytest.mark.parametrize(("section", "model"), [(s, m) for s, m in {**SECTIONS, **STAGES}.items() if m.model_fields])
def test_the_reference_names_every_option_and_no_other(section, model):
    assert set(options(section)) == set(model.model_fields)


@pytest.mark.parametrize("section", ["server", "admin", "pipeline"])
def test_the_reference_states_the_defaults(section):
    model, told = SECTIONS[section], {k: v for k, v in options(section).items() if v}
    assert model.model_validate(told) == model.model_validate({"stages": BUILT_IN["default"]} if section == "pipeline" else {})


def test_the_reference_as_it_is_changes_nothing():
    settings = Settings(INI, {"UPSTREAM_BASE_URL": "http://127.0.0.1:1/v1"})
    assert [(pattern, route.upstream) for pattern, route in settings.routes()] == [("*", "env")]


def test_the_environment_file_names_every_variable():
    named = re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M)
    assert named == list(ENVIRONMENT)


@pytest.mark.parametrize("file", sorted((ROOT / "config/examples").glob("*.ini")), ids=lambda file: file.stem)
def test_an_example_loads(file):
    assert list(Routes(Settings(file.read_text(), {}, file.name)))
