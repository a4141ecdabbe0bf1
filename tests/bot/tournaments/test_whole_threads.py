"""A thread whose game is never opened, because a player leaves in the same moment, is not left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import bot_running
from harness.discord import until
from harness.tournaments import Event, plan_of

from bot.sandbox.state import permissions
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.rounds.service import RoundService
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.games.stored import Place
    from bot.sandbox.server import Server
    from bot.tournaments.rounds.opening.service import Opening


@pytest.mark.parametrize("may_delete", [True, False])
async def test_no_thread_is_left_without_a_game(stand_in: Server, sqlite_url: str, *, may_delete: bool) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 2)
        if not may_delete:
            stand_in.world.deny(event.organiser.channel_id, permissions.MANAGE_THREADS)
        await event.create(plan_of(Format.SINGLE_ELIMINATION))
        rounds, openings = bot.service(RoundService), bot.service(OpeningService)
        open_game = openings.open

        async def leave_first(opening: Opening, place: Place) -> LiveGame:
            await rounds.withdraw(event.tournament_id, event.people[1].user_id)
            return await open_game(opening, place)

        openings.open = leave_first  # type: ignore[method-assign]
        await event.start()
        snapshot = await event.play_to_the_end()
        assert [one.result for one in snapshot.pairings] == [Result.FIRST_WINS_BY_FORFEIT]
        parent = str(event.organiser.channel_id)

        def archived() -> list[bool]:
            threads = [one for one in stand_in.world.channels.values() if one.get("parent_id") == parent]
            return [one["thread_metadata"]["archived"] for one in threads]

        await until(lambda: archived() == ([] if may_delete else [True]), "the thread is gone")
