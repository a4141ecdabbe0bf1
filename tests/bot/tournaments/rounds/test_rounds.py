"""Tournaments in rounds over the socket, to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import private
from harness.discord import text
from harness.tournaments import Event, plan_of

from bot.core.translations import language
from bot.tournaments.tournament import PairingState, Status
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


async def test_a_swiss_runs_to_its_end(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 5)
    await event.create(plan_of(Format.SWISS, rounds=3))
    await event.start()
    first = await event.round(1)
    assert len(first) == 3
    assert [one.result for one in first if one.pairing.second is None] == [Result.PAIRING_BYE]
    assert len(event.threads()) == 2
    await event.shows("**Cup · Round 1**", "0 of 2 games finished.")
    event.decide = lambda stored: min(stored.pairing.players)
    snapshot = await event.play_to_the_end()
    assert snapshot.tournament.round == 3
    assert snapshot.player(1).first_place == 1
    assert sorted(player.first_place or 0 for player in snapshot.players) == [1, 2, 3, 4, 5]
    assert await event.shows("🏆 **Cup is over**", f"1. {event.people[0].mention}")
    await event.shows("**Cup · Round 1**", "2 of 2 games finished.")


async def test_a_drawn_knockout_is_played_again_with_the_seats_exchanged(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 4)
    await event.create(plan_of(Format.SINGLE_ELIMINATION))
    await event.start()
    one, other = await event.round(1)
    await event.draw(one)
    await event.win(other, other.pairing.first)
    again = await event.round(2)
    assert [stored.pairing.attempt for stored in again] == [2]
    assert (again[0].pairing.first, again[0].pairing.second) == (one.pairing.second, one.pairing.first)
    event.decide = lambda stored: min(stored.pairing.players)
    snapshot = await event.play_to_the_end()
    assert snapshot.tournament.status is Status.OVER
    assert snapshot.player(1).first_place == 1
    assert all(stored.state is PairingState.DONE for stored in snapshot.pairings)


async def test_everybody_meets_everybody_in_a_round_robin(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 3)
    await event.create(plan_of(Format.ROUND_ROBIN))
    await event.start()
    snapshot = await event.play_to_the_end()
    met = sorted(sorted(stored.pairing.players) for stored in snapshot.pairings if stored.pairing.second)
    assert met == [[1, 2], [1, 3], [2, 3]]


async def test_a_swiss_in_which_nobody_is_left_to_meet_ends_early_and_says_so(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    await event.create(plan_of(Format.SWISS, rounds=3))
    await event.start()
    snapshot = await event.play_to_the_end()
    assert snapshot.tournament.status is Status.OVER
    assert snapshot.tournament.round == 1
    await event.organiser.slash("tournament log")
    assert language("en")("tournament.act.finished_early") in text(private(event.organiser))
