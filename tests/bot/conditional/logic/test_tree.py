"""Tests how a game follows conditional moves: they are played as set, wait for an answer, or are dropped."""

import pytest
from fakes.book import ANN, BOB, Book, bodies
from fakes.clock import Clock
from sqlalchemy import update

from bot.conditional.service import RESIGN, TEXTS, Dropped
from bot.conditional.tables import conditional_moves
from bot.core.storage.database import Database
from bot.core.translations import CODES, language

# --- followed --------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
async def test_a_reply_is_played_with_the_turn_it_answers_and_takes_no_time(book: Book, clock: Clock) -> None:
    live = await book.begin(clock="1h+1h", timeout_policy="loss")
    await book.lay(live, BOB, "2", "3", "1", "1")
    clock.pass_seconds(600)
    after = await book.games.play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("conditional", 1, "3")]
    assert {entry.at for entry in after.table.record.entries} == {600_000}
    assert after.table.clock is not None
    assert after.table.clock.left(1, 600_000) == 7_200_000  # the hour, and the one that a turn adds
    assert await book.left(live) == [(1, "1", "1")]
    assert await book.process().get(live.id) == after
    again = await book.games.play(live.id, ANN, after.seq, "1")
    assert bodies(again)[2:] == [("play", 0, "1"), ("conditional", 1, "1")]
    assert (await book.left(live), book.told) == ([], [])


async def test_of_several_branches_the_one_that_fits_is_followed(book: Book) -> None:
    live = await book.begin()
    for condition, reply in ("1", "3"), ("2", "2"), ("3", "1"):
        await book.lay(live, BOB, condition, reply, "1", reply, "1", "1")
        await book.lay(live, BOB, condition, reply, "2", "2")
    after = await book.games.play(live.id, ANN, live.seq, "3")
    assert bodies(after)[1:] == [("conditional", 1, "1")]
    assert await book.left(live) == [(1, "1", "1"), (1, "1", "1"), (1, "2", "2")]
    tree = await book.conditional.tree(after, BOB)
    assert [move.condition for move in tree.below(None)] == ["1", "2"]


async def test_a_tree_is_followed_turn_by_turn(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "1", "1", "2", "2", "3", "3")
    for number, text in enumerate("123"):
        live = await book.games.play(live.id, ANN, live.seq, text)
        assert bodies(live)[2 * number :] == [("play", 0, text), ("conditional", 1, text)]
    assert (await book.left(live), book.told) == ([], [])


async def test_conditional_moves_of_both_sides_set_one_another_off(book: Book) -> None:
    """Bob's reply waits for his answer to a draw offer. Meanwhile Ann sets conditional moves, too."""
    live = await book.begin()
    await book.lay(live, BOB, "1", "2", "3", "1", "2", "2")
    await book.games.offer(live.id, ANN, "draw")
    waiting = await book.games.play(live.id, ANN, None, "1")
    await book.lay(waiting, ANN, "2", "3", "1", "1", "1", "1")
    after = await book.games.answer(waiting.id, BOB, accept=False)
    chain = [("conditional", 1, "2"), ("conditional", 0, "3"), ("conditional", 1, "1"), ("conditional", 0, "1")]
    assert bodies(after)[3:] == chain
    assert await book.left(live) == [(0, "1", "1")]
    assert book.told == [Dropped(BOB, 1, "other", "1")]
    assert {entry.at for entry in after.table.record.entries[2:]} == {after.table.record.entries[-1].at}
    assert await book.process().get(live.id) == after


async def test_a_reply_may_be_to_resign(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", RESIGN)
    await book.lay(live, BOB, "1", "3")
    after = await book.games.play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("resign", 1, "2")]
    assert after.table.outcome is not None
    assert after.table.outcome.winner == 0
    assert (await book.left(live), book.told) == ([], [])


# --- offers, pauses --------------------------------------------------------------------------------------------------


async def test_an_offer_is_answered_before_the_tree_goes_on(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", "3", "1", "1")
    await book.games.offer(live.id, ANN, "draw")
    after = await book.games.play(live.id, ANN, None, "2")
    assert bodies(after)[-1] == ("play", 0, "2")
    assert await book.left(live) == [(1, "2", "3"), (1, "1", "1")]
    declined = await book.games.answer(live.id, BOB, accept=False)
    assert bodies(declined)[-1] == ("conditional", 1, "3")
    assert await book.left(live) == [(1, "1", "1")]


async def test_who_plays_something_else_instead_has_left_by_themselves(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", "3", "1", "1")
    await book.games.offer(live.id, ANN, "draw")
    after = await book.games.play(live.id, ANN, None, "2")
    await book.games.play(live.id, BOB, after.seq, "1")
    assert (await book.left(live), book.told) == ([], [])


async def test_notes_of_time_and_offers_leave_conditional_moves_as_they_are(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", "3")
    await book.games.offer(live.id, BOB, "draw")
    declined = await book.games.answer(live.id, ANN, accept=False)
    assert await book.left(live) == [(1, "2", "3")]
    assert bodies(await book.games.play(live.id, ANN, declined.seq, "2"))[-1] == ("conditional", 1, "3")


# --- left ------------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
async def test_a_line_that_is_left_is_dropped_and_told_once(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", "3")
    await book.lay(live, BOB, "1", "1")
    after = await book.games.play(live.id, ANN, live.seq, "3")
    assert bodies(after) == [("play", 0, "3")]
    assert await book.left(live) == []
    assert book.told == [Dropped(BOB, 1, "other", "3")]
    await book.games.play(live.id, BOB, after.seq, "1")
    assert len(book.told) == 1


async def test_what_is_half_entered_answers_nothing_and_is_no_reason_to_tell(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2")
    after = await book.games.play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2")]
    assert (await book.left(live), book.told) == ([], [])


async def test_a_game_that_is_over_keeps_no_conditional_moves_and_tells_nobody(book: Book) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", "3", "1", "1")
    await book.games.resign(live.id, ANN, 2)
    assert (await book.left(live), book.told) == ([], [])


@pytest.mark.parametrize(("what", "why"), [("takeback", "takeback"), ("adjourn 3d/move", "clock")])
async def test_what_both_agree_on_drops_the_conditional_moves_of_both(book: Book, what: str, why: str) -> None:
    live = await book.begin(clock="1h", timeout_policy="loss")
    live = await book.games.play(live.id, ANN, live.seq, "1")
    live = await book.games.play(live.id, BOB, live.seq, "1")
    await book.lay(live, BOB, "2", "3", "1", "1")
    if what == "takeback":
        await book.games.ask_back(live.id, BOB)
    else:
        await book.games.offer(live.id, BOB, what)
    assert len(await book.left(live)) == 2  # asked is not agreed
    await book.games.answer(live.id, ANN, accept=True)
    assert await book.left(live) == []
    assert book.told == [Dropped(BOB, 1, why, "")]


async def test_a_conditional_move_that_became_illegal_is_dropped_with_a_notice(book: Book, database: Database) -> None:
    live = await book.begin()
    await book.lay(live, BOB, "2", "3", "1", "1")
    async with database.writing() as connection:
        await connection.execute(
            update(conditional_moves).where(conditional_moves.c.condition == "2").values(reply="9")
        )
    after = await book.games.play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2")]
    assert await book.left(live) == []
    assert book.told == [Dropped(BOB, 1, "illegal", "")]


@pytest.mark.parametrize("code", CODES)
def test_each_reason_has_its_notice(code: str) -> None:
    about = {"game": "Nim", "opponent": "Ann", "link": "https://discord.com"}
    assert len({language(code)(f"notification.{text}", **about) for text in TEXTS.values()}) == 4
