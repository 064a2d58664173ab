"""Which offered tool a name means."""
import pytest

from toolgate.dialects.names import Names


@pytest.mark.parametrize(
    ("said", "offered", "meant"),
    [
        pytest.param("read_file", ["read_file", "write"], "read_file", id="exactly so"),
        pytest.param("Read", ["read", "Read", "READ"], "Read", id="exactly so among others of the same letters"),
        pytest.param("tools.read", ["read", "tools.read"], "tools.read", id="exactly so with a prefix of its own"),
        pytest.param("tools:a/b.c", ["tools:a/b.c"], "tools:a/b.c", id="exactly so with signs"),
        pytest.param("READ_FILE", ["read_file"], "read_file", id="in capitals"),
        pytest.param("read-file", ["read_file"], "read_file", id="with a hyphen"),
        pytest.param("read_file", ["read-file"], "read-file", id="with an underscore"),
        pytest.param("readFile", ["read_file"], "read_file", id="in camel case"),
        pytest.param("ReadFile", ["read-file"], "read-file", id="in Pascal case"),
        pytest.param("read_file", ["readFile"], "readFile", id="camel case in the offer"),
        pytest.param(" read_file\n", ["read_file"], "read_file", id="with white space around it"),
        pytest.param("functions.read_file", ["read_file"], "read_file", id="behind functions and a dot"),
        pytest.param("tools.read_file", ["read_file"], "read_file", id="behind tools and a dot"),
        pytest.param(" functions.readFile ", ["read_file"], "read_file", id="several of these at once"),
        pytest.param("functions.read", ["READ", "read"], "read", id="exactly so once the prefix is gone"),
        pytest.param("читать", ["Читать"], "Читать", id="in another script"),
    ],
)
def test_meant(said, offered, meant):
    assert Names(offered).meant(said) == meant


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        pytest.param("read_fil", ["read_file"], id="a letter is missing"),
        pytest.param("read_files", ["read_file"], id="a letter too many"),
        pytest.param("read", ["read_file"], id="the beginning of a name"),
        pytest.param("READ", ["read", "Read"], id="two tools of the same letters"),
        pytest.param("a-b", ["a_b", "aB"], id="two tools but for the hyphen"),
        pytest.param("functions.READ", ["read", "Read"], id="two tools behind a prefix"),
        pytest.param("my.read_file", ["read_file"], id="a prefix that nobody uses"),
        pytest.param("functions.functions.read", ["read"], id="a prefix twice"),
        pytest.param("functions.", ["read"], id="a prefix alone"),
        pytest.param("", ["read"], id="no name"),
        pytest.param("  ", ["read"], id="white space"),
        pytest.param("read", [], id="nothing is offered"),
    ],
)
def test_meant_by_nobody(said, offered):
    assert Names(offered).meant(said) is None


@pytest.mark.parametrize(
    ("offered", "any_offered"),
    [pytest.param(["read"], True, id="a tool"), pytest.param([], False, id="none")],
)
def test_names_are_true_where_a_tool_is_offered(offered, any_offered):
    assert bool(Names(offered)) is any_offered


def test_names_are_told_one_by_one():
    assert sorted(Names(["b", "a", "b"])) == ["a", "b"]
