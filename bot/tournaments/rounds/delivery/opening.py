"""Opens the games of a round, each in a thread of the tournament's channel, or one after the other in the channel.

A thread is made before its game is stored. After a kill in between, the bot finds the thread again: it has the
pairing's name and no game yet.
"""

import asyncio
import contextlib
from typing import Final

import discord
import structlog

from bot.board.delivery.permissions import missing_permission
from bot.core.discord_errors import NO_ACCESS, NO_CHANNEL, NO_PERMISSION, REQUEST_ERRORS, code_of
from bot.core.services import Services
from bot.core.translations import language
from bot.core.workers import Worker, backoff
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.service import PlayerNames
from bot.tournaments.rounds.service import Opening, RoundService
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import PairingState, Tournament
from engine.core.errors import Refused

AT_ONCE: Final = 8
"""The most games that are opened at once."""
BATCH: Final = AT_ONCE
"""The most pairings that are leased at once."""
LEASE_MS: Final = 60_000
LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
BUSY_MS: Final = 30_000
"""The time after which a pairing with a taken channel is tried again, in ms. The end of a game there makes it due at
once.
"""
LONGEST_PAUSE_MS: Final = 15 * 60_000
NAME_LENGTH: Final = 100
PLAYER_LENGTH: Final = 24
ARCHIVED_AFTER: Final = 10080
"""Minutes without a message after which a thread is archived: a week, the longest that Discord offers."""
DENIED: Final = frozenset({NO_ACCESS, NO_PERMISSION})

log = structlog.get_logger()


class CannotPost(Exception):
    """The bot may not post boards in the tournament's channel."""


