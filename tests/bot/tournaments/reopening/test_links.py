"""What links to the places of games: nothing to a place that was deleted."""

from __future__ import annotations

import pytest
from harness.displaced import CHANNEL, ELSEWHERE, SWISS, due, reopen, reopening, resume
from harness.tournaments import Desk

from bot.core.translations import language
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.results.pages.pairings import link
from bot.tournaments.rounds.delivery.words import pairing_line

pytestmark = pytest.mark.both_databases


async def test_nothing_links_to_a_deleted_channel(desk: Desk) -> None:
    await desk.begin(SWISS, 2)
    say, names = language("en"), {1: "Ana", 2: "Ben"}

    async def shown() -> tuple[str, str]:
        snapshot = await desk.snapshot()
        (stored,) = snapshot.pairings
        return link(snapshot, stored), pairing_line(stored, snapshot, names, say)

    assert [("10001" in one) for one in await shown()] == [True, True]
    await reopening(desk).channel_gone(10_001)
    assert await shown() == ("", "1. Ana – Ben · is being opened anew")  # noqa: RUF001  a dash between the two
    (found,) = await due(desk)
    await reopen(desk, found)
    assert [("20001" in one) for one in await shown()] == [True, True]


async def test_a_finished_game_keeps_no_link_to_its_deleted_place(desk: Desk) -> None:
    """Its thread is deleted, or the channel of its tournament; other finished games keep their threads."""
    await desk.begin(SWISS, 6)
    for stored in (await desk.running())[:2]:
        await desk.win(stored, stored.pairing.first)

    async def linked() -> list[int]:
        return [one.id for one in await desk.of_round(1) if link(await desk.snapshot(), one)]

    async def version() -> int:
        async with desk.service.repository.database.reading() as connection:
            return (await desk.service.repository.rounds(connection, desk.tournament_id))[0].version

    before = await version()
    await reopening(desk).channel_gone(99_999)
    assert (await linked(), await version()) == ([1, 2, 3], before)
    await reopening(desk).channel_gone(10_001)
    assert await linked() == [2, 3]
    assert await version() > before
    await reopening(desk).channel_gone(CHANNEL)
    assert await linked() == []


async def test_games_of_before_a_move_keep_their_links_when_the_later_channel_goes(desk: Desk) -> None:
    """Their threads are in the channel that the tournament has left, which is still there."""
    await desk.begin(SWISS, 6)
    early, *late = await desk.running()
    await desk.win(early, early.pairing.first)
    await desk.services[OrganiserService].pause(desk.tournament_id, By(9, "We move.", 999))
    await resume(desk)
    desk.clock.pass_seconds(60)
    for stored in late:
        await desk.win(stored, stored.pairing.first)
    await reopening(desk).channel_gone(ELSEWHERE)
    assert [one.id for one in await desk.of_round(1) if link(await desk.snapshot(), one)] == [early.id]
    await resume(desk, ELSEWHERE + 1)
    await reopening(desk).channel_gone(10_001)
    assert [one.id for one in await desk.of_round(1) if link(await desk.snapshot(), one)] == []
