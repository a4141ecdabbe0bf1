"""Kept things: shared, limited in all, and made again when their room was needed."""

from engine.core.sized_cache import SizedCache, remembered


def test_a_cache_is_bounded_and_the_least_recently_used_goes_first() -> None:
    cache = SizedCache[str, str](100, len)
    for key in "abc":
        cache.put(key, key * 40)
    assert [cache.get(key) for key in "abc"] == [None, "b" * 40, "c" * 40]
    cache.get("b")
    cache.put("d", "d" * 40)
    assert dict(cache.items()) == {"b": "b" * 40, "d": "d" * 40}
    cache.put("d", "d" * 10)
    cache.put("e", "e" * 40)
    assert (len(cache), cache.used) == (3, 90)
    cache.pop("b")
    cache.pop("no such key")
    assert (len(cache), cache.used) == (2, 50)
    cache.put("whole", "w" * 101)
    assert (len(cache), cache.used) == (0, 0)
    cache.put("a", "a" * 100)
    cache.clear()
    assert (cache.get("a"), cache.used) == (None, 0)
    cache.put("b", "b" * 100)  # there is room again
    assert cache.get("b") == "b" * 100


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
