"""A game whose time runs out after too few turns to be rated: every message says who wins it by forfeit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, bot_running, private, verbs
from harness.discord import text, until
from harness.hours import pass_time
from harness.tournaments import Event, plan_of

from bot.core.translations import language_for_locale
from engine.match.match import Terms
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from harness.discord import Seat

    from bot.sandbox.server import Server
    from bot.tournaments.tournament import StoredPairing

CLOCK = "10m/move"
LATER = 700
"""Seconds after which somebody's time is up."""


async def the_game(event: Event, **plan: Any) -> tuple[StoredPairing, Seat, Seat]:
    """Returns a pairing whose game has begun, who is late in it soon, and the other."""
    locale = plan.pop("locale", "en")
    await event.create(plan_of(Format.SWISS, rounds=1, clock=CLOCK, **plan), locale=locale)
    await event.start()
    (stored,) = await event.opened(1)
    live = await event.game(stored)
    seats = {seat.user_id: seat for seat in event.people}
    late = live.seat_to_act
    assert late is not None
    return stored, seats[live.players[late]], seats[live.players[1 - late]]


async def posted(event: Event, stored: StoredPairing, part: str) -> dict[str, Any]:
    """Returns the message of the game's thread with that part or that button, once it is there."""

    def fitting() -> list[dict[str, Any]]:
        there = event.server.world.messages.in_channel(stored.channel_id or 0)
        return [one for one in there if part in text(one) or part in verbs(one)]

    await until(fitting, part)
    return fitting()[0]


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_board_and_the_notices_say_what_the_round_says(
    stand_in: Server, sqlite_url: str, locale: str
) -> None:
    time, say = Clock(), language_for_locale(locale)
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 2, locale=locale)
        stored, late, winner = await the_game(event, locale=say.code)
        await pass_time(bot, time, LATER)
        assert (await event.pairing(stored)).result is Result.SECOND_WINS_BY_FORFEIT
        board = await posted(event, stored, say("board.walkover", player=winner.mention, name="Cup"))
        assert say("board.aborted") not in text(board)
        told = board["attachments"][0]["description"]
        assert "Cup" in told
        assert say("end.aborted") not in told
        await event.shows(f"**Cup · {say('tournament.results.column.round', round=1)}**", "0–1")  # noqa: RUF001  a dash between the two
        event.look()
        for what, seat, other in (("lost", late, winner), ("won", winner, late)):
            given = {"name": "Cup", "game": "Abalone", "opponent": other.mention, "link": ""}
            start = say(f"notification.time_walkover_{what}", **given).strip()
            direct = seat.direct()
            await until(lambda box=direct, said=start: any(said in text(one) for one in box.messages), start)


async def test_a_match_is_won_by_forfeit(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 2)
        stored, _, winner = await the_game(event, game="backgammon", terms=Terms(points=3))
        await pass_time(bot, time, LATER)
        await posted(event, stored, f"{winner.mention} wins the match by forfeit in **Cup**.")


async def test_who_claims_is_told_what_they_win(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 2)
        stored, _, winner = await the_game(event, timeout_policy="claim")
        await posted(event, stored, "Abalone")
        await pass_time(bot, time, LATER)
        board = await posted(event, stored, "claim_win")
        there = winner.at(stored.channel_id or 0)
        await there.press("b:claim_win:", board)
        assert "You win by forfeit in **Cup**." in text(private(there))
