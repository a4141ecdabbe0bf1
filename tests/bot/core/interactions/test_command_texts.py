"""Commands of several features under one name."""

from __future__ import annotations

from typing import Any

import pytest
from discord import app_commands

from bot.core.interactions.command_texts import group, merged, text


def command_in(parent: app_commands.Group | None, key: str) -> app_commands.Command[Any, ..., Any]:
    @app_commands.command(name=text(key), description=text(f"{key}.about"))
    async def command(interaction: Any) -> None:
        del interaction

    if parent:
        parent.add_command(command)
    return command


def test_groups_of_one_name_become_one_with_all_subcommands() -> None:
    first, second = group("command.move", "command.move.about"), group("command.move", "command.move.about")
    command_in(first, "command.move.here")
    play = command_in(second, "command.move.play")
    games = command_in(None, "command.games")
    found = merged([first, games, second])
    assert found == [games, first]  # in the order of use
    assert [one.name for one in first.commands] == ["here", "play"]
    assert play.qualified_name == "move play"


def test_two_commands_of_one_name_are_a_mistake() -> None:
    for again in (command_in(None, "command.games"), group("command.games", "command.games.about")):
        with pytest.raises(ValueError, match="games"):
            merged([command_in(None, "command.games"), again])
