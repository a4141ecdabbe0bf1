"""Processes know the changes of other processes at once."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fakes.luck import SeededLuck
from harness.bot import milliseconds
from harness.discord import until
from harness.players import Greedy
from harness.proxy import proxied

from bot import app
from bot.clocks.vacations.service import BUDGET_DAYS, VacationService
from bot.core.processes.changes import Changes
from bot.core.processes.link import Link
from bot.core.services import Services, Sources
from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.service import PlayerNames, PreferenceService
from bot.privacy.deletion.service import DeletionService
from bot.settings import Settings
from engine.core.errors import Refused
from engine.core.hours import DAY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.games.live import LiveGame


ANA, BEN, SERVER = 101, 102, 7 << 22
PATIENCE = 1.5


@asynccontextmanager
async def process(url: str, through: str | None = None) -> AsyncIterator[Services]:
    """Yields the services of one process, which hears of changes (over the connection ``through``)."""
    async with Database(url) as database:
        services = app.assemble(database, Sources(SeededLuck(1), lambda: 0, milliseconds), Settings.load())
        link = Link(through or url, patience=PATIENCE)
        link.on_open.append(services[Changes].listen)
        listening = asyncio.create_task(asking(link))
        try:
            await until(lambda: link.opened, "it listens")
            yield services
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            await link.close()


async def asking(link: Link) -> None:
    """Keeps the connection open, as looking at the shards does."""
    while True:
        with contextlib.suppress(Exception):  # whatever the driver raises
            await link.fetch("SELECT 1")
        await asyncio.sleep(0.1)


async def soon(read: Any, expected: object) -> None:
    """Reads until the value is the expected one; fails long before the caches forget by themselves."""

    async def is_read() -> bool:
        return await read() == expected  # type: ignore[no-any-return]

    await until(is_read, f"{expected} is read")


async def test_preferences_and_names(postgres_url: str) -> None:
    async with process(postgres_url) as one, process(postgres_url) as two:
        mine, others = one[PreferenceService], two[PreferenceService]
        assert (await others.of_user(ANA))["roll"] == (await mine.of_user(ANA))["roll"] != "auto"
        assert (await others.of_server(SERVER))["language"] == "auto"
        await mine.set_user(ANA, "roll", "auto")
        await mine.set_server(SERVER, "language", "es")
        await soon(lambda: others.rolls(ANA), expected=True)
        await soon(lambda: _language(others), "es")
        await one[PlayerNames].seen(ANA, "Ana")
        await soon(lambda: two[PlayerNames].names([ANA]), {ANA: "Ana"})
        await one[PlayerNames].seen(ANA, "Anita")
        await soon(lambda: two[PlayerNames].names([ANA]), {ANA: "Anita"})


async def _language(preferences: PreferenceService) -> str:
    return (await preferences.of_server(SERVER))["language"]


async def test_vacations(postgres_url: str) -> None:
    async with process(postgres_url) as one, process(postgres_url) as two:
        mine, others, now = one[VacationService], two[VacationService], milliseconds()

        async def remembered() -> list[tuple[int, int]]:
            found = (await others.since([ANA], now, BUDGET_DAYS, fresh=False))[ANA]
            return [(vacation.since, vacation.until) for vacation, _ in found]

        assert await remembered() == []
        await mine.take(ANA, now + 10 * DAY, now + 15 * DAY)
        await soon(remembered, [(now + 10 * DAY, now + 15 * DAY)])
        (planned,) = await mine.of(ANA)
        assert not await mine.end(ANA, planned.id), "it has not begun"
        await soon(remembered, [])
        await mine.take(ANA, now, now + 5 * DAY)
        (taken,) = await mine.of(ANA)
        await soon(remembered, [(taken.since, taken.until)])
        await asyncio.sleep(0.01)  # until a moment after it has begun
        assert await mine.end(ANA, taken.id), "it has begun"
        ((ended, _),) = (await mine.since([ANA], now, BUDGET_DAYS))[ANA]
        assert ended.until < taken.until
        await soon(remembered, [(ended.since, ended.until)])


async def test_games(postgres_url: str) -> None:
    async with process(postgres_url) as one, process(postgres_url) as two:
        live = await one[GameService].open(NewGame("apb", {}, Place(SERVER, 5), "en"), (ANA, BEN))
        assert (await two[GameService].get(live.id)).seq == live.seq
        moved = await one[GameService].play(live.id, ANA, live.seq, "e4-e5 e3-e4")

        async def seq() -> int:
            return (await two[GameService].get(live.id)).seq

        await soon(seq, moved.seq)


async def test_of_simultaneous_turns_in_two_processes_one_is_accepted(postgres_url: str) -> None:
    async with process(postgres_url) as one, process(postgres_url) as two:
        live = await one[GameService].open(NewGame("apb", {}, Place(SERVER, 5), "en"), (ANA, BEN))
        for user_id, turn in ((ANA, "e4-e5 e3-e4"), (BEN, None)):
            turns = turn or _first_turn(await two[GameService].newest(live.id))
            seq = (await one[GameService].newest(live.id)).seq
            plays = [each[GameService].play(live.id, user_id, seq, turns) for each in (one, two) for _ in range(24)]
            done = await asyncio.gather(*plays, return_exceptions=True)
            refused = [error for error in done if isinstance(error, Refused)]
            assert len(done) - len(refused) == 1
            assert len(refused) == 47, [error for error in done if not isinstance(error, Refused)]
            seqs = [(await each[GameService].newest(live.id)).seq for each in (one, two)]
            assert seqs[0] == seqs[1] > seq


def _first_turn(live: LiveGame) -> str:
    steps = Greedy(patience=9).turn(live.table.game, live.table.state)
    return live.table.game.format(live.table.state, steps)


async def test_a_process_does_not_forget_what_it_changed_itself(postgres_url: str) -> None:
    async with process(postgres_url) as one, process(postgres_url) as two:
        live = await one[GameService].open(NewGame("apb", {}, Place(SERVER, 5), "en"), (ANA, BEN))
        moved = await one[GameService].play(live.id, ANA, live.seq, "e4-e5 e3-e4")
        await two[PreferenceService].set_user(BEN, "roll", "auto")
        await soon(lambda: one[PreferenceService].rolls(BEN), expected=True)  # announcements come in order
        assert await one[GameService].get(moved.id) is moved


async def test_deleted_users(postgres_url: str) -> None:
    async with process(postgres_url) as one, process(postgres_url) as two:
        await one[PlayerNames].seen(ANA, "Ana")
        await soon(lambda: two[PlayerNames].names([ANA]), {ANA: "Ana"})
        now = milliseconds()
        await one[VacationService].take(ANA, now + DAY, now + 3 * DAY)

        async def vacations() -> int:
            return len((await two[VacationService].since([ANA], now, BUDGET_DAYS, fresh=False))[ANA])

        await soon(vacations, 1)
        await one[DeletionService].delete(ANA)
        await soon(lambda: two[PlayerNames].names([ANA]), {ANA: ""})
        await soon(vacations, 0)


async def test_after_a_lost_connection_everything_is_read_again(
    postgres_url: str,
) -> None:
    async with (
        proxied(postgres_url) as (proxy, through),
        process(postgres_url) as one,
        process(postgres_url, through) as two,
    ):
        assert not await two[PreferenceService].rolls(ANA)
        proxy.drop(new=True)
        await one[PreferenceService].set_user(ANA, "roll", "auto")
        await asyncio.sleep(0.2)
        assert not await two[PreferenceService].rolls(ANA), "the announcement was lost"
        proxy.drop()
        await soon(lambda: two[PreferenceService].rolls(ANA), expected=True)
