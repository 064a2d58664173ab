"""What the settings say, and what a wrong one is told."""
import pytest

from toolgate.errors import ConfigError
from toolgate.routes import Routes
from toolgate.settings import OPENAI, Settings


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        pytest.param({"UPSTREAM_BASE_URL": "http://a/v1"}, "http://a/v1", id="an address"),
        pytest.param({"UPSTREAM_API_KEY": "k"}, OPENAI, id="a key alone means OpenAI"),
    ],
)
def test_one_variable_suffices(environ, url):
    settings = Settings("", environ)
    assert settings.upstream("env").url == url
    assert [(pattern, route.upstream, route.pipeline) for pattern, route in settings.routes()] == [("*", "env", ("native", "default"))]


@pytest.mark.parametrize(
    ("ini", "told"),
    [
        pytest.param("", "set UPSTREAM_BASE_URL", id="no upstream at all"),
        pytest.param("[upstreem:a]\nurl=http://x", r"no section \[upstreem:a\]; did you mean 'upstream:a'", id="a section"),
        pytest.param("[upstream:a]\nurl=http://x\nslotz=1\n[routes]\n*=a", r"\[upstream:a\] slotz: there is no such option; did you mean 'slots'", id="an option"),
        pytest.param("[upstream:a]\nurl=http://x\nslots=many\n[routes]\n*=a", r"\[upstream:a\] slots = 'many'", id="a value"),
        pytest.param("[upstream:a]\n[routes]\n*=a", r"\[upstream:a\] url: it must be set", id="a missing option"),
        pytest.param("[upstream:local]\nurl=http://x\n[routes]\n*=locl", r"no \[upstream:locl\]; did you mean 'local'", id="an upstream"),
        pytest.param("[upstream:a]\nurl=http://x\n[routes]\n*=a, natve", r"no \[pipeline:natve\]; did you mean 'native'", id="a list"),
        pytest.param("[routes]\n* = -", "names no upstream", id="a route without an upstream"),
        pytest.param("[upstream:a]\nurl=http://x\ncodec=opneai\n[routes]\n*=a", "there is no such codec", id="a codec"),
        pytest.param("url=x", "my.ini", id="no section at all"),
    ],
)
def test_a_fault_names_its_place_and_what_is_near(ini, told):
    with pytest.raises(ConfigError, match=told):
        Routes(Settings(ini, {}, "my.ini"))


@pytest.mark.parametrize(
    ("model", "pattern"),
    [
        pytest.param("qwen:7b", "qwen:7b", id="the exact name"),
        pytest.param("qwen:1b", "qwen:*", id="a pattern"),
        pytest.param("other", "*", id="the default"),
    ],
)
def test_routes(model, pattern):
    ini = "[upstream:a]\nurl=http://x\n[routes]\n* = a\nqwen:* = a\nqwen:7b = a ; the large one\n"
    assert Routes(Settings(ini)).find(model).pattern == pattern


def test_the_environment_beats_the_file():
    settings = Settings("[server]\nport = 1\nhost = a\n", {"PORT": "2"})
    assert (settings.server().port, settings.server().host) == (2, "a")
