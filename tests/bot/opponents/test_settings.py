"""The settings of the machine, beside what it can do: the bot itself does not ask it."""

from bot.settings import HIGHEST_LEVEL
from engine.ai.players import PLAYERS, player
from engine.registry import GAMES


def test_the_highest_level_is_one_that_a_game_has() -> None:
    assert GAMES.keys() == PLAYERS.keys()
    assert max(len(player(game, 1).temperatures) for game in GAMES.values()) == HIGHEST_LEVEL
