"""Names and descriptions of commands, localised from the catalogues."""

from typing import Any, Final, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.core.translations import CODES, DISCORD, language
from engine.registry import GAMES

Command: TypeAlias = "app_commands.Command[Any, ..., Any] | app_commands.Group"
CHOICES: Final = 25
"""As many are suggested at most."""
CHOICE_LENGTH: Final = 100
GAME_CHOICES: Final = [app_commands.Choice(name=game.name, value=key) for key, game in GAMES.items()]


def text(key: str) -> locale_str:
    """A name or description of a command: English by default, every other language through CommandTexts."""
    return locale_str(language(CODES[0])(key), key=key)


class CommandTexts(app_commands.Translator):
    """Looks up each text in the language that Discord asks for."""

    async def translate(self, string: locale_str, locale: discord.Locale, _: Any) -> str | None:
        key = string.extras.get("key")
        for code, names in DISCORD.items():
            if key and locale.value in names and code != CODES[0]:
                return language(code)(key)
        return None
