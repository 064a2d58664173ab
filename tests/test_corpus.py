"""Raw outputs of models, each with the reading that a careful person gives it, whole and in pieces."""
import importlib.util
import json

import pytest
from needs import SHARED

from toolgate.testing import parse, parse_stream

pytestmark = pytest.mark.shared


def rows():
    file = SHARED / "corpus" / "public.jsonl"
    every = map(json.loads, file.read_text(encoding="utf-8").splitlines()) if file.exists() else ()
    return [pytest.param(row, id=row["id"]) for row in every]


@pytest.fixture(scope="module")
def judge():
    spec = importlib.util.spec_from_file_location("score", SHARED / "corpus" / "score.py")
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    return score.judge


@pytest.mark.parametrize("row", rows())
def test_whole(row, judge):
    assert judge(row, *parse(row["text"], row["tools"])) == []


@pytest.mark.parametrize("size", [1, 3, 16, 4096])
@pytest.mark.parametrize("row", rows())
def test_in_pieces(row, size, judge):
    text = row["text"]
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    assert judge(row, *parse_stream(pieces, row["tools"])) == []
