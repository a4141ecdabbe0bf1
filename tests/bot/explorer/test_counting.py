"""Tests what a finished game adds to the counts, and that each game is counted exactly once."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from fakes.outbox import ANN, BOB
from harness.walks import walk

from bot.explorer.counting import TURNS, Counts, counts_of, moves_of, position_key, rolls_of
from bot.explorer.line import LONGEST, Line, Origin, line_of, read_line, start_of
from bot.explorer.repository import CountedMove, ExplorerRepository
from bot.explorer.service import ExplorerService
from bot.games.new_game import NewGame
from bot.games.stored import Place
from engine.core.errors import Refused
from engine.core.game import CHANCE, Outcome
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.core.storage.database import Database
    from bot.games.service import GameService
    from engine.core.record import Record

pytestmark = pytest.mark.both_databases

MATCH = {"points": 7, "score0": 3, "score1": 5, "cube": "on"}


def play(key: str, options: dict[str, Any], seed: int, turns: int) -> Table[Any, Any]:
    """Plays a random game."""
    game, luck = GAMES[key], random.Random(seed)
    settled = game.settle_options(options)
    table = Table.open(game, Header(key, game.version, f"g{seed}", 1, tuple(settled.items())))
    played = 0
    while played < turns and (actor := table.to_act) is not None:
        for _ in range(50):  # in APB just any turn would soon lose the game
            steps, state = [], table.state
            while game.to_act(state) == actor:
                steps.append(luck.choice(game.legal(state)))
                state = game.apply(state, steps[-1])
                if actor == CHANCE:
                    break
            if game.to_act(state) is not None:
                break
        kind = Kind.CHANCE if actor == CHANCE else Kind.PLAY
        table = table.append(Entry(table.seq, kind, actor, game.format(table.state, steps)))
        played += actor != CHANCE
    return table


@pytest.mark.parametrize("key", GAMES)
def test_the_moves_are_those_of_the_first_turns_each_with_its_position(key: str) -> None:
    """Judged by the tables of a replay, not by the code that counts."""
    game = GAMES[key]
    for seed in range(5):
        table = play(key, {}, seed, 40)
        expected, turns = Counter[tuple[int, str]](), 0
        at = Table.open(game, table.record.header)
        for entry in table.record.entries:
            if entry.kind is not Kind.CHANCE and turns < TURNS:
                expected[position_key(game, at.state), entry.body] = 1
                after = at.append(entry)
                turns += after.last_turn is after.last_move
            at = at.append(entry)
        assert dict(expected) == dict.fromkeys(moves_of(game, table.record), 1)
        assert sum(expected.values()) >= min(TURNS, 5)


@pytest.mark.parametrize("key", GAMES)
def test_a_position_has_one_key_whatever_its_match_and_differs_from_others(key: str) -> None:
    game = GAMES[key]
    known = {option.key for option in game.options}
    seen: dict[int, str] = {}
    for seed in range(4):
        for state in walk(game, random.Random(seed), 30):
            text = f"{game.to_act(state)} {game.encode(state)}"
            assert seen.setdefault(position_key(game, state), text) == text
    in_match = {name: value for name, value in MATCH.items() if name in known and name != "cube"}
    single, match = (play(key, options, 7, 12) for options in ({}, in_match))
    assert [entry.body for entry in single.record.entries] == [entry.body for entry in match.record.entries]
    assert moves_of(game, single.record) == moves_of(game, match.record)
    if in_match:
        assert game.encode(single.state) != game.encode(match.state)


def test_what_was_taken_back_is_not_counted() -> None:
    game = GAMES["abalone"]
    table = (
        Table.open(game, Header("abalone", 1, "a", 1)).play(0, "a1b1", 1).offer_takeback(0, 2).answer(1, 3, accept=True)
    )
    table = table.play(0, "a1b2", 4)
    assert [move for _, move in moves_of(game, table.record)] == [table.record.entries[-1].body]


def test_rolls_lead_to_the_positions_after_them() -> None:
    game = GAMES["backgammon"]
    start = game.start(game.settle_options({}))
    rolls = rolls_of(game, start)
    assert len(rolls) == 36
    assert rolls_of(game, rolls["31"]) == {}
    assert game.to_act(rolls["31"]) == 0
    assert game.to_act(rolls["13"]) == 1


# --- the line that a message carries ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_a_line_is_read_from_the_message_as_it_was_written(key: str) -> None:
    game = GAMES[key]
    options = {name: value for name, value in MATCH.items() if name in {option.key for option in game.options}}
    table = play(key, options, 3, 6)
    line = line_of(table.record)
    assert line.state() == table.state
    for shown in (
        line,
        start_of(key),
        replace(line, origin=Origin.POSITION, position=game.encode(table.state), moves=()),
    ):
        packed = shown.packed_options()
        assert len(f"m:explore_step:{key}:2:{packed}|1") <= 100
        content = f"title\n-# {shown.shown()}\n`other` spans"
        assert read_line(key, shown.origin, packed, content) == shown


def test_a_roll_is_shown_as_in_sentences_and_read_back() -> None:
    line = replace(start_of("backgammon"), moves=("51", "13/8 6/5"))
    assert line.shown() == "`5-1` `13/8 6/5`"
    assert read_line("backgammon", 0, line.packed_options(), f"title\n-# {line.shown()}").moves == line.moves


@pytest.mark.parametrize(("points", "counted"), [(0, 1), (5, 3)])
def test_a_resigned_game_whose_points_do_not_matter_counts_one(points: int, counted: int) -> None:
    resigned = Outcome((3, -3), "end.resigned")
    assert counts_of(resigned, {"points": points}).points0 == counted
    assert counts_of(Outcome((2, -2), "end.gammon"), {"points": points}).points0 == 2


def test_a_line_that_grows_too_long_begins_anew_where_it_stands() -> None:
    line = line_of(play("backgammon", {}, 1, 60).record)
    assert len(line.shown()) > LONGEST
    short = line.shortened()
    assert (short.moves, short.origin) == ((), Origin.POSITION)
    assert short.state() == line.state()
    typed = replace(line, origin=Origin.TYPED)
    assert typed.shortened().origin is Origin.TYPED


@pytest.mark.parametrize(
    ("game", "origin", "packed", "content"),
    [
        ("chess", 0, "", "a\nb"),
        ("apb", 9, "", "a\nb"),
        ("apb", 1, "", "a"),
        ("abalone", 0, "99.6.0", "a\nb"),
        ("abalone", 0, "x", ""),
    ],
)
def test_a_message_of_another_release_is_refused(game: str, origin: int, packed: str, content: str) -> None:
    with pytest.raises(Refused):
        read_line(game, origin, packed, content)


def test_a_line_that_does_not_play_is_refused_by_the_rules() -> None:
    from engine.core.errors import RuleError

    with pytest.raises(RuleError):
        Line("abalone", GAMES["abalone"].settle_options({}), moves=("z9z8",)).state()


# --- the counts ------------------------------------------------------------------------------------------------------


async def test_every_game_is_counted_once_even_by_two_at_once(database: Database) -> None:
    import asyncio

    repository = ExplorerRepository(database)
    first, second = CountedMove(1, -5, "a"), CountedMove(1, -5, "b")
    found = {
        "x": [(first, Counts(1, 1, 0, 2))],
        "y": [(first, Counts(1, 0, 1, -1)), (CountedMove(2, -5, "a"), Counts(1, 1, 0, 1))],
        "z": [(second, Counts(1, 0, 0, 0)), (first, Counts(1, 1, 0, 1))],
    }
    async with database.writing() as connection:
        for game_id in found:
            await repository.queue(connection, game_id)
    assert sorted(await repository.queued(9)) == ["x", "y", "z"]
    await asyncio.gather(*(repository.count(found) for _ in range(3)))
    assert await repository.queued(9) == []
    assert await repository.moves(1, -5, 9) == [("a", Counts(3, 2, 1, 2)), ("b", Counts(1, 0, 0, 0))]
    assert await repository.moves(1, -5, 1) == [("a", Counts(3, 2, 1, 2))]
    assert await repository.totals(1, [-5, 7]) == {-5: Counts(4, 2, 1, 2)}
    assert Counts(4, 2, 1, 2).draws == 1
    async with database.writing() as connection:
        await repository.queue(connection, "x")
    await repository.count({"x": [(second, Counts(1, 0, 1, -3))]})
    assert (await repository.moves(1, -5, 9))[1] == ("b", Counts(2, 0, 1, -3))


async def test_a_damaged_game_does_not_keep_others_from_being_counted(
    played: GameService, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = ExplorerRepository(database)
    explorer = ExplorerService(repository, played)
    ended = []
    for channel in (1, 2):
        live = await played.open(NewGame("abalone", {}, Place(9, channel), "en"), (ANN, BOB))
        for seat in (0, 1, 0, 1):
            text = live.game.format(live.state, (live.game.legal(live.state)[0],))
            live = await played.play(live.id, live.players[seat], None, text)
        ended.append(await played.resign(live.id, ANN, 1))
    async with database.writing() as connection:
        for live in ended:
            await repository.queue(connection, live.id)

    def fail(game: Any, record: Record) -> Any:
        if record.header.id == ended[0].id:
            raise ZeroDivisionError
        return moves_of(game, record)

    monkeypatch.setattr("bot.explorer.service.moves_of", fail)
    with structlog.testing.capture_logs() as logs:
        assert await explorer.count_some() == 2
    assert [(entry["event"], entry["game"]) for entry in logs] == [("game_not_counted", ended[0].id)]
    assert await explorer.count_some() == 0
    start = position_key(ended[1].game, ended[1].game.start(ended[1].table.options))
    assert [counts.games for _, counts in await repository.moves(9, start, 5)] == [1]
