"""Checks the statements of topics and lessons about their pictures: positions, refusals and counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.translations import CODES, language
from engine.core.errors import RuleError
from engine.registry import GAMES

if TYPE_CHECKING:
    from engine.core.game import Game
    from engine.core.lesson import Lesson, Topic

EN = language(CODES[0])
WORDS_OF_PLAYS = {"notation", "cube"}
"""Topics that quote how a play is written, and not plays of the picture."""
REFUSED = re.compile(r"refused|may not|must wait|is blocked|cannot")

EXAMPLES = [
    pytest.param(game, topic, id=f"{game.key}-{topic.key}")
    for game in GAMES.values()
    for topic in game.topics
    if topic.key not in WORDS_OF_PLAYS
]

STANDS = [
    ("abak", "topic.block", "10", "Sds"),
    ("abak", "topic.block", "11", "s"),
    ("abak", "topic.column", "12", "Sdss"),
    ("abak", "topic.column", "24", "ED"),
    ("abak", "topic.guard", "10", "g"),
    ("abak", "topic.guard", "12", "SG"),
    ("abak", "topic.prisoner", "10", "Sd"),
    ("abak", "lesson.block.hint", "10", "Sds"),
    ("abak", "lesson.block.hint", "11", "s"),
    ("abak", "lesson.five", "8", "SSSSG"),
    ("abak", "lesson.guard", "10", "g"),
    ("abak", "lesson.guard.hint", "12", "SG"),
    ("abak", "lesson.pair", "9", "g"),
    ("abak", "lesson.general", "7", "SK"),
    ("abak", "lesson.general", "9", "s"),
    ("abak", "lesson.druid", "11", "s"),
    ("abak", "lesson.rescue", "11", "Sd"),
    ("abak", "lesson.outside", "9", "K"),
    ("abak", "lesson.outside", "14", "Sd"),
    ("abak", "lesson.counter-trap", "11", "Sd"),
    ("abak", "lesson.bear-off", "5", "E"),
    ("backgammon", "topic.landing", "19", "ooooo"),
    ("backgammon", "lesson.hit.hint", "20", "o"),
    ("backgammon", "lesson.hit.hint", "24", "XX"),
    ("backgammon", "lesson.bar.hint", "20", "o"),
    ("abalone", "topic.sumito-4-2", "e1", "b"),
    ("abalone", "topic.words", "b1", "b"),
    ("abalone", "topic.words", "b5", "b"),
    ("abalone", "topic.words", "e3", "b"),
    ("abalone", "topic.words", "f8", "b"),
    ("abalone", "topic.words", "i5", "b"),
    ("abalone", "topic.shapes", "c5", "b"),
    ("abalone", "topic.shapes", "e1", "b"),
    ("abalone", "topic.shapes", "a3", "b"),
    ("abalone", "lesson.sumito", "d5", "w"),
    ("abalone", "lesson.sumito-3-1", "f6", "w"),
    ("abalone", "lesson.sumito-3-2", "e5", "w"),
    ("abalone", "lesson.pac", "e3", "b"),
    ("apb", "lesson.strike", "e8", "s"),
    ("apb", "lesson.strike.hint", "c8", "S"),
    ("apb", "lesson.chain.hint", "g7", "s"),
    ("apb", "lesson.stop", "e3", "P"),
    ("apb", "lesson.stop.hint", "e9", "s"),
    ("apb", "lesson.win", "f8", "p"),
    ("apb", "lesson.win.hint", "e7", "S"),
]
"""Which text names a cell, and what stands there: as in the position text; in backgammon X are White's."""


def shown(game: Game[Any, Any], text: str) -> Topic | Lesson:
    """Returns the topic or lesson that a text is about."""
    kind, key = text.split(".")[:2]
    listed: tuple[Topic | Lesson, ...] = game.topics if kind == "topic" else game.lessons
    return next(each for each in listed if each.key == key)


def placed(game: str, position: str) -> dict[str, str]:
    """Returns the name of the piece on each cell that is not empty, as White calls the cell."""
    if game == "backgammon":
        points = position.removeprefix("XGID=").split(":")[0]
        counts = {str(at): ord(sign.upper()) - 64 for at, sign in enumerate(points) if sign != "-"}
        return {at: ("X" if points[int(at)].isupper() else "o") * count for at, count in counts.items()}
    if game == "abak":
        columns = spread(position.removeprefix("ABAKID=").split(":")[0].split("/"))
        return {str(24 - at): column for at, column in enumerate(columns) if column}
    rows = [spread(re.findall(r"\d+|\D", row)) for row in position.split(maxsplit=1)[0].split("/")]
    names = [
        [f"{chr(105 - at)}{max(1, 5 - at) + place}" for place in range(len(row))]
        if game == "abalone"
        else [f"{'abcdefghi'[place]}{12 - at}" for place in range(len(row))]
        for at, row in enumerate(rows)
    ]
    cells = zip([name for row in names for name in row], [sign for row in rows for sign in row], strict=True)
    return {name: sign for name, sign in cells if sign}


