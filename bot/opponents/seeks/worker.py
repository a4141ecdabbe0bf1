"""Lets the machine accept challenges to anyone that no user has accepted."""

import asyncio
from functools import partial
from typing import Final

import discord
import structlog

from bot.challenges.service import Challenge, ChallengeService
from bot.challenges.starting.views import Venue, start
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Context
from bot.core.translations import language
from bot.core.workers import Worker
from bot.opponents.seeks.service import SeekService
from bot.players.asker import channels_of, roles_of
from bot.players.machines import Machines, check_server, plays_rated
from bot.players.service import PreferenceService
from engine.core.errors import Refused

SWEEP: Final = 30.0
"""Seconds between two searches for challenges."""
REST: Final = 600.0
"""Seconds until the machine tries again to accept a challenge that it could not accept, at the latest
before it ends.
"""

log = structlog.get_logger()


class SeekWorker(Worker):
    """Accepts challenges in the servers of this process. If two processes accept one challenge at once, one game
    starts.
    """

    def __init__(self, context: Context, seeks: SeekService) -> None:
        super().__init__(SWEEP)
        self._services, self._client = context.services, context.client
        self._seeks = seeks
        self._rests: dict[str, float] = {}
        """The challenges that are left alone for a while, each with the end of that time (the loop's time)."""

    async def run_once(self) -> float:
        """Accepts the due challenges, one after the other."""
        now, due = asyncio.get_running_loop().time(), await self._seeks.due()
        self._rests = {one.id: self._rests[one.id] for one in due if self._rests.get(one.id, now) > now}
        for challenge in due:
            guild = self._client.get_guild(challenge.place.guild_id or 0)
            if self.stopping or guild is None or guild.unavailable or challenge.id in self._rests:
                continue
            try:
                await self._accept(challenge, guild)
            except Refused as refused:  # another user was faster, or the server does not let these two play here
                log.info("seek_refused", challenge=challenge.id, reason=refused.key)
            except REQUEST_ERRORS as error:
                log.warning("seek_not_accepted", challenge=challenge.id, error=str(error))
            except Exception:  # one failure must not stop the rest
                log.exception("seek_failed", challenge=challenge.id)
            else:
                continue
            self._rests[challenge.id] = now + REST
        return SWEEP

    async def _accept(self, challenge: Challenge, guild: discord.Guild) -> None:
        """Accepts a challenge. Raises Refused if the machine may not play the challenger here; REQUEST_ERRORS if they
        have left.
        """
        services, place = self._services, challenge.place
        channel = guild.get_channel_or_thread(place.channel_id) or await guild.fetch_channel(place.channel_id)
        challenger = await guild.fetch_member(challenge.challenger)
        server = await services[PreferenceService].of_server(guild.id)
        check_server(server, roles_of(challenger), channels_of(channel))
        venue = Venue(services, channel, channel.permissions_for(guild.me), language(challenge.locale))
        text = self._client.get_partial_messageable(place.channel_id, guild_id=guild.id)
        message = None if challenge.message_id is None else text.get_partial_message(challenge.message_id)
        level, tell = services[Machines].usual, partial(self._seeks.tell, challenge)
        live = await start(venue, challenge.id, message, level, rated=plays_rated(server), also=tell)
        log.info("seek_accepted", challenge=challenge.id, game=live.id)
        services[ChallengeService].wake()
