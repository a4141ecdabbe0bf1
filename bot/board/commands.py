"""``/abak board``."""

from bot.board import message, views
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command
from bot.core.interactions.declaration import slash
from bot.games.service import GameService


def commands(context: Context) -> list[Command]:
    @slash(context, "board")
    async def board(answer: Answer, flip: bool = False, words: bool = False) -> None:
        live = await answer.service(GameService).last_at(answer.interaction.channel_id)
        below = message.side_below(live, answer.user_id, answer.prefs["below"])
        await views.show(answer, live, 1 - below if flip else below, words=words)

    return [board]
