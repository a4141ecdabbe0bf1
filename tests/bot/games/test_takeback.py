"""A turn is taken back if the other agrees, and never past dice."""

from collections.abc import Callable

import pytest
from fakes.clock import Clock
from fakes.luck import ScriptedLuck

from bot.games.service import Place, Seated, Tables
from engine.core.errors import Refused

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., Tables]


async def begin(tables: Tables, *taken: str) -> Seated:
    """A game without dice, Ann first, after some turns."""
    seated = await tables.open("nim", {"heap": 9, "dice": "no"}, (ANN, BOB), HERE, "en")
    for text in taken:
        seated = await tables.play(seated.id, seated.to_act or 0, seated.seq, text)
    return seated


@pytest.mark.parametrize(
    ("taken", "left", "to_act"),
    [(["2"], 9, ANN), (["2", "1"], 9, ANN), (["2", "1", "3"], 6, ANN), (["2", "1", "3", "1"], 6, ANN)],
)
async def test_the_last_turn_and_the_answer_to_it(
    tables: Tables, make_tables: MakeTables, clock: Clock, taken: list[str], left: int, to_act: int
) -> None:
    seated = await begin(tables, *taken)
    clock.pass_seconds(9)
    asked = await tables.ask_back(seated.id, ANN, seq=seated.seq)
    assert (asked.awaited, asked.to_act, asked.table.state) == (BOB, seated.to_act, seated.table.state)
    back = await tables.answer(seated.id, BOB, accept=True, seq=asked.seq)
    assert (back.table.state.left, back.to_act, back.awaited, back.seq) == (left, to_act, to_act, seated.seq + 2)
    assert await make_tables().get(seated.id) == back  # as another process replays it
    again = await tables.play(seated.id, to_act, back.seq, "3")
    assert again.table.state.left == left - 3
    assert await make_tables().get(seated.id) == again


async def test_declined_or_played_on_the_turn_stands(tables: Tables) -> None:
    seated = await begin(tables, "2")
    await tables.ask_back(seated.id, ANN)
    declined = await tables.answer(seated.id, BOB, accept=False)
    assert (declined.table.state, declined.table.offer) == (seated.table.state, None)
    other = await tables.open("nim", {"heap": 9, "dice": "no"}, (ANN, BOB), Place(1, 6), "en")
    await tables.play(other.id, ANN, 0, "2")
    await tables.ask_back(other.id, ANN)
    played = await tables.play(other.id, BOB, None, "1")
    assert (played.table.state.left, played.table.offer) == (6, None)


async def test_what_was_declined_is_asked_again_only_after_another_turn(tables: Tables) -> None:
    seated = await begin(tables, "2")
    asks = {
        "takeback": lambda: tables.ask_back(seated.id, ANN),
        "draw": lambda: tables.offer(seated.id, ANN, "draw"),
        "offer": lambda: tables.offer(seated.id, ANN, "draw"),
    }
    for name in ("takeback", "draw"):
        await asks[name]()
        await tables.answer(seated.id, BOB, accept=False)
    for ask in asks.values():
        with pytest.raises(Refused, match=r"table\.declined"):
            await ask()
    await tables.offer(seated.id, BOB, "draw")  # the other may still
    await tables.answer(seated.id, ANN, accept=False)
    await tables.play(seated.id, BOB, None, "1")
    with pytest.raises(Refused, match=r"table\.declined"):
        await asks["draw"]()
    await tables.play(seated.id, ANN, None, "1")
    assert (await asks["draw"]()).awaited == BOB


async def test_what_was_withdrawn_is_asked_again_only_after_another_turn(tables: Tables) -> None:
    seated = await begin(tables, "2")
    asked = await tables.ask_back(seated.id, ANN)
    with pytest.raises(Refused, match=r"table\.others_offer"):
        await tables.withdraw(seated.id, BOB)
    with pytest.raises(Refused, match=r"table\.not_a_player"):
        await tables.withdraw(seated.id, EVE)
    with pytest.raises(Refused, match=r"table\.stale"):
        await tables.withdraw(seated.id, ANN, seq=asked.seq - 1)
    withdrawn = await tables.withdraw(seated.id, ANN, seq=asked.seq)
    assert (withdrawn.table.offer, withdrawn.table.state, withdrawn.awaited) == (None, seated.table.state, BOB)
    with pytest.raises(Refused, match=r"table\.withdrawn"):
        await tables.ask_back(seated.id, ANN)
    await tables.offer(seated.id, ANN, "draw")  # another thing may be offered
    await tables.withdraw(seated.id, ANN)
    await tables.play(seated.id, BOB, None, "1")
    await tables.play(seated.id, ANN, None, "1")
    assert (await tables.ask_back(seated.id, ANN)).awaited == BOB


async def test_who_may_not_ask(tables: Tables) -> None:
    seated = await begin(tables, "2")
    wrong = [
        (EVE, None, "table.not_a_player"),
        (BOB, None, "table.nothing_to_take_back"),
        (ANN, 0, "table.stale"),
    ]
    for user, seq, key in wrong:
        with pytest.raises(Refused) as refusal:
            await tables.ask_back(seated.id, user, seq=seq)
        assert refusal.value.key == key
    await tables.ask_back(seated.id, ANN)
    with pytest.raises(Refused, match=r"table\.offer_stands"):
        await tables.ask_back(seated.id, ANN)
    with pytest.raises(Refused, match=r"table\.own_offer"):
        await tables.answer(seated.id, ANN, accept=True)
    await tables.resign(seated.id, BOB, 2)
    with pytest.raises(Refused, match=r"table\.over"):
        await tables.ask_back(seated.id, ANN)


async def test_dice_that_have_fallen_stay(make_tables: MakeTables) -> None:
    tables = make_tables(ScriptedLuck(["3", "2"]))
    seated = await tables.open("nim", {"heap": 9}, (ANN, BOB), HERE, "en")
    seated = await tables.play(seated.id, ANN, seated.seq, "2")
    for user in (ANN, BOB):
        with pytest.raises(Refused, match=r"table\.(dice_fell|nothing_to_take_back)"):
            await tables.ask_back(seated.id, user)
    assert await tables.get(seated.id) == seated
