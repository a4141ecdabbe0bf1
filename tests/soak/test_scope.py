"""The verdict of a long soak demands every game and every tournament."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.world import World
from engine.registry import GAMES
from soak.cups import KINDS, Cup
from soak.run import Soak
from soak.scope import LONG, finished, left_out, unplayed

ALL = {finished(game): 1 for game in GAMES}


def cup(first: int, *started: int) -> Cup:
    nobody: Any = None
    return Cup(nobody, [], 1, first, nobody, started=[KINDS[one] for one in started])


def every() -> list[Cup]:
    return [cup(one, one) for one in range(len(KINDS))]


@pytest.mark.parametrize("game", GAMES)
def test_a_long_soak_finishes_a_game_of_each(game: str) -> None:
    assert unplayed(LONG, ALL, every()) == []
    facts = {**ALL, finished(game): 0}
    assert unplayed(LONG, facts, every()) == [f"no game of {game} was finished"]
    del facts[finished(game)]
    assert unplayed(LONG, facts, every()) == [f"no game of {game} was finished"]


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[str(kind) for kind in KINDS])
def test_a_long_soak_begins_each_tournament(kind: int) -> None:
    cups = every()
    cups[kind].started.clear()
    assert unplayed(LONG, ALL, cups) == [f"no tournament of {KINDS[kind]} has begun"]
    cups.append(cup(kind + len(KINDS), kind))  # another channel has played it
    assert unplayed(LONG, ALL, cups) == []


def test_no_tournament_is_demanded_for_which_there_is_no_channel() -> None:
    cups = [cup(0, 0, 2), cup(1, 1)]
    assert unplayed(LONG, ALL, cups) == []
    assert left_out(cups) == [str(kind) for kind in KINDS[3:]]


def test_of_a_short_soak_nothing_is_demanded() -> None:
    assert unplayed(LONG - 1, {}, [cup(0)]) == []


def test_three_hundred_players_are_enough_for_every_tournament() -> None:
    nothing: Any = None
    soak = Soak("", Path(), 1200, 300, 1, 30)
    _, cups = soak._people(World(), nothing, nothing, nothing, random.Random(1))
    first = [KINDS[one.first % len(KINDS)] for one in cups]
    assert set(first) == set(KINDS)
    assert all(kind.size <= len(one.people) for kind, one in zip(first, cups, strict=True))
