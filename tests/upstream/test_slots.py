"""The slots of a server that serves a few at once, counted over processes."""
import multiprocessing
import secrets
from dataclasses import replace

import pytest
from scripted import exchange

from toolgate.errors import UpstreamBusy, UpstreamFull
from toolgate.events import Waiting
from toolgate.slots import PLACES, Slots


@pytest.fixture
def address():
    return f"http://{secrets.token_hex(8)}"


ALIVE = []


def named(id):
    """An exchange that stays: one that is forgotten has given its slot back."""
    ALIVE.append(replace(exchange(), id=id))
    return ALIVE[-1]


def take(address, ready, done):
    list(Slots(address, 1).taken(named("other"), 0, "up"))
    ready.set()
    done.wait(10)


def test_a_free_slot_is_taken_at_once_and_kept_over_hops(address):
    slots, one = Slots(address, 1), named("a")
    assert list(slots.taken(one, 0, "up")) == [] and list(slots.taken(one, 0, "up")) == []


def test_it_is_given_back_at_the_end_of_the_exchange(address):
    slots, one, two = Slots(address, 1), named("a"), named("b")
    list(slots.taken(one, 0, "up"))
    waiting = slots.taken(two, 5, "up")
    assert isinstance(next(waiting), Waiting)
    one.holding.close()
    list(waiting)
    two.holding.close()


def test_the_wait_is_bounded(address):
    slots = Slots(address, 1)
    list(slots.taken(named("a"), 0, "up"))
    with pytest.raises(UpstreamBusy) as caught:
        list(slots.taken(named("b"), 0.1, "up"))
    assert caught.value.status == 503


def test_a_full_queue_is_refused_at_once(address):
    slots = Slots(address, 1)
    list(slots.taken(named("a"), 0, "up"))
    queue = [slots.taken(named(str(n)), 5, "up") for n in range(PLACES)]
    assert all(isinstance(next(one), Waiting) for one in queue)
    with pytest.raises(UpstreamFull) as caught:
        next(slots.taken(named("late"), 5, "up"))
    assert caught.value.status == 429


def test_one_who_leaves_the_queue_gives_back_the_place(address):
    slots = Slots(address, 1)
    list(slots.taken(named("a"), 0, "up"))
    for n in range(PLACES + 1):
        leaving = slots.taken(named(str(n)), 5, "up")
        next(leaving)
        leaving.close()


def test_processes_share_the_slots(address):
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=take, args=(address, ready, done))
    other.start()
    assert ready.wait(20)
    waiting = Slots(address, 1).taken(named("a"), 10, "up")
    assert isinstance(next(waiting), Waiting)
    other.terminate()
    list(waiting)
    other.join()
