"""Tests which conditional moves can be set, by whom, and how many."""

import asyncio
import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from fakes.book import ANN, BOB, EVE, HERE, Book, bodies, refused, some_turn

from bot.conditional.logic.tree import position_after
from bot.conditional.service import LIMIT
from bot.games.new_game import NewGame
from engine.core.errors import RuleError
from engine.core.record import Kind
from engine.registry import GAMES


async def test_who_may_set_which_conditional_moves(book: Book) -> None:
    service, live = book.conditional, await book.begin(heap=5)
    assert await refused(service.tree(live, EVE)) == "table.not_a_player"
    assert await refused(service.tree(live, ANN)) == "conditional.your_turn"
    assert await refused(service.add_condition(live, BOB, None, "9")) == "nim.too_many"
    assert await refused(service.add_condition(live, BOB, 77, "1")) == "conditional.gone"
    first = await service.add_condition(live, BOB, None, "3")
    assert await refused(service.add_condition(live, BOB, first.id, "1")) == "conditional.gone"  # no reply yet
    assert await refused(service.answer(live, BOB, first.id, "3")) == "nim.too_many"
    assert await refused(service.answer(live, ANN, first.id, "1")) == "conditional.your_turn"
    await service.answer(live, BOB, first.id, "2")
    await service.answer(live, BOB, first.id, "2")
    assert await refused(service.answer(live, BOB, first.id, "1")) == "conditional.answered"
    assert await refused(service.add_condition(live, BOB, first.id, "1")) == "conditional.ends"  # that reply has won
    assert await book.left(live) == [(1, "3", "2")]
    over = await book.games.resign(live.id, ANN, 2)
    assert await refused(service.tree(over, BOB)) == "table.over"
    assert await refused(service.delete(live, BOB, first.id)) == "table.stale"


async def test_a_turn_that_ends_the_game_needs_no_answer(book: Book) -> None:
    live = await book.begin(heap=3)
    assert await refused(book.conditional.add_condition(live, BOB, None, "3")) == "conditional.ends"


async def test_games_with_dice_have_no_conditional_moves(book: Book) -> None:
    live = await book.games.open(NewGame("nim", {"heap": 9}, HERE, "en"), (ANN, BOB))
    assert await refused(book.conditional.tree(live, BOB)) == "conditional.luck"


@pytest.mark.both_databases
async def test_the_same_turn_is_one_conditional_move(book: Book) -> None:
    live = await book.begin()
    first = await book.conditional.add_condition(live, BOB, None, "3")
    assert await book.conditional.add_condition(live, BOB, None, " 3 ") == first
    found = await asyncio.gather(*(book.conditional.add_condition(live, BOB, None, "2") for _ in range(4)))
    assert len({move.id for move in found}) == 1
    assert len(await book.left(live)) == 2


@pytest.mark.both_databases
async def test_thirty_conditional_moves_are_the_most(book: Book) -> None:
    live = await book.begin(heap=99)
    await book.lay(live, BOB, *["1"] * 20)
    await book.lay(live, BOB, "2", *["1"] * 38)
    assert len(await book.left(live)) == LIMIT
    assert await refused(book.conditional.add_condition(live, BOB, None, "3")) == "conditional.limit"
    await book.conditional.add_condition(live, BOB, None, "1")  # there already
    tree = await book.conditional.tree(live, BOB)
    await book.conditional.delete(live, BOB, tree.below(None)[1].id)
    assert len(await book.left(live)) == 10
    await book.conditional.add_condition(live, BOB, None, "3")
    await book.conditional.clear(live, BOB)
    assert await book.left(live) == []


async def test_nobody_sees_or_changes_the_conditional_moves_of_the_other(book: Book) -> None:
    live = await book.begin()
    move = await book.lay(live, BOB, "2", "3")
    await book.games.offer(live.id, ANN, "draw")
    after = await book.games.play(live.id, ANN, None, "2")  # Bob is to act: his reply waits for his answer
    assert (await book.conditional.tree(after, ANN)).moves == ()
    for action in (book.conditional.delete(after, ANN, move), book.conditional.answer(after, ANN, move, "1")):
        assert await refused(action) == "conditional.gone"
    await book.conditional.clear(after, ANN)
    assert await book.left(live) == [(1, "2", "3")]


async def test_a_turn_in_another_order_of_steps_is_the_same_turn(book: Book) -> None:
    game, rng = GAMES["apb"], random.Random(1)
    live = await book.games.open(NewGame("apb", {}, HERE, "en"), (ANN, BOB))
    state = live.table.state
    one, other = next(
        (text, shuffled)
        for text in (some_turn(game, state, rng) for _ in range(200))
        if game.to_act(position_after(game, state, text)) is not None
        for shuffled in reordered(game, state, text)
    )
    move = await book.conditional.add_condition(live, BOB, None, one)
    assert await book.conditional.add_condition(live, BOB, None, other) == move
    reply = some_turn(game, position_after(game, state, one), rng)
    await book.conditional.answer(live, BOB, move.id, reply)
    after = await book.games.play(live.id, ANN, live.seq, other)
    assert bodies(after) == [("play", 0, other), ("conditional", 1, reply)]


async def test_a_condition_and_a_reply_hold_whatever_the_order_of_their_steps(book: Book) -> None:
    """Two secondaries of APB that do not meet: their order is all that differs."""
    live = await book.games.open(NewGame("apb", {}, HERE, "en"), (ANN, BOB))
    service = book.conditional
    first = await service.add_condition(live, BOB, None, "e4-d5 f4-g5 e3-e4>e8")
    assert (await service.add_condition(live, BOB, None, "f4-g5 e4-d5 e3-e4")).id == first.id
    await service.answer(live, BOB, first.id, "d11-c12 f11-g12 e10-d11")
    await service.answer(live, BOB, first.id, "f11-g12 d11-c12 e10-d11")
    after = await book.games.play(live.id, ANN, live.seq, "f4-g5 e4-d5 e3-e4")
    assert after.table.to_act == 0
    assert after.table.record.entries[-1].kind is Kind.CONDITIONAL


def reordered(game: Any, state: Any, text: str) -> Iterator[str]:
    """Yields the same turn in other words."""
    for steps in permutations(game.parse(state, text)):
        try:
            other = game.format(state, steps)
            if other != text and position_after(game, state, other) == position_after(game, state, text):
                yield other
        except RuleError:
            continue
