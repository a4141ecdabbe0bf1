"""Abalone and APB as text with tags."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from fuzz.calibration import growth
from harness.matches import NAMES, STARTED, random_game, random_match

from engine import exchange
from engine.core.errors import RuleError
from engine.core.record import Header, Record
from engine.core.table import Table
from engine.exchange import BadLine, Games
from engine.exchange.decisions import replayed_game
from engine.match.match import MatchHeader, Terms
from engine.match.record import MatchRecord
from engine.registry import find

if TYPE_CHECKING:
    from engine.core.game import OptionValue

GAME = """\
[Game "Abalone"]
[Black "Ana"]
[White "?"]
[Layout "the-wall"]
[Result "0-1"]

{a comment} 1. c3b2 g4h5  ; and another
2. b2-b3
0-1
"""


def told(content: Any) -> list[Any]:
    replayed_games = [replayed_game(record) for record in content.games]
    return [
        (
            [(turn.entry.seat, turn.entry.body) for turn in replayed.decisions],
            None if replayed.table.outcome is None else replayed.table.outcome.points,
            replayed.table.options,
        )
        for replayed in replayed_games
    ]


@pytest.mark.parametrize(
    ("key", "form", "options"),
    [
        ("abalone", "apgn", {}),
        ("abalone", "apgn", {"layout": "belgian-daisy", "target": 2}),
        ("abalone", "apgn", {"ply_limit": 30}),
        ("apb", "apb", {}),
    ],
)
def test_games_come_back(key: str, form: str, options: dict[str, OptionValue]) -> None:
    rng = random.Random(14)
    for _ in range(6):
        record = random_game(key, rng, options, most=80)
        text = exchange.write(record, form, NAMES)
        back = exchange.read(text)
        assert isinstance(back, Games)
        assert (told(back), back.names) == (told(Games((record,))), NAMES)
        assert exchange.detect(text) == form
        assert back.games[0].header.id == record.header.id
        assert exchange.write(back, form) == text or "resigned" in text


def test_a_series_comes_back_with_its_seats() -> None:
    rng = random.Random(2)
    match = random_match(rng, key="apb", best_of=5, options={})
    text = exchange.write(match, "apb")
    back = exchange.read(text)
    assert isinstance(back, MatchRecord)
    assert (told(back), back.names, back.header.terms) == (told(match), NAMES, match.header.terms)
    assert [line for line in text.splitlines() if line.startswith("[White")][1] == f'[White "{NAMES[1]}"]'


def test_a_position_of_its_own_comes_back() -> None:
    position = "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5 w 1 2"
    table = Table.open(find("abalone"), Header("abalone", 1, "g1", STARTED, position=position))
    table = table.play(1, find("abalone").format(table.state, [find("abalone").legal(table.state)[0]]), 1)
    text = exchange.write(table.record, "apgn")
    assert told(exchange.read(text)) == told(Games((table.record,)))
    assert "1... " in text


@pytest.mark.parametrize(
    ("result", "why", "written", "termination", "points"),
    [
        ("1", "decision", "0-1", "adjudicated", (-1, 1)),
        ("0", "forfeit", "1-0", "forfeited", (1, -1)),
        ("draw", "decision", "1/2-1/2", "adjudicated_draw", (0, 0)),
        ("void", "", "*", "voided", None),
    ],
)
def test_a_decision_is_told_by_its_result(result: Any, why: str, written: str, termination: str, points: Any) -> None:
    table = Table.open(find("abalone"), Header("abalone", 1, "g1", STARTED)).play(0, "c3d4", 1)
    text = exchange.write(table.adjudicate(result, why, 2).record, "apgn")
    assert text.splitlines()[-1] == written
    assert f'[Termination "{termination}"]' in text
    assert told(exchange.read(text))[0][1] == points


def test_a_game_written_by_hand_is_read() -> None:
    found = exchange.read(GAME)
    assert isinstance(found, Games)
    ((turns, points, options),) = told(found)
    assert turns == [(0, "c3b2"), (1, "g4h5"), (0, "b2b3")]
    assert points == (-1, 1)
    assert options["layout"] == "the-wall"
    assert found.names == ("Ana", "")
    drawn = exchange.read(GAME.replace("0-1", "1/2-1/2"))
    assert told(drawn)[0][1] == (0, 0)
    assert told(exchange.read(GAME.replace("0-1", "*")))[0][1] is None


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ("b2-b3", "b2!?b3?", 8, "abalone.unreadable"),
        ("b2-b3", "c3b2", 8, "abalone.no_marble"),
        ("g4h5", "c4b3", 7, "abalone.not_yours"),
        ('[Game "Abalone"]\n', f'[Game "Abalone"]\n[BestOf "{"9" * 5000}"]\n', 1, "exchange.tagged.number"),
        ('[Game "Abalone"]\n', '[Game "Abalone"]\n[BestOf "--5"]\n', 1, "exchange.tagged.number"),
        ('[Game "Abalone"]\n', 'hello\n[Game "Abalone"]\n', 1, "exchange.tagged.unreadable"),
    ],
)
def test_what_does_not_hold_is_refused_with_its_line(old: str, new: str, line: int, key: str) -> None:
    with pytest.raises(BadLine) as caught:
        exchange.read(GAME.replace(old, new))
    assert caught.value.line == line
    assert caught.value.cause.key == key


def test_a_result_that_the_turns_contradict_is_refused() -> None:
    record = random_game("apb", random.Random(3), {})
    points = replayed_game(record).table.outcome
    assert points is not None
    result = "1-0" if points.winner == 0 else "0-1"
    text = exchange.write(record, "apb").replace(result, result[::-1])
    with pytest.raises(BadLine) as caught:
        exchange.read(text)
    assert caught.value.cause.key == "exchange.tagged.result"


def test_what_it_cannot_say_is_an_error() -> None:
    points = MatchRecord(MatchHeader("m", "apb", 1, STARTED, Terms(3)))
    positions = exchange.read(exchange.write(Record(Header("apb", 1, "g1", STARTED)), "position"))
    for what, key in ((points, "exchange.tagged.points"), (positions, "exchange.positions")):
        with pytest.raises(RuleError) as caught:
            exchange.write(what, "apb")
        assert caught.value.key == key
    with pytest.raises(RuleError) as caught:
        exchange.read(GAME.replace("the-wall", "the-hole"))
    assert caught.value.key == "option.choice"
    series = GAME.replace("[Black", '[BestOf "many"]\n[Black')
    with pytest.raises(BadLine):
        exchange.read(series)


@pytest.mark.parametrize("sign", ["0", "{", "{ ", "1.", "; ", '[a "', '"] '])
def test_a_line_of_one_sign_is_read_in_linear_time(sign: str) -> None:
    """Searches that began anew at each sign held the interpreter's lock for minutes: 64 times for 8 times the text."""

    def read(length: int) -> None:
        with suppress(RuleError):
            exchange.read('[Game "Abalone"]\n\n' + sign * (length // len(sign)) + "!", "apgn")

    assert growth(read, 7_500, 60_000, 24) <= 24


def test_a_comment_ends_on_its_line() -> None:
    at = GAME.index("g4h5")
    assert told(exchange.read(f"{GAME[:at]}{{a}} {{b {{c}} {GAME[at:]}")) == told(exchange.read(GAME))
    with pytest.raises(BadLine):
        exchange.read(f"{GAME[:at]}{{ {GAME[at:]}")


@pytest.mark.parametrize("end", ["\n", "\r", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_name_adds_no_line(end: str) -> None:
    record = random_game("abalone", random.Random(3), {})
    text = exchange.write(record, "apgn", (f'Ana"]{end}[Result "0-1"]{end}x', "Ben\\"))
    assert text.splitlines() == text.split("\n")[:-1]
    read = exchange.read(text)
    assert isinstance(read, Games)
    assert read.names == ('Ana"] [Result "0-1"] x', "Ben\\")
