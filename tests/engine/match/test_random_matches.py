"""Laws of matches, over random ones with cube decisions. ``MATCHES=1000`` in the environment runs as many.

The score, the Crawford game and the cube are kept here once more, from the entries alone.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from fakes.matches import random_match
from harness.thinning import one_of

from engine.core.errors import CorruptRecord
from engine.core.record import TURN_KINDS, Kind
from engine.core.table import replay_tables
from engine.match.record import MatchRecord, dump_match, load_match, replay_match
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.core.game import Game
    from engine.core.record import Record
    from engine.core.table import Table

RUNS = int(os.environ.get("MATCHES", "120"))
CUBED = ("backgammon", "abak")


def play_again(game: Game[Any, Any], record: MatchRecord) -> tuple[list[int], list[bool]]:
    """Follows every game of a match to points; the score at the end, and which games were Crawford games."""
    length = record.header.terms.points
    score, crawfords = [0, 0], []
    for played in record.games:
        assert max(score) < length
        crawford = length > 1 and length - 1 in score and not any(crawfords)
        crawfords.append(crawford)
        tables = list(replay_tables(game, played))
        won = follow_cube(tables, score, length, crawford=crawford)
        *_, last = tables
        assert last.outcome is not None
        assert sum(last.outcome.points) == 0
        assert last.outcome.points[0] == won[0] - won[1]
        for seat in (0, 1):
            score[seat] += won[seat]
    return score, crawfords


def follow_cube(tables: list[Table[Any, Any]], score: list[int], length: int, *, crawford: bool) -> tuple[int, int]:
    """Checks the cube and the match in every position of a game, and returns the points that each seat won."""
    cubed = tables[0].options["cube"] == "on"
    value, owner = 1, 0
    for before, after in pairwise(tables):
        fields = before.game.encode(before.state).split(":")[-9:]
        assert fields[0] == str(value.bit_length() - 1)
        assert fields[1] == str(owner)
        assert fields[4:] == [str(score[0]), str(score[1]), str(int(crawford)), str(length), "10"]
        entry = after.record.entries[-1]
        if entry.kind not in TURN_KINDS:
            continue
        assert entry.body != "beaver"
        if entry.body == "double":
            assert cubed
            assert not crawford
            assert owner in {0, 1 - 2 * entry.seat}
            assert score[entry.seat] + value < length
        if entry.body == "take":
            value, owner = 2 * value, 1 - 2 * entry.seat
    outcome = tables[-1].outcome
    assert outcome is not None
    won = (max(outcome.points[0], 0), max(outcome.points[1], 0))
    if outcome.reason == "end.passed":
        assert max(won) == value
    elif outcome.winner is not None:
        turns = [entry for entry in tables[-1].record.entries if entry.kind in TURN_KINDS]
        open_double = bool(turns) and turns[-1].body == "double"
        assert max(won) in {size * value * turned for size in (1, 2, 3) for turned in (1, 1 + open_double)}
    return won


def time_left(game: Game[Any, Any], record: MatchRecord, bank: int) -> None:
    """Follows both players' time through a match with one bank and nothing else: what is used up is gone."""
    left = [bank, bank]
    for number, played in enumerate(record.games):
        swapped = not record.header.terms.points and number % 2 == 1
        players = (1, 0) if swapped else (0, 1)
        if number:
            assert played.header.banks == (left[players[0]], left[players[1]])
        for before, after in pairwise(replay_tables(game, played)):
            last = before.record.entries[-1].at if before.record.entries else 0
            if before.to_act in {0, 1}:
                player = players[before.to_act]
                left[player] = max(0, left[player] - (after.record.entries[-1].at - last))


