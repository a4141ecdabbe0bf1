"""Organisers at the same time, crashes between an act and what follows, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from harness.organising import CHANNEL, HELPER, OWNER

from bot.tournaments.organising.rules.effect import Act, Ruling
from bot.tournaments.organising.service import By, OrganiserService, Overtaken
from engine.core.hours import DAY, HOUR

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.clock import Clock
    from harness.organising import Desk

pytestmark = pytest.mark.both_databases


async def test_of_two_organisers_the_second_is_told_what_the_first_did(desk: Desk, another: Callable[[], Desk]) -> None:
    await desk.create()
    one, _ = await desk.start()
    other = another()
    other.id = desk.id
    seen = await desk.organiser.last_seq(desk.id)
    acts = (
        desk.organiser.adjudicate(desk.id, By(OWNER, "Mine.", seen), one.id, Ruling.FIRST),
        other.organiser.adjudicate(desk.id, By(HELPER, "Mine.", seen), one.id, Ruling.SECOND),
    )
    found = await asyncio.gather(*acts, return_exceptions=True)
    (error,) = [result for result in found if isinstance(result, Exception)]
    assert isinstance(error, Overtaken)
    entries = [entry for entry in await desk.log() if entry.act == Act.ADJUDICATE]
    assert len(entries) == 1
    assert error.entry.seq == entries[0].seq
    stored = await desk.pairing(one.id)
    assert stored.result is not None
    assert stored.result.value == entries[0].detail["result"]
    # one organiser who acts twice is not in their own way
    await desk.organiser.pause(desk.id, By(entries[0].actor or 0, "Again.", seen))


async def test_an_act_and_its_log_are_one_transaction(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.create()
    one, _ = await desk.start()
    before, log = await desk.snapshot(), await desk.log()

    async def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(desk.organiser, "_tell", fail)
    for work in (
        desk.organiser.adjudicate(desk.id, await desk.by(), one.id, Ruling.FIRST),
        desk.organiser.expel(desk.id, await desk.by(), 1),
        desk.organiser.repair(desk.id, await desk.by()),
        desk.organiser.cancel(desk.id, await desk.by()),
    ):
        with pytest.raises(RuntimeError):
            await work
    assert (await desk.snapshot(), await desk.log()) == (before, log)
    assert not (await desk.game(one)).is_over


async def test_a_crash_before_the_game_is_ended_is_made_good(desk: Desk, another: Callable[[], Desk]) -> None:
    """The result is there at once; the game follows, by whichever process comes first."""
    await desk.create()
    one, _ = await desk.start()
    await desk.organiser.adjudicate(desk.id, await desk.by(), one.id, Ruling.FIRST)
    other = another()
    other.id = desk.id
    await asyncio.gather(desk.finish(), other.finish())
    assert (await desk.game(one)).is_over
    assert await desk.organiser.repository.next_due() is None
    assert isinstance(other.organiser, OrganiserService)


async def test_a_round_that_is_paired_again_comes_back_whole(desk: Desk) -> None:
    """The longest of all transactions: a round, its pairings and its row go and come."""
    await desk.create()
    before = await desk.start()
    await desk.organiser.repair(desk.id, await desk.by())
    await desk.finish()
    await desk.go_on()
    await desk.organiser.undo(desk.id, await desk.by())
    await desk.finish()
    assert [one.pairing for one in await desk.go_on()] == [one.pairing for one in before]


async def test_a_new_channel_has_new_messages(desk: Desk, clock: Clock) -> None:
    await desk.create(round_length=DAY)
    stored, _ = await desk.start()
    await desk.organiser.pause(desk.id, await desk.by())
    clock.at += HOUR
    await desk.organiser.resume(desk.id, await desk.by(), CHANNEL + 500)
    assert (await desk.snapshot()).tournament.channel_id == CHANNEL + 500
    assert (await desk.pairing(stored.id)).deadline == (stored.deadline or 0) + HOUR
    await desk.organiser.appoint(desk.id, await desk.by(), HELPER, adds=True)
    await desk.organiser.expel(desk.id, await desk.by(), 1)
    await desk.organiser.undo(desk.id, await desk.by())
    await desk.organiser.cancel(desk.id, await desk.by())
    assert [entry.act for entry in await desk.log()][:3] == [Act.CANCEL, Act.UNDO, Act.EXPEL]
