"""Displaced games without Discord, on each kind of database: clocks, deadlines, notices, two processes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from fakes.outbox import rows
from harness.tournaments import Desk, plan_of

from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.service import DeadlineService
from bot.core.storage.database import Database
from bot.core.translations import language
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.model import PENDING, REMINDER
from bot.notifications.service import NotificationService
from bot.opponents.questions import Answer
from bot.opponents.service import OpponentService
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.reopening.notices import REOPENED
from bot.tournaments.reopening.service import ReopeningService, Step
from bot.tournaments.results.pages.pairings import link
from bot.tournaments.rounds.delivery.words import pairing_line
from bot.tournaments.tournament import PairingState, StoredRound
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind
from engine.match.match import Terms
from engine.tournament.model import Format

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.games.live import LiveGame
    from bot.tournaments.reopening.service import Displaced
    from bot.tournaments.tournament import StoredPairing

pytestmark = pytest.mark.both_databases

CHANNEL, ELSEWHERE = 100, 200
SWISS = plan_of(Format.SWISS, rounds=3, clock="1d/move", round_length=14 * DAY)


def reopening(desk: Desk) -> ReopeningService:
    return desk.services[ReopeningService]


async def resume(desk: Desk, channel: int = ELSEWHERE) -> None:
    await desk.services[OrganiserService].resume(desk.tournament_id, By(9, "Here.", 999), channel)


async def due(desk: Desk) -> list[Displaced]:
    return await reopening(desk).due(100)


async def reopen(desk: Desk, found: Displaced) -> LiveGame:
    """Opens it in a channel of its own; its board is not shown yet."""
    assert found.stored is not None
    await reopening(desk).reopen(found, Place(1, 20_000 + found.stored.id))
    return await desk.games.get(found.game_id or "")


async def show(desk: Desk, *shown: LiveGame) -> None:
    """Shows their boards at their places, and lets their clocks run."""
    for live in shown:
        await desk.games.shown(live.id, live.seq, 1, live.place)
    await desk.go_on(61)  # the lease of who has opened it ends
    for found in await due(desk):
        assert found.step is Step.GO_ON
        await reopening(desk).go_on(found)


async def left(desk: Desk, stored: StoredPairing) -> int:
    live = await desk.game(stored)
    assert live.clock is not None
    return live.clock.left(live.seat_to_act or 0, live.elapsed(desk.clock()))


async def told(desk: Desk) -> list[int]:
    """Returns those whom a notice of new places waits for."""
    return sorted(row.user_id for row in await rows(desk.services[NotificationService], REOPENED))


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


async def all_at_once(desk: Desk) -> None:
    """Starts a round robin of four whose three rounds all run."""
    await desk.begin(plan_of(Format.ROUND_ROBIN, clock="1d/move"), 4)
    first = (await desk.running())[0]
    played = {frozenset(one.pairing.players) for one in await desk.running()}
    others = [pair for pair in combinations(range(1, 5), 2) if frozenset(pair) not in played]
    new = {"state": PairingState.WAITING, "contest_id": None, "game_id": None, "channel_id": None}
    async with desk.service.changing(desk.tournament_id) as change:
        await change.repository.add_round(change.connection, desk.tournament_id, StoredRound(2, 1, change.now))
        for board, (one, two) in enumerate(others, 1):
            pairing = replace(first.pairing, round=2, board=board, first=one, second=two)
            made: Any = replace(first, id=10 + board, pairing=pairing, **new)
            await change.add_pairings(made)
    await desk.go_on()
    assert len(await desk.running()) == 6


async def said(desk: Desk, user_id: int, language_key: str = "en") -> str:
    """Returns the notice of new places that a player would get now."""
    outbox = desk.services[NotificationService]
    notice = outbox.notice(user_id, REOPENED, desk.tournament_id, guild_id=1, channel_id=1, locale="en")
    assert await outbox.kinds[REOPENED].is_current(notice)
    return await outbox.kinds[REOPENED].text(notice, language(language_key))


async def test_each_player_hears_once_with_the_last_of_their_games(desk: Desk) -> None:
    await all_at_once(desk)
    await reopening(desk).channel_gone(CHANNEL)
    await resume(desk)
    found = await due(desk)
    assert len(found) == 6
    for number, one in enumerate(found, 1):
        await reopen(desk, one)
        waiting = {player for other in found[number:] if other.stored for player in other.stored.pairing.players}
        assert await told(desk) == [1000 + player for player in range(1, 5) if player not in waiting]
    games = [await desk.game(one) for one in await desk.running()]
    mine = [live for live in games if 1001 in live.players]
    line, other = await said(desk, 1001), await said(desk, 1001, "es")
    assert line.startswith("**Cup**: the channel of your games was deleted, so I have opened them anew: ")
    assert all(f"<#{live.place.channel_id}> against" in line for live in mine)
    assert all(f"<#{live.place.channel_id}> contra" in other for live in mine)
    assert line.count("(your turn)") == sum(live.awaited == 1001 for live in mine)
    assert other.count("(te toca)") == line.count("(your turn)")


async def test_the_last_game_to_wait_ends_before_it_is_opened(desk: Desk) -> None:
    await all_at_once(desk)
    await reopening(desk).channel_gone(CHANNEL)
    await resume(desk)
    *found, last = await due(desk)
    for one in found:
        await reopen(desk, one)
    assert last.stored is not None
    assert len(await told(desk)) == 2
    await desk.win(last.stored, last.stored.pairing.first)
    await desk.go_on(61)
    (ended,) = await due(desk)
    assert ended.step is Step.DROP
    await reopening(desk).drop(ended)
    assert await told(desk) == [1001, 1002, 1003, 1004]


async def test_who_has_no_other_game_hears_nothing_of_one_that_has_ended(desk: Desk) -> None:
    await desk.begin(SWISS, 4)
    one, _ = await desk.running()
    await reopening(desk).channel_gone(CHANNEL)
    await desk.win(one, one.pairing.first)
    await resume(desk)
    for found in await due(desk):
        if found.step is Step.DROP:
            await reopening(desk).drop(found)
        else:
            await reopen(desk, found)
    users = {(await desk.snapshot()).player(number).user_id for number in one.pairing.players}
    assert await told(desk) == sorted({1001, 1002, 1003, 1004} - users)


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
