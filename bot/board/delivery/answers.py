"""Boards that answer the turns before them.

A turn by a command or by a button of the board then costs one request instead of three, and no limit of the bot counts
it. Such a message has no nonce, so it is sent only where the bot may read the history of the channel: after a restart,
that shows whether it has arrived. No other process sends the board meanwhile, since its lease lasts longer than the
three seconds in which Discord accepts an answer.
"""

import asyncio
from typing import Final

from bot.board import message as board
from bot.board.delivery.permissions import missing_here
from bot.core.interactions.answer import Answer
from bot.core.interactions.answer_message import AnswerMessage

PATIENCE: Final = 2.0
"""Seconds to wait for a board. After 1.8 s the answer is deferred, and the board is a message of its own."""


class BoardAnswers:
    """The answers that are on offer, at most one for each game."""

    def __init__(self) -> None:
        self._offers: dict[str, tuple[Answer, asyncio.Future[bool]]] = {}

    def offer(self, answer: Answer, game_id: str) -> asyncio.Future[bool]:
        """Offers an answer for the next board of a game. The result: whether the board is the answer."""
        self.withdraw(game_id)
        offered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if answer.on_private or not answer.interaction.app_permissions.read_message_history or missing_here(answer):
            offered.set_result(False)
        else:
            self._offers[game_id] = answer, offered
        return offered

    def withdraw(self, game_id: str) -> None:
        """The next board of the game is no answer."""
        _, offered = self._offers.pop(game_id, (None, None))
        if offered is not None:
            offered.set_result(False)

    async def send(self, game_id: str, shown: board.Message, *, is_kept: bool) -> AnswerMessage | None:
        """Sends a board as the answer that is on offer. None if there is none, or if it was not accepted.

        ``is_kept``: the board before is not deleted, so a reply to it can be read. Raises REQUEST_ERRORS.
        """
        answer, offered = self._offers.pop(game_id, (None, None))
        if answer is None or offered is None:
            return None
        sent = None
        try:
            if is_kept or not answer.on_message:
                sent = await answer.public_if_first(shown.content, shown.view, shown.mentions, shown.file)
        finally:
            offered.set_result(sent is not None)
        if sent is None:
            shown.file.reset()
        return sent


async def is_the_board(offered: asyncio.Future[bool]) -> bool:
    """Whether the answer on offer has become the board; False if that takes too long."""
    await asyncio.wait([offered], timeout=PATIENCE)
    return offered.done() and offered.result()
