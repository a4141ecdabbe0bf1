"""Expires challenges, edits the messages of closed ones, and finds posted messages that were not stored."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import discord
import structlog

from bot.challenges import views as ui
from bot.challenges.service import BATCH, Challenge, ChallengeService
from bot.challenges.tables import OPEN
from bot.challenges.words import content
from bot.core.discord_errors import NO_ACCESS, NOTHING_THERE, code_of
from bot.core.messages import NOBODY, ChannelMessages, InDoubt, failure, has_button
from bot.core.translations import language
from bot.core.workers import Pace, Worker

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
GONE: Final = NOTHING_THERE | {NO_ACCESS}
"""Errors that say that there is no message to edit any more."""

log = structlog.get_logger()


class ChallengeExpiry(Worker):
    """A loop that sleeps until the next expiry, for at most LONGEST_SLEEP seconds."""

    def __init__(self, client: discord.Client, challenges: ChallengeService, pace: Pace) -> None:
        """Sets up the loop. ``pace``: the pace of catching up, in requests; a search in a channel counts as one."""
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._challenges = challenges
        self._pace = pace

    def start(self) -> None:
        self._challenges.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        await self.turn()
        due = await self._challenges.next_expiry()
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - self._challenges.now()) / 1000)

    async def turn(self) -> None:
        """Expires the challenges that are due, finds lost messages, then edits the messages of closed challenges."""
        await self._challenges.expire()
        await self._each(await self._challenges.unposted(), self._find)
        await self._each(await self._challenges.unshown(), self._show)

    async def _each(self, challenges: Sequence[Challenge], work: Callable[[Challenge], Awaitable[None]]) -> None:
        if len(challenges) == BATCH:
            self.wake()  # more may be left
        for challenge in challenges:
            await self._pace.wait(
                1.0 if challenge.rematch_of is None else 2.0
            )  # with the link on the card of the game before
            if self.stopping:
                return
            if await failure(work(challenge), "challenge_failed", challenge=challenge.id):
                await self._challenges.attempt_failed(challenge)

    async def _find(self, challenge: Challenge) -> None:
        """Searches the channel for the message of a challenge, if it is not stored. Without one, the challenge is given
        up.

        Where the bot may not read the channel, the message is stored when somebody presses it (``views.pressed``). Only
        the process that serves the server knows whether the bot may.
        """
        place = challenge.place
        guild = None if place.guild_id is None else self._client.get_guild(place.guild_id)
        if place.guild_id is not None and (
            guild is None or guild.unavailable
        ):  # the permissions there are not known yet
            return
        messages = ChannelMessages(self._client, place.channel_id, place.guild_id)
        found = await messages.find(has_button(ui.cancel_button(challenge.id)), challenge.created)
        if found is None:
            raise InDoubt
        if found:
            await self._challenges.posted(challenge.id, found[0])
        else:
            log.info("challenge_given_up", challenge=challenge.id)
            await self._challenges.give_up(challenge.id)

    async def _show(self, challenge: Challenge) -> None:
        for change in (self._close, self._link_rematch):
            try:
                await change(challenge)
            except discord.HTTPException as error:
                if code_of(error) not in GONE:
                    raise
        await self._challenges.closing_shown(challenge.id)

    async def _close(self, challenge: Challenge) -> None:
        """Edits the challenge's message to say how it ended. If the change of a challenge was cut off, the message
        shows the new challenge.
        """
        later = await self._challenges.store.replacing(challenge)
        if later is not None and later.status != OPEN:  # the other challenge's message says how it ended
            return
        if challenge.message_id is not None:
            place = challenge.place
            channel = self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
            say = language(challenge.locale)
            live = None if challenge.game_id is None else await self._challenges.games.get(challenge.game_id)
            view = None if live is None else ui.to_board(live, say)
            text = ui.closing(challenge, say, live)
            if later is not None:
                text, view = content(later, say, ()), ui.view(later, say, changes=True)
            message = channel.get_partial_message(challenge.message_id)
            await message.edit(content=text, attachments=[], view=view, allowed_mentions=NOBODY)

    async def _link_rematch(self, challenge: Challenge) -> None:
        """Links the result card of the earlier game to the rematch."""
        await ui.link_rematch(self._client, self._challenges, challenge)
