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

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place, UnreadableGame
from bot.games.tables import entries
from engine.core.chance import commitment
from engine.core.errors import BadNotation, IllegalMove, Refused, RuleError
from engine.core.hours import MINUTE
from engine.core.record import Kind
from engine.core.rolls import verify

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., GameService]


async def quiet(games: GameService, heap: int = 9, place: Place = HERE) -> LiveGame:
    """Begins a game without dice; Ann has the first turn."""
    return await games.open(NewGame("nim", {"heap": heap, "dice": "no"}, place, "en"), (ANN, BOB))


async def noisy(games: GameService, heap: int = 9) -> LiveGame:
    """Begins a game with dice."""
    return await games.open(NewGame("nim", {"heap": heap}, HERE, "es"), (ANN, BOB))


def bodies(live: LiveGame) -> list[str]:
    return [f"{entry.kind} {entry.body.split(' ')[0]}" for entry in live.table.record.entries]


# --- opening -------------------------------------------------------------------------------------------------------


async def test_a_game_opens_with_its_roll_and_forced_turns(make_games: MakeTables) -> None:
    with ScriptedLuck(["1", "1", "3"]) as luck:
        live = await noisy(make_games(luck))
    assert bodies(live) == ["chance 1", "forced 1", "chance 1", "forced 1", "chance 3"]
    assert (live.to_act, live.awaited, live.locale, live.place) == (ANN, ANN, "es", HERE)
    assert (live.shown_seq, live.message_id, live.unseen) == (-1, None, live.table.record.entries)


async def test_options_are_settled_and_kept(games: GameService) -> None:
    live = await games.open(NewGame("nim", {"heap": "12"}, HERE, "en"), (ANN, BOB))
    assert live.table.record.header.options == (("heap", 12), ("dice", "yes"))


@pytest.mark.parametrize(
    ("game", "options", "key"),
    [("chess", {}, "game.unknown"), ("nim", {"heap": 100}, "option.range"), ("nim", {"size": 1}, "option.unknown")],
)
async def test_what_cannot_be_opened_is_not(games: GameService, game: str, options: dict[str, Any], key: str) -> None:
    with pytest.raises(RuleError) as refusal:
        await games.open(NewGame(game, options, HERE, "en"), (ANN, BOB))
    assert refusal.value.key == key
    assert await games.latest_at(HERE.channel_id) is None


async def test_a_game_of_a_match_begins_with_the_banks_that_are_left(games: GameService) -> None:
    match = ("m1", 2)
    live = await games.open(
        NewGame("nim", {}, HERE, "en", "10m", "loss", match=match, banks=(MINUTE, 2 * MINUTE)), (ANN, BOB)
    )
    header = (await games.get(live.id)).record.header
    assert (header.match, header.match_game, header.banks) == ("m1", 2, (MINUTE, 2 * MINUTE))
    assert live.table.clock is not None
    assert live.table.clock.banks == (MINUTE, 2 * MINUTE)


async def test_nobody_sits_on_both_seats(games: GameService) -> None:
    with pytest.raises(Refused, match=r"challenge\.self"):
        await games.open(NewGame("nim", {}, HERE, "en"), (ANN, ANN))


@pytest.mark.both_databases
async def test_one_game_at_a_time_in_a_channel(games: GameService) -> None:
    first = await quiet(games)
    with pytest.raises(Refused, match=r"place\.taken"):
        await quiet(games)
    assert await games.at(HERE.channel_id) == first
    await games.resign(first.id, ANN, 2)
    second = await quiet(games)
    assert await games.at(HERE.channel_id) == second


# --- finding -------------------------------------------------------------------------------------------------------


async def test_an_unknown_game_is_refused(games: GameService) -> None:
    with pytest.raises(Refused, match=r"table\.unknown"):
        await games.get("nothing")
    with pytest.raises(Refused, match=r"table\.unknown"):
        await games.play("nothing", ANN, 0, "1")


@pytest.mark.both_databases
async def test_the_latest_game_is_the_running_one_else_the_last(games: GameService, clock: Clock) -> None:
    assert await games.latest_at(HERE.channel_id) is None
    first = await quiet(games)
    clock.pass_seconds(5)
    await games.resign(first.id, ANN, 2)
    clock.pass_seconds(5)
    second = await quiet(games)
    assert await games.latest_at(HERE.channel_id) == second
    clock.pass_seconds(5)
    ended = await games.resign(second.id, ANN, 2)
    assert await games.at(HERE.channel_id) is None
    assert await games.latest_at(HERE.channel_id) == ended