@pytest.mark.parametrize("key", GAMES)
def test_laws_of_series_and_of_one_bank(key: str) -> None:
    game, series, banks = GAMES[key], 0, 0
    for seed in range(RUNS // 3):
        record = random_match(game, seed)
        header = record.header
        if header.terms.bank == "match" and header.clock == "1m":
            time_left(game, record, 60_000)
            banks += len(record.games) > 1
        if header.terms.points:
            continue
        series += 1
        match, tables = replay_match(game, record)
        assert load_match(dump_match(record)) == record
        wins = [0.0, 0.0]
        for number, table in enumerate(tables):
            assert table.outcome is not None
            assert max(wins) <= header.terms.best_of / 2
            for seat, points in enumerate(table.outcome.points):
                if table.outcome.reason != "end.aborted":
                    wins[(seat + number) % 2] += 0.5 if points == 0 else points > 0
        assert match.score == tuple(wins)
        result = match.result
        assert result is not None
        if result.reason == "match.drawn":
            assert wins[0] == wins[1]
        elif result.reason == "match.won":
            assert result.winner is not None
            assert wins[result.winner] > wins[1 - result.winner]
        if result.reason in {"match.drawn", "match.won"}:
            assert len(tables) == header.terms.best_of or max(wins) > header.terms.best_of / 2
    assert series
    assert banks


@pytest.mark.parametrize("key", CUBED)
def test_laws_of_matches(key: str) -> None:
    game, crawford_games, cubes, reasons = GAMES[key], 0, 0, set()
    for seed in range(RUNS // 2):
        record = random_match(game, seed)
        match, tables = replay_match(game, record)
        assert match.result is not None
        reasons.add(match.result.reason)
        assert len(match.results) == len(tables) == len(record.games)
        text = dump_match(record)
        again = load_match(text)
        assert again == record
        assert dump_match(again) == text
        assert replay_match(game, again) == (match, tables)
        for count in range(len(record.games)):
            shorter, _ = replay_match(game, replace(record, games=record.games[:count]))
            assert shorter.result is None
            if count:
                longer, _ = replay_match(game, replace(record, games=record.games[: count + 1]))
                assert all(one <= other for one, other in zip(shorter.score, longer.score, strict=True))
        if not record.header.terms.points:
            continue
        score, crawfords = play_again(game, record)
        assert match.score == tuple(score)
        assert [result.crawford for result in match.results] == crawfords
        assert sum(crawfords) <= 1
        crawford_games += sum(crawfords)
        cubes += "double" in text
        if match.result.reason == "match.won":
            assert match.result.winner is not None
            assert score[match.result.winner] >= record.header.terms.points > score[1 - match.result.winner]
    assert crawford_games > RUNS // 10
    assert cubes > RUNS // 10
    assert reasons >= {"match.won", "match.forfeited"}


# --- a changed record is found ---------------------------------------------------------------------------------------


def with_option(record: MatchRecord, number: int, name: str, value: str | int) -> MatchRecord:
    played = record.games[number]
    options = tuple((key, value if key == name else old) for key, old in played.header.options)
    return with_game(record, number, replace(played, header=replace(played.header, options=options)))


def with_game(record: MatchRecord, number: int, played: Record) -> MatchRecord:
    games = list(record.games)
    games[number] = played
    return replace(record, games=tuple(games))


def with_header(record: MatchRecord, number: int, **changed: Any) -> MatchRecord:
    played = record.games[number]
    return with_game(record, number, replace(played, header=replace(played.header, **changed)))


def resigned_for_more(record: MatchRecord) -> MatchRecord:
    """Makes the first resignation count a point more."""
    for number, played in enumerate(record.games):
        last = played.entries[-1]
        if last.kind is Kind.RESIGN:
            changed = replace(last, body=str(int(last.body) + 1))
            return with_game(record, number, replace(played, entries=(*played.entries[:-1], changed)))
    return with_header(record, 0, match="")


CHANGES: dict[str, Callable[[MatchRecord], MatchRecord]] = {
    "score": lambda record: with_option(record, 1, "score0", 1 + dict(record.games[1].header.options)["score0"]),
    "other score": lambda record: with_option(record, 1, "score1", 1 + dict(record.games[1].header.options)["score1"]),
    "crawford": lambda record: with_option(
        record, 1, "crawford", "off" if dict(record.games[1].header.options)["crawford"] == "on" else "on"
    ),
    "length": lambda record: with_option(record, 1, "points", 8),
    "cube": lambda record: with_option(
        record, 1, "cube", "off" if dict(record.games[1].header.options)["cube"] == "on" else "on"
    ),
    "order": lambda record: replace(record, games=(record.games[1], record.games[0], *record.games[2:])),
    "a game left out": lambda record: replace(record, games=record.games[1:]),
    "a game twice": lambda record: replace(record, games=(record.games[0], *record.games)),
    "a game more": lambda record: replace(record, games=(*record.games, record.games[-1])),
    "match id": lambda record: with_header(record, 1, match="other"),
    "the match's id": lambda record: replace(record, header=replace(record.header, id="other")),
    "number": lambda record: with_header(record, 1, match_game=3),
    "game id": lambda record: with_header(record, 1, id=record.games[0].header.id),
    "game": lambda record: replace(record, header=replace(record.header, game="apb")),
    "version": lambda record: with_header(record, 1, version=2),
    "clock": lambda record: with_header(record, 1, clock="3d/move"),
    "banks": lambda record: with_header(record, 1, banks=(1, 1)),
    "timeout policy": lambda record: with_header(record, 1, timeout_policy="claim"),
    "rated": lambda record: with_header(record, 1, rated=not record.header.rated),
    "position": lambda record: with_header(record, 1, position="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"),
    "resignation": resigned_for_more,
}


@pytest.mark.parametrize("change", CHANGES)
@one_of("key", CUBED)
def test_a_change_is_found(key: str, change: str) -> None:
    game, tried = GAMES[key], 0
    for seed in range(30):
        record = random_match(game, seed)
        if len(record.games) < 2 or not record.header.terms.points:
            continue
        tried += 1
        changed = CHANGES[change](record)
        assert changed != record
        with pytest.raises(CorruptRecord):
            replay_match(game, changed)
        if tried == 3:
            return
    pytest.fail("no such match")
