"""Two bots run the same tournament from one database: no round, thread, game, message or ping is there twice."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Final

import pytest
from harness.bot import bot_running
from harness.cups import Cup
from harness.discord import until
from harness.tournaments import plan_of

from bot.games.service import GameService
from bot.notifications.service import NotificationService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PairingState, Status
from engine.core.errors import Refused
from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

PLAYERS: Final = 8
ROUNDS: Final = 3


async def both(bots: list[AbakBot], cup: Cup) -> None:
    """Lets both look at the tournament in the same moment, and at everything that follows from it."""
    await asyncio.gather(*(bot.service(RoundService).advance(cup.id) for bot in bots))
    for bot in bots:
        bot.service(TournamentService).changed(cup.id)
        bot.service(NotificationService).wake()


async def end_a_game(bot: AbakBot, cup: Cup, rng: random.Random) -> None:
    """Lets somebody who has been pinged lose their game, which ends in one of the processes."""
    snapshot = await cup.snapshot()
    running = [one for one in snapshot.pairings if one.state is PairingState.RUNNING and cup.board(one)]
    pinged = [
        stored for stored in running if all(cup.calls(number, stored, snapshot) for number in stored.pairing.players)
    ]
    if pinged:
        stored = rng.choice(pinged)
        games = bot.service(GameService)
        live = await games.newest(stored.game_id or "")
        loser = rng.randrange(2)
        await games.resign(live.id, live.players[loser], live.game.resign_values(live.state, loser)[-1])


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.timeout(120)
async def test_two_processes_double_nothing(stand_in: Server, cups: Callable[..., Cup], postgres_url: str) -> None:
    rng = random.Random(6)
    async with bot_running(stand_in, postgres_url) as one, bot_running(stand_in, postgres_url) as other:
        bots = [one, other]
        cup = cups(postgres_url, PLAYERS, one)
        await cup.create(plan_of(Format.SWISS, rounds=ROUNDS))
        starts = (bot.service(RoundService).start(cup.id, cup.organiser.user_id) for bot in bots)
        started = await asyncio.gather(*starts, return_exceptions=True)
        assert sorted(type(found) for found in started if found is not None) == [Refused]

        async def over() -> bool:
            await end_a_game(rng.choice(bots), cup, rng)
            await both(bots, cup)
            return await cup.is_quiet()

        await until(over, "the tournament is over", seconds=60)
        assert (await cup.snapshot()).tournament.status is Status.OVER
        assert await cup.check(ROUNDS) == {1: PLAYERS * ROUNDS}
