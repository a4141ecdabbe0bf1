"""Displaced games without Discord, on each kind of database: clocks, deadlines, two processes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from fakes.outbox import rows
from harness.displaced import CHANNEL, SWISS, due, left, reopen, reopening, resume, show, told
from harness.tournaments import Desk, plan_of

from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.service import DeadlineService
from bot.core.storage.database import Database
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.model import PENDING, REMINDER
from bot.notifications.service import NotificationService
from bot.opponents.questions import Answer
from bot.opponents.service import OpponentService
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.reopening.service import Step
from bot.tournaments.tournament import PairingState
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind
from engine.match.match import Terms
from engine.tournament.model import Format

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.games.live import LiveGame

pytestmark = pytest.mark.both_databases


async def test_clocks_stand_from_the_deletion_until_the_board_is_shown(desk: Desk) -> None:
    await desk.begin(SWISS, 2)
    (before,) = await desk.running()
    await desk.go_on(HOUR / 1000)
    await reopening(desk).channel_gone(CHANNEL)
    await desk.go_on(3 * DAY / 1000)
    assert await due(desk) == []  # it waits for an organiser
    await resume(desk)
    await desk.go_on(HOUR / 1000)
    (found,) = await due(desk)
    assert found.step is Step.REOPEN
    live = await reopen(desk, found)
    assert [entry.kind for entry in live.entries] == [Kind.CREDIT]
    await desk.go_on(2 * DAY / 1000)  # Discord takes no board
    assert await due(desk) == []
    (stored,) = await desk.running()
    assert stored.displaced is not None
    await show(desk, live)
    (after,) = await desk.running()
    assert after.displaced is None
    assert await left(desk, after) == DAY - HOUR
    assert after.deadline == (before.deadline or 0) + 5 * DAY + HOUR + 61_000
    await desk.go_on(HOUR / 1000)
    assert await left(desk, after) == DAY - 2 * HOUR


async def test_no_deadline_ends_a_displaced_game(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=1, clock="5m", round_length=2 * DAY), 2)
    await reopening(desk).channel_gone(10_001)  # the thread of the game alone
    assert (await desk.service.get(desk.tournament_id)).paused is None
    deadlines = desk.services[DeadlineService]
    for _ in range(3):
        await desk.go_on(DAY / 1000)
        await deadlines.run_once([0])
        (stored,) = await desk.running()
        assert not (await desk.game(stored)).entries
    (found,) = await due(desk)
    live = await reopen(desk, found)
    await desk.go_on(DAY / 1000)
    await deadlines.run_once([0])
    assert not (await desk.games.newest(live.id)).is_over
    await show(desk, live)
    assert await left(desk, stored) == 300_000
    await desk.go_on(301)
    await deadlines.run_once([0])
    await desk.go_on(3)
    await deadlines.run_once([0])
    assert (await desk.pairing(stored)).state is PairingState.DONE


async def test_a_game_without_a_clock_is_credited_too(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=1), 2)
    await reopening(desk).channel_gone(10_001)
    await desk.go_on(10 * DAY / 1000)  # too short for a warning, so nothing else notes it
    (found,) = await due(desk)
    live = await reopen(desk, found)
    await show(desk, live)
    await desk.go_on(25 * DAY / 1000)
    live = await desk.games.tick(live.id)
    waits = next(user for user in live.players if user != live.to_act)
    assert not live.may_claim(waits, desk.clock())


async def test_what_was_paused_before_and_after_counts_once(desk: Desk) -> None:
    """The thread is deleted, an hour later an organiser pauses for a day, and after another hour it is open again."""
    await desk.begin(SWISS, 2)
    (before,) = await desk.running()
    await reopening(desk).channel_gone(10_001)
    await desk.go_on(HOUR / 1000)
    organisers = desk.services[OrganiserService]
    await organisers.pause(desk.tournament_id, By(9, "Wait.", 999))
    await desk.go_on(DAY / 1000)
    assert await due(desk) == []
    await organisers.resume(desk.tournament_id, By(9, "Go on.", 999))
    await desk.go_on(HOUR / 1000)
    (found,) = await due(desk)
    await show(desk, await reopen(desk, found))
    (after,) = await desk.running()
    assert after.deadline == (before.deadline or 0) + DAY + 2 * HOUR + 61_000


async def test_an_outage_meanwhile_counts_once(desk: Desk) -> None:
    await desk.begin(SWISS, 2)
    (before,) = await desk.running()
    await reopening(desk).channel_gone(10_001)
    await desk.go_on(HOUR / 1000)
    desk.clock.pass_seconds(2 * HOUR / 1000)  # away
    await desk.services[DeadlineService].run_once([0])
    await desk.rounds.advance(desk.tournament_id)
    (found,) = await due(desk)
    await show(desk, await reopen(desk, found))
    (after,) = await desk.running()
    assert after.deadline == (before.deadline or 0) + 3 * HOUR + 61_000
    assert await left(desk, after) == DAY


async def test_the_next_game_of_a_match_stands_too(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=1, game="backgammon", terms=Terms(points=5), clock="1d/move"), 2)
    (stored,) = await desk.running()
    await reopening(desk).channel_gone(CHANNEL)
    live = await desk.game(stored)
    await desk.games.resign(live.id, live.players[0], 1)
    await desk.games.answer(live.id, live.players[1], accept=True)
    await desk.go_on(3 * DAY / 1000)
    await resume(desk)
    (found,) = await due(desk)
    after = await reopen(desk, found)
    assert after.record.header.match_game == 2
    await show(desk, after)
    assert await left(desk, stored) == DAY


async def test_nobody_is_reminded_while_the_clock_stands(desk: Desk) -> None:
    await desk.begin(SWISS, 2)
    outbox = desk.services[NotificationService]
    before = [row.due for row in await rows(outbox, REMINDER) if row.state == PENDING]
    assert before
    await reopening(desk).channel_gone(10_001)
    assert [row for row in await rows(outbox, REMINDER) if row.state == PENDING] == []
    await desk.go_on(3 * DAY / 1000)
    (found,) = await due(desk)
    live = await reopen(desk, found)
    assert await desk.services[DisplacedGames].is_displaced(live.id)
    await show(desk, live)
    assert not await desk.services[DisplacedGames].is_displaced(live.id)
    after = [row.due for row in await rows(outbox, REMINDER) if row.state == PENDING]
    assert after == [at + 3 * DAY + 61_000 for at in before]


async def test_a_deleted_channel_is_told_of_twice(desk: Desk) -> None:
    """As by the event, and by a request that Discord refuses."""
    await desk.begin(SWISS, 4)
    for _ in range(2):
        await reopening(desk).channel_gone(CHANNEL)
        await desk.go_on(HOUR / 1000)
    assert (await desk.acts()).count("paused") == 1
    assert len(await rows(desk.services[NotificationService], "round_channel")) == 1
    await resume(desk)
    await show(desk, *[await reopen(desk, found) for found in await due(desk)])
    assert [await left(desk, one) for one in await desk.running()] == [DAY] * 2


async def test_a_paused_tournament_loses_its_channel(desk: Desk) -> None:
    await desk.begin(SWISS, 2)
    await desk.services[OrganiserService].pause(desk.tournament_id, By(9, "Wait.", 999))
    await desk.go_on(HOUR / 1000)
    await reopening(desk).channel_gone(CHANNEL)
    assert len(await rows(desk.services[NotificationService], "round_channel")) == 1
    await desk.go_on(DAY / 1000)
    await resume(desk)
    (found,) = await due(desk)
    await show(desk, await reopen(desk, found))
    (stored,) = await desk.running()
    assert await left(desk, stored) == DAY - HOUR


async def test_a_game_that_lives_elsewhere_goes_on(desk: Desk) -> None:
    """Its players have taken it to another channel, which the bot knows."""
    await desk.begin(SWISS, 4)
    one, other = await desk.running()
    live = await desk.game(one)
    await desk.games.relocate(live.id, live.players[0], Place(1, 77))
    await desk.go_on()
    assert (await desk.pairing(one)).channel_id == 77
    reopening(desk).lives = lambda channel_id, deleted: channel_id == 77 and deleted == CHANNEL
    await reopening(desk).channel_gone(CHANNEL)
    displaced = {stored.id: stored.displaced for stored in await desk.running()}
    assert displaced[one.id] is None
    assert displaced[other.id] is not None


async def test_a_game_in_another_server_is_not_touched(desk: Desk) -> None:
    await desk.begin(SWISS, 2)
    (stored,) = await desk.running()
    live = await desk.game(stored)
    await desk.games.relocate(live.id, live.players[0], Place(2, 77))
    assert (await desk.pairing(stored)).channel_id is None  # no link to where others may not look
    await reopening(desk).channel_gone(CHANNEL)
    await reopening(desk).channel_gone(77)
    assert [one.displaced for one in await desk.running()] == [None]


async def test_two_processes_open_a_game_once(desk: Desk, database_url: str, clock: Clock) -> None:
    await desk.begin(SWISS, 4)
    await reopening(desk).channel_gone(CHANNEL)
    await resume(desk)
    second = Database(database_url)
    try:
        other = Desk.on(second, clock, desk.tournament_id)
        leased = await asyncio.gather(due(desk), due(other))
        assert sorted(len(found) for found in leased) == [0, 2]
        found = leased[0] or leased[1]
        places = [(desk, 20_000), (other, 30_000)]  # the lease of one has ended, and it does not know
        for one in found:
            assert one.stored is not None
            work = [reopening(at).reopen(one, Place(1, first + one.stored.id)) for at, first in places]
            results = await asyncio.gather(*work, return_exceptions=True)
            assert sorted(type(result) for result in results if result is not None) == [Refused]
            live = await desk.games.newest(one.game_id or "")
            stored = await desk.pairing(one.stored)
            assert stored.channel_id == live.place.channel_id
            assert live.place.channel_id in {20_000 + stored.id, 30_000 + stored.id}
            await other.services[GameService].shown(live.id, live.seq, 1, live.place)
        clock.pass_seconds(61)
        await desk.go_on()
        ends = [one for at in (desk, other) for one in await due(at)]
        assert [one.step for one in ends] == [Step.GO_ON] * 2
        twice = [reopening(at).go_on(one) for at in (desk, other) for one in ends]
        await asyncio.gather(*twice)
        assert await told(desk) == [1001, 1002, 1003, 1004]
        assert [await left(desk, one) for one in await desk.running()] == [DAY] * 2
    finally:
        await second.close()


async def test_two_machines_do_not_play_on_while_their_channel_is_gone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of their turns would write a credit of time into the record."""
    await desk.create(SWISS, 0)
    for level in (2, 3):
        await desk.enter(level)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.go_on()
    (stored,) = await desk.running()
    opponents = desk.services[OpponentService]

    async def first_turn(live: LiveGame) -> Answer:
        return Answer("", live.game.format(live.state, [live.game.legal(live.state)[0]]), 0.0, None, accept_draw=False)

    monkeypatch.setattr(opponents, "_answer", first_turn)
    assert await opponents.decide(await desk.game(stored)) is not None
    await reopening(desk).channel_gone(CHANNEL)
    assert await opponents.decide(await desk.game(stored)) is None
    await resume(desk)
    (found,) = await due(desk)
    await show(desk, await reopen(desk, found))
    assert await opponents.decide(await desk.game(stored)) is not None
