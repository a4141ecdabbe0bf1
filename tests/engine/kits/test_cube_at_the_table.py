"""The doubling cube at the table: what is rolled by itself, recorded, replayed; and laws of whole games with it."""

import random
from typing import Any

import pytest
from harness.catalogue import keys_in
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import CorruptRecord, IllegalMove, Refused
from engine.core.game import CHANCE, Game, walk_turns
from engine.core.record import Entry, Header, Kind, Record, dump, load
from engine.core.search import forced_turn
from engine.core.table import Table
from engine.kits import cube
from engine.kits.cube import CubeAction
from engine.registry import GAMES

MOVE = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
both = pytest.mark.parametrize("game", [GAMES[key] for key in MOVE], ids=list(MOVE))


def opened(game: Game[Any, Any]) -> Table[Any, Any]:
    return Table.open(game, Header(game.key, game.version, "cube", 0, (("cube", "on"),)))


@both
def test_a_standing_order_rolls_and_only_where_it_is_given(game: Game[Any, Any]) -> None:
    rolls = iter(["31", "42", "65"])
    table = opened(game).settle(0, lambda _: next(rolls)).play(0, MOVE[game.key], 1)
    asked = table.settle(2, lambda _: next(rolls), automatic=(True, False))
    assert asked.to_act == 1
    assert asked.seq == table.seq
    rolled = table.settle(2, lambda _: next(rolls), automatic=(False, True))
    assert [(entry.kind, entry.seat, entry.body) for entry in rolled.record.entries[-2:]] == [
        (Kind.AUTOMATIC, 1, "roll"),
        (Kind.CHANCE, CHANCE, "42"),
    ]
    assert rolled.last_move == table.last_turn
    answered = asked.play(1, "double", 3).settle(3, lambda _: next(rolls), automatic=(True, True))
    assert answered.to_act == 0
    assert Table.replay(game, load(dump(answered.record))) == answered


@both
def test_only_the_automatic_action_is_recorded_as_automatic(game: Game[Any, Any]) -> None:
    table = opened(game).settle(0, lambda _: "31").play(0, MOVE[game.key], 1)
    assert table.append(Entry(2, Kind.AUTOMATIC, 1, "roll")).to_act == CHANCE
    for kind, body in ((Kind.AUTOMATIC, "double"), (Kind.FORCED, "roll"), (Kind.FORCED, "double")):
        entry = Entry(2, kind, 1, body)
        with pytest.raises(Refused, match=r"table\.bad_entry"):
            table.append(entry)
        with pytest.raises(CorruptRecord):
            Table.replay(game, Record(table.record.header, (*table.record.entries, entry)))


@both
def test_a_passed_double_ends_the_record(game: Game[Any, Any]) -> None:
    table = opened(game).settle(0, lambda _: "31").play(0, MOVE[game.key], 1)
    table = table.play(1, "double", 2).play(0, "pass", 3)
    assert table.outcome is not None
    assert table.outcome.points == (-1, 1)
    assert Table.replay(game, load(dump(table.record))) == table


@both
def test_a_beaver_stands_in_the_record(game: Game[Any, Any]) -> None:
    header = Header(game.key, game.version, "beaver", 0, (("cube", "on"), ("beavers", "on")))
    table = Table.open(game, header).settle(0, lambda _: "31").play(0, MOVE[game.key], 1)
    table = table.play(1, "double", 2).play(0, "beaver", 3).settle(3, lambda _: "42")
    assert [entry.body for entry in table.record.entries[-3:]] == ["double", "beaver", "42"]
    assert Table.replay(game, load(dump(table.record))) == table
    assert table.to_act == 1
    assert game.resign_values(table.state, 1) == (4, 8, 12)


@both
@examples(10)
@given(seed=st.integers(0, 2**32))
def test_laws_of_games_with_a_cube(game: Game[Any, Any], seed: int) -> None:
    """Long games, in which doubles are rare and seldom passed."""
    luck = random.Random(seed)
    choice = {option: luck.choice(["on", "off"]) for option in ("jacoby", "beavers")}
    options = game.settle_options({"cube": "on", **choice})
    state, seen = game.start(options), set()
    for _ in range(250):
        actor, legal = game.to_act(state), list(game.legal(state))
        assert (actor is None) == (not legal) == (game.outcome(state) is not None)
        if actor is None:
            break
        calls = [step for step in legal if isinstance(step, CubeAction)]
        if calls:
            seen.update(calls)
            assert calls == legal
            assert actor in {0, 1}
            assert forced_turn(game, state) is None
            assert game.decode(game.encode(state), options) == state
            assert {end for _, end in game.turns(state)} == {end for _, end in walk_turns(game, state)}
        for call in set(CubeAction) - set(legal):
            with pytest.raises(IllegalMove) as refused:
                game.apply(state, call)
            assert refused.value.key in keys_in("engine.kits.cube")
        weights = [{CubeAction.DOUBLE: 2, CubeAction.PASS: 1}.get(step, 12) if step in calls else 1 for step in legal]
        step = luck.choices(legal, weights)[0]
        assert game.parse(state, game.format(state, (step,))) == (step,) or not calls
        value, owner = state.fields.cube_value, cube.owner(state.fields)
        state = game.apply(state, step)
        assert state.fields.cube_value == value * {CubeAction.TAKE: 2, CubeAction.BEAVER: 4}.get(step, 1)
        assert cube.owner(state.fields) == (actor if step in {CubeAction.TAKE, CubeAction.BEAVER} else owner)
    assert seen >= {CubeAction.ROLL}
