"""``/abak export`` and ``/abak import``."""

from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.archive.suggestions import finished_games
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions import uploads
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, Text, text
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.core.limits.rates import WORK
from bot.exchange import export, views
from bot.exchange.service import LONGEST
from engine.core.errors import Refused
from engine.exchange import FORMATS

Pasted: TypeAlias = app_commands.Range[str, 0, 2000]
"""A position or a record, in any format that can be read."""
FORM_CHOICES: Final = [app_commands.Choice(name=key, value=key) for key in FORMATS]
SCOPE_CHOICES: Final = [
    app_commands.Choice(name=text(f"option.export.{scope}"), value=scope) for scope in export.SCOPES
]


def commands(context: Context) -> list[Command]:
    @slash(context, "export", names={"game": "played", "what": "export"}, about={"game": "exported"})
    @app_commands.choices(form=FORM_CHOICES, what=SCOPE_CHOICES)
    async def send(answer: Answer, game: Text | None = None, form: str | None = None, what: str = export.GAME) -> None:
        await export.export(answer, game, form, what)

    @suggests(send, "game")
    async def played_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await finished_games(context, interaction, typed)

    @slash(context, "import", about={"position": "imported"})
    async def read(answer: Answer, position: Pasted | None = None, file: discord.Attachment | None = None) -> None:
        answer.context.check_rate(answer.user_id, WORK)
        if file is not None:
            await views.open_text(answer, await _text_of(file))
        elif position:
            await views.open_text(answer, position)
        else:
            raise Refused("import.nothing")

    return [send, read]


async def _text_of(file: discord.Attachment) -> str:
    """Returns the text of an uploaded file. Raises Refused for a file that is too long, or is no text."""
    try:
        data = await uploads.bytes_of(file, LONGEST)
    except uploads.TooLarge as error:
        raise Refused("analysis.too_long", most=LONGEST) from error
    except REQUEST_ERRORS as error:
        raise Refused("import.not_loaded") from error
    if b"\0" in data:
        raise Refused("import.not_text")
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Refused("import.not_text")
