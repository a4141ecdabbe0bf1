"""Time runs out when it does: whoever notices it, however often, and only where moves are taken."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from fakes.clock import START, Clock
from fakes.process import Process
from fakes.toy import Nim
from structlog.testing import capture_logs

from bot.services.deadlines import LEASE_MS
from bot.services.pulse import BEAT_MS, GAP_MS
from bot.services.tables import Place, Seated
from bot.store.db import Database
from engine.core.clock import LAG
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Kind
from engine.core.table import Table

ANN, BOB, EVE = 11, 22, 33
HERE, THERE = Place(1, 5), Place(1 << 22, 6)
"""In two lanes, where there are two."""


@pytest.fixture
async def other(database: Database, process: Process, clock: Clock) -> AsyncIterator[Process]:
    """Another process on the same database, with connections of its own."""
    del process
    its_own = Database(database.url.render_as_string(hide_password=False))
    yield Process(its_own, clock, new_id=lambda: "other")
    await its_own.close()


def timeouts(seated: Seated) -> list[str]:
    return [str(entry) for entry in seated.table.record.entries if entry.kind is Kind.TIMEOUT]


async def beaten(process: Process, milliseconds: int) -> None:
    """Time passes with beats, and nothing is ticked yet."""
    process.clock.at += milliseconds
    await process.beaten(process.clock.at, range(process.pulse.lanes))


# --- one process -------------------------------------------------------------------------------------------------


async def test_time_runs_out_by_itself_and_is_dated_when_it_did(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[Seated] = []
    process.tables.subscribe(heard.append)
    await process.live(HOUR + LAG - 1)
    assert (await process.tables.get(seated.id)).table.outcome is None
    await process.live(DAY)  # noticed late
    over = await process.tables.get(seated.id)
    assert timeouts(over) == [f"{HOUR + LAG} timeout 0"]
    assert over.table.outcome is not None
    assert over.table.outcome.winner == 1
    assert over.table.counts
    assert [one.seq for one in heard] == [over.seq]
    assert Table.replay(over.table.game, over.table.record) == over.table
    await process.live(DAY)
    assert (await process.tables.newest(seated.id)).seq == over.seq


async def test_with_a_claim_the_game_waits_for_a_player(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, policy="claim", played=4)
    await process.live(2 * HOUR)
    late = await process.tables.get(seated.id)
    assert (late.table.overdue, late.table.outcome) == (0, None)
    await process.live(DAY)
    assert (await process.tables.newest(seated.id)).seq == late.seq
    with pytest.raises(Refused):
        await process.tables.claim(seated.id, ANN, "win")
    won = await process.tables.claim(seated.id, BOB, "win")
    assert won.table.outcome is not None
    assert (won.table.outcome.winner, won.table.counts) == (1, True)


async def test_a_late_player_may_play_on_where_the_other_has_not_claimed(process: Process) -> None:
    seated = await process.nim("1h", (ANN, BOB), HERE, policy="claim", played=4)
    await beaten(process, 2 * HOUR)
    played = await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert [entry.kind for entry in played.table.record.entries[-2:]] == [Kind.TIMEOUT, Kind.PLAY]
    assert played.table.clock is not None
    assert played.table.clock.banks[0] == 0
    assert played.table.overdue is None


async def test_a_game_of_few_turns_is_aborted(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=3)
    await process.live(2 * HOUR)
    over = await process.tables.get(seated.id)
    assert over.table.outcome is not None
    assert (over.table.outcome.reason, over.table.counts) == ("end.aborted", False)


async def test_the_loop_wakes_when_the_next_time_runs_out(process: Process) -> None:
    assert await process.deadlines.turn([0]) == BEAT_MS
    await process.nim("10s/move", (ANN, BOB), HERE, played=4)
    assert await process.deadlines.turn([0]) == BEAT_MS
    await process.live(10_000)
    assert await process.deadlines.turn([0]) == LAG
    await process.live(LAG)
    assert await process.deadlines.turn([0]) == BEAT_MS


async def test_without_a_connection_nothing_beats_and_nothing_is_ticked(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await beaten(process, 2 * HOUR)
    assert await process.deadlines.turn([]) == BEAT_MS
    assert timeouts(await process.tables.newest(seated.id)) == []


async def test_ticks_change_nothing_a_second_time(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, policy="claim", played=4)
    await beaten(process, 2 * HOUR)
    first = await process.tables.tick(seated.id)
    assert len(timeouts(first)) == 1
    assert [(await process.tables.tick(seated.id)).table for _ in range(3)] == [first.table] * 3


async def test_one_game_that_cannot_be_ticked_keeps_no_other_waiting(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    good = await process.nim("1h/move", (BOB, EVE), THERE, played=4)
    tick = process.tables.tick

    async def fragile(game_id: str) -> Seated:
        if game_id == bad.id:
            raise ConnectionError
        return await tick(game_id)

    monkeypatch.setattr(process.tables, "tick", fragile)
    await beaten(process, 2 * HOUR)
    with capture_logs() as logs:
        pause = await process.deadlines.turn([0])
    assert [(log["event"], log["game"]) for log in logs] == [("tick_failed", bad.id)]
    assert pause == BEAT_MS  # it is not asked for again and again
    assert len(timeouts(await process.tables.newest(good.id))) == 1
    monkeypatch.setattr(process.tables, "tick", tick)
    await process.live(LEASE_MS - 1)
    assert timeouts(await process.tables.newest(bad.id)) == []
    await process.live(1)
    assert timeouts(await process.tables.newest(bad.id)) == [f"{HOUR + LAG} timeout 0"]


# --- outages -----------------------------------------------------------------------------------------------------


async def test_after_an_outage_time_is_given_back_before_anything_runs_out(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.live(HOUR - MINUTE)
    process.clock.at += DAY
    await process.deadlines.turn([0])
    assert timeouts(await process.tables.newest(seated.id)) == []
    await process.live(MINUTE + LAG - 1)
    assert timeouts(await process.tables.newest(seated.id)) == []
    await process.live(1)
    assert timeouts(await process.tables.newest(seated.id)) == [f"{DAY + HOUR + LAG} timeout 0"]


async def test_nothing_runs_out_in_a_lane_that_is_cut_off(process: Process) -> None:
    process.pulse.lanes = 2
    here = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    there = await process.nim("1h/move", (BOB, EVE), THERE, played=4)
    await process.live(MINUTE, [0, 1])
    for _ in range(3):
        process.clock.at += HOUR
        await process.beaten(process.clock.at, [0])
        assert await process.deadlines.turn([0]) == BEAT_MS
    assert len(timeouts(await process.tables.newest(here.id))) == 1
    assert timeouts(await process.tables.newest(there.id)) == []
    # nor does it when a player's games are brought up to date
    await process.deadlines.refresh(EVE)
    assert timeouts(await process.tables.newest(there.id)) == []
    await process.live(0, [0])
    await process.deadlines.turn([0, 1])
    after = await process.tables.newest(there.id)
    assert timeouts(after) == []
    assert [str(entry) for entry in after.table.record.entries if entry.kind is Kind.CREDIT] == [
        f"{3 * HOUR + MINUTE} credit * {MINUTE} {3 * HOUR + MINUTE}"
    ]
    await process.live(HOUR - MINUTE + LAG, [0, 1])
    assert timeouts(await process.tables.newest(there.id)) == [f"{4 * HOUR + LAG} timeout 0"]


@pytest.mark.parametrize("lanes", [[0], [1], [0, 1], [2]])
async def test_only_games_of_the_lanes_that_beat_are_leased(process: Process, lanes: list[int]) -> None:
    process.pulse.lanes = 4
    places = [Place(lane << 22 if lane else None, 5 + lane) for lane in range(3)]
    games = [await process.nim("1h/move", (50 + place.channel_id, BOB), place, played=4) for place in places]
    await beaten(process, 2 * HOUR)
    await process.deadlines.turn(lanes)
    late = [bool(timeouts(await process.tables.newest(seated.id))) for seated in games]
    assert late == [lane in lanes for lane in range(3)]


# --- several processes -------------------------------------------------------------------------------------------


async def test_what_one_process_has_leased_another_leaves_alone(process: Process, other: Process) -> None:
    await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await beaten(process, 2 * HOUR)
    now = process.clock.at
    due = [one.tables.ledger.lease(now, now + LEASE_MS, [0], 1, 50) for one in (process, other)]
    assert sorted(map(len, await asyncio.gather(*due))) == [0, 1]
    assert await other.tables.ledger.lease(now + LEASE_MS - 1, now + 9 * LEASE_MS, [0], 1, 50) == []
    assert len(await other.tables.ledger.lease(now + LEASE_MS, now + 9 * LEASE_MS, [0], 1, 50)) == 1


async def test_who_dies_after_the_lease_leaves_the_game_to_others(process: Process, other: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await beaten(process, 2 * HOUR)
    await process.tables.ledger.lease(process.clock.at, process.clock.at + LEASE_MS, [0], 1, 50)  # and no more
    await other.live(LEASE_MS - 1)
    assert timeouts(await other.tables.newest(seated.id)) == []
    await other.live(1)
    assert timeouts(await other.tables.newest(seated.id)) == [f"{HOUR + LAG} timeout 0"]


async def test_two_processes_that_tick_at_once_write_one_entry(process: Process, other: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[Seated] = []
    for one in (process, other):
        one.tables.subscribe(heard.append)
    await beaten(process, 2 * HOUR)
    other.pulse._last |= process.pulse._last
    both = await asyncio.gather(process.tables.tick(seated.id), other.tables.tick(seated.id))
    assert [timeouts(one) for one in both] == [[f"{HOUR + LAG} timeout 0"]] * 2
    assert len(heard) == 1


async def test_a_move_and_a_tick_at_once(process: Process, other: Process) -> None:
    """Whichever comes first: the move came too late, and says so."""
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await beaten(process, 2 * HOUR)
    other.pulse._last |= process.pulse._last
    move, _ = await asyncio.gather(
        process.tables.play(seated.id, ANN, seated.seq, "1"), other.tables.tick(seated.id), return_exceptions=True
    )
    assert isinstance(move, Refused)
    assert move.key in {"table.time_up", "table.over", "table.stale"}
    assert len(timeouts(await other.tables.newest(seated.id))) == 1


# --- commands ----------------------------------------------------------------------------------------------------


async def test_a_move_that_comes_too_late_ends_the_game_and_is_told_so(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[Seated] = []
    process.tables.subscribe(heard.append)
    await beaten(process, HOUR + LAG)
    with pytest.raises(Refused) as caught:
        await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert caught.value.key == "table.time_up"
    (over,) = heard
    assert timeouts(over) == [f"{HOUR + LAG} timeout 0"]
    with pytest.raises(Refused) as caught:
        await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert caught.value.key == "table.over"


async def test_a_move_within_the_time_that_messages_take_is_in_time(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await beaten(process, HOUR + LAG - 1)
    assert (await process.tables.play(seated.id, ANN, seated.seq, "1")).to_act == BOB


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_what_the_bot_notes_makes_no_press_stale(process: Process, other: Process, elsewhere: bool) -> None:
    seated = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await beaten(process, MINUTE)
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    process.clock.at += GAP_MS + 1
    who = other if elsewhere else process
    noted = await who.tables.tick(seated.id)
    assert [entry.kind for entry in noted.table.record.entries[seated.seq :]] == [Kind.HOURS, Kind.CREDIT]
    played = await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert played.table.record.entries[-1].kind is Kind.PLAY
    with pytest.raises(Refused) as caught:
        await process.tables.play(seated.id, BOB, seated.seq, "1")  # saw the board before that move
    assert caught.value.key == "table.stale"


# --- what counts -------------------------------------------------------------------------------------------------


async def mass(process: Process, policy: str) -> list[Seated]:
    """Three games that Ann leaves, within an hour, and one a day later."""
    games = []
    for number, hours in enumerate((1, 2, 3, 26)):
        players = (ANN, 100 + number)
        seated = await process.nim(f"{hours}h/move", players, Place(1, 50 + number), policy=policy, played=4)
        games.append(seated)
    for _ in range(27):
        await process.live(HOUR)
    return [await process.tables.newest(seated.id) for seated in games]


async def test_of_many_losses_on_time_one_a_day_counts(process: Process) -> None:
    games = await mass(process, "loss")
    assert [seated.table.counts for seated in games] == [True, False, False, True]
    assert all(seated.table.outcome and seated.table.outcome.winner == 1 for seated in games)


async def test_the_same_holds_where_they_are_claimed(process: Process) -> None:
    games = await mass(process, "claim")
    claimed = []
    for seated, wait in zip(games, (0, HOUR, 23 * HOUR - 1, 1), strict=True):
        await process.live(wait)
        claimed.append(await process.tables.claim(seated.id, seated.players[1], "win"))
    # it is the claim's moment that counts
    assert [seated.table.counts for seated in claimed] == [True, False, False, True]
    assert [seated.table.record.entries[-1].body for seated in claimed[:2]] == ["win", "win uncounted"]
    assert [seated.table.record.entries[-2].body for seated in claimed] == [""] * 4


@pytest.mark.parametrize("what", ["", "draw"])
async def test_what_is_not_lost_uses_up_nothing(process: Process, what: str) -> None:
    """A game that a friend leaves overdue, or calls a draw, shelters nobody from other losses."""
    shelter = await process.nim("1h/move", (ANN, BOB), HERE, policy="claim", played=4)
    other = await process.nim("2h/move", (ANN, EVE), THERE, played=4)
    await process.live(HOUR + LAG)
    if what:
        await process.tables.claim(shelter.id, BOB, what)
    await process.live(HOUR)
    assert (await process.tables.newest(other.id)).table.counts
    if not what:
        late = await process.tables.claim(shelter.id, BOB, "win")
        assert not late.table.counts


async def test_of_two_claims_in_two_processes_at_once_one_counts(process: Process, other: Process) -> None:
    first = await process.nim("1h/move", (ANN, BOB), HERE, policy="claim", played=4)
    second = await other.nim("1h/move", (ANN, EVE), THERE, policy="claim", played=4)
    await process.live(2 * HOUR)
    other.pulse._last |= process.pulse._last
    claims = process.tables.claim(first.id, BOB, "win"), other.tables.claim(second.id, EVE, "win")
    assert sorted(seated.table.counts for seated in await asyncio.gather(*claims)) == [False, True]


async def test_of_two_processes_that_notice_at_once_one_counts(process: Process, other: Process) -> None:
    first = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    second = await other.nim("1h/move", (EVE, ANN), THERE, played=5)
    await beaten(process, 2 * HOUR)
    other.pulse._last |= process.pulse._last
    await asyncio.gather(process.tables.tick(first.id), other.tables.tick(second.id))
    games = [await process.tables.tick(seated.id) for seated in (first, second)]
    assert sorted(seated.table.counts for seated in games) == [False, True]


async def test_an_aborted_game_uses_nothing_up(process: Process) -> None:
    await process.nim("1h/move", (ANN, BOB), HERE, played=0)
    second = await process.nim("2h/move", (ANN, EVE), THERE, played=4)
    await process.live(HOUR + LAG)
    await process.live(HOUR)
    assert (await process.tables.newest(second.id)).table.counts


# --- time off that changes ---------------------------------------------------------------------------------------


async def test_a_vacation_reaches_all_running_games_at_once(process: Process) -> None:
    games = [await process.nim("1d/move", (ANN, 40 + n), Place(1, 50 + n), played=4) for n in range(2)]
    without = await process.nim("", (ANN, EVE), Place(1, 70))
    heard: list[Seated] = []
    process.tables.subscribe(heard.append)
    await process.vacations.take(ANN, START, START + 2 * DAY)
    await process.deadlines.refresh(ANN)
    assert [seated.id for seated in heard] == [seated.id for seated in games]
    assert (await process.tables.get(without.id)).seq == without.seq
    await process.live(3 * DAY + LAG - 1)
    assert [timeouts(await process.tables.newest(seated.id)) for seated in games] == [[], []]
    await process.live(1)
    at = 3 * DAY + LAG
    assert [timeouts(await process.tables.newest(seated.id))[0].split()[0] for seated in games] == [str(at)] * 2


async def test_who_comes_back_early_runs_out_of_time_early(process: Process) -> None:
    seated = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await process.vacations.take(ANN, START, START + 9 * DAY)
    await process.deadlines.refresh(ANN)
    await process.live(DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
    await process.deadlines.refresh(ANN)
    await process.live(DAY + LAG)
    assert timeouts(await process.tables.newest(seated.id)) == [f"{2 * DAY + LAG} timeout 0"]


async def test_a_refresh_that_breaks_off_is_made_up_for(process: Process, nim: Nim) -> None:
    del nim
    seated = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await process.vacations.take(ANN, START, START + 9 * DAY)
    assert await process.tables.ledger.make_due(ANN, process.clock.at) == [(seated.id, HERE.guild_id)]
    await process.live(1)
    away = [entry for entry in (await process.tables.newest(seated.id)).table.record.entries if entry.kind is Kind.AWAY]
    assert len(away) == 1
