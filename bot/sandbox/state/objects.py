"""Builders of Discord's objects: users, roles, servers, members, channels and threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.sandbox.state import permissions
from bot.sandbox.state.snowflake import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json = dict[str, Any]


def user(user_id: int, name: str) -> Json:
    """Builds a user. The username is the name in Discord's form, in small letters and without spaces."""
    return {
        "id": str(user_id),
        "username": "".join(c for c in name.lower().replace(" ", "_") if c.isalnum() or c in "._")[:32] or "someone",
        "global_name": name,
        "discriminator": "0",
        "avatar": None,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def role(role_id: int, name: str, rights: int, *, position: int = 1, bot_id: int | None = None) -> Json:
    found: Json = {
        "id": str(role_id),
        "name": name,
        "permissions": str(rights),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": bot_id is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    return found if bot_id is None else found | {"tags": {"bot_id": str(bot_id)}}


def bot_role(guild_wire: Mapping[str, Any]) -> int:
    return next(int(r["id"]) for r in guild_wire["roles"] if "tags" in r)


def guild(guild_id: int, name: str, role_id: int, bot_id: int | None) -> Json:
    """Builds a server, with the role of everybody and, if the bot is a member, the bot's role."""
    roles = [role(guild_id, "@everyone", permissions.MEMBER, position=0)]
    if bot_id is not None:
        roles.append(role(role_id, "Bot", permissions.BOT, bot_id=bot_id))
    nothing = dict.fromkeys(
        (
            "icon",
            "description",
            "home_header",
            "splash",
            "discovery_splash",
            "banner",
            "application_id",
            "afk_channel_id",
            "system_channel_id",
            "widget_channel_id",
            "max_presences",
            "vanity_url_code",
            "rules_channel_id",
            "safety_alerts_channel_id",
            "public_updates_channel_id",
            "incidents_data",
        )
    )
    return nothing | {
        "id": str(guild_id),
        "name": name,
        "owner_id": str(guild_id - 1),
        "features": [],
        "region": "deprecated",
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "verification_level": 0,
        "roles": roles,
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
    }


def member(roles: Iterable[str]) -> Json:
    """Builds a member without its user."""
    return {
        "roles": list(roles),
        "nick": None,
        "avatar": None,
        "banner": None,
        "joined_at": timestamp(),
        "premium_since": None,
        "communication_disabled_until": None,
        "pending": False,
        "flags": 0,
        "mute": False,
        "deaf": False,
    }


def text_channel(channel_id: int, guild_id: int, name: str, position: int) -> Json:
    return {
        "id": str(channel_id),
        "type": 0,
        "flags": 0,
        "guild_id": str(guild_id),
        "name": name,
        "position": position,
        "parent_id": None,
        "topic": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "permission_overwrites": [],
        "last_message_id": None,
        "last_pin_timestamp": None,
    }


def direct_channel(channel_id: int, recipients: list[Json], *, group: bool) -> Json:
    found: Json = {
        "id": str(channel_id),
        "type": 3 if group else 1,
        "flags": 0,
        "last_message_id": None,
        "recipients": recipients,
    }
    return found | {"name": None, "icon": None, "owner_id": recipients[0]["id"]} if group else found


def thread(thread_id: int, parent: Mapping[str, Any], name: str, owner_id: int, *, private: bool, archive: int) -> Json:
    """Builds a thread; `archive` is in minutes."""
    now = timestamp()
    metadata: Json = {
        "archived": False,
        "archive_timestamp": now,
        "auto_archive_duration": archive,
        "locked": False,
        "create_timestamp": now,
    }
    return {
        "id": str(thread_id),
        "type": 12 if private else 11,
        "flags": 0,
        "guild_id": parent["guild_id"],
        "parent_id": parent["id"],
        "name": name,
        "owner_id": str(owner_id),
        "last_message_id": None,
        "rate_limit_per_user": 0,
        "message_count": 0,
        "total_message_sent": 0,
        "member_count": 0,
        "thread_metadata": metadata | ({"invitable": False} if private else {}),
    }
