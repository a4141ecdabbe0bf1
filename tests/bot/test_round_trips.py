"""How often a command waits for PostgreSQL: each wait costs what the way there and back takes."""

from __future__ import annotations

import asyncio
from statistics import median
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import Room, bot_running, shows_board
from harness.players import Greedy
from harness.proxy import proxied

if TYPE_CHECKING:
    from harness.proxy import Proxy

    from bot.sandbox.server import Server

TYPED: Final = 1
ANSWER: Final = 6
BOARD: Final = 8
MOVES: Final = 6
FIRST: Final = 3
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "abalone": {},
    "backgammon": {"points": 3},
    "abak": {"time": "3d", "rated": True},
}


class Counted:
    """The round trips up to each message that appears."""

    def __init__(self, server: Server, proxy: Proxy) -> None:
        self._proxy = proxy
        self._start = 0
        self.answer: int | None = None
        self.board: int | None = None
        server.world.events.listeners.append(self._note)

    def begin(self) -> None:
        self._start, self.answer, self.board = len(self._proxy.statements), None, None

    @property
    def so_far(self) -> int:
        return len(self._proxy.statements) - self._start

    def _note(self, event: dict[str, Any]) -> None:
        if event["type"] == "message_create":
            if shows_board(event["message"]) and "only" not in event:
                self.board = self.so_far
            elif self.answer is None:
                self.answer = self.so_far


@pytest.mark.parametrize("game", OPTIONS)
async def test_a_move_waits_for_the_database_a_few_times(stand_in: Server, postgres_url: str, game: str) -> None:
    async with proxied(postgres_url) as (proxy, url), bot_running(stand_in, url) as bot:
        room, player = Room.of(stand_in, bot), Greedy()
        await room.begin(game, **OPTIONS[game])
        counted = Counted(stand_in, proxy)
        typed: list[int] = []
        answers: list[int] = []
        boards: list[int] = []
        while len(boards) < MOVES:
            live = await room.present()
            text = live.game.format(live.state, player.turn(live.game, live.state))
            who = room.to_move(live)
            counted.begin()
            await who.choices("abak move play", "notation", notation=text[:1])
            typed.append(counted.so_far)
            counted.begin()
            await who.slash("abak move play", notation=text)
            await room.shown()
            if counted.board is None:  # a roll is shown on the board that is there
                continue
            answers.append(counted.answer or counted.board)
            boards.append(counted.board)
            await asyncio.sleep(0.05)  # what follows the board is over
        # the first ones prepare statements, and workers ask in between
        assert median(typed) <= TYPED, proxy.statements
        assert median(answers[FIRST:]) <= ANSWER, proxy.statements
        assert median(boards[FIRST:]) <= BOARD, proxy.statements
