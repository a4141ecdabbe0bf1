"""The Discord client: few intents, no caches, every component routed by its custom_id."""

import asyncio
from collections.abc import Collection
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.board.delivery.publisher import BoardPublisher
from bot.challenges.worker import ChallengeExpiry
from bot.clocks.heartbeats import shard_liveness
from bot.clocks.worker import DeadlineWorker
from bot.cogs.play import Play
from bot.core.interactions.answer import Answer
from bot.core.interactions.command_texts import CommandTexts
from bot.core.interactions.routing import ChannelMenu, PressButton, PressMenu, fill
from bot.core.translations import Language, spoken
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.pending import PendingNotices
from bot.services import Services

GRACE: Final = 5.0
"""Seconds that answers under way have when the bot stops."""


class AbakBot(commands.AutoShardedBot):
    """The bot as Discord sees it."""

    def __init__(self, services: Services, *, default_locale: str, sync_commands: bool) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            guild_ready_timeout=0.1,  # nothing waits for the list of servers
            enable_debug_events=False,
        )
        self.services = services
        self.publisher = BoardPublisher(self, services)
        self.pending_notices = PendingNotices(self)
        self.dispatcher = NotificationDispatcher(self, services)
        self.expiry = ChallengeExpiry(self, services.challenges, services.boards)
        self.deadline_worker = DeadlineWorker(self, services.deadlines)
        self.answering: set[asyncio.Task[Any]] = set()
        """Whoever waits for an answer; the bot does not stop in the middle of one."""
        self.closed = asyncio.Event()
        self._default_locale = default_locale
        self._sync_commands = sync_commands

    def spoken(self, locale: discord.Locale | None) -> Language:
        """The language for a user's or a server's locale."""
        return spoken(locale.value if locale else None, self._default_locale)

    async def connected(self) -> bool:
        """Whether every shard is connected to the gateway."""
        return self.is_ready() and not any(shard.is_closed() for shard in self.shards.values())

    async def live_shards(self, among: Collection[int] | None = None) -> list[int]:
        """The shards that live (``hearing.living``), and so take moves; of all, or ``among`` some."""
        if not self.is_ready():
            return []
        asked = {number: shard for number, shard in self.shards.items() if among is None or number in among}
        return await shard_liveness.living(asked)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms: discord.py routes all others by itself."""
        await fill(interaction)

    # what a moderator may have mended

    async def on_guild_channel_update(self, _: Any, after: discord.abc.GuildChannel) -> None:
        await self.publisher.mended(after.guild.id)

    async def on_guild_role_update(self, _: Any, after: discord.Role) -> None:
        await self.publisher.mended(after.guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.dispatcher.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.dispatcher.channel_gone(payload.thread_id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        await self.publisher.mended(payload.guild_id)

    async def setup_hook(self) -> None:
        await self.tree.set_translator(CommandTexts())
        self.tree.error(self._answer_error)
        await self.add_cog(Play(self))
        self.add_dynamic_items(PressButton, PressMenu, ChannelMenu)
        if self._sync_commands:
            await self.tree.sync()
        self.dispatcher.start()
        self.publisher.start()
        self.expiry.start()
        self.deadline_worker.start()

    async def close(self) -> None:
        """Answers those who wait, shows what they played, and ends."""
        others = self.answering - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=GRACE)
        await self.dispatcher.close()
        await self.publisher.close()
        await self.expiry.close()
        await self.deadline_worker.close()
        await super().close()
        self.closed.set()

    async def _answer_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """A command that failed before its own answer could: an option that does not convert, a stale registration."""

        async def work(_: Answer) -> None:
            raise error.__cause__ or error

        await Answer(self, interaction).within_time(work)
