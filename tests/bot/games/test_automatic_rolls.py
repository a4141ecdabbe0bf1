"""Dice are rolled for those who have left it to the bot, and only for them."""

from collections.abc import Callable

import pytest
from fakes.luck import ScriptedLuck

from bot.core.database import Database
from bot.games.service import Place, Seated, Tables
from bot.players.preferences import Preferences
from bot.players.repository import PreferenceStore
from engine.core.errors import IllegalMove

ANN, BOB = 11, 22
FIRST = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
MakeTables = Callable[..., Tables]
both = pytest.mark.parametrize("game", list(FIRST))


@pytest.fixture
async def preferences(database: Database) -> Preferences:
    preferences = Preferences(PreferenceStore(database))
    await preferences.set_user(BOB, "roll", "auto")
    return preferences


@pytest.fixture
def tables(make_tables: MakeTables, preferences: Preferences) -> Tables:
    return make_tables(ScriptedLuck(["31", "42", "65"]), rolls=preferences.rolls)


async def begin(tables: Tables, game: str) -> Seated:
    return await tables.open(game, {"cube": "on"}, (ANN, BOB), Place(1, 5), "en")


def course(seated: Seated) -> list[str]:
    return [f"{entry.kind} {entry.seat} {entry.body.split(' ')[0]}" for entry in seated.table.record.entries]


@both
async def test_whoever_leaves_it_to_the_bot_finds_the_dice_rolled(tables: Tables, game: str) -> None:
    seated = await begin(tables, game)
    seated = await tables.play(seated.id, ANN, seated.seq, FIRST[game])
    assert course(seated)[2:] == ["automatic 1 roll", "chance -1 42"]
    turn, _ = seated.table.game.turns(seated.table.state)[0]
    seated = await tables.play(seated.id, BOB, seated.seq, seated.table.game.format(seated.table.state, turn))
    assert seated.to_act == ANN
    assert course(seated)[-1].startswith("play 1")
    with pytest.raises(IllegalMove, match=r"cube\.no_offer"):
        await tables.play(seated.id, ANN, seated.seq, "take")


@both
async def test_nothing_is_rolled_for_whoever_still_has_an_offer_to_answer(tables: Tables, game: str) -> None:
    seated = await begin(tables, game)
    await tables.offer(seated.id, ANN, "draw")
    seated = await tables.play(seated.id, ANN, None, FIRST[game])
    assert seated.table.offer is not None
    assert seated.to_act == BOB
    assert course(seated)[-1].startswith("play 0")
    seated = await tables.answer(seated.id, BOB, accept=False)
    assert course(seated)[-2:] == ["automatic 1 roll", "chance -1 42"]


@both
async def test_a_double_is_still_theirs_to_answer(tables: Tables, preferences: Preferences, game: str) -> None:
    await preferences.set_user(BOB, "roll", "ask")
    await preferences.set_user(ANN, "roll", "auto")
    seated = await begin(tables, game)
    seated = await tables.play(seated.id, ANN, seated.seq, FIRST[game])
    seated = await tables.play(seated.id, BOB, seated.seq, "double")
    assert (seated.to_act, course(seated)[-1]) == (ANN, "play 1 double")
