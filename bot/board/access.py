"""Access to a game: for its players, and for users who may see its channel on Discord."""

from collections.abc import Collection

import discord

from bot.core.interactions.answer import Answer
from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.errors import Refused


async def require_access(answer: Answer, live: LiveGame) -> None:
    """Raises Refused if the user may not look at the game.

    Its players always may. Others may if they use the bot in the game's server and may see the game's channel. A game
    in direct messages is for its players alone.
    """
    if refused := await _refusal(answer, live.players, live.place):
        raise Refused(refused)


async def may_look(answer: Answer, players: Collection[int], place: Place) -> bool:
    return not await _refusal(answer, players, place)


async def _refusal(answer: Answer, players: Collection[int], place: Place) -> str:
    """Returns the key of the refusal; "" if the user may look at the game."""
    interaction = answer.interaction
    if answer.user_id in players:
        return ""
    if place.guild_id is None:
        return "access.direct"
    if place.guild_id != interaction.guild_id:
        return "access.server"
    seen = place.channel_id == interaction.channel_id or await _sees(answer, place.channel_id)
    return "" if seen else "access.channel"


async def _sees(answer: Answer, channel_id: int) -> bool:
    here, guild, member = answer.interaction.channel, answer.interaction.guild, answer.interaction.user
    if isinstance(here, discord.Thread) and here.parent_id == channel_id:
        return True
    if guild is None or not isinstance(member, discord.Member) or guild.get_role(guild.id) is None:
        return False  # without the server's roles, no permissions are known
    try:
        channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
        if isinstance(channel, discord.Thread) and channel.parent is None:
            return False
        rights = channel.permissions_for(member)
        if not rights.view_channel:
            return False
        if isinstance(channel, discord.Thread) and channel.is_private() and not rights.manage_threads:
            await channel.fetch_member(member.id)
    except (discord.NotFound, discord.Forbidden):  # the channel is gone, closed to the bot, or without the user
        return False
    return True
