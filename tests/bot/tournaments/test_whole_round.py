"""A large round is opened while somebody else plays: every board is there, and every press is answered.

``benchmarks/tournament_round.py`` times it for 64 players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from harness.discord import until
from harness.passer_by import PasserBy
from harness.process import BotProcess
from harness.tournaments import plan_of

from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.cups import Cup
    from harness.process import Forks

    from bot.sandbox.server import Server

PLAYERS: Final = 24
"""More than are paired within the bot's own process."""


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.timeout(120)
async def test_a_large_round_opens_while_others_play(
    stand_in: Server, cups: Callable[..., Cup], sqlite_url: str, forks: Forks
) -> None:
    cup = cups(sqlite_url, PLAYERS)
    async with BotProcess(stand_in, sqlite_url, forks) as process:
        await process.start()
        await process.ready()
        passer_by = await PasserBy.playing(stand_in)
        await cup.create(plan_of(Format.SWISS, rounds=2))
        async with passer_by:
            await cup.start()

            async def opened() -> bool:
                snapshot = await cup.snapshot()
                return len(snapshot.pairings) == PLAYERS // 2 and all(
                    one.channel_id and cup.board(one) for one in snapshot.pairings
                )

            await until(opened, "every game of the round has its board", seconds=60)
        await process.stop()
    assert len(cup.threads()) == PLAYERS // 2
    assert len(passer_by.answered) > 0
    assert passer_by.unanswered == 0
