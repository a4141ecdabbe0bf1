"""The data of a world: the bot, the people, their servers and channels, with lookups that need nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.sandbox.state import objects
from bot.sandbox.state.snowflake import Snowflakes, timestamp

Json = dict[str, Any]


class WorldData:
    """One bot, its servers and the people in them; all in memory.

    Everything is stored as plain wire dicts, as Discord would send them, by numeric id. `users` are the people, each
    also with the locale of their client.
    """

    def __init__(self, bot_name: str) -> None:
        self.ids = Snowflakes()
        self.application_id = self.ids()
        self.bot_user: Json = objects.user(self.application_id, bot_name) | {"bot": True}
        self.token: str | None = None
        """The bot's token; None admits any token."""
        self.privileged_intents = 0
        self.answer_limit = 3.0
        """Seconds in which a bot must answer an interaction."""
        self.shards = 1
        """The number of shards that Discord advises the bot to open."""
        self.max_concurrency = 1
        """The number of buckets of shards that may identify at the same time."""
        self.identify_pause = 0.0
        """Seconds between two identifies of a bucket; 5 on Discord. An earlier one gets an invalid session."""
        self.token_life = 15 * 60.0
        """Seconds for which an interaction's token is valid."""
        self.base_url = "http://127.0.0.1"
        self.users: dict[int, Json] = {}
        self.guilds: dict[int, Json] = {}
        self.members: dict[int, dict[int, Json]] = {}
        self.without_bot: set[int] = set()
        """Servers without the bot as a member, in which people use it as an app of their own."""
        self.dms_closed: set[int] = set()
        """People who take no direct messages from the bot."""
        self.channels: dict[int, Json] = {}
        self.thread_members: dict[int, dict[int, Json]] = {}

    # people

    def person(self, user_id: int) -> Json:
        """Returns a user or the bot, as Discord shows it to others.

        Raises:
            KeyError: There is no such user.
        """
        if user_id == self.application_id:
            return self.bot_user
        return {k: v for k, v in self.users[user_id].items() if k != "locale"}

    def people(self) -> Mapping[int, Json]:
        """Returns everybody by their id, the bot included."""
        return _People(self)

    def member(self, guild_id: int, user_id: int) -> Json:
        """Returns a member of a server with its user in it.

        Raises:
            KeyError: There is no such member.
        """
        if user_id == self.application_id and guild_id not in self.without_bot:
            return objects.member([str(objects.bot_role(self.guilds[guild_id]))]) | {"user": self.bot_user}
        return self.members[guild_id][user_id] | {"user": self.person(user_id)}

    # servers and channels

    def guild_create(self, guild_id: int) -> Json:
        """Returns a server as GUILD_CREATE carries it."""
        mine = [c for c in self.channels.values() if c.get("guild_id") == str(guild_id)]
        return self.guilds[guild_id] | {
            "joined_at": self.member(guild_id, self.application_id)["joined_at"],
            "large": False,
            "unavailable": False,
            "member_count": len(self.members[guild_id]) + 1,
            "members": [self.member(guild_id, self.application_id)],
            "channels": [c for c in mine if "thread_metadata" not in c],
            "threads": [c for c in mine if "thread_metadata" in c and not c["thread_metadata"]["archived"]],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def sees(self, user_id: int, channel_id: int) -> bool:
        """Returns whether a person can open a channel at all."""
        channel = self.channels.get(channel_id)
        if channel is None:
            return False
        if "recipients" in channel:
            return str(user_id) in {u["id"] for u in channel["recipients"]}
        if user_id not in self.members[int(channel["guild_id"])]:
            return False
        return channel["type"] != 12 or user_id in self.thread_members.get(channel_id, ())

    def join_thread(self, thread_id: int, user_id: int) -> None:
        members = self.thread_members.setdefault(thread_id, {})
        if user_id not in members:
            members[user_id] = {
                "id": str(thread_id),
                "user_id": str(user_id),
                "join_timestamp": timestamp(),
                "flags": 0,
            }
            self.channels[thread_id]["member_count"] = len(members)

    def leave_thread(self, thread_id: int, user_id: int) -> None:
        members = self.thread_members.get(thread_id, {})
        members.pop(user_id, None)
        self.channels[thread_id]["member_count"] = len(members)

    def record_message(self, channel_id: int, message_id: int) -> None:
        channel = self.channels[channel_id]
        channel["last_message_id"] = str(message_id)
        if "thread_metadata" in channel:
            channel["message_count"] += 1
            channel["total_message_sent"] += 1


class _People(Mapping[int, Json]):
    """Objects of people, made on request, because there may be thousands."""

    def __init__(self, data: WorldData) -> None:
        self._data = data

    def __getitem__(self, user_id: int) -> Json:
        return self._data.person(user_id)

    def __contains__(self, user_id: object) -> bool:
        return user_id == self._data.application_id or user_id in self._data.users

    def __iter__(self) -> Iterator[int]:
        return iter((self._data.application_id, *self._data.users))

    def __len__(self) -> int:
        return 1 + len(self._data.users)
