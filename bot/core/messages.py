"""Messages that show a version of something: each is found if it was sent but not stored, or else edited or sent.

A room stores the id of such a message, the version that it shows, the number of failures (``attempts``) and the time at
which it is due (``next_attempt_at``). Its worker leases messages that are due and shows them by ``ChannelMessages``. If
that fails, ``failure`` says why, and ``next_attempt`` when to try again.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog

from bot.core.discord_errors import NO_MESSAGE, REQUEST_ERRORS, UNCHANGEABLE, code_of, is_final
from bot.core.interactions.components import custom_ids, view_of
from bot.core.workers import backoff
from engine.core.errors import RuleError

SEARCH_LIMIT: Final = 2000
"""The most messages that are searched for one of ours: twenty requests."""
SKEW_MS: Final = 60_000
"""The most that Discord's clock, which message ids come from, may be behind ours."""
DOUBT_MS: Final = 3_600_000
"""How long after a message may have been sent it is searched for again, where the bot may not read the channel."""
NONCE: Final = 25
"""The most characters of a nonce."""
NOBODY: Final = discord.AllowedMentions.none()

log = structlog.get_logger()


class InDoubt(Exception):
    """A process died while it sent a message, and the bot may not search for it. It is not sent again."""


class ChannelMessages:
    """The bot's own messages in one channel. They ping nobody. The methods raise REQUEST_ERRORS."""

    def __init__(self, client: discord.Client, channel_id: int, guild_id: int | None = None) -> None:
        self._client = client
        self.channel = client.get_partial_messageable(channel_id, guild_id=guild_id)

    async def find(self, is_it: Callable[[discord.Message], bool], since: int) -> list[int] | None:
        """Finds our newest such message since a moment (ms since 1970); [] if there is none, or no channel.

        Returns None if that is unknown, as the bot may not read the history, or it is too long.
        """
        if not self._may_read():
            return None
        seen = 0
        try:
            async for message in self.channel.history(limit=SEARCH_LIMIT, after=moment(since), oldest_first=False):
                seen += 1
                if is_ours(self._client, message) and is_it(message):
                    return [message.id]
            if not seen and self.channel.guild_id is not None and self._server() is None:
                # another process knows the permissions; if the bot may read, most channels have messages
                return [] if [one async for one in self.channel.history(limit=1)] else None
        except discord.NotFound:
            return []
        except discord.Forbidden:
            return None
        return [] if seen < SEARCH_LIMIT else None

    async def sent_before(self, is_it: Callable[[discord.Message], bool], since: int, attempts: int) -> int | None:
        """Returns the message that was sent but not stored; None if it has to be sent. Raises InDoubt.

        ``attempts``: the number of failures to send it. After a failure, the message is probably not there, and is sent
        again even where the bot may not look.
        """
        found = await self.find(is_it, since)
        if found is None:
            log.info("history_not_readable", channel=self.channel.id)
            if not attempts:
                raise InDoubt
        return found[0] if found else None

    async def edit(self, message_id: int, text: str, view: discord.ui.View | None = None) -> None:
        message = self.channel.get_partial_message(message_id)
        await message.edit(content=text, view=view, allowed_mentions=NOBODY)

    async def send(self, text: str, nonce: str, view: discord.ui.View | None = None, *files: discord.File) -> int:
        """Sends a message. If it is tried again with the same nonce within some minutes, Discord sends it only once."""
        view = view or view_of()
        sent = await self.channel.send(text, files=files, view=view, allowed_mentions=NOBODY, nonce=nonce[-NONCE:])
        return sent.id

    async def edit_or_send(self, message_id: int | None, text: str, nonce: str, view: discord.ui.View | None) -> int:
        """Edits the message, or sends a new one if there is none or it cannot be edited. Returns its id."""
        if message_id is not None:
            try:
                await self.edit(message_id, text, view)
            except discord.HTTPException as error:
                if code_of(error) not in UNCHANGEABLE | {NO_MESSAGE}:
                    raise
            else:
                return message_id
        return await self.send(text, nonce, view)

    async def delete(self, message_ids: Sequence[int]) -> None:
        """Deletes the messages that exist and that the bot may delete."""
        for message_id in message_ids:
            try:
                await self.channel.get_partial_message(message_id).delete()
            except discord.HTTPException as error:
                if not is_final(error):
                    raise

    def _server(self) -> discord.Guild | None:
        """Returns the channel's server, if this process knows it."""
        guild_id = self.channel.guild_id
        guild = None if guild_id is None else self._client.get_guild(guild_id)
        return None if guild is None or guild.unavailable else guild

    def _may_read(self) -> bool:
        """Returns whether the bot may read the history, as far as known.

        Without that permission Discord returns an empty history and no error (documentation, "Get Channel Messages").
        """
        channel: Any = self._client.get_channel(self.channel.id)
        if channel is None:  # a direct message, an archived thread, or a server of another process
            guild = self._server()
            return guild is None or guild.me.guild_permissions.read_message_history
        try:
            return bool(channel.permissions_for(channel.guild.me).read_message_history)
        except (AttributeError, discord.ClientException):  # a direct message, or a thread without a cached parent
            return True


def has_button(custom_id: str) -> Callable[[discord.Message], bool]:
    return lambda message: custom_id in custom_ids(message.components)


def begins(start: str) -> Callable[[discord.Message], bool]:
    return lambda message: message.content.startswith(start)


def is_ours(client: discord.Client, message: discord.Message) -> bool:
    return client.user is not None and message.author.id == client.user.id


def moment(at: int) -> discord.Object:
    """Returns an id that is lower than the ids of all messages since the moment (ms since 1970)."""
    return discord.Object(discord.utils.time_snowflake(datetime.fromtimestamp((at - SKEW_MS) / 1000, UTC)))


async def failure(work: Awaitable[object], event: str, **about: object) -> Exception | None:
    """Awaits the work. If it fails, logs the error as ``event`` and returns it; None if it succeeds."""
    try:
        await work
    except RuleError as error:  # unreadable data are in the log already
        log.info(event, error=error.key, **about)
        return error
    except (InDoubt, *REQUEST_ERRORS) as error:
        log.warning(event, error=str(error) or type(error).__name__, **about)
        return error
    except Exception as error:  # one failure must not stop the others
        log.exception(event, **about)
        return error
    return None


def next_attempt(error: Exception, attempts: int, most: int) -> tuple[int, int | None]:
    """Returns the new number of failures, and the ms until the next attempt; None after ``most`` attempts.

    Unreadable data are tried for ever, as somebody may repair them.
    """
    if isinstance(error, InDoubt):
        return attempts, DOUBT_MS
    gives_up = attempts + 1 >= most and not isinstance(error, RuleError)
    return attempts + 1, None if gives_up else backoff(attempts)
