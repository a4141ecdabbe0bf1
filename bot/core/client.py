"""The Discord client: few intents, no caches, every component routed by its custom_id. It imports no feature."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar

import discord
import structlog
from discord import app_commands

from bot.core.admission.gate import Admission
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions import options
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import CommandTexts, merged, text
from bot.core.interactions.routing import PRESSED, route
from bot.core.interactions.suggesting import no_choices, note_arrival
from bot.core.metrics import requests
from bot.core.metrics.interactions import command_name, observed
from bot.core.processes.identifying import IdentifyTurns
from bot.core.processes.membership import Membership
from bot.core.processes.registration import Registration
from bot.core.processes.runner import ShardRunner
from bot.core.services import Services

T = TypeVar("T")
Event: TypeAlias = Callable[[int], Awaitable[None]]
SYNC_PAUSE: Final = 600.0
"""Seconds until the commands are registered again after Discord has refused it."""
SYNC_LOOK: Final = 60.0
"""Seconds between two checks whether the processes of another release, with other commands, are gone. The check follows
at once when one is seen to leave.
"""
MALFORMED: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
"""discord.py's errors for a command that differs from this release's registration."""
LAST_WORDS: Final = 2.0
"""Seconds to tell users with slower answers that their outcome is unknown."""
GRACE: Final = 5.0
"""Seconds that running answers have to finish when the bot stops, and after them all workers together."""
MOMENT: Final = 0.5
INTENTS_REFUSED: Final = 4014
"""Discord's close code for intents that are not allowed."""

log = structlog.get_logger()


class AbakCommands(app_commands.CommandTree[Any]):
    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Returns whether a command, or the suggestions for one, may run.

        Shortens a text that is still being typed, and refuses options that the command does not have.
        """
        typing = interaction.type is discord.InteractionType.autocomplete
        if typing:
            options.shorten(interaction.data)
        options.clean(interaction.data)
        client: Any = self.client
        if not await client.admission.admit(client.context, interaction):
            return False
        if not typing and not options.fit(interaction):
            raise app_commands.AppCommandError from options.InvalidCommand()
        return True

    def _from_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Notes the arrival of a command, or of a text being typed. discord.py calls it at once."""
        note_arrival(interaction)
        super()._from_interaction(interaction)

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        """Observes each command and each suggestion. discord.py has no public hook around both."""
        with observed(interaction, command_name(interaction.data), self._names()):
            await super()._call(interaction)

    def _names(self) -> frozenset[str]:
        if not self._known:
            kinds = (discord.AppCommandType.user, discord.AppCommandType.message)
            menus = [menu.name for kind in kinds for menu in self.get_commands(type=kind)]
            slashes = (command.qualified_name for command in self.walk_commands())
            self._known = frozenset([*slashes, *menus])
        return self._known

    _known: frozenset[str] = frozenset()


