"""Kept results: found once, shared, and limited in all."""

from engine.core.kept import Kept


def test_a_result_is_found_once_while_it_is_kept() -> None:
    found: list[str] = []

    def doubled(text: str) -> str:
        found.append(text)
        return text * 2

    kept = Kept(doubled, 10, len)
    assert [kept(text) for text in ("ab", "abc", "ab")] == ["abab", "abcabc", "abab"]
    assert found == ["ab", "abc"]
    assert kept.used == 10
    assert kept("x") == "xx"  # for it, the one that was not asked for the longest goes
    assert kept.used == 6
    kept("ab")
    assert found == ["ab", "abc", "x"]
    kept("abc")
    assert found == ["ab", "abc", "x", "abc"]
    assert kept.used == 10


def test_a_result_with_no_room_is_returned_and_not_kept() -> None:
    kept = Kept(lambda text: text * 2, 3, len)
    assert (kept("ab"), kept.used) == ("abab", 0)