@pytest.mark.both_databases
async def test_my_games_the_longest_without_a_move_first(games: GameService, clock: Clock) -> None:
    opened = []
    for channel in range(1, 6):
        opened.append((await quiet(games, place=Place(None, channel))).id)
        clock.pass_seconds(60)
    await games.play(opened[0], ANN, None, "1")  # Bob's turn
    await games.play(opened[2], ANN, None, "1")
    await games.offer(opened[2], BOB, "draw")  # Bob's turn, but Ann has to answer
    await games.resign(opened[3], BOB, 2)
    assert [game.id for game in await games.of(ANN)] == [opened[1], opened[4], opened[0], opened[2]]
    assert [game.id for game in await games.of(BOB)] == [opened[1], opened[4], opened[0], opened[2]]
    assert await games.of(EVE) == []


@pytest.mark.both_databases
async def test_a_game_is_the_same_after_a_restart(make_games: MakeTables) -> None:
    before = make_games()
    live = await noisy(before)
    live = await before.play(live.id, live.to_act or 0, live.seq, "1")
    await before.shown(live.id, 1, 77)
    again = await make_games().get(live.id)
    assert again == replace(live, shown_seq=1, message_id=77)
    assert again.secret == live.secret


async def test_few_games_are_kept_in_memory(make_games: MakeTables) -> None:
    games = make_games(capacity=15_000)  # of about seven thousand bytes each
    opened = [await quiet(games, place=Place(1, channel)) for channel in range(1, 5)]
    assert [await games.get(live.id) for live in opened] == opened
    assert len(games._live_games._cache) == 2


async def test_a_record_that_does_not_replay_is_our_fault_not_the_players(make_games: MakeTables) -> None:
    games = make_games()
    live = await quiet(games)
    await games.play(live.id, ANN, 0, "1")
    async with games.repository.database.writing() as connection:
        await connection.execute(update(entries).values(body="99"))
    with pytest.raises(UnreadableGame, match=live.id):
        await make_games().get(live.id)


# --- playing -------------------------------------------------------------------------------------------------------


async def test_a_play_brings_the_roll_and_forced_turns_along(make_games: MakeTables, clock: Clock) -> None:
    games = make_games(ScriptedLuck(["3", "1", "2"]))
    live = await noisy(games)
    clock.pass_seconds(1.5)
    played = await games.play(live.id, ANN, 1, "2")
    assert bodies(played) == ["chance 3", "play 2", "chance 1", "forced 1", "chance 2"]
    assert [entry.at for entry in played.table.record.entries] == [0, 1500, 1500, 1500, 1500]
    assert (played.to_act, played.table.state.left) == (ANN, 6)
    assert await games.get(live.id) == played


async def test_a_clock_set_back_does_not_turn_the_record_round(games: GameService, clock: Clock) -> None:
    live = await quiet(games)
    clock.pass_seconds(10)
    await games.play(live.id, ANN, None, "1")
    clock.pass_seconds(-3600)
    played = await games.play(live.id, BOB, None, "1")
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
    games: GameService, user: int, seq: int, text: str, kind: type[RuleError], key: str
) -> None:
    live = await quiet(games)
    with pytest.raises(kind) as refusal:
        await games.play(live.id, user, seq, text)
    assert refusal.value.key == key
    assert await games.get(live.id) == live
    assert await unshown(games.repository.database) == [live.id]


async def test_the_game_over_is_told_before_the_stale_board(games: GameService) -> None:
    live = await quiet(games)
    await games.resign(live.id, BOB, 2)
    with pytest.raises(Refused, match=r"table\.over"):
        await games.play(live.id, ANN, 0, "1")


@pytest.mark.both_databases
async def test_of_two_clicks_on_one_position_the_second_is_stale(games: GameService) -> None:
    live = await quiet(games)
    clicks = [games.play(live.id, ANN, 0, "1"), games.play(live.id, ANN, 0, "2")]
    first, second = await asyncio.gather(*clicks, return_exceptions=True)
    assert isinstance(first, LiveGame)
    assert isinstance(second, Refused)
    assert second.key == "table.stale"
    assert bodies(await games.get(live.id)) == ["play 1"]


@pytest.mark.both_databases
async def test_of_two_processes_only_one_appends(make_games: MakeTables) -> None:
    here, there = make_games(), make_games()
    live = await quiet(here)
    await there.get(live.id)
    played = await here.play(live.id, ANN, 0, "1")
    with pytest.raises(Refused, match=r"table\.stale"):
        await there.play(live.id, ANN, None, "2")
    assert await there.get(live.id) == played
    answered = await there.play(live.id, BOB, 1, "2")
    # the other process has not seen it, but its player has
    assert (await here.play(live.id, ANN, answered.seq, "1")).seq == 3


