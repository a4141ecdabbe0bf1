"""Two processes watch the time over one database, and are killed at any moment: time runs out once for each game."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.clock import Names
from fakes.luck import SeededLuck
from harness.books import Books, replayed
from harness.bot import Room, milliseconds
from harness.discord import is_ephemeral, text
from harness.origins import shows
from harness.process import BotProcess
from harness.thinning import in_number

from bot.core.storage.database import Database
from bot.core.translations import language
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.clock import LAG
from engine.core.record import Kind

if TYPE_CHECKING:
    from harness.process import Forks

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

FIRST, STEP = 6, 2
"""Seconds that a turn has: in the first game, and more in each that follows."""
PATIENCE: Final = 280
"""Seconds after which all must have come to its end: who dies leaves what it has leased for half a minute."""


class Pair:
    """Two processes, each started again whenever it was killed."""

    def __init__(self, server: Server, url: str, forks: Forks, seed: int) -> None:
        self.given = BotProcess(server, url).given
        self.forks = forks
        self.random = random.Random(seed)
        self.pids: list[int | None] = [None, None]
        self.kills: Counter[str] = Counter()
        self.stop = server.world.subscribe(self._hear)

    def _hear(self, event: dict[str, Any]) -> None:
        """Kills a process now and then when a message has arrived, before its sender knows."""
        if event["type"] == "message_create" and self.random.random() < 0.4:
            self.kill(self.random.randrange(2), "message")

    def kill(self, which: int, why: str) -> None:
        pid = self.pids[which]
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self.pids[which] = None
            self.kills[why] += 1

    async def start(self) -> None:
        for which, pid in enumerate(self.pids):
            if pid is None:
                self.pids[which] = await self.forks(self.given)

    def close(self) -> None:
        self.stop()
        for which in range(2):
            self.kill(which, "end")


async def opened(games: GameService, server: Server, number: int, policy: str) -> LiveGame:
    """Opens a game of four turns in a channel of its own, in which time begins to run out."""
    room = Room.of(server)
    place = Place(server.world.guild_id, room.channel_id)
    control = f"{FIRST + number * STEP}s/move"
    players = (room.ana.user_id, room.ben.user_id)
    live = await games.open(NewGame("abalone", {}, place, "en", clock=control, timeout_policy=policy), players)
    for _ in range(4):
        game, state = live.table.game, live.table.state
        notation = game.format(state, game.legal(state)[:1])
        live = await games.play(live.id, live.to_act or 0, live.seq, notation)
    return live


def public(server: Server, live: LiveGame, words: str) -> list[dict[str, Any]]:
    messages = server.world.messages.in_channel(live.place.channel_id)
    return [message for message in messages if not is_ephemeral(message) and words in text(message)]


@pytest.mark.long
@pytest.mark.timeout(400)
@pytest.mark.xdist_group("kill")
@in_number("each", 1, 6)
async def test_no_deadline_fires_twice(stand_in: Server, postgres_url: str, forks: Forks, each: int) -> None:
    """``each``: of games that are lost when time is up, and of games in which the other may claim."""
    say, database = language("en"), Database(postgres_url)
    games = GameService(GameRepository(database), SeededLuck(5), milliseconds, new_id=Names("k"))
    async with Books(postgres_url) as books:
        pair = Pair(stand_in, postgres_url, forks, seed=7)
        try:
            await pair.start()
            policies = ["loss", "claim"] * each
            games = [await opened(games, stand_in, number, policy) for number, policy in enumerate(policies)]

            async def done() -> bool:
                stored = [await books.stored(live.id) for live in games]
                late = [any(entry.kind is Kind.TIMEOUT for entry in one.record.entries) for one in stored]
                return all(late) and all(one.shown_seq == len(one.record.entries) for one in stored)

            async with asyncio.timeout(PATIENCE):
                while not await done():
                    await pair.start()
                    await asyncio.sleep(pair.random.uniform(0.1, 2))
                    if pair.kills["moment"] < 15 and pair.random.random() < 0.6:
                        pair.kill(pair.random.randrange(2), "moment")
        finally:
            pair.close()
        assert pair.kills["moment"] > each // 2
        assert each < 6 or pair.kills["message"] > 3
        for live, policy in zip(games, policies, strict=True):
            stored = await books.stored(live.id)
            table, started = replayed(stored), stored.record.header.started
            (late,) = [entry for entry in stored.record.entries if entry.kind is Kind.TIMEOUT]
            assert started + late.at <= milliseconds()
            assert late.at >= live.table.record.entries[-1].at + (live.table.clock.spec.per_turn + LAG)
            if policy == "loss":
                assert table.outcome is not None
                announced = public(stand_in, live, "ran out of time.")
                assert [shows(message) for message in announced] == [(live.id, table.seq)]
            else:
                assert table.overdue == late.seat
                first, second = (f"<@{stored.players[seat]}>" for seat in (late.seat, 1 - late.seat))
                assert len(public(stand_in, live, say("time.overdue", player=first, other=second))) == 1
            for player in stored.players:
                direct = stand_in.world.messages.in_channel(stand_in.world.direct_channel(player))
                assert len(direct) <= 1, [text(message) for message in direct]
    await database.close()
