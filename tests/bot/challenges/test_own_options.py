"""The options that only some games have: the command and the challenge's words take them from the games themselves."""

from typing import Any

import pytest
from discord import AppCommandOptionType, app_commands
from fakes.toy import Nim

from bot.challenges import commands
from bot.challenges.commands import OWN, merged, with_options
from bot.challenges.proposal import Wishes, own_options, propose
from bot.challenges.words import own_chosen
from bot.core.interactions import declaration
from bot.core.interactions.answer import Answer
from bot.core.interactions.declaration import slash
from engine.core.errors import Refused
from engine.core.game import Option
from engine.registry import GAMES

MODES = [
    Option("mode", "a", choices=("a", "b")),
    Option("size", 3, low=2, high=5),
    Option("mode", "b", choices=("b", "c")),
    Option("size", 4, low=1, high=4),
]


def test_the_command_has_the_options_of_every_game() -> None:
    (challenge,) = commands.commands(None)  # type: ignore[arg-type]
    assert isinstance(challenge, app_commands.Command)
    names = {parameter.name for parameter in challenge.parameters}
    for key in GAMES:
        assert {option.key for option in own_options(key)} <= names
        assert {option.key for option in GAMES[key].options if option.by_match and option.key != "points"}.isdisjoint(
            names
        )


def test_options_of_the_same_key_are_one_that_takes_the_values_of_all() -> None:
    assert merged(MODES) == [Option("mode", "a", choices=("a", "b", "c")), Option("size", 3, low=1, high=5)]


async def test_a_game_needs_no_line_in_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (commands, declaration):
        monkeypatch.setattr(module, "text", lambda key: app_commands.locale_str(key.replace(".", "-"), key=key))

    @slash(None, "play")  # type: ignore[arg-type]
    @with_options(Nim.options)
    async def play(answer: Answer, side: str = "", **own: Any) -> None:
        del answer, side, own

    side, heap, dice = play.parameters
    assert (str(side.display_name), side.required) == ("option-side", False)
    assert (heap.type, heap.min_value, heap.max_value, heap.required) == (AppCommandOptionType.integer, 1, 99, False)
    assert (str(heap.display_name), str(heap.description)) == ("option-heap", "option-heap-about")
    assert dice.type == AppCommandOptionType.string
    assert [(choice.name, choice.value) for choice in dice.choices] == [
        ("option-dice-yes", "yes"),
        ("option-dice-no", "no"),
    ]


def test_a_challenge_says_what_is_not_usual(nim: Nim) -> None:
    said: Any = lambda key, **params: f"{key} {params}" if params else key  # noqa: E731
    assert own_chosen(nim.key, {"heap": 9, "dice": "no"}, said) == ["option.heap.chosen {'n': 9}", "option.dice.no"]
    assert own_chosen(nim.key, {"heap": 21}, said) == []
    assert propose(Wishes(nim.key, options={"heap": 9}), "", None, in_server=True).options == {"heap": 9}
    with pytest.raises(Refused) as refused:
        propose(Wishes(nim.key, options={OWN[0].key: 1}), "", None, in_server=True)
    assert refused.value.key == "challenge.no_option"
