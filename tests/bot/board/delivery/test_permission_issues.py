"""A missing permission is told once, and again only after it had been there."""

import asyncio

import pytest
from fakes.clock import Clock

from bot.board.delivery.permission_issue_repository import PermissionIssueRepository
from bot.board.delivery.permission_issues import PermissionIssue, PermissionIssues
from bot.core.storage.database import Database

SEND, THREADS = "send_messages", "create_public_threads"


@pytest.fixture
def permission_issues(database: Database, clock: Clock) -> PermissionIssues:
    return PermissionIssues(PermissionIssueRepository(database), clock)


async def lacking(permission_issues: PermissionIssues, guild_id: int) -> list[tuple[int, str]]:
    return [
        (permission_issue.channel_id, permission_issue.permission)
        for permission_issue in await permission_issues.not_informed(guild_id)
    ]


async def test_only_the_first_time_is_new(permission_issues: PermissionIssues) -> None:
    assert await permission_issues.note(5, SEND, 1)
    assert not await permission_issues.note(5, SEND, 1)
    assert await permission_issues.note(5, THREADS, 1)
    assert await permission_issues.note(6, SEND, 1)


@pytest.mark.both_databases
async def test_of_two_processes_one_is_first(database: Database, clock: Clock) -> None:
    services = [PermissionIssues(PermissionIssueRepository(database), clock) for _ in range(2)]
    assert sorted(await asyncio.gather(*(service.note(5, SEND, 1) for service in services))) == [False, True]


@pytest.mark.both_databases
async def test_what_nobody_has_been_told_is_listed_server_by_server(
    permission_issues: PermissionIssues, clock: Clock
) -> None:
    for channel, permission, guild in ((6, SEND, 1), (5, THREADS, 1), (7, SEND, 2), (8, SEND, None)):
        await permission_issues.note(channel, permission, guild)
        clock.pass_seconds(1)
    first, second = await permission_issues.not_informed(1)
    assert first == PermissionIssue(first.id, 1, 6, SEND, clock() - 4000)
    assert (second.channel_id, second.permission) == (5, THREADS)
    assert await lacking(permission_issues, 2) == [(7, SEND)]
    assert await lacking(permission_issues, 3) == []


async def test_what_was_told_is_neither_listed_nor_new(permission_issues: PermissionIssues) -> None:
    await permission_issues.note(5, SEND, 1)
    await permission_issues.note(5, THREADS, 1)
    (told, _) = await permission_issues.not_informed(1)
    await permission_issues.mark_informed(told.id)
    assert await lacking(permission_issues, 1) == [(5, THREADS)]
    assert not await permission_issues.note(5, SEND, 1)


@pytest.mark.both_databases
async def test_what_works_again_is_new_when_it_fails_again(permission_issues: PermissionIssues) -> None:
    for permission in (SEND, THREADS):
        await permission_issues.note(5, permission, 1)
    await permission_issues.note(6, SEND, 1)
    for permission_issue in await permission_issues.not_informed(1):
        await permission_issues.mark_informed(permission_issue.id)
    await permission_issues.cleared(5, SEND)
    assert not await permission_issues.note(5, THREADS, 1)
    assert await permission_issues.note(5, SEND, 1)
    assert await lacking(permission_issues, 1) == [(5, SEND)]
    await permission_issues.cleared(5)
    assert await lacking(permission_issues, 1) == []
    assert await permission_issues.note(5, THREADS, 1)
    assert not await permission_issues.note(6, SEND, 1)
