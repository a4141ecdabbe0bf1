"""Games from the first roll to the end, and everything that may come between a click and a commit."""

import asyncio
import gc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.clock import Clock
from fakes.luck import ScriptedLuck
from fakes.unshown import unshown
from sqlalchemy import update
from structlog.testing import capture_logs

from bot.core.tables import entries
from bot.games.service import Place, Seated, Tables
from engine.core.chance import commitment
from engine.core.errors import BadNotation, CorruptRecord, IllegalMove, Refused, RuleError
from engine.core.record import Kind
from engine.core.rolls import verify

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., Tables]


async def quiet(tables: Tables, heap: int = 9, place: Place = HERE) -> Seated:
    """A game without dice; Ann begins."""
    return await tables.open("nim", {"heap": heap, "dice": "no"}, (ANN, BOB), place, "en")


async def noisy(tables: Tables, heap: int = 9) -> Seated:
    """A game with dice."""
    return await tables.open("nim", {"heap": heap}, (ANN, BOB), HERE, "es")


def bodies(seated: Seated) -> list[str]:
    return [f"{entry.kind} {entry.body.split(' ')[0]}" for entry in seated.table.record.entries]


# --- opening -------------------------------------------------------------------------------------------------------


async def test_a_game_opens_with_its_roll_and_forced_turns(make_tables: MakeTables) -> None:
    with ScriptedLuck(["1", "1", "3"]) as luck:
        seated = await noisy(make_tables(luck))
    assert bodies(seated) == ["chance 1", "forced 1", "chance 1", "forced 1", "chance 3"]
    assert (seated.to_act, seated.awaited, seated.locale, seated.place) == (ANN, ANN, "es", HERE)
    assert (seated.shown_seq, seated.message_id, seated.unseen) == (-1, None, seated.table.record.entries)


async def test_options_are_settled_and_kept(tables: Tables) -> None:
    seated = await tables.open("nim", {"heap": "12"}, (ANN, BOB), HERE, "en")
    assert seated.table.record.header.options == (("heap", 12), ("dice", "yes"))


@pytest.mark.parametrize(
    ("game", "options", "key"),
    [("chess", {}, "game.unknown"), ("nim", {"heap": 100}, "option.range"), ("nim", {"size": 1}, "option.unknown")],
)
async def test_what_cannot_be_opened_is_not(tables: Tables, game: str, options: dict[str, Any], key: str) -> None:
    with pytest.raises(RuleError) as refusal:
        await tables.open(game, options, (ANN, BOB), HERE, "en")
    assert refusal.value.key == key
    assert await tables.latest_at(HERE.channel_id) is None


async def test_nobody_sits_on_both_seats(tables: Tables) -> None:
    with pytest.raises(Refused, match=r"challenge\.self"):
        await tables.open("nim", {}, (ANN, ANN), HERE, "en")


async def test_one_game_at_a_time_in_a_channel(tables: Tables) -> None:
    first = await quiet(tables)
    with pytest.raises(Refused, match=r"place\.taken"):
        await quiet(tables)
    assert await tables.at(HERE.channel_id) == first
    await tables.resign(first.id, ANN, 2)
    second = await quiet(tables)
    assert await tables.at(HERE.channel_id) == second


# --- finding -------------------------------------------------------------------------------------------------------


async def test_an_unknown_game_is_refused(tables: Tables) -> None:
    with pytest.raises(Refused, match=r"table\.unknown"):
        await tables.get("nothing")
    with pytest.raises(Refused, match=r"table\.unknown"):
        await tables.play("nothing", ANN, 0, "1")


async def test_the_latest_game_is_the_running_one_else_the_last(tables: Tables, clock: Clock) -> None:
    assert await tables.latest_at(HERE.channel_id) is None
    first = await quiet(tables)
    clock.pass_seconds(5)
    await tables.resign(first.id, ANN, 2)
    clock.pass_seconds(5)
    second = await quiet(tables)
    assert await tables.latest_at(HERE.channel_id) == second
    clock.pass_seconds(5)
    ended = await tables.resign(second.id, ANN, 2)
    assert await tables.at(HERE.channel_id) is None
    assert await tables.latest_at(HERE.channel_id) == ended


