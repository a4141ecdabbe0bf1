"""Old data are deleted: notifications, challenges, absent users, servers that removed the bot. A moved clock."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import discord
import pytest
from fakes.clock import Clock
from sqlalchemy import func, insert, select

from bot.board.delivery.tables import old_boards, permission_issues
from bot.challenges.service import ChallengeService
from bot.challenges.tables import challenges
from bot.core.processes.runner import SHARD_SHIFT
from bot.core.processes.servers import servers_of
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.learn.service import LearningService
from bot.notifications.service import Notification, NotificationService
from bot.notifications.tables import notifications
from bot.players.service import PlayerNames, PreferenceService
from bot.players.tables import player_names, preferences
from bot.privacy.deletion.service import DeletionService
from bot.privacy.retention.service import BATCH, RetentionService
from bot.privacy.tables import absent_servers, deletions
from engine.core.hours import DAY

if TYPE_CHECKING:
    from sqlalchemy import Table

    from bot.core.services import Services

pytestmark = pytest.mark.both_databases

ZED, ANA, BEN = 1573951852234407937, 1573951852234407938, 1573951852234407939
HERE, THERE = 1573951852234407000, 1573951852234407001
PLACE = Place(HERE, HERE + 9)


async def count(services: Services, table: Table) -> int:
    async with services.database.reading() as connection:
        return await connection.scalar(select(func.count()).select_from(table)) or 0


async def test_notifications_are_kept_for_their_days(services: Services, clock: Clock) -> None:
    service, days = services[NotificationService], services.settings.keep_notifications
    many = [Notification(f"n{number}", ANA, "digest", clock.at, seq=number) for number in range(BATCH + 3)]
    async with services.database.writing() as connection:
        await service.write(connection, *many)
    for notification in many[1:]:
        await service.outbox.void(notification)
    clock.at += days * DAY
    await services[RetentionService].run(None)
    assert await count(services, notifications) == len(many)
    clock.at += 1
    await services[RetentionService].run(None)
    assert await count(services, notifications) == 1  # it is still to be sent


async def test_closed_challenges_are_kept_for_their_days(services: Services, clock: Clock) -> None:
    service, days = services[ChallengeService], services.settings.keep_challenges
    accepted = await service.post(ZED, ANA, NewGame("abalone", {}, PLACE, "en"))
    cancelled = await service.post(ZED, ANA, NewGame("abalone", {}, PLACE, "en"))
    live = await service.accept(accepted.id, ANA, PLACE)
    await service.cancel(cancelled.id, ZED)
    clock.at = cancelled.expires + days * DAY
    await services[RetentionService].run(None)
    assert await count(services, challenges) == 2
    clock.at += 1
    still_open = await service.post(ZED, ANA, NewGame("apb", {}, PLACE, "en"))
    await services[RetentionService].run(None)
    assert await count(services, challenges) == 1
    assert (await service.get(still_open.id)).status == "open"
    assert (await services[GameService].newest(live.id)).players == (ZED, ANA)


async def test_users_without_games_who_are_not_seen_are_deleted(services: Services, clock: Clock) -> None:
    names, days = services[PlayerNames], services.settings.keep_inactive
    for user_id in (ZED, ANA, BEN):
        await names.seen(user_id, f"name {user_id}")
    await services[GameService].open(NewGame("abalone", {}, PLACE, "en"), (ANA, BEN + 1))
    await services[PreferenceService].set_user(ZED, "theme", "slate")
    await services[LearningService].complete(ZED, "abalone", "first")
    clock.at += days * DAY
    names.forget(None)  # the process has been started anew since
    await names.seen(BEN, f"name {BEN}")
    clock.at += 1
    await services[RetentionService].run(None)
    assert await names.names([ZED, ANA, BEN]) == {ZED: "", ANA: f"name {ANA}", BEN: f"name {BEN}"}
    assert await count(services, preferences) == 0
    assert await services[LearningService].done(ZED, "abalone") == set()


async def test_a_server_without_the_bot_is_forgotten_after_its_days(services: Services, clock: Clock) -> None:
    service, days = services[PreferenceService], services.settings.keep_servers
    for guild_id in (HERE, THERE):
        await service.set_server(guild_id, "theme", "slate")
        issue = {"channel_id": guild_id, "permission": "send_messages", "at": clock.at, "reported": False}
        old = {"message_id": guild_id, "channel_id": guild_id, "removed": True, "attempts": 0, "next_attempt_at": 0}
        async with services.database.writing() as connection:
            await connection.execute(insert(permission_issues).values(guild_id=guild_id, **issue))
            await connection.execute(insert(old_boards).values(guild_id=guild_id, **old))
    retention = services[RetentionService]
    await retention.run({HERE})
    clock.at += days * DAY
    await retention.run({HERE, THERE})  # it was invited again
    assert await count(services, absent_servers) == 0
    await retention.run({HERE})
    clock.at += days * DAY
    await retention.run(None)
    await retention.run({HERE})
    assert await count(services, preferences) == 2
    clock.at += 1
    await retention.run({HERE})
    for table in (preferences, permission_issues, old_boards):
        assert await count(services, table) == 1
    service._cache.clear()
    assert (await service.of_server(THERE))["theme"] == "wood"
    assert (await service.of_server(HERE))["theme"] == "slate"


async def test_that_somebody_was_deleted_is_forgotten_too(services: Services, clock: Clock) -> None:
    await services[DeletionService].delete(ZED)
    clock.at += 31 * DAY
    await services[RetentionService].run(None)
    assert await count(services, deletions) == 0
    assert await count(services, player_names) == 0


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_a_process_forgets_no_server_of_another(services: Services, clock: Clock) -> None:
    """Two processes with a shard each: what one does not know of may be served, or known again, by the other."""
    service, retention = services[PreferenceService], services[RetentionService]
    one, other, gone = (1 << SHARD_SHIFT, 2 << SHARD_SHIFT, 3 << SHARD_SHIFT)
    first, second = process(1, one), process(0, other)
    for guild_id in (one, other, gone):
        await service.set_server(guild_id, "theme", "slate")
    await retention.run(servers_of(first))  # GONE is of its shard
    await retention.run(servers_of(process(0)))  # the second process before the bot is invited again to OTHER
    assert await count(services, absent_servers) == 2
    clock.at += (services.settings.keep_servers + 1) * DAY
    await retention.run(servers_of(first))
    assert await count(services, preferences) == 2
    await retention.run(servers_of(second))
    assert await count(services, absent_servers) == 0
    assert await count(services, preferences) == 2


def process(shard: int, *guilds: int) -> discord.Client:
    """Returns the client of a process that serves one of two shards."""
    known: Any = SimpleNamespace(
        guilds=[SimpleNamespace(id=guild_id) for guild_id in guilds],
        runner=SimpleNamespace(serves=lambda guild_id: (guild_id >> SHARD_SHIFT) % 2 == shard),
    )
    return cast("discord.Client", known)