class AbakBot(discord.AutoShardedClient):
    """The Discord client with the given features. It reads no messages, so it needs no ``discord.ext.commands``."""

    def __init__(
        self,
        services: Services,
        features: Sequence[Feature],
        membership: Membership,
        turns: IdentifyTurns,
        *,
        sync_commands: bool,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.1,  # the start does not wait for the list of servers
            enable_debug_events=False,
            http_trace=requests.trace(),
        )
        self.tree = AbakCommands(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.services = services
        self.runner = ShardRunner(self, membership, turns, services.settings.shards)
        self._registration = Registration(self.tree, services.database, membership)
        self.context = Context(services, self)
        self.admission = Admission(limited=services.settings.rate_limits)
        self.server_changed: list[Event] = []
        """Called with a server's id when its channels, roles or threads have changed."""
        self.channel_deleted: list[Event] = []
        """Called with the id of a channel or thread that was deleted."""
        self.server_back: list[Event] = []
        """Called with the id of a server that has added the bot, perhaps again."""
        self.server_joined: list[Callable[[discord.Guild], Awaitable[None]]] = []
        """Called with a server that has just added the bot."""
        self.server_removed: list[Event] = []
        """Called with the id of a server that has removed the bot."""
        self.session_begun: list[Callable[[], None]] = []
        """Called when Discord has told a shard of its servers anew, as Discord reports no earlier changes."""
        self.closed = asyncio.Event()
        self._unavailable: set[int] = set()
        """The servers that are in an outage of Discord."""
        self._features = features
        self._sync_commands = sync_commands
        self._workers: list[BackgroundTask] = []
        self._syncing: asyncio.Task[None] | None = None
        for feature in features:
            for handlers in feature.handlers:
                self.context.handlers |= handlers.by_verb
            self._workers += feature.workers(self.context)

    def service(self, kind: type[T]) -> T:
        return self.services[kind]

    async def connected(self) -> bool:
        """Returns whether every shard of this process is connected to the gateway."""
        return self.is_ready() and all(shard.is_open for shard in self.runner.shards.values())

    @property
    def shards(self) -> dict[int, discord.ShardInfo]:
        """The shards of this process. Little is certain about servers in shards of other processes."""
        ready: dict[int, Any] = {number: shard for number, shard in self.runner.shards.items() if shard.ready}
        return {number: discord.ShardInfo(shard, self.shard_count) for number, shard in ready.items()}

    async def on_shard_ready(self, number: int) -> None:
        self.runner.heard(number)
        for listener in self.session_begun:
            listener()

    async def on_shard_resumed(self, number: int) -> None:
        self.runner.heard(number)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Routes components and forms. discord.py itself handles the commands."""
        if interaction.type in PRESSED and await self.admission.admit(self.context, interaction):
            await route(self.context, interaction)

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """Logs an exception of a handler. discord.py's own logging does not know about outages."""
        log.error("event_failed", handler=event_method, exc_info=sys.exception())

    # --- what happens in servers ---------------------------------------------------------------------------------

    async def on_guild_channel_update(self, _: Any, after: discord.abc.GuildChannel) -> None:
        await _notify(self.server_changed, after.guild.id)

    async def on_guild_role_update(self, _: Any, after: discord.Role) -> None:
        await _notify(self.server_changed, after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        await _notify(self.server_changed, payload.guild_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await _notify(self.channel_deleted, channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await _notify(self.channel_deleted, payload.thread_id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Handles a join. Discord reports it only once; a server that returns from an outage was known before."""
        await _notify(self.server_back, guild.id)
        await _notify(self.server_changed, guild.id)
        await _notify(self.server_joined, guild)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self._unavailable.add(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Handles the return of a server from an outage of Discord. At the start, Discord reports every server in this
        way.
        """
        if guild.id in self._unavailable:
            self._unavailable.discard(guild.id)
            await _notify(self.server_changed, guild.id)

    async def on_member_update(self, _: Any, after: discord.Member) -> None:
        """Handles changes of the bot's own roles and time-out. Without the intent for members, Discord reports no
        others.
        """
        if self.user is not None and after.id == self.user.id:
            await _notify(self.server_changed, after.guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await _notify(self.server_removed, guild.id)

    async def changed(self, guild_id: int) -> None:
        """Tells the listeners that a server may have changed."""
        await _notify(self.server_changed, guild_id)

    # --- start and end -------------------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        await self.tree.set_translator(CommandTexts())
        self.tree.error(self._answer_error)
        abak = app_commands.Group(name=text("command.abak"), description=text("command.abak.about"))
        self.context.commands += merged(
            command for feature in self._features for command in feature.commands(self.context)
        )
        for command in self.context.commands:
            abak.add_command(command)
        self.tree.add_command(abak)
        self.context.groups += [group for feature in self._features for group in feature.groups(self.context)]
        for group in self.context.groups:
            self.tree.add_command(group)
        for feature in self._features:
            for menu in feature.menus(self.context):
                self.tree.add_command(menu)
        if self._sync_commands:
            synced = await self._synced(self._registration.register)
            self._syncing = asyncio.create_task(self._keep_synced(synced=synced))
        for worker in self._workers:
            worker.start()

    async def _synced(self, register: Callable[[], Awaitable[None]]) -> bool:
        """Registers the commands with Discord. Returns False if that fails; the commands registered before
        still work.
        """
        try:
            await register()
        except REQUEST_ERRORS as error:
            log.error("commands_not_registered", error=str(error))  # noqa: TRY400  the cause is Discord's answer
            return False
        except Exception:  # such as an outage of the database: it must not end the bot, and is tried again later
            log.warning("commands_not_registered", exc_info=True)
            return False
        return True

    async def _keep_synced(self, *, synced: bool) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.runner.process_left.wait(), SYNC_LOOK if synced else SYNC_PAUSE)
            self.runner.process_left.clear()
            synced = await self._synced(self._registration.look_again if synced else self._registration.register)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Serves shards until the bot is closed. Raises discord.ConnectionClosed if Discord refuses one."""
        del reconnect
        self._connection.shard_ids = []  # discord.py would wait for all of them; the runner says when the bot is ready
        try:
            await self.runner.run(self._handle_ready)
        except discord.ConnectionClosed as error:
            if error.code == INTENTS_REFUSED:
                raise discord.PrivilegedIntentsRequired(error.shard_id) from error
            raise

    async def close(self) -> None:
        """Gives up the shards, waits for the running answers, and lets the workers finish (boards included)."""
        if self._syncing:
            self._syncing.cancel()
        await self.runner.stop()  # interactions that Discord still sends are answered
        await asyncio.sleep(0)  # the interactions that came last begin
        self.admission.closed = True
        others = {task: answer for task, answer in self.context.under_way.items() if task is not asyncio.current_task()}
        if others:
            _, late = await asyncio.wait(others, timeout=GRACE)
            if late:  # such as answers that wait for an unreachable database
                await asyncio.wait([asyncio.create_task(others[task].give_up()) for task in late], timeout=LAST_WORDS)
            for task in late:  # they could not be sent any more, as the connection to Discord is closed below
                task.cancel()
        until = asyncio.get_running_loop().time() + GRACE
        for worker in reversed(self._workers):
            await _until(until, worker.close())
        await _until(until, super().close())
        self.closed.set()

    async def _answer_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """Answers a command that failed before its own code ran: an option did not convert, or an old registration."""
        if interaction.type is discord.InteractionType.autocomplete:
            await no_choices(interaction)
            return
        cause: BaseException = error.__cause__ or error
        if isinstance(cause, MALFORMED):
            cause = options.InvalidCommand()

        async def work(_: Answer) -> None:
            raise cause

        await self.context.answer(interaction, work)


async def _until(end: float, work: Coroutine[Any, Any, None]) -> None:
    """Waits for the work until ``end``, or at least a moment. Work that takes longer goes on by itself."""
    task = asyncio.create_task(work)
    await asyncio.wait({task}, timeout=max(MOMENT, end - asyncio.get_running_loop().time()))
    if task.done():
        task.result()


async def _notify(listeners: Sequence[Callable[[T], Awaitable[None]]], changed: T) -> None:
    """Calls each listener, even if one before it has failed."""
    for listener in listeners:
        try:
            await listener(changed)
        except Exception:
            log.exception("event_not_handled", about=getattr(changed, "id", changed))
