"""A turn is taken back if the other agrees, and never past dice."""

from collections.abc import Callable

import pytest
from fakes.clock import Clock
from fakes.luck import ScriptedLuck

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import Refused

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., GameService]


async def begin(games: GameService, *taken: str) -> LiveGame:
    """Begins a game without dice, Ann first, and plays some turns."""
    live = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, HERE, "en"), (ANN, BOB))
    for text in taken:
        live = await games.play(live.id, live.to_act or 0, live.seq, text)
    return live


@pytest.mark.parametrize(
    ("taken", "left", "to_act"),
    [(["2"], 9, ANN), (["2", "1"], 9, ANN), (["2", "1", "3"], 6, ANN), (["2", "1", "3", "1"], 6, ANN)],
)
async def test_the_last_turn_and_the_answer_to_it(
    games: GameService, make_games: MakeTables, clock: Clock, taken: list[str], left: int, to_act: int
) -> None:
    live = await begin(games, *taken)
    clock.pass_seconds(9)
    asked = await games.ask_back(live.id, ANN, seq=live.seq)
    assert (asked.awaited, asked.to_act, asked.table.state) == (BOB, live.to_act, live.table.state)
    back = await games.answer(live.id, BOB, accept=True, seq=asked.seq)
    assert (back.table.state.left, back.to_act, back.awaited, back.seq) == (left, to_act, to_act, live.seq + 2)
    assert await make_games().get(live.id) == back  # as another process replays it
    again = await games.play(live.id, to_act, back.seq, "3")
    assert again.table.state.left == left - 3
    assert await make_games().get(live.id) == again


async def test_declined_or_played_on_the_turn_stands(games: GameService) -> None:
    live = await begin(games, "2")
    await games.ask_back(live.id, ANN)
    declined = await games.answer(live.id, BOB, accept=False)
    assert (declined.table.state, declined.table.offer) == (live.table.state, None)
    other = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, Place(1, 6), "en"), (ANN, BOB))
    await games.play(other.id, ANN, 0, "2")
    await games.ask_back(other.id, ANN)
    played = await games.play(other.id, BOB, None, "1")
    assert (played.table.state.left, played.table.offer) == (6, None)


@pytest.mark.both_databases
async def test_what_was_declined_is_asked_again_only_after_another_turn(games: GameService) -> None:
    live = await begin(games, "2")
    asks = {
        "takeback": lambda: games.ask_back(live.id, ANN),
        "draw": lambda: games.offer(live.id, ANN, "draw"),
        "offer": lambda: games.offer(live.id, ANN, "draw"),
    }
    for name in ("takeback", "draw"):
        await asks[name]()
        await games.answer(live.id, BOB, accept=False)
    for ask in asks.values():
        with pytest.raises(Refused, match=r"table\.declined"):
            await ask()
    await games.offer(live.id, BOB, "draw")  # the other may still
    await games.answer(live.id, ANN, accept=False)
    await games.play(live.id, BOB, None, "1")
    with pytest.raises(Refused, match=r"table\.declined"):
        await asks["draw"]()
    await games.play(live.id, ANN, None, "1")
    assert (await asks["draw"]()).awaited == BOB


async def test_what_was_withdrawn_is_asked_again_only_after_another_turn(games: GameService) -> None:
    live = await begin(games, "2")
    asked = await games.ask_back(live.id, ANN)
    with pytest.raises(Refused, match=r"table\.others_offer"):
        await games.withdraw(live.id, BOB)
    with pytest.raises(Refused, match=r"table\.not_a_player"):
        await games.withdraw(live.id, EVE)
    with pytest.raises(Refused, match=r"table\.stale"):
        await games.withdraw(live.id, ANN, seq=asked.seq - 1)
    withdrawn = await games.withdraw(live.id, ANN, seq=asked.seq)
    assert (withdrawn.table.offer, withdrawn.table.state, withdrawn.awaited) == (None, live.table.state, BOB)
    with pytest.raises(Refused, match=r"table\.withdrawn"):
        await games.ask_back(live.id, ANN)
    await games.offer(live.id, ANN, "draw")  # another thing may be offered
    await games.withdraw(live.id, ANN)
    await games.play(live.id, BOB, None, "1")
    await games.play(live.id, ANN, None, "1")
    assert (await games.ask_back(live.id, ANN)).awaited == BOB


async def test_who_may_not_ask(games: GameService) -> None:
    live = await begin(games, "2")
    wrong = [
        (EVE, None, "table.not_a_player"),
        (BOB, None, "table.nothing_to_take_back"),
        (ANN, 0, "table.stale"),
    ]
    for user, seq, key in wrong:
        with pytest.raises(Refused) as refusal:
            await games.ask_back(live.id, user, seq=seq)
        assert refusal.value.key == key
    await games.ask_back(live.id, ANN)
    with pytest.raises(Refused, match=r"table\.offer_stands"):
        await games.ask_back(live.id, ANN)
    with pytest.raises(Refused, match=r"table\.own_offer"):
        await games.answer(live.id, ANN, accept=True)
    await games.resign(live.id, BOB, 2)
    with pytest.raises(Refused, match=r"table\.over"):
        await games.ask_back(live.id, ANN)


async def test_dice_that_have_fallen_stay(make_games: MakeTables) -> None:
    games = make_games(ScriptedLuck(["3", "2"]))
    live = await games.open(NewGame("nim", {"heap": 9}, HERE, "en"), (ANN, BOB))
    live = await games.play(live.id, ANN, live.seq, "2")
    for user in (ANN, BOB):
        with pytest.raises(Refused, match=r"table\.(dice_fell|nothing_to_take_back)"):
            await games.ask_back(live.id, user)
    assert await games.get(live.id) == live
