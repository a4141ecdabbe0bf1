"""Answers to a double that are given beforehand."""

import pytest
from fakes.book import ANN, BOB, EVE, HERE, Book, Meanwhile, bodies, refused

from bot.games.service import Seated
from engine.core.record import Kind


async def cubed(book: Book) -> Seated:
    """Backgammon with the cube; Ann has played the opening roll, Bob is to roll or to double."""
    seated = await book.tables.open("backgammon", {"cube": "on"}, (ANN, BOB), HERE, "en")
    while seated.table.to_act != 1 or seated.table.last is None:
        game, state = seated.table.game, seated.table.state
        calling = "roll" if game.automatic_action(state) is not None else ""
        text = calling or game.format(state, game.turns(state)[0][0])
        seated = await book.tables.play(seated.id, seated.to_act or 0, seated.seq, text)
    return seated


@pytest.mark.parametrize(("lasting", "stays"), [(True, 1), (False, 0)])
async def test_the_answer_to_a_double_waits_for_one_roll_or_for_the_double(
    book: Book, lasting: bool, stays: int
) -> None:
    seated = await cubed(book)
    await book.plans.answer_double(seated, ANN, "pass", lasting=not lasting)
    await book.plans.answer_double(seated, ANN, "take", lasting=lasting)
    plan = await book.plans.standing_answer(seated, ANN)
    assert plan is not None
    assert (plan.reply, plan.lasting) == ("take", lasting)
    assert await book.plans.standing_answer(seated, BOB) is None
    await book.tables.play(seated.id, BOB, seated.seq, "roll")
    assert len(await book.left(seated)) == stays
    assert book.told == []


async def test_a_double_is_answered_in_the_transaction_that_offers_it(book: Book) -> None:
    seated = await cubed(book)
    tables = book.process(Meanwhile(lambda: book.plans.answer_double(seated, ANN, "take", lasting=True)))
    after = await tables.play(seated.id, BOB, seated.seq, "double")
    assert [body.split()[0] for _, _, body in bodies(after)[seated.seq :]][:2] == ["double", "take"]
    assert after.table.record.entries[seated.seq + 1].kind is Kind.CONDITIONAL
    assert await book.left(seated) == []
    assert await book.process().get(seated.id) == after


async def test_what_can_be_said_of_doubles(book: Book) -> None:
    plain = await book.begin()
    assert await refused(book.plans.standing_answer(plain, BOB)) == "plan.no_cube"
    await book.tables.resign(plain.id, BOB, 2)
    seated = await cubed(book)
    assert await refused(book.plans.standing_answer(seated, EVE)) == "table.not_a_player"
    assert await refused(book.plans.answer_double(seated, ANN, "roll", lasting=True)) == "plan.gone"
    assert await refused(book.plans.tree(seated, ANN)) == "plan.luck"
    await book.plans.answer_double(seated, ANN, "take", lasting=True)
    await book.plans.answer_double(seated, ANN, "", lasting=True)
    assert await book.left(seated) == []
    doubled = await book.tables.play(seated.id, BOB, seated.seq, "double")
    assert await refused(book.plans.standing_answer(doubled, ANN)) == "plan.answer_now"
