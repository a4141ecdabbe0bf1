"""Conditional plays of a game as two players lay them down, and what a test asks of them."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from fakes.clock import Clock
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conditional.repository import PlanStore
from bot.conditional.service import Dropped, Plans
from bot.core.database import Database
from bot.games.hooks import Companion, Reply
from bot.games.service import Place, Seated, Tables
from engine.core.errors import RuleError

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., Tables]


class Book:
    """Plans with what they told, and a game of Nim without dice in which Ann begins."""

    def __init__(self, database: Database, make_tables: MakeTables, clock: Clock) -> None:
        self.told: list[Dropped] = []
        self.plans = Plans(PlanStore(database), clock, self._tell)
        self.make_tables = make_tables
        self.tables = self.process()

    async def _tell(self, connection: AsyncConnection, seated: Seated, gone: Dropped) -> None:
        del connection, seated
        self.told.append(gone)

    def process(self, *more: Companion) -> Tables:
        """The tables as one more process has them."""
        return self.make_tables(companions=[self.plans, *more])

    async def begin(self, heap: int = 21, **more: Any) -> Seated:
        return await self.tables.open("nim", {"heap": heap, "dice": "no"}, (ANN, BOB), HERE, "en", **more)

    async def lay(self, seated: Seated, user: int, *line: str) -> int:
        """Lays down a line, ``their, reply, their, reply …``; the last plan's id."""
        after = None
        for their, reply in zip(line[::2], [*line[1::2], None], strict=False):
            after = (await self.plans.suppose(seated, user, after, their)).id
            if reply is not None:
                await self.plans.answer(seated, user, after, reply)
        assert after is not None
        return after

    async def left(self, seated: Seated) -> list[tuple[int, str, str | None]]:
        """What is stored: whose, and the plan."""
        return [(plan.seat, plan.their, plan.reply) for plan in await self.plans.store.of(seated.id)]


class Meanwhile(Companion):
    """Does something between the look at the plans and the writing, once."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.action: Callable[[], Any] | None = action

    async def reply(self, before: Seated, now: Seated) -> Reply | None:
        del before, now
        if self.action:
            action, self.action = self.action, None
            await action()
        return None


def bodies(seated: Seated) -> list[tuple[str, int, str]]:
    return [(entry.kind.value, entry.seat, entry.body) for entry in seated.table.record.entries]


async def refused(action: Any) -> str:
    with pytest.raises(RuleError) as refusal:
        await action
    return refusal.value.key


def some_turn(game: Any, state: Any, rng: random.Random) -> str:
    """A turn at random, as it is written."""
    actor, at, steps = game.to_act(state), state, []
    while game.to_act(at) == actor:
        step = rng.choice(game.legal(at))
        steps.append(step)
        at = game.apply(at, step)
    return str(game.format(state, steps))
