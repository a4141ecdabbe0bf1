"""A missing permission is told once, and again only after it had been there."""

import asyncio

import pytest
from fakes.clock import Clock

from bot.board.delivery.permission_issue_repository import TroubleStore
from bot.board.delivery.permission_issues import Trouble, Troubles
from bot.core.database import Database

SEND, THREADS = "send_messages", "create_public_threads"


@pytest.fixture
def troubles(database: Database, clock: Clock) -> Troubles:
    return Troubles(TroubleStore(database), clock)


async def lacking(troubles: Troubles, guild_id: int) -> list[tuple[int, str]]:
    return [(trouble.channel_id, trouble.permission) for trouble in await troubles.untold(guild_id)]


async def test_only_the_first_time_is_new(troubles: Troubles) -> None:
    assert await troubles.note(5, SEND, 1)
    assert not await troubles.note(5, SEND, 1)
    assert await troubles.note(5, THREADS, 1)
    assert await troubles.note(6, SEND, 1)


async def test_of_two_processes_one_is_first(database: Database, clock: Clock) -> None:
    services = [Troubles(TroubleStore(database), clock) for _ in range(2)]
    assert sorted(await asyncio.gather(*(service.note(5, SEND, 1) for service in services))) == [False, True]


async def test_what_nobody_has_been_told_is_listed_server_by_server(troubles: Troubles, clock: Clock) -> None:
    for channel, permission, guild in ((6, SEND, 1), (5, THREADS, 1), (7, SEND, 2), (8, SEND, None)):
        await troubles.note(channel, permission, guild)
        clock.pass_seconds(1)
    first, second = await troubles.untold(1)
    assert first == Trouble(first.id, 1, 6, SEND, clock() - 4000)
    assert (second.channel_id, second.permission) == (5, THREADS)
    assert await lacking(troubles, 2) == [(7, SEND)]
    assert await lacking(troubles, 3) == []


async def test_what_was_told_is_neither_listed_nor_new(troubles: Troubles) -> None:
    await troubles.note(5, SEND, 1)
    await troubles.note(5, THREADS, 1)
    (told, _) = await troubles.untold(1)
    await troubles.told(told.id)
    assert await lacking(troubles, 1) == [(5, THREADS)]
    assert not await troubles.note(5, SEND, 1)


async def test_what_works_again_is_new_when_it_fails_again(troubles: Troubles) -> None:
    for permission in (SEND, THREADS):
        await troubles.note(5, permission, 1)
    await troubles.note(6, SEND, 1)
    for trouble in await troubles.untold(1):
        await troubles.told(trouble.id)
    await troubles.cleared(5, SEND)
    assert not await troubles.note(5, THREADS, 1)
    assert await troubles.note(5, SEND, 1)
    assert await lacking(troubles, 1) == [(5, SEND)]
    await troubles.cleared(5)
    assert await lacking(troubles, 1) == []
    assert await troubles.note(5, THREADS, 1)
    assert not await troubles.note(6, SEND, 1)
