"""Whole games between machines, by the bot's services and real worker processes."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from fakes.luck import SteadyLuck

from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.opponents.pool import Workers
from bot.opponents.service import OpponentService
from engine.core.record import Kind
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.games.live import LiveGame
    from bot.games.service import GameService

TESTS: Final = Path(__file__).parents[2]
WITH_NIM: Final = f"""
import sys
sys.path[:0] = [{str(TESTS)!r}, {str(TESTS.parent)!r}]
from engine.__main__ import main
from engine.registry import GAMES, RULES
from fakes.toy import Nim
GAMES["nim"] = RULES["nim", 1] = Nim()
sys.argv[1:] = ["think", "--top", "1"]
sys.exit(main())
"""
"""A worker that knows the toy game, too, and has no player of its own for it."""
CUBE: Final = {"cube": "on"}
LONGEST: Final = 1500
"""More decisions than any of these games has."""


@asynccontextmanager
async def thinking() -> AsyncIterator[Workers]:
    workers = Workers(1, 5, command=(sys.executable, "-P", "-c", WITH_NIM))
    try:
        yield workers
    finally:
        await workers.close()


async def played(
    games: GameService, workers: Workers, game: str, options: dict[str, str], levels: tuple[int, int]
) -> LiveGame:
    """Lets two machines play a game to its end, with answers to their offers."""
    opponents = OpponentService(games, workers, lambda: 0)
    live = await games.open(NewGame(game, options, Place(1, 5), "en"), levels)
    for _ in range(LONGEST):
        deed = await opponents.decide(live)
        if deed is None:
            break
        live = await deed()
    return live


@pytest.mark.parametrize(
    ("game", "options"),
    [*(pytest.param(game, {}, marks=pytest.mark.thorough) for game in GAMES), ("nim", {}), ("backgammon", CUBE)],
)
async def test_two_levels_play_a_game_to_its_end(
    make_games: Callable[..., GameService], game: str, options: dict[str, str]
) -> None:
    games = make_games(SteadyLuck(1))
    async with thinking() as workers:
        live = await played(games, workers, game, options, (2, 1))
        assert workers.restarts == 0
    assert live.is_over
    assert live.outcome is not None
    assert live.outcome.has_result
    assert (await games.repository.load(live.id)) is not None
    turns = [entry for entry in live.entries if entry.kind is Kind.PLAY]
    assert {entry.seat for entry in turns} == {0, 1}
