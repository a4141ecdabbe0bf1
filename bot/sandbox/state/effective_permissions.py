"""Effective permissions of people and the bot in a server or a channel, and the content that the bot may read."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import missing_access, missing_permission, unknown_channel
from bot.sandbox.state import permissions
from bot.sandbox.state.intents import MESSAGE_CONTENT

if TYPE_CHECKING:
    from bot.sandbox.state.data import WorldData

Json = dict[str, Any]


class EffectivePermissions:
    """The permissions of people and of the bot in one world."""

    def __init__(self, data: WorldData) -> None:
        self._data = data

    def in_guild(self, guild_id: int, user_id: int) -> int:
        """Returns the permissions of a person or the bot in a server. A person's own role replaces the common one.

        The owner of a server has all permissions (documentation, "Permission Hierarchy").
        """
        data = self._data
        guild = data.guilds[guild_id]
        roles = {int(r["id"]): int(r["permissions"]) for r in guild["roles"]}
        mine = [roles[int(r)] for r in data.member(guild_id, user_id)["roles"]]
        if guild["owner_id"] == str(user_id):
            return permissions.ALL
        if user_id in data.users and mine:
            return mine[0]
        return functools.reduce(operator.or_, mine, roles[guild_id])

    def in_channel(self, user_id: int, channel_id: int) -> int:
        """Returns the permissions of a person or the bot in a channel. A thread has those of its parent."""
        data = self._data
        channel = data.channels[channel_id]
        is_bot = user_id == data.application_id
        if "guild_id" not in channel:
            return 0 if is_bot and channel_id in data.without_bot else permissions.DIRECT
        guild_id = int(channel["guild_id"])
        if is_bot and guild_id in data.without_bot:
            return 0
        mine = [int(r) for r in data.member(guild_id, user_id)["roles"]]
        home = data.channels[int(channel["parent_id"])] if "thread_metadata" in channel else channel
        base = self.in_guild(guild_id, user_id)
        return permissions.apply_overwrites(base, home["permission_overwrites"], [guild_id, *mine, user_id])

    def require(self, channel_id: int, *needed: int) -> Json:
        """Returns the channel, if the bot sees it and has the permissions.

        Raises:
            WireError: Unknown Channel, Missing Access or Missing Permissions.
        """
        data = self._data
        if channel_id not in data.channels:
            raise unknown_channel()
        rights = self.in_channel(data.application_id, channel_id)
        if not rights & permissions.VIEW_CHANNEL:
            raise missing_access()
        if any(not rights & bit for bit in needed):
            raise missing_permission()
        return data.channels[channel_id]

    def denied(self, channel_id: int) -> int:
        """Returns the permissions that a channel denies the bot, in an overwrite of its own."""
        mine = str(self._data.application_id)
        overwrites = self._data.channels[channel_id].get("permission_overwrites", ())
        return next((int(o["deny"]) for o in overwrites if o["id"] == mine), 0)

    def readable(self, message: Json, intents: int | None = None) -> Json:
        """Returns a message as the bot may read it. Without the intent, messages of others come without their
        content.
        """
        data = self._data
        allowed = data.privileged_intents if intents is None else intents
        me = str(data.application_id)
        mine = message["author"]["id"] == me or any(u["id"] == me for u in message["mentions"])
        if allowed & MESSAGE_CONTENT or mine or "guild_id" not in data.channels.get(int(message["channel_id"]), {}):
            return message
        return message | {"content": "", "embeds": [], "attachments": [], "components": []}
