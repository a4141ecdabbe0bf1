"""Starts the game of an accepted challenge in its channel, or in a thread on its message."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import discord

from bot.board.delivery.permissions import check_rights, own_permissions
from bot.challenges.service import Challenge, ChallengeService
from bot.core.cancellation import finish_despite_cancellation
from bot.core.discord_errors import THREAD_EXISTS
from bot.core.interactions.answer import Answer
from bot.core.services import Services
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.running.commit import Also
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.asker import public_language, shared_language
from bot.players.machines import is_machine
from bot.players.service import PlayerNames, PreferenceService
from engine.core.errors import Refused, Translated
from engine.registry import find

NAME_LENGTH: Final = 100
WITHOUT_THREADS: Final = (discord.Thread, discord.DMChannel)
"""The types of channels that have no threads."""


@dataclass(frozen=True, slots=True)
class Venue:
    """The channel of a challenge, with the bot's permissions there."""

    services: Services
    channel: object
    """Discord's channel, as far as it is known."""
    rights: discord.Permissions
    say: Language
    """The language of public messages."""

    @property
    def is_thread(self) -> bool:
        return isinstance(self.channel, discord.Thread)


async def venue_of(answer: Answer) -> Venue:
    channel = answer.interaction.channel
    return Venue(answer.context.services, channel, own_permissions(answer), await public_language(answer))


async def check_room(answer: Answer, opponent: int | None, server: Mapping[str, str]) -> None:
    """Raises Refused if the game against a machine, which starts at once, needs a thread and none can be opened."""
    if not is_machine(opponent):
        return
    venue, here = await venue_of(answer), answer.interaction.channel_id or 0
    if wants_thread(venue, opponent, server) or await answer.service(GameService).at(here) is not None:
        check_thread(venue)


def wants_thread(venue: Venue, opponent: int | None, server: Mapping[str, str]) -> bool:
    """Returns whether the server wants a thread for a game against ``opponent`` here, even if no other game runs."""
    alone = server["threads"] == "always" or (is_machine(opponent) and server["machine"] == "threads")
    return alone and not venue.is_thread


def check_thread(venue: Venue) -> None:
    """Raises Refused if no thread can be opened here."""
    if isinstance(venue.channel, WITHOUT_THREADS):
        raise Refused("place.taken")
    for permission in ("create_public_threads", "send_messages_in_threads"):
        if not getattr(venue.rights, permission):
            raise Refused("place.permission_for_thread", permission=Translated(f"@permission.{permission}"))


async def start(
    venue: Venue,
    challenge_id: str,
    message: discord.Message | discord.PartialMessage | None,
    user_id: int,
    *,
    rated: bool = True,
    also: Also | None = None,
) -> LiveGame:
    """Starts the game of a challenge that ``user_id`` accepts; ``message`` shows the challenge. Raises Refused.

    ``rated`` and ``also`` are those of ``ChallengeService.accept``.
    """
    services = venue.services
    challenges, preferences = services[ChallengeService], services[PreferenceService]
    challenge = await challenges.check_acceptable(challenge_id, user_id)
    check_rights(venue.rights, in_thread=venue.is_thread)
    guild_id = challenge.place.guild_id
    say = await shared_language(preferences, guild_id, (challenge.challenger, user_id), venue.say)
    apart = wants_thread(venue, user_id, await preferences.of_server(guild_id))
    if not apart and await services[GameService].at(challenge.place.channel_id) is None:
        try:
            return await challenges.accept(challenge_id, user_id, challenge.place, say.code, rated=rated, also=also)
        except Refused as refused:
            if refused.key != "place.taken":  # another game has just started here
                raise
    try:
        place = await open_thread(venue, challenge, message, user_id, say)
        return await challenges.accept(challenge_id, user_id, place, say.code, rated=rated, also=also)
    except BaseException:  # also after a cancellation, so that others may accept at once
        await finish_despite_cancellation(challenges.release(challenge_id, user_id))
        raise


async def open_thread(
    venue: Venue,
    challenge: Challenge,
    message: discord.Message | discord.PartialMessage | None,
    user_id: int,
    say: Language,
) -> Place:
    """Opens a thread on the challenge's message; a second attempt finds the thread of the first. Raises Refused.

    The challenge is first reserved for ``user_id``, who accepts it, so that no thread is left without a game. ``say``
    is the language of the game.
    """
    if message is None:
        raise Refused("place.taken")
    check_thread(venue)
    pair = (challenge.challenger, user_id)
    names = await venue.services[PlayerNames].names(pair, say)
    name = say("challenge.thread", game=find(challenge.game).name, first=names[pair[0]], second=names[pair[1]])
    await venue.services[ChallengeService].reserve(challenge.id, user_id)
    try:
        thread = await message.create_thread(name=name[:NAME_LENGTH])
    except discord.HTTPException as error:
        if error.code != THREAD_EXISTS:
            raise
        return Place(challenge.place.guild_id, message.id)
    return Place(challenge.place.guild_id, thread.id)