def spread(texts: list[str]) -> list[str]:
    """Numbers as so many empty places."""
    return [each for text in texts for each in ([""] * int(text) if text.isdigit() else [text])]


@pytest.mark.parametrize(("game", "text", "cell", "content"), STANDS)
def test_what_a_text_says_stands_there_stands_there(game: str, text: str, cell: str, content: str) -> None:
    assert placed(game, shown(GAMES[game], text).position)[cell] == content
    for code in CODES:
        assert re.search(rf"\b{cell}\b", language(code)(f"{game}.{text}")), "the text no longer names it"


@pytest.mark.parametrize(("game", "topic"), EXAMPLES)
def test_a_topic_calls_refused_what_is_refused_and_nothing_else(game: Game[Any, Any], topic: Topic) -> None:
    for sentence in re.split(r"(?<=[.;!?])\s", EN(f"{game.key}.topic.{topic.key}")):
        plays = [play for play in re.findall(r"`([^`]+)`", sentence) if re.search(r"\d|pass", play)]
        if plays:
            assert any(is_refused(game, topic.position, play) for play in plays) == bool(REFUSED.search(sentence)), (
                sentence
            )


def is_refused(game: Game[Any, Any], position: str, play: str) -> bool:
    try:
        game.parse(game.decode(position), play)
    except RuleError:
        return True
    return False


def test_of_two_black_blots_one_can_be_hit() -> None:
    game = GAMES["backgammon"]
    lesson = shown(game, "lesson.hit")
    stands = placed("backgammon", lesson.position)
    blots = {cell for cell, content in stands.items() if content == "o"}
    state = game.decode(lesson.position)
    hit = {mark.cell for steps, _ in game.turns(state) for mark in game.marks(state, steps[0]) if mark.kind == "hit"}
    assert (len(blots), hit) == (2, {"20"})


def test_some_checkers_are_off_before_two_more_are_borne_off() -> None:
    stands = placed("backgammon", shown(GAMES["backgammon"], "lesson.bear-off").position)
    assert sum(len(content) for content in stands.values() if "X" in content) < 15


def test_the_first_board_of_abalone_has_fewer_marbles_than_a_game() -> None:
    game = GAMES["abalone"]
    start = placed("abalone", game.encode(game.start(game.settle_options({}))))
    here = placed("abalone", shown(game, "lesson.aim").position)
    for side in "bw":
        assert list(start.values()).count(side) == 14 > list(here.values()).count(side)


def test_a_guard_could_hit_too_so_the_task_of_a_pair_capture_asks_for_two_soldiers() -> None:
    game = GAMES["abak"]
    assert not is_refused(game, shown(game, "lesson.pair").position, "15/13 15/9*")
    assert "two soldiers" in EN("abak.lesson.pair")


def test_the_prisoner_that_may_not_move_is_held_by_nothing_else() -> None:
    """No parity and no lack of a die refuses its move, too."""
    game = GAMES["abak"]
    lesson = shown(game, "lesson.rescue")
    free = lesson.position.replace("/Sd/", "/S/")
    assert is_refused(game, lesson.position, "11/10")
    assert not is_refused(game, free, "11/10 16/11")


def test_of_the_first_steps_of_apb_so_many_are_safe() -> None:
    game = GAMES["apb"]
    state = game.start(game.settle_options({}))
    safe, losing = 0, 0
    for first in game.legal(state):
        opened = game.apply(state, first)
        ends = [game.outcome(game.apply(opened, step)) for step in game.legal(opened) if str(step).startswith("e3-")]
        assert len(ends) == 1
        safe, losing = safe + (ends[0] is None), losing + (ends[0] is not None)
    assert (safe, losing) == (10, 22)
    for code in CODES:
        say = language(code)
        assert {"32", "22"} <= set(re.findall(r"\d+", say("apb.topic.room")))
        assert {"32", "10"} <= set(re.findall(r"\d+", say("apb.lesson.room.done")))
