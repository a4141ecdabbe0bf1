"""The board's message."""

from bot.board.message import CONTENT, MOST_TOLD, fitted, newest


def test_a_long_story_loses_its_beginning() -> None:
    middle = [f"line {number} of a long story" for number in range(200)]
    lines = fitted("first", middle, ["last"])
    assert len("\n".join(lines)) <= CONTENT
    assert lines[0] == "first"
    assert lines[1] == "…"
    assert lines[-2:] == [middle[-1], "last"]


def test_a_short_story_is_told_whole() -> None:
    assert fitted("first", ["a", "b"], ["last"]) == ["first", "a", "b", "last"]


def test_of_many_forced_turns_the_last_ones_are_told() -> None:
    lines = [str(number) for number in range(MOST_TOLD + 2)]
    assert newest(lines) == ["…", *lines[2:]]
    assert newest(lines[2:]) == lines[2:]
