"""Checks of a tournament's channel and prizes: the permissions of the bot and of the organiser."""

import discord

from bot.board.delivery.permissions import missing_permission
from bot.core.interactions.answer import Answer
from bot.tournaments.tournament import Tournament
from engine.core.errors import Refused, Translated


def check_channel(answer: Answer, draft: Tournament) -> None:
    """Raises Refused, with the reason, if the bot cannot announce and play a tournament in its channel."""
    channel = answer.context.client.get_channel(draft.channel_id)
    if not isinstance(channel, discord.abc.GuildChannel):
        raise Refused("tournament.no_channel")
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused("tournament.forum")
    if draft.plan.is_at_once and not isinstance(channel, discord.TextChannel):
        raise Refused("tournament.at_once_channel")
    rights = channel.permissions_for(channel.guild.me)
    missing = missing_permission(rights, in_thread=False)
    threads = ("create_public_threads", "send_messages_in_threads") if draft.plan.threads else ()
    missing = missing or next((name for name in threads if not getattr(rights, name)), "")
    if missing:
        key = "tournament.thread_permission" if missing in threads else "tournament.permission"
        raise Refused(key, permission=Translated(f"@permission.{missing}"), channel=f"<#{channel.id}>")
    if not draft.plan.prizes:
        return
    if not rights.manage_roles:
        raise Refused("tournament.prize_permission", permission=Translated("@permission.manage_roles"))
    for _, role_id in draft.plan.prizes:
        role = channel.guild.get_role(role_id)
        if role is None or role.managed or role >= channel.guild.me.top_role:
            raise Refused("tournament.prize_role", role=f"<@&{role_id}>")


def check_giver(answer: Answer, draft: Tournament) -> None:
    """Raises Refused unless the user may give the prizes' roles, as a prize would otherwise give access to any role."""
    member = answer.interaction.user
    if not draft.plan.prizes or not isinstance(member, discord.Member) or member == member.guild.owner:
        return
    for _, role_id in draft.plan.prizes:
        role = member.guild.get_role(role_id)
        if not member.guild_permissions.manage_roles or role is None or role >= member.top_role:
            raise Refused(
                "tournament.prize_giver", role=f"<@&{role_id}>", permission=Translated("@permission.manage_roles")
            )
