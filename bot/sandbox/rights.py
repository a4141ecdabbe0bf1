"""What people and the bot may do where, and what the bot may read."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

from bot.sandbox import permissions, places
from bot.sandbox.errors import missing_access, missing_permission, unknown_channel
from bot.sandbox.news import GUILDS, MESSAGE_CONTENT

if TYPE_CHECKING:
    from bot.sandbox.news import Dispatch
    from bot.sandbox.world import World

Json = dict[str, Any]


class Rights:
    """The permissions in one world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def in_guild(self, guild_id: int, user_id: int) -> int:
        """The permissions of a person or the bot in a server; a person's own role replaces the common one.

        The owner of a server has all there are (documentation, "Permission Hierarchy").
        """
        world = self._world
        guild = world.guilds[guild_id]
        roles = {int(r["id"]): int(r["permissions"]) for r in guild["roles"]}
        mine = [roles[int(r)] for r in world.member(guild_id, user_id)["roles"]]
        if guild["owner_id"] == str(user_id):
            return permissions.EVERY
        if user_id in world.users and mine:
            return mine[0]
        return functools.reduce(operator.or_, mine, roles[guild_id])

    def in_channel(self, user_id: int, channel_id: int) -> int:
        """The permissions of a person or the bot in a channel; a thread has those of its parent."""
        world = self._world
        channel = world.channels[channel_id]
        is_bot = user_id == world.application_id
        if "guild_id" not in channel:
            return 0 if is_bot and channel_id in world.without_bot else permissions.DIRECT
        guild_id = int(channel["guild_id"])
        if is_bot and guild_id in world.without_bot:
            return 0
        mine = [int(r) for r in world.member(guild_id, user_id)["roles"]]
        home = world.channels[int(channel["parent_id"])] if "thread_metadata" in channel else channel
        base = self.in_guild(guild_id, user_id)
        return permissions.left(base, home["permission_overwrites"], [guild_id, *mine, user_id])

    def require(self, channel_id: int, *needed: int) -> Json:
        """The channel, if the bot sees it and has the permissions.

        Raises:
            WireError: Unknown Channel, Missing Access or Missing Permissions.
        """
        world = self._world
        if channel_id not in world.channels:
            raise unknown_channel()
        rights = self.in_channel(world.application_id, channel_id)
        if not rights & permissions.VIEW_CHANNEL:
            raise missing_access()
        if any(not rights & bit for bit in needed):
            raise missing_permission()
        return world.channels[channel_id]

    def grant(self, guild_id: int, user_id: int, rights: int) -> None:
        """Gives a person exactly these permissions in a server, by a role of their own."""
        world = self._world
        guild, member = world.guilds[guild_id], world.members[guild_id][user_id]
        role = next((r for r in guild["roles"] if r["id"] in member["roles"]), None)
        change = "CREATE" if role is None else "UPDATE"
        if role is None:
            role = places.role(world.ids(), world.users[user_id]["username"], rights)
            guild["roles"].append(role)
            member["roles"].append(role["id"])
        role["permissions"] = str(rights)
        told = {"guild_id": str(guild_id), "role": role}
        world.news.dispatch(f"GUILD_ROLE_{change}", lambda: told, guild_id=guild_id, intent=GUILDS)

    def denied(self, channel_id: int) -> int:
        """What a channel denies the bot, for itself."""
        mine = str(self._world.application_id)
        overwrites = self._world.channels[channel_id].get("permission_overwrites", ())
        return next((int(o["deny"]) for o in overwrites if o["id"] == mine), 0)

    def overwrite(self, channel_id: int, *, give: int = 0, take: int = 0) -> None:
        """Changes what the bot, for itself, is allowed and denied in a channel."""
        channel = self._world.channels[channel_id]
        mine = str(self._world.application_id)
        others = [o for o in channel["permission_overwrites"] if o["id"] != mine]
        before = next((o for o in channel["permission_overwrites"] if o["id"] == mine), {"allow": "0", "deny": "0"})
        allow, deny = int(before["allow"]) & ~take | give, int(before["deny"]) & ~give | take
        new = {"id": mine, "type": 1, "allow": str(allow), "deny": str(deny)}
        channel["permission_overwrites"] = [*others, new]
        self._world.news.channel("update", channel)

    def readable(self, message: Json, intents: int | None = None) -> Json:
        """A message as the bot may read it: without the intent for it, others' messages come without their content."""
        world = self._world
        allowed = world.privileged_intents if intents is None else intents
        me = str(world.application_id)
        mine = message["author"]["id"] == me or any(u["id"] == me for u in message["mentions"])
        if allowed & MESSAGE_CONTENT or mine or "guild_id" not in world.channels.get(int(message["channel_id"]), {}):
            return message
        return message | {"content": "", "embeds": [], "attachments": [], "components": []}

    def readable_event(self, event: Dispatch, intents: int) -> Json:
        """An event as a session with these intents hears of it."""
        hides = event.name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}
        return self.readable(event.data, intents) if hides else event.data
