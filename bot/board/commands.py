"""``/abak board``."""

from discord import app_commands

from bot.board import message, views
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, text
from bot.games.service import GameService


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.board"), description=text("command.board.about"))
    @app_commands.rename(flip=text("option.flip"), words=text("option.words"))
    @app_commands.describe(flip=text("option.flip.about"), words=text("option.words.about"))
    async def board(interaction: Interaction, flip: bool = False, words: bool = False) -> None:
        async def work(answer: Answer) -> None:
            live = await answer.service(GameService).last_at(interaction.channel_id)
            below = message.side_below(live, answer.user_id, answer.prefs["below"])
            await views.show(answer, live, 1 - below if flip else below, words=words)

        await context.answer(interaction, work)

    return [board]
