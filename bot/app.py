"""Puts the bot together from its settings, runs it, and takes it apart again."""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.board import pictures
from bot.board.delivery.permission_issue_repository import PermissionIssueRepository
from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.repository import BoardRepository
from bot.board.delivery.service import BoardDelivery
from bot.challenges.repository import ChallengeRepository
from bot.challenges.service import ChallengeService
from bot.client import AbakBot
from bot.clocks.heartbeats.repository import HeartbeatRepository
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.service import DeadlineService
from bot.clocks.vacations.repository import VacationRepository
from bot.clocks.vacations.service import TimeOffHook, VacationService
from bot.conditional.repository import ConditionalMoveRepository
from bot.conditional.service import ConditionalMoveService, by_notice
from bot.core.database import Database
from bot.core.randomness import Luck, SystemLuck, coin
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.health import served
from bot.learn.repository import LessonRepository
from bot.learn.service import LearningService
from bot.notifications.repository import NotificationRepository
from bot.notifications.service import NotificationService
from bot.players.names import PlayerNames
from bot.players.names_repository import PlayerNameRepository
from bot.players.preferences import PreferenceService
from bot.players.repository import PreferenceRepository
from bot.services import Services
from bot.settings import Settings

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sources:
    """What comes from outside a bot: luck, the coin for the seats, the time in milliseconds since 1970."""

    luck: Luck
    coin: Callable[[], int]
    now: Callable[[], int]


def system_sources() -> Sources:
    return Sources(SystemLuck(), coin, lambda: time.time_ns() // 1_000_000)


def point_at(settings: Settings) -> None:
    """Sets discord.py's two addresses where the settings give others: a proxy, or the sandbox."""
    if settings.discord_api_base:
        Route.BASE = settings.discord_api_base
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


def assemble(database: Database, sources: Sources, settings: Settings) -> Services:
    """The services over one database."""
    preferences = PreferenceService(PreferenceRepository(database))
    heartbeats = HeartbeatService(HeartbeatRepository(database), sources.now)
    vacations = VacationRepository(database)
    notifications = NotificationService(NotificationRepository(database), preferences, sources.now)
    plans = ConditionalMoveService(ConditionalMoveRepository(database), sources.now, by_notice(notifications))
    games = GameService(
        GameRepository(database),
        sources.luck,
        sources.now,
        plays_forced=preferences.plays_forced,
        rolls=preferences.rolls,
        hooks=[TimeOffHook(vacations, preferences, heartbeats), plans, notifications],
    )
    return Services(
        games,
        ChallengeService(ChallengeRepository(database), games, sources.now, settings.challenge_expiry, sources.coin),
        preferences,
        PlayerNames(PlayerNameRepository(database), sources.now),
        LearningService(LessonRepository(database), sources.now),
        PermissionIssues(PermissionIssueRepository(database), sources.now),
        notifications,
        BoardDelivery(BoardRepository(database), sources.now),
        VacationService(vacations, sources.now),
        DeadlineService(games, heartbeats, sources.now),
        plans,
        now=sources.now,
    )


@asynccontextmanager
async def running(settings: Settings, sources: Sources | None = None) -> AsyncIterator[AbakBot]:
    """A bot that is logged in and connected, for as long as the block lasts.

    Raises discord.LoginFailure for a wrong token; at the end of the block, whatever ended the connection for good.
    """
    sources = sources or system_sources()
    point_at(settings)
    database = await Database.open(settings.database_url)
    try:
        services = assemble(database, sources, settings)
        client = AbakBot(
            services,
            default_locale=settings.default_locale,
            sync_commands=settings.sync_commands,
        )
        async with client:
            token = settings.discord_token
            await client.login(token.get_secret_value() if token else "")
            connection = asyncio.create_task(client.connect())
            connection.add_done_callback(lambda _: client.closed.set())
            ready = asyncio.create_task(client.wait_until_ready())
            warming = asyncio.create_task(pictures.warm(asyncio.shield(ready)))
            try:
                await asyncio.wait({connection, ready}, return_when=asyncio.FIRST_COMPLETED)
                if connection.done():
                    await connection
                log.info("ready", user=str(client.user), guilds=len(client.guilds))
                yield client
                if connection.done():
                    await connection  # it ended by itself: this raises why
            finally:
                ready.cancel()
                warming.cancel()
                await client.close()
                await asyncio.gather(connection, ready, warming, return_exceptions=True)
    finally:
        await database.close()


async def run(settings: Settings) -> None:
    """Runs until it is told to stop (SIGTERM, SIGINT) or the connection ends for good."""
    async with running(settings) as client:
        on_stop(client.closed.set)
        checks = {"discord": client.connected, "database": client.services.games.repository.database.answers}
        async with served(settings.health_port, checks):
            await client.closed.wait()


def on_stop(stop: Callable[[], object]) -> None:
    """Calls ``stop`` when the process is told to end; on a system without such signals an interrupt does."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, stop)
