"""Checks the messages in a channel after everything has been shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import shows_board, wired
from harness.origins import shows

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from harness.bot import Room


def assert_shown_once(room: Room, live: LiveGame) -> None:
    """A board for every state that was shown, none twice; one call for each, and buttons on the newest alone."""
    seqs = [shows(board) for board in room.boards]
    assert len(set(seqs)) == len(seqs)
    assert seqs[-1] == (live.id, live.table.seq)
    called = [m["id"] for _, m in room.pings if shows_board(m)]
    assert called == [board["id"] for board in room.boards]
    assert [wired(board) != [] for board in room.boards] == [False] * (len(seqs) - 1) + [True]


def out_of_reach(room: Room) -> None:
    """The two take no direct messages: nobody but the board calls them."""
    room.server.world.dms_closed.update((room.ana.user_id, room.ben.user_id))
