"""Reading ahead in another thread."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from assay.streaming.ahead import read_ahead


def test_items_come_in_order():
    assert list(read_ahead(iter(range(100)), depth=3)) == list(range(100))


def test_failure_comes_after_the_items_before_it():
    def items():
        yield 1
        raise OSError("broken")

    ahead = read_ahead(items())
    assert next(ahead) == 1
    with pytest.raises(OSError, match="broken"):
        next(ahead)


def test_it_is_known_when_somebody_waits():
    awaited, go_on, seen = threading.Event(), threading.Event(), []

    def items():
        yield 1
        go_on.wait()
        seen.append(awaited.wait(timeout=60))  # until the next one is asked for
        yield 2

    ahead = read_ahead(items(), awaited=awaited)
    assert next(ahead) == 1
    assert not awaited.is_set()
    go_on.set()
    assert next(ahead) == 2
    assert (seen, awaited.is_set()) == ([True], False)


def test_whoever_stops_early_stops_the_thread():
    before = threading.active_count()
    with closing(read_ahead(iter(range(10**9)), depth=2)) as items:
        assert next(items) == 0
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
