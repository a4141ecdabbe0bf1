"""The board's message."""

from bot.board.message import CONTENT, fitted


def test_a_long_story_loses_its_beginning() -> None:
    middle = [f"line {number} of a long story" for number in range(200)]
    lines = fitted("first", middle, ["last"])
    assert len("\n".join(lines)) <= CONTENT
    assert lines[0] == "first"
    assert lines[1] == "…"
    assert lines[-2:] == [middle[-1], "last"]


def test_a_short_story_is_told_whole() -> None:
    assert fitted("first", ["a", "b"], ["last"]) == ["first", "a", "b", "last"]
