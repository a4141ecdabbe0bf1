"""Dice are rolled for those who have left it to the bot, and only for them."""

from collections.abc import Callable

import pytest
from fakes.luck import ScriptedLuck

from bot.core.storage.database import Database
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService
from engine.core.errors import IllegalMove

ANN, BOB = 11, 22
FIRST = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
MakeTables = Callable[..., GameService]
both = pytest.mark.parametrize("game", list(FIRST))


@pytest.fixture
async def preferences(database: Database) -> PreferenceService:
    preferences = PreferenceService(PreferenceRepository(database))
    await preferences.set_user(BOB, "roll", "auto")
    return preferences


@pytest.fixture
def games(make_games: MakeTables, preferences: PreferenceService) -> GameService:
    return make_games(ScriptedLuck(["31", "42", "65"]), rolls=preferences.rolls)


async def begin(games: GameService, game: str) -> LiveGame:
    return await games.open(NewGame(game, {"cube": "on"}, Place(1, 5), "en"), (ANN, BOB))


def course(live: LiveGame) -> list[str]:
    return [f"{entry.kind} {entry.seat} {entry.body.split(' ')[0]}" for entry in live.table.record.entries]


@both
async def test_whoever_leaves_it_to_the_bot_finds_the_dice_rolled(games: GameService, game: str) -> None:
    live = await begin(games, game)
    live = await games.play(live.id, ANN, live.seq, FIRST[game])
    assert course(live)[2:] == ["automatic 1 roll", "chance -1 42"]
    turn, _ = live.table.game.turns(live.table.state)[0]
    live = await games.play(live.id, BOB, live.seq, live.table.game.format(live.table.state, turn))
    assert live.to_act == ANN
    assert course(live)[-1].startswith("play 1")
    with pytest.raises(IllegalMove, match=r"cube\.no_offer"):
        await games.play(live.id, ANN, live.seq, "take")


@both
async def test_nothing_is_rolled_for_whoever_still_has_an_offer_to_answer(games: GameService, game: str) -> None:
    live = await begin(games, game)
    await games.offer(live.id, ANN, "draw")
    live = await games.play(live.id, ANN, None, FIRST[game])
    assert live.table.offer is not None
    assert live.to_act == BOB
    assert course(live)[-1].startswith("play 0")
    live = await games.answer(live.id, BOB, accept=False)
    assert course(live)[-2:] == ["automatic 1 roll", "chance -1 42"]


@both
async def test_a_double_is_still_theirs_to_answer(
    games: GameService, preferences: PreferenceService, game: str
) -> None:
    await preferences.set_user(BOB, "roll", "ask")
    await preferences.set_user(ANN, "roll", "auto")
    live = await begin(games, game)
    live = await games.play(live.id, ANN, live.seq, FIRST[game])
    live = await games.play(live.id, BOB, live.seq, "double")
    assert (live.to_act, course(live)[-1]) == (ANN, "play 1 double")
