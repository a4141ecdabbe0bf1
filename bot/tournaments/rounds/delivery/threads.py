"""Finds a place for the game of a pairing: a thread of its own in the tournament's channel, or the channel itself.

A thread is made before the game is stored in it. A bot that was killed in between finds the thread again: it has the
pairing's name and no game yet.
"""

import contextlib
from typing import Final

import discord
import structlog

from bot.board.delivery.permissions import missing_permission
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.services import Services
from bot.core.translations import language
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.service import PlayerNames
from bot.tournaments.rounds.opening.service import Opening
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.tournament import Tournament

NAME_LENGTH: Final = 100
PLAYER_LENGTH: Final = 24
ARCHIVED_AFTER: Final = 10080
"""Minutes without a message after which a thread is archived: a week, the longest that Discord offers."""

log = structlog.get_logger()


class CannotPost(Exception):
    """The bot may not post boards in the tournament's channel."""


class PairingThreads:
    """Makes, finds and removes threads."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services

    async def place(self, opening: Opening, *, again: bool) -> Place:
        """Returns the place for a game. ``again``: an earlier attempt may have left a thread.

        Raises REQUEST_ERRORS; CannotPost if the bot may not play in the channel.
        """
        tournament = opening.tournament
        channel = await self._channel(tournament)
        rights = rights_in(channel)
        thread_id = None
        if tournament.plan.threads and isinstance(channel, discord.TextChannel) and _may_use_threads(rights):
            thread_id = await self._thread(opening, channel, again=again)
        if thread_id is not None:
            return Place(tournament.guild_id, thread_id)
        if rights is not None and missing_permission(rights, in_thread=isinstance(channel, discord.Thread)):
            raise CannotPost
        return Place(tournament.guild_id, tournament.channel_id)

    async def discard(self, thread_id: int) -> None:
        """Deletes a thread that has no game; if that is forbidden, archives it."""
        try:
            await self._client.http.delete_channel(thread_id)
        except REQUEST_ERRORS as error:
            log.info("thread_not_deleted", channel=thread_id, error=str(error))
            with contextlib.suppress(*REQUEST_ERRORS):
                await self._client.http.edit_channel(thread_id, archived=True)

    async def _channel(self, tournament: Tournament) -> object:
        """The tournament's channel. Raises REQUEST_ERRORS."""
        known = self._client.get_channel(tournament.channel_id)
        return await self._client.fetch_channel(tournament.channel_id) if known is None else known

    async def _thread(self, opening: Opening, channel: discord.TextChannel, *, again: bool) -> int | None:
        """The id of the pairing's thread; None if the bot may not make one. Raises REQUEST_ERRORS."""
        name = await self._name(opening)
        if again:
            own = self._client.user.id if self._client.user is not None else None
            for thread in await channel.guild.active_threads():
                ours = thread.parent_id == channel.id and thread.owner_id == own
                if ours and thread.name == name and await self._services[GameService].latest_at(thread.id) is None:
                    return thread.id
        kind = discord.ChannelType.public_thread
        try:
            made = await channel.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVED_AFTER)
        except discord.Forbidden as error:
            log.info("no_thread", tournament=opening.tournament.id, pairing=opening.stored.id, error=str(error))
            return None
        return made.id

    async def _name(self, opening: Opening) -> str:
        """The name of the pairing's thread: the players, the tournament, round and board, and which attempt it is."""
        say, pairing = language(opening.tournament.locale), opening.stored.pairing
        rounds = self._services[RoundService]
        users = await rounds.tournaments.users_of(opening.tournament.id, opening.stored)
        names = await self._services[PlayerNames].names(users, say)
        first, second = (names[user][:PLAYER_LENGTH] or str(seat) for seat, user in enumerate(users, 1))
        parts = [f"{first} – {second}", opening.tournament.name]  # noqa: RUF001  a dash between the two
        parts += [f"{pairing.round}.{pairing.board}"] if pairing.round else []
        parts += [f"({pairing.attempt})"] if pairing.attempt > 1 else []
        over = len(" · ".join(parts)) - NAME_LENGTH
        if over > 0:
            parts[1] = f"{parts[1][: -over - 1]}…"
        return " · ".join(parts)


def rights_in(channel: object) -> discord.Permissions | None:
    """The bot's permissions in a channel; None if not known, as where another process has the server's shard."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return None
    me: discord.Member | None = channel.guild.me
    return None if me is None else channel.permissions_for(me)


def _may_use_threads(rights: discord.Permissions | None) -> bool:
    return rights is None or (rights.create_public_threads and not missing_permission(rights, in_thread=True))