async def test_my_games_those_that_await_me_first_then_the_longest_waiting(tables: Tables, clock: Clock) -> None:
    opened = []
    for channel in range(1, 6):
        opened.append((await quiet(tables, place=Place(None, channel))).id)
        clock.pass_seconds(60)
    await tables.play(opened[0], ANN, None, "1")  # Bob's turn
    await tables.play(opened[2], ANN, None, "1")
    await tables.offer(opened[2], BOB, "draw")  # Bob's turn, but Ann has to answer
    await tables.resign(opened[3], BOB, 2)
    assert [seated.id for seated in await tables.of(ANN)] == [opened[1], opened[4], opened[2], opened[0]]
    assert [seated.id for seated in await tables.of(BOB)] == [opened[0], opened[1], opened[4], opened[2]]
    assert await tables.of(EVE) == []


async def test_a_game_is_the_same_after_a_restart(make_tables: MakeTables) -> None:
    before = make_tables()
    seated = await noisy(before)
    seated = await before.play(seated.id, seated.to_act or 0, seated.seq, "1")
    await before.shown(seated.id, 1, 77)
    again = await make_tables().get(seated.id)
    assert again == replace(seated, shown_seq=1, message_id=77)
    assert again.secret == seated.secret


async def test_few_games_are_kept_in_memory(make_tables: MakeTables) -> None:
    tables = make_tables(cached=2)
    opened = [await quiet(tables, place=Place(1, channel)) for channel in range(1, 5)]
    assert [await tables.get(seated.id) for seated in opened] == opened
    assert len(tables._cache) == 2


async def test_a_record_that_does_not_replay_is_our_fault_not_the_players(make_tables: MakeTables) -> None:
    tables = make_tables()
    seated = await quiet(tables)
    await tables.play(seated.id, ANN, 0, "1")
    async with tables.ledger.database.writing() as connection:
        await connection.execute(update(entries).values(body="99"))
    with pytest.raises(CorruptRecord):
        await make_tables().get(seated.id)


# --- playing -------------------------------------------------------------------------------------------------------


async def test_a_play_brings_the_roll_and_forced_turns_along(make_tables: MakeTables, clock: Clock) -> None:
    tables = make_tables(ScriptedLuck(["3", "1", "2"]))
    seated = await noisy(tables)
    clock.pass_seconds(1.5)
    played = await tables.play(seated.id, ANN, 1, "2")
    assert bodies(played) == ["chance 3", "play 2", "chance 1", "forced 1", "chance 2"]
    assert [entry.at for entry in played.table.record.entries] == [0, 1500, 1500, 1500, 1500]
    assert (played.to_act, played.table.state.left) == (ANN, 6)
    assert await tables.get(seated.id) == played


async def test_a_clock_set_back_does_not_turn_the_record_round(tables: Tables, clock: Clock) -> None:
    seated = await quiet(tables)
    clock.pass_seconds(10)
    await tables.play(seated.id, ANN, None, "1")
    clock.pass_seconds(-3600)
    played = await tables.play(seated.id, BOB, None, "1")
    assert [entry.at for entry in played.table.record.entries] == [10_000, 10_000]


@pytest.mark.parametrize(
    ("user", "seq", "text", "kind", "key"),
    [
        (EVE, 0, "1", Refused, "table.not_a_player"),
        (ANN, 1, "1", Refused, "table.stale"),
        (BOB, 0, "1", Refused, "table.not_your_turn"),
        (BOB, 7, "1", Refused, "table.stale"),
        (ANN, 0, "4", IllegalMove, "nim.too_many"),
        (ANN, 0, "all", BadNotation, "nim.unreadable"),
    ],
)
async def test_a_refused_play_changes_nothing(
    tables: Tables, user: int, seq: int, text: str, kind: type[RuleError], key: str
) -> None:
    seated = await quiet(tables)
    with pytest.raises(kind) as refusal:
        await tables.play(seated.id, user, seq, text)
    assert refusal.value.key == key
    assert await tables.get(seated.id) == seated
    assert await unshown(tables.ledger.database) == [seated.id]


