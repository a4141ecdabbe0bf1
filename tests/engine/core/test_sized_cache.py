"""Kept things: shared, limited in all, and made again when their room was needed."""

from engine.core.sized_cache import SizedCache, remembered


def test_what_is_kept_is_bounded_and_the_oldest_goes_first() -> None:
    kept = SizedCache[str](100)
    for key in "abc":
        kept.put(key, key.upper(), 40)
    assert [kept.get(key) for key in "abc"] == [None, "B", "C"]
    kept.get("b")
    kept.put("d", "D", 40)
    assert [kept.get(key) for key in "bcd"] == ["B", None, "D"]
    kept.put("d", "smaller", 10)
    kept.put("e", "E", 40)
    assert len(kept) == 3
    kept.put("whole", "W", 101)
    assert len(kept) == 0
    kept.put("a", "A", 100)
    kept.clear()
    assert kept.get("a") is None
    kept.put("b", "B", 100)  # the room is free again
    assert kept.get("b") == "B"


def test_a_result_is_found_once_while_it_is_kept() -> None:
    found: list[tuple[str, int]] = []

    @remembered(10, len)
    def repeated(text: str, *, times: int = 2) -> str:
        """Repeats it."""
        found.append((text, times))
        return text * times

    assert [repeated(text) for text in ("ab", "abc", "ab")] == ["abab", "abcabc", "abab"]
    assert repeated.results.used == 10
    assert repeated("x", times=3) == "xxx"  # for it, the one that was not asked for the longest goes
    assert repeated.results.used == 7
    assert (repeated("ab"), repeated("abc")) == ("abab", "abcabc")
    assert found == [("ab", 2), ("abc", 2), ("x", 3), ("abc", 2)]
    repeated.cache_clear()
    assert (repeated("abc"), len(found), repeated.__doc__) == ("abcabc", 5, "Repeats it.")


def test_a_result_with_no_room_is_returned_and_not_kept() -> None:
    doubled = remembered(3, len)(lambda text: text * 2)
    assert (doubled("ab"), doubled.results.used) == ("abab", 0)
