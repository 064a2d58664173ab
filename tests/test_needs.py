"""What is learnt of a model: by whom it is known, and for how long."""
import multiprocessing

import pytest

from toolgate import needs
from toolgate.needs import Needs
from toolgate.store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def test_another_worker_knows_it(path):
    Needs("up", Store(path)).learn("m", 1)
    assert Needs("up", Store(path)).of("m") == 1


def test_another_upstream_or_model_is_another_matter(path):
    Needs("up", Store(path)).learn("m", 1)
    assert (Needs("down", Store(path)).of("m"), Needs("up", Store(path)).of("n")) == (None, None)


def test_it_is_forgotten_after_a_while(path, monkeypatch):
    monkeypatch.setattr(needs, "LASTS", -1.0)
    Needs("up", Store(path)).learn("m", 1)
    assert Needs("up", Store(path)).of("m") is None


def test_what_is_known_is_not_written_again(path):
    store = Store(path)
    known = Needs("up", store)
    known.learn("m", 1)
    store.put("needs", "up\nm", b"0", 60)
    known.learn("m", 1)
    assert store.get("needs", "up\nm") == b"0"


def test_the_latest_counts(path):
    known = Needs("up", Store(path))
    known.learn("m", 0)
    known.learn("m", 1)
    assert Needs("up", Store(path)).of("m") == 1


def test_without_a_store_this_process_knows():
    known = Needs()
    known.learn("m", 1)
    assert (known.of("m"), known.of("n")) == (1, None)


def _write(path, number):
    store = Store(path)
    for turn in range(50):
        store.put("needs", f"{number}-{turn}", b"1", 60)


def test_workers_beside_each_other_lose_nothing(path):
    spawned = multiprocessing.get_context("spawn")
    workers = [spawned.Process(target=_write, args=(path, number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    store = Store(path)
    assert all(store.get("needs", f"{number}-{turn}") == b"1" for number in range(3) for turn in range(50))