async def test_the_game_over_is_told_before_the_stale_board(tables: Tables) -> None:
    seated = await quiet(tables)
    await tables.resign(seated.id, BOB, 2)
    with pytest.raises(Refused, match=r"table\.over"):
        await tables.play(seated.id, ANN, 0, "1")


async def test_of_two_clicks_on_one_position_the_second_is_stale(tables: Tables) -> None:
    seated = await quiet(tables)
    clicks = [tables.play(seated.id, ANN, 0, "1"), tables.play(seated.id, ANN, 0, "2")]
    first, second = await asyncio.gather(*clicks, return_exceptions=True)
    assert isinstance(first, Seated)
    assert isinstance(second, Refused)
    assert second.key == "table.stale"
    assert bodies(await tables.get(seated.id)) == ["play 1"]


async def test_of_two_processes_only_one_appends(make_tables: MakeTables) -> None:
    here, there = make_tables(), make_tables()
    seated = await quiet(here)
    await there.get(seated.id)
    played = await here.play(seated.id, ANN, 0, "1")
    with pytest.raises(Refused, match=r"table\.stale"):
        await there.play(seated.id, ANN, None, "2")
    assert await there.get(seated.id) == played
    answered = await there.play(seated.id, BOB, 1, "2")
    # the other process has not seen it, but its player has
    assert (await here.play(seated.id, ANN, answered.seq, "1")).seq == 3


async def test_another_process_finds_the_newest_by_channel_and_by_user(make_tables: MakeTables) -> None:
    here, there = make_tables(), make_tables()
    seated = await quiet(here)
    await there.get(seated.id)
    played = await here.play(seated.id, ANN, 0, "1")
    assert await there.at(HERE.channel_id) == played
    await here.shown(seated.id, 1, 99)
    assert [other.message_id for other in await there.of(BOB)] == [99]