class PairingOpener(Worker):
    """Opens the games of all rounds, AT_ONCE at a time."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._slots = asyncio.Semaphore(AT_ONCE)

    def start(self) -> None:
        self._rounds.tournaments.subscribe(lambda _: self.wake())
        super().start()

    @property
    def _rounds(self) -> RoundService:
        return self._services[RoundService]

    async def run_once(self) -> float:
        rounds = self._rounds
        while not self.stopping:
            now = rounds.now()
            openings = await rounds.repository.unopened(now, BATCH, now + LEASE_MS)
            if not openings:
                break
            await asyncio.gather(*(self._open(opening) for opening in openings))
        due = await rounds.repository.next_unopened(rounds.now())
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - rounds.now()) / 1000)

    async def _open(self, opening: Opening) -> None:
        async with self._slots:
            later = BUSY_MS
            try:
                await self._attempt(opening)
            except UnreadableTournament:  # logged already
                later = _pause(opening)
            except Refused as refused:
                if refused.key == "tournament.rounds.opened":
                    later = 0
                elif refused.key != "place.taken":
                    log.exception("pairing_not_opened", **_marks(opening))
                    later = _pause(opening)
            except REQUEST_ERRORS as error:
                log.warning("pairing_not_opened", **_marks(opening), error=str(error))
                later = _pause(opening)
                if code_of(error) == NO_CHANNEL:
                    await self._rounds.channel_gone(opening.tournament.channel_id)
                elif code_of(error) in DENIED:
                    await self._rounds.cannot_open(opening)
            except CannotPost:
                later = _pause(opening)
                await self._rounds.cannot_open(opening)
            except Exception:
                log.exception("pairing_not_opened", **_marks(opening))
                later = _pause(opening)
            else:
                return
            await self._rounds.repository.open_later(
                opening.tournament.id, opening.stored.id, self._rounds.now() + later
            )

    async def _attempt(self, opening: Opening) -> None:
        """Opens a game. Raises RuleError, REQUEST_ERRORS; CannotPost if the bot may not play in the channel."""
        tournament = opening.tournament
        channel = await self._channel(tournament)
        rights = _rights(channel)
        channel_id = None
        if tournament.plan.threads and isinstance(channel, discord.TextChannel) and _may_use_threads(rights):
            channel_id = await self._thread(opening, channel)
        if channel_id is None:
            if rights is not None and missing_permission(rights, in_thread=isinstance(channel, discord.Thread)):
                raise CannotPost
            channel_id = tournament.channel_id
        try:
            await self._rounds.open(opening, Place(tournament.guild_id, channel_id))
        except Refused as refused:
            if refused.key == "tournament.rounds.opened" and channel_id != tournament.channel_id:
                await self._discard(opening, channel_id)
            raise

    async def _channel(self, tournament: Tournament) -> object:
        """Returns the tournament's channel. Raises REQUEST_ERRORS."""
        known = self._client.get_channel(tournament.channel_id)
        return await self._client.fetch_channel(tournament.channel_id) if known is None else known

    async def _thread(self, opening: Opening, channel: discord.TextChannel) -> int | None:
        """Returns the id of the pairing's thread; None if the bot may not make one. Raises REQUEST_ERRORS."""
        name = await self._name(opening)
        if opening.stored.attempts > 1:
            own = self._client.user.id if self._client.user is not None else None
            for thread in await channel.guild.active_threads():
                ours = thread.parent_id == channel.id and thread.owner_id == own
                if ours and thread.name == name and await self._services[GameService].latest_at(thread.id) is None:
                    return thread.id
        kind = discord.ChannelType.public_thread
        try:
            made = await channel.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVED_AFTER)
        except discord.Forbidden as error:
            log.info("no_thread", **_marks(opening), error=str(error))
            return None
        return made.id

    async def _discard(self, opening: Opening, thread: int) -> None:
        """Removes a thread whose game was not opened, as its pairing had ended meanwhile; or else archives it."""
        noticed = await self._rounds.repository.noticed(opening.tournament.id, opening.stored.id)
        if noticed is None or noticed.stored is None or noticed.stored.state is not PairingState.DONE:
            return  # the tournament is paused, and continues here
        if noticed.stored.channel_id == thread:
            return
        try:
            await self._client.http.delete_channel(thread)
        except REQUEST_ERRORS as error:
            log.info("thread_not_deleted", **_marks(opening), error=str(error))
            with contextlib.suppress(*REQUEST_ERRORS):
                await self._client.http.edit_channel(thread, archived=True)

    async def _name(self, opening: Opening) -> str:
        """Returns the name of the pairing's thread: the players, the tournament, round and board, and the number of the
        attempt.
        """
        say, pairing = language(opening.tournament.locale), opening.stored.pairing
        users = await self._rounds.tournaments.users_of(opening.tournament.id, opening.stored)
        names = await self._services[PlayerNames].names(users, say)
        first, second = (names[user][:PLAYER_LENGTH] or str(seat) for seat, user in enumerate(users, 1))
        parts = [f"{first} – {second}", opening.tournament.name]  # noqa: RUF001  a dash between the two
        parts += [f"{pairing.round}.{pairing.board}"] if pairing.round else []
        parts += [f"({pairing.attempt})"] if pairing.attempt > 1 else []
        over = len(" · ".join(parts)) - NAME_LENGTH
        if over > 0:
            parts[1] = f"{parts[1][: -over - 1]}…"
        return " · ".join(parts)


def _rights(channel: object) -> discord.Permissions | None:
    """Returns the bot's permissions in a channel; None if unknown, as another process serves the server's shard."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return None
    me: discord.Member | None = channel.guild.me
    return None if me is None else channel.permissions_for(me)


def _may_use_threads(rights: discord.Permissions | None) -> bool:
    return rights is None or (rights.create_public_threads and not missing_permission(rights, in_thread=True))


def _pause(opening: Opening) -> int:
    """Returns the wait after a failure, in ms. It is short at first, as the bot may soon get its permissions."""
    return min(backoff(opening.stored.attempts - 1), LONGEST_PAUSE_MS)


def _marks(opening: Opening) -> dict[str, object]:
    return {"tournament": opening.tournament.id, "pairing": opening.stored.id}
