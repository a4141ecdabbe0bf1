"""Messages that are kept up to date: what is known of those that may have been sent, and when they are tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import milliseconds

from bot.core.messages import DOUBT_MS, ChannelMessages, InDoubt, begins, next_attempt
from bot.core.workers import backoff
from bot.sandbox.state import permissions
from engine.core.errors import Refused

if TYPE_CHECKING:
    from harness.bot import Room


@pytest.mark.parametrize("readable", [True, False])
async def test_what_the_bot_may_in_a_server_of_another_process_is_known_by_what_it_reads(
    room: Room, *, readable: bool
) -> None:
    assert room.bot is not None
    guild = room.bot.get_guild(room.server.world.guild_id)
    assert guild is not None
    room.ana.say("Hello")
    if not readable:
        room.server.world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    room.bot._connection._remove_guild(guild)
    messages, later = ChannelMessages(room.bot, room.channel_id, guild.id), milliseconds() + 3_600_000
    assert await messages.find(begins("Hello"), later) == ([] if readable else None)
    room.bot._connection._add_guild(guild)


def test_it_is_given_up_after_the_last_attempt_unless_somebody_may_mend_it() -> None:
    assert next_attempt(TimeoutError(), 0, 3) == (1, backoff(0))
    assert next_attempt(TimeoutError(), 1, 3) == (2, backoff(1))
    assert next_attempt(TimeoutError(), 2, 3) == (3, None)
    assert next_attempt(Refused("tournament.unreadable"), 2, 3) == (3, backoff(2))
    assert next_attempt(InDoubt(), 2, 3) == (2, DOUBT_MS)
