"""Assembles the bot from its settings, runs it, and closes it."""

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from functools import partial
from typing import Final

import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.actions.feature import FEATURE as ACTIONS
from bot.archive.feature import FEATURE as ARCHIVE
from bot.board import pictures
from bot.board.buttons import GameMenu
from bot.board.delivery.publisher import BoardPublisher
from bot.board.feature import FEATURE as BOARD
from bot.challenges import pending
from bot.challenges.feature import FEATURE as CHALLENGES
from bot.clocks import panels as clock_panels
from bot.clocks.feature import FEATURE as CLOCKS
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.removed_servers.service import RemovedServers
from bot.clocks.time_off import TimeOffHook
from bot.conditional.buttons import conditional_buttons
from bot.conditional.feature import FEATURE as CONDITIONAL
from bot.conditional.service import ConditionalMoveService
from bot.core.allocator import collect_less, keep_little
from bot.core.client import AbakBot
from bot.core.personal_data import PersonalDataCatalogue
from bot.core.processes.changes import Changes
from bot.core.processes.identifying import IdentifyTurns, OwnTurns, SharedTurns
from bot.core.processes.link import Link
from bot.core.processes.membership import Membership, OnlyProcess, SharedShards
from bot.core.processes.only_process import only_process
from bot.core.randomness import SystemLuck, coin
from bot.core.services import Services, Sources
from bot.core.storage.database import Database
from bot.dice.feature import FEATURE as DICE
from bot.dice.service import DiceService
from bot.exchange.feature import FEATURE as EXCHANGE
from bot.explorer.feature import FEATURE as EXPLORER
from bot.explorer.service import ExplorerService
from bot.games.feature import FEATURE as GAMES
from bot.games.running.offer_quotas import OfferQuotas
from bot.games.service import GameService
from bot.health import Check, check_port, serve_health
from bot.learn.feature import FEATURE as LEARN
from bot.matches.feature import FEATURE as MATCHES
from bot.matches.service import MatchService
from bot.matches.tournament_names import TournamentNames
from bot.monitoring.feature import FEATURE as MONITORING
from bot.monitoring.page import Monitoring
from bot.moves.feature import FEATURE as MOVES
from bot.my_games.feature import FEATURE as MY_GAMES
from bot.my_games.sections import GameListSections
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.feature import FEATURE as NOTIFICATIONS
from bot.notifications.private_notices import PendingNotices
from bot.notifications.service import NotificationService
from bot.opponents.feature import FEATURE as OPPONENTS
from bot.opponents.service import OpponentService
from bot.players.asker import load_user
from bot.players.feature import FEATURE as PLAYERS
from bot.players.panel_hooks import PanelHooks
from bot.privacy.feature import FEATURE as PRIVACY
from bot.privacy.views import refuse_while_deleted
from bot.profiles.feature import FEATURE as PROFILES
from bot.profiles.service import ProfileService
from bot.ratings.feature import FEATURE as RATINGS
from bot.ratings.service import RatingService
from bot.settings import Settings
from bot.tournaments.feature import FEATURE as TOURNAMENTS
from bot.tournaments.organising.departures import DepartureService
from bot.tournaments.reopening.service import ReopeningService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.welcome import views as welcome
from bot.welcome.feature import FEATURE as WELCOME

FEATURES: Final = (
    PLAYERS,
    GAMES,
    MATCHES,
    RATINGS,
    CLOCKS,
    BOARD,
    MY_GAMES,
    NOTIFICATIONS,
    ACTIONS,
    MOVES,
    CONDITIONAL,
    CHALLENGES,
    OPPONENTS,
    ARCHIVE,
    EXCHANGE,
    EXPLORER,
    PROFILES,
    DICE,
    TOURNAMENTS,
    PRIVACY,
    LEARN,
    WELCOME,
    MONITORING,
)
"""Every feature. A feature may use only the features before it."""

