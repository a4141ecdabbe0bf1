"""The bot is killed while it opens the games of a deleted channel anew; and two bots do so at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import bot_running, milliseconds
from harness.cups import has_verb
from harness.discord import is_ephemeral, text, until
from harness.process import BotProcess, Forks
from harness.reopening import REOPENED, displaced_in
from harness.tournaments import plan_of
from sqlalchemy import update

from bot.clocks.displaced.tables import displaced_games
from bot.games.repository import GameRepository
from bot.tournaments.reopening.service import ReopeningService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PairingState
from engine.core.hours import DAY
from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.cups import Cup

    from bot.sandbox.server import Server

PLAYERS = 6
PLAN = plan_of(Format.SWISS, rounds=1, clock="1d/move", round_length=14 * DAY)


async def running(cup: Cup) -> bool:
    """Returns whether all games run and are shown."""
    snapshot = await cup.snapshot()
    return bool(snapshot.pairings) and all(
        one.state is PairingState.RUNNING and cup.board(one) for one in snapshot.pairings
    )


async def deleted(cup: Cup) -> None:
    """Deletes the channel, and takes the organiser to another one."""
    world = cup.server.world
    world.delete_channel(cup.organiser.channel_id)

    async def paused() -> bool:
        return (await cup.snapshot()).tournament.paused is not None

    await until(paused, "it is paused")
    cup.organiser = cup.organiser.at(world.add_channel("elsewhere"))


async def resumed(cup: Cup) -> None:
    channel = str(cup.organiser.channel_id)
    await cup.organiser.slash("tournament resume", reason="Here.", channel=channel, tournament=cup.id)


async def leases_end(cup: Cup) -> None:
    await cup.time_passes()
    async with cup.database.writing() as connection:
        await connection.execute(update(displaced_games).values(leased_until=0, next_attempt_at=0))


async def open_again(cup: Cup) -> bool:
    return await displaced_in(cup.database) == 0 and await running(cup)


def told(cup: Cup) -> Counter[int]:
    """Counts how often each player was told of new places."""
    everywhere = cup.server.world.events.notifications
    return Counter(user for user, one in everywhere if any(part in text(one) for part in REOPENED))


async def check(cup: Cup) -> None:
    """Checks that each game has one thread and one board there, no time is lost, and all were told once."""
    snapshot, ledger = await cup.snapshot(), GameRepository(cup.database)
    assert sorted(cup.threads()) == sorted(one.channel_id or 0 for one in snapshot.pairings)
    for one in snapshot.pairings:
        shown = cup.server.world.messages.in_channel(one.channel_id or 0)
        assert sum(has_verb(message, "more") and not is_ephemeral(message) for message in shown) == 1
        stored = await ledger.load(one.game_id or "")
        assert stored is not None
        assert stored.place.channel_id == one.channel_id
        clock = stored.table().clock
        assert clock is not None
        assert clock.left(clock.turn.seat if clock.turn else 0, milliseconds() - clock.started) > DAY - 120_000
    everybody = Counter({seat.user_id: 1 for seat in cup.people})
    await until(lambda: told(cup) == everybody, f"everybody is told once: {told(cup)}")


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.timeout(120)
@pytest.mark.xdist_group("kill")
@pytest.mark.parametrize("moment", ["channel_create", "message_create", "message_update"])
async def test_it_goes_on_after_a_kill(
    stand_in: Server, cups: Callable[..., Cup], database_url: str, forks: Forks, moment: str
) -> None:
    """Killed as soon as Discord has a new thread, a board or an edit of it, before the bot knows that."""
    cup = cups(database_url, PLAYERS)
    await cup.create(PLAN)
    async with BotProcess(stand_in, database_url, forks) as process:
        await process.start()
        await process.ready()
        await cup.start()
        await until(lambda: running(cup), "the games run", seconds=60)
        await deleted(cup)

        def strike(event: dict[str, Any]) -> None:
            place = int(event.get("message", {}).get("channel_id") or event.get("channel", {}).get("id") or 0)
            if event["type"] == moment and place in cup.threads() and "only" not in event:
                process.strike()

        stop = stand_in.world.subscribe(strike)
        asked = asyncio.create_task(resumed(cup))  # perhaps nobody answers any more
        await until(lambda: process.dead, "it is killed")
        stop()
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await process.kill()
        assert not await open_again(cup)
        await leases_end(cup)
        stand_in.world.messages.nonces.clear()  # Discord forgets them after some minutes
        await process.start()
        await until(lambda: open_again(cup), "all games are open again", seconds=60)
        await check(cup)
        await process.stop()


@pytest.mark.long
@pytest.mark.timeout(120)
async def test_two_bots_open_each_game_once(stand_in: Server, cups: Callable[..., Cup], postgres_url: str) -> None:
    async with bot_running(stand_in, postgres_url) as one, bot_running(stand_in, postgres_url) as other:
        cup = cups(postgres_url, PLAYERS, one)
        await cup.create(PLAN)
        await cup.start()
        await until(lambda: running(cup), "the games run", seconds=60)
        await deleted(cup)
        await resumed(cup)

        async def there() -> bool:
            for bot in (one, other):
                bot.service(TournamentService).changed(cup.id)
                bot.service(ReopeningService).look()
            return await open_again(cup)

        await until(there, "all games are open again", seconds=60)
        await check(cup)
