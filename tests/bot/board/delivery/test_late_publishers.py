"""A process that stops for a while in the middle of showing a board, and goes on when another has shown it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import Room, bot_running, milliseconds
from harness.discord import PATIENT, until
from harness.origins import is_of_game, shows
from harness.scene import FIRST

from bot.board.delivery import posting, service
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.offers import DRAW

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases


class Stopped:
    """Holds a process at its next request of one kind, like SIGSTOP: its leases are not renewed either."""

    def __init__(self, bot: AbakBot, request: str, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> None:
        """Takes ``after``: whether Discord has carried the request out, and only its answer is not read."""
        self.reached, self.go = asyncio.Event(), asyncio.Event()
        self._sent: Any = getattr(bot.http, request)
        self._after = after
        monkeypatch.setattr(bot.http, request, self._request)
        monkeypatch.setattr(bot.service(BoardDelivery), "renew", self._no_renewal)

    async def _request(self, *given: Any, **named: Any) -> Any:
        answer = await self._sent(*given, **named) if self._after else None
        self.reached.set()
        await self.go.wait()
        return answer if self._after else await self._sent(*given, **named)

    async def _no_renewal(self, _: object) -> None:
        pass


@pytest.fixture
def created(stand_in: Server) -> list[tuple[tuple[str, int], str]]:
    """Returns the entries shown and the id of each public message, also of those deleted since."""
    found: list[tuple[tuple[str, int], str]] = []

    def note(event: dict[str, Any]) -> None:
        if event["type"] == "message_create" and is_of_game(event["message"]):
            found.append((shows(event["message"]), event["message"]["id"]))

    stand_in.world.events.listeners.append(note)
    return found


async def taken_over(second: AbakBot, live: LiveGame) -> None:
    """Waits until the lease has ended, and the second process finds the board and shows it."""

    async def shown() -> bool:
        await second.service(BoardPublisher).sweep()
        await second.service(BoardPublisher).idle()
        return (await second.service(GameService).newest(live.id)).shown_seq >= live.seq

    await until(shown, "the board is shown")


@pytest.mark.parametrize(
    ("request_", "after", "kept"),
    [
        pytest.param("edit_message", True, 0, id="stopped between the board and the call"),
        pytest.param("send_message", False, posting.HELD_BACK_MS, id="stopped while the call is on its way"),
    ],
)
async def test_nobody_is_called_twice_by_a_process_that_comes_late(
    stand_in: Server,
    database_url: str,
    created: list[tuple[tuple[str, int], str]],
    monkeypatch: pytest.MonkeyPatch,
    request_: str,
    *,
    after: bool,
    kept: int,
) -> None:
    monkeypatch.setattr(posting, "HELD_BACK_MS", kept)
    now = Clock(milliseconds())
    async with (
        bot_running(stand_in, database_url, now=now) as first,
        bot_running(stand_in, database_url, now=now) as second,
    ):
        room = Room.of(stand_in, first)
        players, place = (room.ana.user_id, room.ben.user_id), Place(stand_in.world.guild_id, room.channel_id)
        live = await first.service(GameService).open(NewGame("apb", {}, place, "en"), players)
        await first.service(GameService).play(live.id, live.players[0], None, FIRST)
        await first.service(BoardPublisher).idle()
        stopped = Stopped(first, request_, monkeypatch, after=after)
        offered = await first.service(GameService).offer(live.id, live.players[1], DRAW)
        await asyncio.wait_for(stopped.reached.wait(), PATIENT)
        now.at += service.LEASE_MS + 1
        await taken_over(second, offered)
        await second.service(GameService).withdraw(live.id, live.players[1])
        await second.service(BoardPublisher).idle()
        if not kept:
            await second.service(BoardPublisher).old_boards.sweep()
            await second.service(BoardPublisher).idle()
        stopped.go.set()
        await first.service(BoardPublisher).idle()
        calls = [message for shown, message in created if shown == (live.id, offered.seq)]
        assert len(calls) == 1
        assert (await second.service(GameService).newest(live.id)).shown_seq == offered.seq + 1
