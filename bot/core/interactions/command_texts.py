"""Names and descriptions of commands, localised from the catalogues."""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.core.translations import CODES, DISCORD, language


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
