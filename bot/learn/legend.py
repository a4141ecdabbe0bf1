"""The legend of a game: a picture that explains the signs on its pieces."""

import io
from typing import Final

import discord

from bot.core import render_queue
from bot.core.interactions.answer import Answer
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from engine.core.errors import Refused
from engine.registry import find
from render import registry

handlers: Final = Handlers()


@handlers.on("legend")
async def show(answer: Answer, press: Press) -> None:
    """Shows the legend privately, with its words as the picture's alternative text. Raises Refused if there is none."""
    game, say = find(press.subject), answer.say
    keys = registry.legend_keys(game.key)
    if not keys:
        raise Refused("learn.gone")
    said = [say(f"{game.key}.legend.{key}") for key in keys]
    words = [(name, about) for name, _, about in (text.partition(": ") for text in said)]
    data = await render_queue.pictures.draw(registry.legend, game.key, answer.theme, words)
    file = discord.File(io.BytesIO(data), filename="legend.png", description="\n".join(said))
    await answer.private(f"**{game.name}: {say(f'{game.key}.legend.title')}**", files=[file])
