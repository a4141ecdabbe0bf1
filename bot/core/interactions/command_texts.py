"""Names and descriptions of commands, translated by the catalogues."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.core.translations import CODES, DISCORD, Language, language
from engine.registry import GAMES

Command: TypeAlias = "app_commands.Command[Any, ..., Any] | app_commands.Group"
CHOICES: Final = 25
"""The most choices that Discord shows in an autocomplete."""
CHOICE_LENGTH: Final = 100
TEXT_LENGTH: Final = 100
"""The most characters of a typed option, unless it says otherwise."""
Text: TypeAlias = app_commands.Range[str, 0, TEXT_LENGTH]
FIRST: Final = ("challenge", "next", "games", "help", "learn", "rules", "board", "move", "resign", "draw")
"""The commands that are listed first, as players need them first. The others follow in the order of their rooms."""
LongText: TypeAlias = app_commands.Range[str, 0, 300]
"""A typed option for moves and positions."""
GAME_CHOICES: Final = [app_commands.Choice(name=game.name, value=key) for key, game in GAMES.items()]


IN_SERVERS: Final = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
"""The contexts of commands that make sense in servers alone. Other commands also work in direct messages
with the bot.
"""


def text(key: str) -> locale_str:
    """Returns a name or description of a command: English by default, other languages by CommandTexts."""
    return locale_str(language(CODES[0])(key), key=key)


class CommandTexts(app_commands.Translator):
    """Translates each text into the language that Discord asks for."""

    async def translate(self, string: locale_str, locale: discord.Locale, _: Any) -> str | None:
        key = string.extras.get("key")
        for code, names in DISCORD.items():
            if key and locale.value in names and code != CODES[0]:
                return language(code)(key)
        return None


def group(name: str, about: str, *, contexts: app_commands.AppCommandContext | None = None) -> app_commands.Group:
    """Returns a group without subcommands, named by two keys. Several features may give the same group: see ``merged``.

    ``contexts``: the contexts of a group beside ``/abak``; None for those of other commands.
    """
    return app_commands.Group(name=text(name), description=text(about), allowed_contexts=contexts)


def merged(commands: Iterable[Command]) -> list[Command]:
    """Merges groups of the same name into one with all their subcommands. Returns the commands in the order of use."""
    found: dict[str, Command] = {}
    for command in commands:
        there = found.setdefault(command.name, command)
        if there is not command and isinstance(there, app_commands.Group) and isinstance(command, app_commands.Group):
            for subcommand in command.commands:
                there.add_command(subcommand)
        elif there is not command:
            raise ValueError(f"two commands are called {command.name}")
    rank = {name: number for number, name in enumerate(FIRST)}
    return sorted(found.values(), key=lambda command: rank.get(command.name, len(FIRST)))


def command_lines(commands: Iterable[Command], say: Language, path: str, *, nested: bool = True) -> Iterator[str]:
    """Yields a line for each command below ``path`` (such as ``/abak``): its full name and its description.

    With ``nested``, each command of a group has a line, too. Otherwise the group's own line names them.
    """
    for command in commands:
        name = f"{path} {_name(command, say)}"
        if isinstance(command, app_commands.Group) and nested:
            yield from command_lines(command.commands, say, name)
            continue
        about = _translated(command._locale_description, say)  # noqa: SLF001 - the key is stored only here
        inner = command.commands if isinstance(command, app_commands.Group) else ()
        names = f": {', '.join(f'`{_name(one, say)}`' for one in inner)}" if inner else ""
        yield f"`{name}` \u2013 {about}{names}"


def _name(command: Command, say: Language) -> str:
    return _translated(command._locale_name, say)  # noqa: SLF001 - likewise


def _translated(text: locale_str | None, say: Language) -> str:
    return say(text.extras["key"]) if text else ""
