"""The conditional moves of a game: how two players set them, and what a test asks of them."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from fakes.clock import Clock
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conditional.repository import ConditionalMoveRepository
from bot.conditional.service import ConditionalMoveService, Dropped
from bot.core.storage.database import Database
from bot.games.hooks import GameHook, Reply
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import RuleError

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., GameService]


class Book:
    """Conditional moves and their notices, for a game of Nim without dice in which Ann begins."""

    def __init__(self, database: Database, make_games: MakeTables, clock: Clock) -> None:
        self.told: list[Dropped] = []
        self.conditional = ConditionalMoveService(ConditionalMoveRepository(database), clock, self._tell)
        self.make_games = make_games
        self.games = self.process()

    async def _tell(self, connection: AsyncConnection, live: LiveGame, gone: Dropped) -> None:
        del connection, live
        self.told.append(gone)

    def process(self, *more: GameHook) -> GameService:
        """Returns one more process's service of the games."""
        return self.make_games(hooks=[self.conditional, *more])

    async def begin(self, heap: int = 21, **more: Any) -> LiveGame:
        return await self.games.open(NewGame("nim", {"heap": heap, "dice": "no"}, HERE, "en", **more), (ANN, BOB))

    async def lay(self, live: LiveGame, user: int, *line: str) -> int:
        """Lays down a line, ``condition, reply, condition, reply …``; the id of the last move."""
        after = None
        for condition, reply in zip(line[::2], [*line[1::2], None], strict=False):
            after = (await self.conditional.add_condition(live, user, after, condition)).id
            if reply is not None:
                await self.conditional.answer(live, user, after, reply)
        assert after is not None
        return after

    async def left(self, live: LiveGame) -> list[tuple[int, str, str | None]]:
        """Returns the stored moves: seat, condition, reply."""
        return [(move.seat, move.condition, move.reply) for move in await self.conditional.store.of(live.id)]


class Meanwhile(GameHook):
    """Does something once, after the conditional moves are read and before the turn is written."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.action: Callable[[], Any] | None = action

    async def reply(self, before: LiveGame, now: LiveGame) -> Reply | None:
        del before, now
        if self.action:
            action, self.action = self.action, None
            await action()
        return None


def bodies(live: LiveGame) -> list[tuple[str, int, str]]:
    return [(entry.kind.value, entry.seat, entry.body) for entry in live.table.record.entries]


async def refused(action: Any) -> str:
    with pytest.raises(RuleError) as refusal:
        await action
    return refusal.value.key


def some_turn(game: Any, state: Any, rng: random.Random) -> str:
    """Returns a turn at random, as it is written."""
    actor, at, steps = game.to_act(state), state, []
    while game.to_act(at) == actor:
        step = rng.choice(game.legal(at))
        steps.append(step)
        at = game.apply(at, step)
    return str(game.format(state, steps))
