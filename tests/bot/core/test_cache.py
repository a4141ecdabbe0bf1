"""Tests which values are taken from caches, and for how long."""

from harness.sizes import deep_size

from bot.core.cache import ENTRY, Cache, size_of


class Stopwatch:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_value_is_believed_for_its_time_only() -> None:
    watch = Stopwatch()
    memory: Cache[str, str] = Cache(seconds=60, clock=watch)
    memory.keep("a", "", memory.generation)
    watch.seconds += 59.9
    assert memory.get("a") == ""
    watch.seconds += 0.1
    assert memory.get("a") is None
    memory.keep("a", "again", memory.generation)
    assert memory.get("a") == "again"


def test_those_longest_unused_go_first() -> None:
    memory: Cache[int, str] = Cache(capacity=3 * (ENTRY + size_of((0.0, "1"))))
    for key in (1, 2, 3):
        memory.keep(key, str(key), memory.generation)
    assert memory.get(1) == "1"
    memory.keep(4, "4", memory.generation)
    assert len(memory) == 3
    assert [memory.get(key) for key in (1, 2, 3, 4)] == ["1", None, "3", "4"]


def test_what_was_read_before_a_change_is_not_kept() -> None:
    memory: Cache[str, int] = Cache()
    before = memory.generation
    memory.drop("a")
    memory.keep("a", 1, before)
    assert memory.get("a") is None
    memory.keep("a", 2, memory.generation)
    assert memory.get("a") == 2
    memory.drop("a")
    assert memory.get("a") is None


def test_the_size_of_a_value_is_that_of_all_in_it() -> None:
    value = ({"name": "Ana" * 50, "theme": "wood"}, (1, 2.5, None), ["x" * 300])
    assert 0.5 < size_of(value) / deep_size(value) < 2
    assert size_of("y" * 5_000) > 5_000
