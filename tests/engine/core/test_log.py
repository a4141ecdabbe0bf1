"""A sequence that shares its places with those it grew from."""

from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.log import Log


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99))))
def test_every_log_stays_as_it_was(added: list[tuple[int, int]]) -> None:
    logs: list[Log[int]] = [Log()]
    expected: list[tuple[int, ...]] = [()]
    for back, item in added:
        at = max(len(logs) - 1 - back, 0)
        logs.append(logs[at].add(item))
        expected.append((*expected[at], item))
        assert logs == expected
    for log, items in zip(logs, expected, strict=True):
        assert (len(log), hash(log), list(reversed(log))) == (len(items), hash(items), [*reversed(items)])
        assert [log[at] for at in range(-len(items), len(items))] == [*items, *items]
        assert (log[1:], log[-2:], log[::-1], log[: len(items)]) == (items[1:], items[-2:], items[::-1], items)
        assert [log.count(item) for item in range(100)] == [items.count(item) for item in range(100)]


def test_nothing_is_found_behind_the_end() -> None:
    short = Log("ab")
    short.add("c")
    for at in (2, -3):
        with pytest.raises(IndexError):
            short[at]
    assert short != "ab"
    assert repr(short) == "Log(['a', 'b'])"
    assert Log.of(short) is short
    assert Log.of(("a", "b")) == short


def test_additions_in_many_threads_do_not_mix() -> None:
    logs: list[Log[tuple[int, int]]] = [Log() for _ in range(8)]
    shared: Log[tuple[int, int]] = Log()

    def grow(number: int) -> None:
        log = shared
        for step in range(2000):
            log = log.add((number, step))
        logs[number] = log

    threads = [Thread(target=grow, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(list(log) == [(number, step) for step in range(2000)] for number, log in enumerate(logs))