async def test_a_commit_that_fails_changes_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await quiet(tables)
    heard: list[Seated] = []
    tables.subscribe(heard.append)

    async def fail(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(tables.ledger, "_insert", fail)
        with pytest.raises(OSError, match="no space"):
            await tables.play(seated.id, ANN, 0, "1")
    assert await tables.get(seated.id) == seated
    assert heard == []
    assert (await tables.play(seated.id, ANN, 0, "2")).seq == 1


async def test_a_play_cancelled_at_any_moment_is_made_whole_or_not_at_all(make_tables: MakeTables) -> None:
    tables = make_tables()
    seated = await noisy(tables, heap=99)
    for moment in range(60):
        seated = await tables.get(seated.id)
        playing = asyncio.create_task(tables.play(seated.id, seated.to_act or 0, seated.seq, "1"))
        for _ in range(moment):
            await asyncio.sleep(0)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        # what this process believes is what another one reads
        assert await tables.get(seated.id) == await make_tables().get(seated.id)
        if (await tables.get(seated.id)).table.outcome:
            break
    last = await tables.get(seated.id)
    assert last.seq > 1
    assert verify(last.table.game, last.table.record) > 1


async def test_locks_are_dropped_when_nobody_needs_them(tables: Tables) -> None:
    for channel in range(1, 20):
        seated = await quiet(tables, place=Place(1, channel))
        await tables.play(seated.id, ANN, 0, "1")
    gc.collect()
    assert len(tables._locks) == 0


# --- offers and the end --------------------------------------------------------------------------------------------


async def test_a_draw_is_offered_and_agreed(tables: Tables) -> None:
    seated = await quiet(tables)
    offered = await tables.offer(seated.id, BOB, "draw")
    assert (offered.to_act, offered.awaited) == (ANN, ANN)
    with pytest.raises(Refused, match=r"table\.own_offer"):
        await tables.answer(seated.id, BOB, accept=True)
    with pytest.raises(Refused, match=r"table\.stale"):
        await tables.answer(seated.id, ANN, accept=True, seq=0)
    ended = await tables.answer(seated.id, ANN, accept=True, seq=1)
    assert ended.table.outcome is not None
    assert (ended.table.outcome.points, ended.to_act, ended.awaited) == ((0, 0), None, None)


async def test_an_offer_declined_leaves_the_turn_where_it_was(tables: Tables) -> None:
    seated = await quiet(tables)
    await tables.offer(seated.id, ANN, "draw")
    declined = await tables.answer(seated.id, BOB, accept=False)
    assert (declined.table.offer, declined.to_act) == (None, ANN)
    with pytest.raises(Refused, match=r"table\.no_offer"):
        await tables.answer(seated.id, BOB, accept=True)


async def test_resigning_for_less_is_an_offer(tables: Tables) -> None:
    seated = await quiet(tables)
    offered = await tables.resign(seated.id, ANN, 1)
    assert (offered.table.outcome, offered.awaited) == (None, BOB)
    ended = await tables.answer(seated.id, BOB, accept=True)
    assert ended.table.outcome is not None
    assert ended.table.outcome.points == (-1, 1)


async def test_resigning_for_the_most_ends_the_game(tables: Tables) -> None:
    seated = await quiet(tables)
    with pytest.raises(Refused, match=r"table\.resign_points"):
        await tables.resign(seated.id, BOB, 3)
    ended = await tables.resign(seated.id, BOB, 2)
    assert ended.table.outcome is not None
    assert ended.table.outcome.points == (2, -2)
    assert await tables.of(BOB) == []


# --- luck ----------------------------------------------------------------------------------------------------------


async def test_every_roll_was_promised_before_and_can_be_checked_after(tables: Tables) -> None:
    seated = await noisy(tables, heap=30)
    promised = []
    while seated.to_act is not None:
        promised.append(seated.commitment)
        seated = await tables.play(seated.id, seated.to_act, seated.seq, "1")
    record = seated.table.record
    rolls = [entry.body.split(" ") for entry in record.entries if entry.kind is Kind.CHANCE]
    assert verify(seated.table.game, record) == len(rolls)
    assert set(promised) <= {commitment(secret) for _, secret, _ in rolls}
    # what is still to come is neither in the record nor in what is printed
    assert seated.secret not in str(record) + repr(seated)


async def test_a_game_without_luck_promises_nothing(tables: Tables) -> None:
    seated = await quiet(tables)
    assert (seated.commitment, seated.table.record.header.commitment) == ("", "")
    assert (await tables.play(seated.id, ANN, 0, "1")).commitment == ""


# --- showing -------------------------------------------------------------------------------------------------------


async def test_what_has_to_be_shown(tables: Tables, clock: Clock) -> None:
    first = await quiet(tables, place=Place(1, 1))
    clock.pass_seconds(1)
    second = await quiet(tables, place=Place(1, 2))
    assert await unshown(tables.ledger.database) == [first.id, second.id]  # before their first entry, too
    await tables.shown(first.id, 0, 71)
    assert await unshown(tables.ledger.database) == [second.id]
    played = await tables.play(first.id, ANN, 0, "1")
    assert (played.shown_seq, played.message_id, len(played.unseen)) == (0, 71, 1)
    await tables.shown(second.id, 0, 72)
    assert await unshown(tables.ledger.database) == [first.id]
    await tables.shown(first.id, 1, None)
    assert (await tables.get(first.id)).message_id == 71


async def test_a_late_message_does_not_bring_an_old_board_back(tables: Tables) -> None:
    seated = await quiet(tables)
    await tables.play(seated.id, ANN, 0, "1")
    await tables.shown(seated.id, 1, 82)
    await tables.shown(seated.id, 0, 81)
    kept = await tables.get(seated.id)
    assert (kept.shown_seq, kept.message_id) == (1, 82)
    assert await unshown(tables.ledger.database) == []


async def test_listeners_hear_of_every_commit_and_cannot_break_one(tables: Tables) -> None:
    heard: list[tuple[str, int]] = []

    def fall(_: Seated) -> None:
        raise RuntimeError("listener")

    tables.subscribe(fall)
    tables.subscribe(lambda seated: heard.append((seated.id, seated.seq)))
    with capture_logs() as logs:
        seated = await quiet(tables)
        await tables.play(seated.id, ANN, 0, "1")
        await tables.shown(seated.id, 1, 5)
    assert heard == [("g1", 0), ("g1", 1)]
    assert [entry["event"] for entry in logs] == ["listener failed"] * 2
