"""Boards that answer the turns before them.

A turn by a command or by a button of the board then costs one request instead of three, and no limit of the bot counts
it. Such a message has no nonce, so it is sent only where the bot may read the history of the channel: after a restart,
the history shows whether it has arrived. No other process sends the board meanwhile, as its lease lasts longer than the
three seconds in which Discord accepts an answer.
"""

import asyncio
from typing import Final

from bot.board import message as board
from bot.board.delivery.permissions import missing_here, own_permissions
from bot.core.interactions.answer import Answer
from bot.core.interactions.delivery.answer_message import AnswerMessage
from bot.games.live import LiveGame

PATIENCE: Final = 2.0
"""Seconds to wait for a board. After 1.8 s the answer is deferred, and the board is a message of its own."""


class BoardAnswers:
    """The answers that are on offer, at most one for each game."""

    def __init__(self) -> None:
        self._offers: dict[str, tuple[Answer, int, asyncio.Future[bool]]] = {}
        """The offer of each game, with the least number of entries that its board must show."""

    def offer(self, answer: Answer, live: LiveGame) -> asyncio.Future[bool]:
        """Offers the answer to the last turn for the board that shows it. The result says whether it is the answer."""
        self.withdraw(live.id)
        offered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if answer.on_private or not own_permissions(answer).read_message_history or missing_here(answer):
            offered.set_result(False)
        else:
            self._offers[live.id] = answer, live.seq, offered
        return offered

    def withdraw(self, game_id: str) -> None:
        """Withdraws the offered answer, so that the next board of the game is a message of its own."""
        if game_id in self._offers:
            *_, offered = self._offers.pop(game_id)
            offered.set_result(False)

    async def send(self, live: LiveGame, shown: board.Message, *, is_kept: bool) -> AnswerMessage | None:
        """Sends a board as the offered answer. Returns None without an offer, or if the answer was not accepted.

        ``is_kept``: the board before is not deleted, so a reply to it can be read; a ping beside it is deleted. Raises
        REQUEST_ERRORS.
        """
        if live.id not in self._offers or live.seq < self._offers[live.id][1]:
            return None
        answer, _, offered = self._offers.pop(live.id)
        sent = None
        try:
            pressed = answer.interaction.message if answer.on_message else None
            is_readable = pressed is None or (is_kept and pressed.id == live.message_id)
            if is_readable and answer.interaction.channel_id == live.place.channel_id:
                sent = await answer.public_if_first(shown.content, shown.view, shown.mentions, shown.file)
        finally:
            offered.set_result(sent is not None)
        if sent is None:
            shown.file.reset()
        return sent


async def is_the_board(offered: asyncio.Future[bool]) -> bool:
    """Returns whether the offered answer has become the board; False if that takes too long."""
    await asyncio.wait([offered], timeout=PATIENCE)
    return offered.done() and offered.result()
