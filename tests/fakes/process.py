"""Processes of the bot over one database, by a clock that a test moves."""

from collections.abc import Callable, Iterable, Sequence

import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck
from sqlalchemy import delete, insert

from bot.clocks.heartbeats.repository import HeartbeatRepository
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.heartbeats.tables import heartbeats
from bot.clocks.service import CorrectionService, DeadlineService
from bot.clocks.time_off import TimeOffHook
from bot.clocks.vacations.repository import VacationRepository
from bot.clocks.vacations.service import VacationService
from bot.core.cache import Cache
from bot.core.storage.database import Database
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.core.record import Kind

SYSTEM_KINDS = {Kind.HOURS, Kind.AWAY, Kind.CREDIT}


class Process:
    """The services that have to do with time. PreferenceService are never believed for longer than a call."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        shard_count: int = 1,
        seed: int = 1,
        new_id: Callable[[], str] | None = None,
        more: Sequence[GameHook] = (),
        heartbeats: HeartbeatService | None = None,
        believed: float = 0.0,
    ) -> None:
        self.database = database
        self.clock = clock
        self.preferences = PreferenceService(PreferenceRepository(database), Cache(seconds=believed))
        self.heartbeats = heartbeats or HeartbeatService(HeartbeatRepository(database), clock, shard_count)
        self.vacations = VacationService(VacationRepository(database), clock)
        self.games = GameService(
            GameRepository(database),
            SeededLuck(seed),
            clock,
            plays_forced=self.preferences.plays_forced,
            hooks=[TimeOffHook(self.vacations, self.preferences, self.heartbeats), *more],
            **({"new_id": new_id} if new_id else {}),
        )
        self.deadlines = DeadlineService(self.games, self.heartbeats, clock)
        self.corrections = CorrectionService(self.games, self.heartbeats)

    async def nim(
        self,
        control: str,
        players: tuple[int, int],
        place: Place,
        *,
        timeout_policy: str = "loss",
        heap: int = 99,
        played: int = 0,
    ) -> LiveGame:
        """Begins a game of Nim without dice, and plays so many turns."""
        options = {"heap": heap, "dice": "no"}
        live = await self.games.open(
            NewGame("nim", options, place, "en", clock=control, timeout_policy=timeout_policy), players
        )
        for _ in range(played):
            live = await self.games.play(live.id, live.to_act or 0, None, "1")
        return live

    async def live(self, milliseconds: int, shards: Iterable[int] = (0,)) -> None:
        """Lets time pass with heartbeats all along, of which only the last is stored; then the loop has a turn."""
        self.clock.at += milliseconds
        await self.record_heartbeats(self.clock.at, shards)
        await self.deadlines.run_once(shards)

    async def pass_time(self, milliseconds: int) -> None:
        """Lets time pass with heartbeats in all shards; nothing is ticked yet."""
        self.clock.at += milliseconds
        await self.record_heartbeats(self.clock.at, range(self.heartbeats.shard_count))

    async def record_heartbeats(self, until: int, shards: Iterable[int] = (0,)) -> None:
        """Stores heartbeats as if they had come until that moment."""
        count = self.heartbeats.shard_count
        rows = [{"shard": shard, "shard_count": count, "last_seen_at": until} for shard in shards]
        async with self.database.writing() as connection:
            await connection.execute(
                delete(heartbeats).where(heartbeats.c.shard_count == count, heartbeats.c.shard.in_(list(shards)))
            )
            await connection.execute(insert(heartbeats), rows)
        self.heartbeats._last |= {(shard, count): until for shard in shards}


def noted(live: LiveGame) -> list[str]:
    return [str(entry) for entry in live.table.record.entries if entry.kind in SYSTEM_KINDS]


def timeouts(live: LiveGame) -> list[str]:
    return [str(entry) for entry in live.table.record.entries if entry.kind is Kind.TIMEOUT]


def deadline(live: LiveGame) -> int:
    """Returns the deadline in ms since 1970."""
    assert live.table.deadline is not None
    return live.table.record.header.started + live.table.deadline


async def refused(call: object, key: str) -> dict[str, object]:
    with pytest.raises(Refused) as caught:
        await call  # type: ignore[misc]
    assert caught.value.key == key
    return caught.value.params
