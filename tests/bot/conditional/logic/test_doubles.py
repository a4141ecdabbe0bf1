"""Answers to a double that are given beforehand."""

import pytest
from fakes.book import ANN, BOB, EVE, HERE, Book, Meanwhile, bodies, refused

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from engine.core.record import Kind


async def cubed(book: Book) -> LiveGame:
    """Returns backgammon with the cube; Ann has played the opening roll, Bob is to roll or to double."""
    live = await book.games.open(NewGame("backgammon", {"cube": "on"}, HERE, "en"), (ANN, BOB))
    while live.table.to_act != 1 or live.table.last_turn is None:
        game, state = live.table.game, live.table.state
        calling = "roll" if game.automatic_action(state) is not None else ""
        text = calling or game.format(state, game.turns(state)[0][0])
        live = await book.games.play(live.id, live.to_act or 0, live.seq, text)
    return live


@pytest.mark.parametrize(("persistent", "stays"), [(True, 1), (False, 0)])
async def test_the_answer_to_a_double_waits_for_one_roll_or_for_the_double(
    book: Book, persistent: bool, stays: int
) -> None:
    live = await cubed(book)
    await book.conditional.answer_double(live, ANN, "pass", persistent=not persistent)
    await book.conditional.answer_double(live, ANN, "take", persistent=persistent)
    move = await book.conditional.double_answer(live, ANN)
    assert move is not None
    assert (move.reply, move.persistent) == ("take", persistent)
    assert await book.conditional.double_answer(live, BOB) is None
    await book.games.play(live.id, BOB, live.seq, "roll")
    assert len(await book.left(live)) == stays
    assert book.told == []


@pytest.mark.both_databases
async def test_a_double_is_answered_in_the_transaction_that_offers_it(book: Book) -> None:
    live = await cubed(book)
    games = book.process(Meanwhile(lambda: book.conditional.answer_double(live, ANN, "take", persistent=True)))
    after = await games.play(live.id, BOB, live.seq, "double")
    assert [body.split()[0] for _, _, body in bodies(after)[live.seq :]][:2] == ["double", "take"]
    assert after.table.record.entries[live.seq + 1].kind is Kind.CONDITIONAL
    assert await book.left(live) == []
    assert await book.process().get(live.id) == after


async def test_what_can_be_said_of_doubles(book: Book) -> None:
    plain = await book.begin()
    assert await refused(book.conditional.double_answer(plain, BOB)) == "conditional.no_cube"
    await book.games.resign(plain.id, BOB, 2)
    live = await cubed(book)
    assert await refused(book.conditional.double_answer(live, EVE)) == "table.not_a_player"
    assert await refused(book.conditional.answer_double(live, ANN, "roll", persistent=True)) == "conditional.gone"
    assert await refused(book.conditional.tree(live, ANN)) == "conditional.luck"
    await book.conditional.answer_double(live, ANN, "take", persistent=True)
    await book.conditional.answer_double(live, ANN, "", persistent=True)
    assert await book.left(live) == []
    doubled = await book.games.play(live.id, BOB, live.seq, "double")
    assert await refused(book.conditional.double_answer(doubled, ANN)) == "conditional.answer_now"
