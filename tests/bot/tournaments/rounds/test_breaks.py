"""Breaks between rounds: results are corrected and acts undone in them, and the next pairing knows of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.discord import until
from harness.organising import refused
from harness.tournaments import Desk, Event, plan_of

from bot.clocks.heartbeats.service import HeartbeatService, Outage
from bot.core.translations import language
from bot.tournaments.organising import words
from bot.tournaments.organising.rules.effect import Act, Ruling
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.registration.announcement import content
from bot.tournaments.rounds.delivery.words import round_message
from bot.tournaments.rounds.steps import outages
from bot.tournaments.schedule import break_end
from bot.tournaments.tournament import PlayerStatus, Status
from engine.core.hours import HOUR, MINUTE
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.client import AbakBot
    from bot.core.storage.database import Database
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Plan, StoredRound, TournamentSnapshot

BREAK: Final = 12 * HOUR
SECONDS: Final = BREAK / 1000


def with_break(format_: Format, **more: Any) -> Plan:
    return plan_of(format_, round_break=BREAK, **more)


def organiser(desk: Desk) -> OrganiserService:
    return desk.services[OrganiserService]


async def by(desk: Desk, reason: str = "Because.") -> By:
    return By(9, reason, await organiser(desk).last_seq(desk.tournament_id))


async def end_games(desk: Desk) -> None:
    """Ends the games that acts have decided, as the worker does."""
    for tournament_id, entry, _ in await organiser(desk).unfinished():
        await organiser(desk).end_games(await desk.service.get(tournament_id), entry)


async def round_now(desk: Desk) -> int:
    return (await desk.snapshot()).tournament.round


async def in_break(desk: Desk, plan: Plan, players: int = 4) -> TournamentSnapshot:
    """Plays the first round of a tournament; the second is not paired."""
    await desk.begin(plan, players)
    await desk.play_round()
    await desk.go_on()
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.round, break_end(snapshot)) == (1, desk.clock() + BREAK)
    return snapshot


# --- when there is one -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
async def test_the_next_round_is_paired_when_the_break_is_over(desk: Desk) -> None:
    await in_break(desk, with_break(Format.SWISS, rounds=3))
    await desk.go_on(SECONDS - 1)
    assert await round_now(desk) == 1
    await desk.go_on(1)
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.round, snapshot.tournament.break_until) == (2, None)
    assert len(await desk.running()) == 2


async def test_the_tournament_is_looked_at_when_the_break_ends(desk: Desk) -> None:
    """So the worker sleeps until then, and not longer."""
    snapshot = await in_break(desk, with_break(Format.SWISS, rounds=3))
    assert snapshot.tournament.next_at == break_end(snapshot)


async def test_a_restart_in_the_break_keeps_it(desk: Desk, database: Database, clock: Clock) -> None:
    await in_break(desk, with_break(Format.SWISS, rounds=3))
    after = Desk.on(database, clock, desk.tournament_id)
    await after.go_on(SECONDS / 2)
    assert await round_now(after) == 1
    await after.go_on(SECONDS / 2)
    assert await round_now(after) == 2
    assert (await after.acts()).count("break") == 1


async def test_two_processes_that_see_the_round_end_begin_one_break(
    desk: Desk, database: Database, clock: Clock
) -> None:
    """The second had read the tournament before the first one began the break."""
    await desk.begin(with_break(Format.SWISS, rounds=3), 4)
    other = Desk.on(database, clock, desk.tournament_id)
    await desk.play_round()
    before = await desk.snapshot()
    await desk.go_on()
    await other.rounds._next_round(before)
    assert await round_now(desk) == 1
    assert (await desk.acts()).count("break") == 1


async def test_without_a_break_the_next_round_is_paired_at_once(desk: Desk) -> None:
    """So it is in a tournament that was stored before there were breaks, too: its plan names none."""
    await desk.begin(plan_of(Format.SWISS, rounds=3), 4)
    await desk.play_on(1)
    assert await round_now(desk) == 2


async def test_after_the_last_round_there_is_none(desk: Desk) -> None:
    await desk.begin(with_break(Format.SINGLE_ELIMINATION), 2)
    await desk.play_on(1)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert "break" not in await desk.acts()


async def test_a_knockout_and_the_stage_after_groups_have_breaks(desk: Desk) -> None:
    await in_break(desk, with_break(Format.SINGLE_ELIMINATION))
    first, _ = await desk.of_round(1)
    await organiser(desk).correct(desk.tournament_id, await by(desk), first.id, Result.SECOND_WINS)
    await desk.go_on(SECONDS)
    (final,) = await desk.of_round(2)
    assert first.pairing.second in final.pairing.players


async def test_an_arena_has_none(desk: Desk) -> None:
    await desk.begin(with_break(Format.ARENA, clock="5m+3s"), 2)
    await desk.go_on(5)
    await desk.play_round()
    await desk.go_on(5)
    assert len(await desk.running()) == 1
    assert (await desk.snapshot()).tournament.break_until is None


async def test_a_round_without_a_game_has_none(desk: Desk) -> None:
    """Of three in a round robin one is left: all that is to come is decided without a game."""
    await desk.begin(with_break(Format.ROUND_ROBIN), 3)
    for number in (1, 2):
        await desk.rounds.withdraw(desk.tournament_id, 1000 + number)
    await desk.go_on()
    await desk.go_on(SECONDS)
    assert (await desk.snapshot()).tournament.status is Status.OVER
    assert (await desk.acts()).count("break") <= 1


# --- what is done in it ----------------------------------------------------------------------------------------------


async def test_the_pairing_knows_of_a_correction_in_the_break(desk: Desk) -> None:
    await in_break(desk, with_break(Format.SWISS, rounds=3))
    first, other = await desk.of_round(1)
    await organiser(desk).correct(desk.tournament_id, await by(desk), first.id, Result.SECOND_WINS)
    assert break_end(await desk.snapshot()) == desk.clock() + BREAK  # it goes on
    await desk.go_on(SECONDS)
    pairs = [set(one.pairing.players) for one in await desk.of_round(2)]
    assert {first.pairing.second, other.pairing.first} in pairs  # the two winners


async def test_an_expulsion_that_ended_the_round_is_undone_in_the_break(desk: Desk) -> None:
    await desk.begin(with_break(Format.SWISS, rounds=3), 4)
    one, other = await desk.running()
    await desk.win(one, one.pairing.first)
    number = other.pairing.first
    await organiser(desk).expel(desk.tournament_id, await by(desk), number)
    await end_games(desk)
    await desk.go_on()
    assert break_end(await desk.snapshot()) is not None
    await organiser(desk).undo(desk.tournament_id, await by(desk))
    await desk.go_on()
    snapshot = await desk.snapshot()
    assert snapshot.player(number).status is PlayerStatus.IN
    assert (snapshot.tournament.round, snapshot.tournament.break_until) == (1, None)
    (again,) = await desk.running()
    assert again.id == other.id
    await desk.go_on(2 * SECONDS)  # the game goes on: no round is paired
    await desk.win(again, number)
    await desk.go_on()
    assert break_end(await desk.snapshot()) == desk.clock() + BREAK  # a whole one
    await desk.go_on(SECONDS)
    assert await round_now(desk) == 2
    assert {number, one.pairing.first} in [set(stored.pairing.players) for stored in await desk.of_round(2)]


async def test_an_expulsion_that_would_end_the_tournament_is_undone_in_a_break(desk: Desk) -> None:
    await desk.begin(with_break(Format.SINGLE_ELIMINATION), 2)
    await organiser(desk).expel(desk.tournament_id, await by(desk), 1)
    await end_games(desk)
    await desk.go_on()
    assert (await desk.snapshot()).tournament.status is Status.RUNNING
    await organiser(desk).undo(desk.tournament_id, await by(desk))
    await desk.go_on()
    (again,) = await desk.running()
    await desk.win(again, 1)
    await desk.go_on()
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.status, snapshot.player(1).first_place) == (Status.OVER, 1)


async def test_a_last_round_that_an_organiser_decided_ends_the_tournament_after_the_break(desk: Desk) -> None:
    await desk.begin(with_break(Format.SINGLE_ELIMINATION), 2)
    (final,) = await desk.running()
    await organiser(desk).adjudicate(desk.tournament_id, await by(desk), final.id, Ruling.SECOND)
    await desk.go_on()
    assert "the tournament ends" in await told(desk)
    await desk.go_on(SECONDS)
    assert (await desk.snapshot()).tournament.status is Status.OVER


async def test_a_bye_is_asked_for_and_withdrawn_in_the_break(desk: Desk) -> None:
    await in_break(desk, with_break(Format.SWISS, rounds=4, byes=1), 5)
    await desk.rounds.ask_bye(desk.tournament_id, 1001, 2)
    await desk.rounds.ask_bye(desk.tournament_id, 1001, 2, withdraw=True)
    await desk.rounds.ask_bye(desk.tournament_id, 1002, 2)
    await desk.go_on(SECONDS)
    half = [one.pairing.first for one in await desk.of_round(2) if one.result is Result.HALF_BYE]
    assert half == [2]


# --- ending it, and holding it ---------------------------------------------------------------------------------------


async def test_an_organiser_ends_the_break(desk: Desk) -> None:
    await desk.begin(with_break(Format.SWISS, rounds=3), 4)
    assert await refused(organiser(desk).end_break(desk.tournament_id, await by(desk))) == "no_break"
    await desk.play_on(1)
    entry = await organiser(desk).end_break(desk.tournament_id, await by(desk, "All are here."))
    assert (entry.act, entry.reason) == (Act.END_BREAK, "All are here.")
    assert await refused(organiser(desk).end_break(desk.tournament_id, await by(desk))) == "no_break"
    await desk.go_on()
    assert await round_now(desk) == 2
    assert await refused(organiser(desk).undo(desk.tournament_id, await by(desk), entry.seq)) == "undo_never"
    await desk.play_on(1)
    assert break_end(await desk.snapshot()) is not None  # the next one is as long as ever


async def test_a_round_that_is_paired_again_has_had_its_break(desk: Desk) -> None:
    await in_break(desk, with_break(Format.SWISS, rounds=3))
    await desk.go_on(SECONDS)
    await organiser(desk).repair(desk.tournament_id, await by(desk))
    await end_games(desk)
    await desk.go_on()
    assert await round_now(desk) == 2
    assert len(await desk.running()) == 2


async def test_while_the_tournament_is_paused_the_break_waits(desk: Desk) -> None:
    snapshot = await in_break(desk, with_break(Format.SWISS, rounds=3))
    end = break_end(snapshot) or 0
    await organiser(desk).pause(desk.tournament_id, await by(desk))
    await desk.go_on(2 * SECONDS)
    assert await round_now(desk) == 1
    assert break_end(await desk.snapshot()) is None  # nothing says when it ends: that moves
    assert await refused(organiser(desk).end_break(desk.tournament_id, await by(desk))) == "no_break"
    await organiser(desk).resume(desk.tournament_id, await by(desk))
    await desk.go_on()
    assert break_end(await desk.snapshot()) == end + 2 * BREAK
    await desk.go_on(SECONDS)
    assert await round_now(desk) == 2


async def test_the_break_is_longer_by_the_time_for_which_the_bot_was_away(desk: Desk, clock: Clock) -> None:
    """Nobody could correct a result then. What was before the break does not count."""
    end = break_end(await in_break(desk, with_break(Format.SWISS, rounds=3))) or 0
    begun = clock()
    clock.pass_seconds(SECONDS)
    async with desk.service.changing(desk.tournament_id) as change:
        await outages.credit(
            change, [Outage(0, 1, begun - 2 * HOUR, begun), Outage(0, 1, begun + HOUR, begun + 4 * HOUR)]
        )
    assert break_end(await desk.snapshot()) == end + 3 * HOUR
    await desk.go_on()
    assert await round_now(desk) == 1
    await desk.go_on(3 * 3600)
    assert await round_now(desk) == 2


async def test_nothing_is_paired_before_an_outage_is_known(desk: Desk, clock: Clock) -> None:
    """The bot has just come back, and has no heartbeat yet."""
    await in_break(desk, with_break(Format.SWISS, rounds=3))
    await desk.services[HeartbeatService].record([0])
    clock.pass_seconds(SECONDS)
    await desk.rounds.advance(desk.tournament_id)
    assert await round_now(desk) == 1
    await desk.go_on()
    assert await round_now(desk) == 2


async def test_a_cancelled_tournament_has_no_break_any_more(desk: Desk) -> None:
    await in_break(desk, with_break(Format.SWISS, rounds=3))
    await organiser(desk).cancel(desk.tournament_id, await by(desk))
    await desk.go_on(SECONDS)
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.round, break_end(snapshot)) == (1, None)


# --- what is said of it ----------------------------------------------------------------------------------------------


async def told(desk: Desk, code: str = "en") -> str:
    """Returns the line of the log about the break, which is posted in the channel."""
    entries = await desk.service.repository.log_of(desk.tournament_id, 99)
    entry = next(one for one in entries if one.act == "break")
    return words.line(entry, words.users_of(await desk.snapshot()), language(code))


async def first_round(desk: Desk) -> StoredRound:
    async with desk.service.repository.database.reading() as connection:
        return (await desk.service.repository.rounds(connection, desk.tournament_id))[0]


async def test_the_break_is_told(desk: Desk) -> None:
    snapshot = await in_break(desk, with_break(Format.SWISS, rounds=3))
    at = f"<t:{(desk.clock() + BREAK) // 1000}"
    assert f"Round 1 · all games are over. The next round begins {at}:f> ({at}:R>)" in await told(desk)
    assert f"La ronda siguiente empieza el {at}:f>" in await told(desk, "es")
    say = language("en")
    shown = await first_round(desk)
    assert f"Break until {at}:t> ({at}:R>)." in round_message(snapshot, shown, dict.fromkeys(range(1, 5), "?"), say)[0]
    assert f"Break until {at}:t>" in content(snapshot, say, desk.clock())
    over = replace(snapshot, tournament=replace(snapshot.tournament, break_until=0))
    assert "Break" not in round_message(over, shown, dict.fromkeys(range(1, 5), "?"), say)[0]


async def test_the_message_of_the_round_follows(desk: Desk) -> None:
    """It says that there is a break, and when that is ended no longer."""
    await desk.begin(with_break(Format.SWISS, rounds=3), 4)
    await desk.play_round()
    before = (await first_round(desk)).version
    await desk.go_on()
    begun = (await first_round(desk)).version
    await organiser(desk).end_break(desk.tournament_id, await by(desk))
    assert before < begun < (await first_round(desk)).version


async def test_over_the_socket_the_organiser_goes_on(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 4)
    await event.create(plan_of(Format.SWISS, rounds=2, round_break=5 * MINUTE))
    await event.start()
    await event.round(1)
    await event.play_round()
    await event.shows("**Cup**: Round 1 · all games are over. The next round begins <t:")
    await event.shows("**Cup · Round 1**", "Break until <t:")
    await event.organiser.slash("tournament organise begin", reason="All are here.")
    await event.shows("**Cup**:", "ended the break between rounds. Reason: All are here.")
    assert len(await event.round(2)) == 2

    async def gone() -> bool:
        return not any("Break until" in one for one in event.said("**Cup · Round 1**"))

    await until(gone, "the first round's message says no more of a break")
    snapshot = await event.play_to_the_end()
    assert (snapshot.tournament.round, snapshot.tournament.status) == (2, Status.OVER)