@pytest.mark.both_databases
async def test_another_process_finds_the_newest_by_channel_and_by_user(make_games: MakeTables) -> None:
    here, there = make_games(), make_games()
    live = await quiet(here)
    await there.get(live.id)
    played = await here.play(live.id, ANN, 0, "1")
    assert await there.at(HERE.channel_id) == played
    await here.shown(live.id, 1, 99)
    assert [other.message_id for other in await there.of(BOB)] == [99]


@pytest.mark.both_databases
async def test_a_commit_that_fails_changes_nothing(games: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await quiet(games)
    heard: list[LiveGame] = []
    games.subscribe(heard.append)

    async def fail(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr("bot.games.repository.announce", fail)
        with pytest.raises(OSError, match="no space"):
            await games.play(live.id, ANN, 0, "1")
    assert await games.get(live.id) == live
    assert heard == []
    assert (await games.play(live.id, ANN, 0, "2")).seq == 1


@pytest.mark.both_databases
async def test_a_play_cancelled_at_any_moment_is_made_whole_or_not_at_all(make_games: MakeTables) -> None:
    games = make_games()
    live = await noisy(games, heap=99)
    for moment in range(60):
        live = await games.get(live.id)
        playing = asyncio.create_task(games.play(live.id, live.to_act or 0, live.seq, "1"))
        for _ in range(moment):
            await asyncio.sleep(0)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        # what this process believes is what another one reads
        assert await games.get(live.id) == await make_games().get(live.id)
        if (await games.get(live.id)).table.outcome:
            break
    last = await games.get(live.id)
    assert last.seq > 1
    assert verify(last.table.game, last.table.record) > 1


async def test_locks_are_dropped_when_nobody_needs_them(games: GameService) -> None:
    for channel in range(1, 20):
        live = await quiet(games, place=Place(1, channel))
        await games.play(live.id, ANN, 0, "1")
    gc.collect()
    assert len(games._live_games._locks) == 0


# --- offers and the end --------------------------------------------------------------------------------------------


async def test_a_draw_is_offered_and_agreed(games: GameService) -> None:
    live = await quiet(games)
    offered = await games.offer(live.id, BOB, "draw")
    assert (offered.to_act, offered.awaited) == (ANN, ANN)
    with pytest.raises(Refused, match=r"table\.own_offer"):
        await games.answer(live.id, BOB, accept=True)
    with pytest.raises(Refused, match=r"table\.stale"):
        await games.answer(live.id, ANN, accept=True, seq=0)
    ended = await games.answer(live.id, ANN, accept=True, seq=1)
    assert ended.table.outcome is not None
    assert (ended.table.outcome.points, ended.to_act, ended.awaited) == ((0, 0), None, None)


async def test_an_offer_declined_leaves_the_turn_where_it_was(games: GameService) -> None:
    live = await quiet(games)
    await games.offer(live.id, ANN, "draw")
    declined = await games.answer(live.id, BOB, accept=False)
    assert (declined.table.offer, declined.to_act) == (None, ANN)
    with pytest.raises(Refused, match=r"table\.no_offer"):
        await games.answer(live.id, BOB, accept=True)


async def test_resigning_for_less_is_an_offer(games: GameService) -> None:
    live = await quiet(games)
    offered = await games.resign(live.id, ANN, 1)
    assert (offered.table.outcome, offered.awaited) == (None, BOB)
    ended = await games.answer(live.id, BOB, accept=True)
    assert ended.table.outcome is not None
    assert ended.table.outcome.points == (-1, 1)


async def test_resigning_for_the_most_ends_the_game(games: GameService) -> None:
    live = await quiet(games)
    with pytest.raises(Refused, match=r"table\.resign_points"):
        await games.resign(live.id, BOB, 3)
    ended = await games.resign(live.id, BOB, 2)
    assert ended.table.outcome is not None
    assert ended.table.outcome.points == (2, -2)
    assert await games.of(BOB) == []


# --- luck ----------------------------------------------------------------------------------------------------------


async def test_every_roll_was_promised_before_and_can_be_checked_after(games: GameService) -> None:
    live = await noisy(games, heap=30)
    promised = []
    while live.to_act is not None:
        promised.append(live.commitment)
        live = await games.play(live.id, live.to_act, live.seq, "1")
    record = live.table.record
    rolls = [entry.body.split(" ") for entry in record.entries if entry.kind is Kind.CHANCE]
    assert verify(live.table.game, record) == len(rolls)
    assert set(promised) <= {commitment(secret) for _, secret, _ in rolls}
    # what is still to come is neither in the record nor in what is printed
    assert live.secret not in str(record) + repr(live)


async def test_a_game_without_luck_promises_nothing(games: GameService) -> None:
    live = await quiet(games)
    assert (live.commitment, live.table.record.header.commitment) == ("", "")
    assert (await games.play(live.id, ANN, 0, "1")).commitment == ""
