"""The help message: how to begin, with menus and buttons for further help, and the list of all commands."""

from collections.abc import Iterable
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.command_texts import Command, command_lines
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.learn import rules
from bot.learn.tour import tours
from bot.my_games import views as my_games
from bot.players import views as panels
from bot.privacy import views as data
from engine.registry import GAMES, find

handlers: Final = Handlers()


async def show(answer: Answer) -> None:
    say = answer.say
    names = say.listed(game.name for game in GAMES.values())
    pages = data.links(answer.context.services.settings, say)
    await answer.private(
        say("help", games=names), view=view_of(*links(say), *await my_games.machine_button(answer, row=3), *pages)
    )


def links(say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the menus and buttons below the help message."""
    options = [discord.SelectOption(label=game.name, value=key) for key, game in GAMES.items()]
    verbs = ("help_games", "help_settings", "help_all")
    return [
        tours(say),
        PressMenu(Press("help_rules", "me", 0), say("help.rules"), options, row=1),
        *(PressButton(Press(verb, "me", 0), say(f"button.{verb}"), row=2) for verb in verbs),
    ]


@handlers.on("help_rules")
async def show_rules(answer: Answer, press: Press) -> None:
    await rules.show(answer, find(press.value), rules.SUMMARY, fresh=True)


@handlers.on("help_games")
async def show_games(answer: Answer, _press: Press) -> None:
    await my_games.show_list(answer, 0, fresh=True)


@handlers.on("help_settings")
async def show_settings(answer: Answer, _press: Press) -> None:
    await panels.show_user(answer, fresh=True)


@handlers.on("help_all")
async def show_commands(answer: Answer, _press: Press) -> None:
    """Shows every command, one per line."""
    await answer.private("\n".join(command_list(answer.context.commands, answer.say)))


def command_list(commands: Iterable[Command], say: Language) -> list[str]:
    """Returns a first line about actions without a command, then every command with its description. Of the commands
    for tournaments, only the one for help is listed.
    """
    tournaments = f"`/{say('command.tournament')} {say('command.tournament_help')}`"
    more = f"{tournaments} \u2013 {say('command.tournament_help.about')}"
    return [say("help.commands"), *command_lines(commands, say, f"/{say('command.abak')}"), more]
