"""The settings of the machine, beside what it can do: the bot itself does not ask it."""

from fakes.toy import Nim

from bot.players.machines import LEVELS, highest_of
from bot.settings import HIGHEST_LEVEL
from engine.ai.general import General
from engine.ai.players import player
from engine.registry import GAMES


def test_each_game_has_the_levels_that_its_machine_has() -> None:
    assert {key: highest_of(key) for key in GAMES} == {
        key: player(game, LEVELS[-1]).level for key, game in GAMES.items()
    }
    assert LEVELS[-1] == HIGHEST_LEVEL == max(map(highest_of, GAMES))


def test_a_game_without_a_machine_of_its_own_has_the_levels_of_the_general_one() -> None:
    assert highest_of(Nim.key) == player(Nim(), LEVELS[-1]).level == len(General.temperatures)
