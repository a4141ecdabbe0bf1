"""Checks the messages in a channel after everything has been shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import shows_board, wired
from harness.origins import shows

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from harness.bot import Room


def assert_shown_once(room: Room, live: LiveGame) -> None:
    """Checks that each state was shown and called for once, and that only the newest board has buttons."""
    seqs = [shows(board) for board in room.boards]
    assert len(set(seqs)) == len(seqs)
    assert seqs[-1] == (live.id, live.table.seq)
    called = [m["id"] for _, m in room.pings if shows_board(m)]
    assert called == [board["id"] for board in room.boards]
    assert [wired(board) != [] for board in room.boards] == [False] * (len(seqs) - 1) + [True]


def out_of_reach(room: Room) -> None:
    """Closes the direct messages of both, so that only the board calls them."""
    room.server.world.dms_closed.update((room.ana.user_id, room.ben.user_id))