CLOSING: Final = 3.0
"""Seconds to close the connections to the database."""
LAST: Final = 14.0
"""Seconds after SIGTERM until the process ends in any case."""

log = structlog.get_logger()


def system_sources() -> Sources:
    return Sources(SystemLuck(), coin, lambda: time.time_ns() // 1_000_000)


def set_discord_addresses(settings: Settings) -> None:
    """Sets discord.py's two addresses to those of the settings, if given, such as a proxy or the sandbox."""
    if settings.discord_api_base:
        Route.BASE = settings.discord_api_base
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


def assemble(database: Database, sources: Sources, settings: Settings) -> Services:
    """Assembles the services of all features, and the hooks by which a lower feature calls a higher one."""
    services = Services(database, sources, settings)
    services.add(Changes(database.origin))
    services.add(PersonalDataCatalogue(data for feature in FEATURES for data in feature.personal_data))
    for feature in FEATURES:
        feature.services(services)
    # this order with every command: the limits of offers, time off, conditional replies, the explorer, the dice,
    # notifications; last the end of matches, which asks the database, so that what the others write goes out with it
    services[GameService].hooks = [
        services[OfferQuotas],
        services[TimeOffHook],
        services[ConditionalMoveService],
        services[ExplorerService],
        services[DiceService],
        services[NotificationService],
        services[MatchService],
        services[ReopeningService],
    ]
    # tournaments last: they lock the tournament, after users and games
    services[MatchService].hooks += [services[RatingService], services[RoundService]]
    services[RatingService].hooks.append(services[ProfileService])
    clock_panels.add_to(services[PanelHooks])
    services[GameMenu].providers.append(conditional_buttons)
    services[RemovedServers].tell = services[NotificationService].server_removed
    services[GameListSections].sections.append(pending.lines)
    services[TournamentNames].find = services[TournamentService].names_of
    services[OpponentService].is_in_tournament = services[TournamentService].has_game
    return services


def connect(client: AbakBot) -> None:
    """Connects the hooks that need the Discord client."""
    client.context.before_answer += [refuse_while_deleted, load_user]
    client.context.after_answer.append(client.service(PendingNotices).show)
    client.service(BoardPublisher).pings = client.service(NotificationService)
    client.server_changed.append(client.service(BoardPublisher).retry_server)
    client.server_changed.append(client.service(DepartureService).retry_server)
    client.channel_deleted.append(client.service(NotificationDispatcher).channel_gone)
    client.channel_deleted.append(client.service(ReopeningService).channel_gone)
    client.service(NotificationDispatcher).reopens = client.service(ReopeningService).reopens
    client.server_changed.append(client.service(ReopeningService).retry_server)
    client.server_back.append(client.service(RemovedServers).joined)
    client.server_joined.append(partial(welcome.greet, client.context))
    client.server_removed.append(client.service(RemovedServers).removed)
    client.server_removed.append(client.service(DepartureService).server_gone)
    client.service(RemovedServers).back.append(client.changed)
    client.session_begun.append(client.service(RemovedServers).comparison.soon)
    client.session_begun.append(client.service(DepartureService).comparison.soon)
    client.session_begun.append(client.service(ReopeningService).look)


@asynccontextmanager
async def running(
    settings: Settings,
    sources: Sources | None = None,
    beside: Callable[[AbakBot], AbstractAsyncContextManager[object]] = nullcontext,
) -> AsyncIterator[AbakBot]:
    """Yields a bot that is connected until the block ends, or waits as a spare for another process to die.

    ``beside`` is open as long as the bot, also while it connects.

    Raises discord.LoginFailure for a wrong token. If the connection failed for good, raises its exception when the
    block ends.
    """
    sources = sources or system_sources()
    set_discord_addresses(settings)
    async with AsyncExitStack() as stack:
        database = await Database.open(settings.database_url, settings.database_connections)
        stack.push_async_callback(_closed_in_time, database.close)
        if database.is_new:
            log.info("new_database", place=database.place)
        services = assemble(database, sources, settings)
        membership: Membership = OnlyProcess()
        turns: IdentifyTurns = OwnTurns(settings.identify_pause)
        if database.url.get_backend_name() == "postgresql":
            link = Link(settings.database_url)
            link.on_open.append(services[Changes].listen)
            stack.push_async_callback(_closed_in_time, link.close)
            membership, turns = SharedShards(link), SharedTurns(link, settings.identify_pause)
        client = AbakBot(services, FEATURES, membership, turns, sync_commands=settings.sync_commands)
        connect(client)
        async with client, beside(client):
            token = settings.discord_token
            await client.login(token.text if token else "")
            connection = asyncio.create_task(client.connect())
            connection.add_done_callback(lambda _: client.closed.set())
            ready = asyncio.create_task(client.wait_until_ready())
            warming = asyncio.create_task(pictures.warm(asyncio.shield(ready)))
            try:
                await asyncio.wait({connection, ready}, return_when=asyncio.FIRST_COMPLETED)
                if connection.done():
                    await connection
                log.info("ready", user=str(client.user), guilds=len(client.guilds), shards=[*client.runner.shards])
                yield client
                if connection.done():
                    await connection  # it ended by itself; this raises its error
            finally:
                ready.cancel()
                warming.cancel()
                await client.close()
                connection.cancel()  # it may still wait for the other processes to let it join
                await asyncio.gather(connection, ready, warming, return_exceptions=True)


async def _closed_in_time(close: Callable[[], Awaitable[None]]) -> None:
    """Closes the connections to a database, which may not answer, within a limited time."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSING):
            await close()


async def run(settings: Settings) -> None:
    """Runs the bot until SIGTERM or SIGINT, or until the connection fails for good."""
    keep_little()
    stop, started = asyncio.Event(), asyncio.Event()
    on_stop(stop.set)
    serving, asked = asyncio.create_task(_serve(settings, started, stop)), asyncio.create_task(stop.wait())
    await asyncio.wait({serving, asked}, return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if stop.is_set() and not serving.done():
        _end_at_last()
        if not started.is_set():
            serving.cancel()
            await asyncio.wait({serving})
    if not serving.cancelled():
        await serving


async def _serve(settings: Settings, started: asyncio.Event, stop: asyncio.Event) -> None:
    await check_port(settings.health_port, settings.health_host)
    async with only_process(settings.database_url), running(settings, beside=_pages) as client:
        started.set()
        collect_less()
        ends = [asyncio.create_task(event.wait()) for event in (client.closed, stop)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()


def _pages(client: AbakBot) -> AbstractAsyncContextManager[int]:
    """Serves the pages for monitoring."""
    settings, runner = client.services.settings, client.runner
    checks: dict[str, Check] = {
        "discord": client.connected,
        "database": partial(takes_moves, client.services.database),
        "heartbeat": partial(keeps_time, client),
    }
    metrics = client.service(Monitoring).page if settings.metrics else None
    port, host = settings.health_port, settings.health_host
    return serve_health(port, checks, metrics, lambda: {"shards": runner.states()}, host=host)


async def takes_moves(database: Database) -> bool:
    """Returns whether the database answers, fits this version, and has taken the last write."""
    return await database.is_ready() and database.outages.is_over


async def keeps_time(client: AbakBot) -> bool:
    """Returns whether the deadlines are kept. Those of a spare are kept by other processes."""
    return client.runner.is_spare or await client.service(HeartbeatService).is_recent()


def _end_at_last() -> None:
    """Ends the process if it still hangs after LAST seconds. Committed data are safe."""

    def end() -> None:
        log.warning("stopped_by_force")
        os._exit(0)

    timer = threading.Timer(LAST, end)
    timer.daemon = True
    timer.start()


def on_stop(stop: Callable[[], object]) -> None:
    """Calls ``stop`` on SIGTERM and SIGINT. Windows has no such handlers; there KeyboardInterrupt ends the process."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, stop)
