"""The pretend Discord: servers, people, channels, messages, and what a person can do there."""

from __future__ import annotations

import functools
import operator
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.sandbox import permissions, places
from bot.sandbox.acts import Acts
from bot.sandbox.commands import Commands
from bot.sandbox.errors import Refused, Timeout, missing_access, missing_permission, unknown_channel
from bot.sandbox.faults import Faults
from bot.sandbox.interactions import Interaction, Interactions
from bot.sandbox.messages import Messages
from bot.sandbox.snowflake import Snowflakes, timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.sandbox.attachments import Upload

__all__ = ["Dispatch", "Entry", "Interaction", "Refused", "Timeout", "World"]

Json = dict[str, Any]
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1, 1 << 9, 1 << 12, 1 << 15
"""Gateway intents (documentation, "Gateway Intents")."""


class Dispatch(NamedTuple):
    """An event for the gateway: for the shard of its guild, and those who asked for its intent (0: everybody)."""

    name: str
    data: Json
    guild_id: int | None
    intent: int


class Entry(NamedTuple):
    """One request in the log."""

    method: str
    path: str
    body: Any
    status: int
    response: Any


class World:
    """One bot, its servers and the people in them; all in memory.

    Everything is kept as plain wire dicts, as Discord would send them, by numeric id. `users` are the people, each
    with the locale of their client besides.
    """

    def __init__(self, *, bot_name: str = "Bot", guild: str = "Sandbox") -> None:
        self.ids = Snowflakes()
        self.application_id = self.ids()
        self.bot_user: Json = places.user(self.application_id, bot_name) | {"bot": True}
        self.token: str | None = None
        """The bot's token; None lets any token in."""
        self.privileged_intents = 0
        self.answer_limit = 3.0
        """Seconds in which a bot must answer an interaction."""
        self.shards = 1
        """How many shards Discord advises the bot to open."""
        self.token_life = 15 * 60.0
        """Seconds that an interaction's token lives."""
        self.base_url = "http://127.0.0.1"
        self.users: dict[int, Json] = {}
        self.guilds: dict[int, Json] = {}
        self.members: dict[int, dict[int, Json]] = {}
        self.without_bot: set[int] = set()
        """Servers in which the bot is not a member; people use it there as an app of their own."""
        self.channels: dict[int, Json] = {}
        self.thread_members: dict[int, dict[int, Json]] = {}
        self.pings: list[tuple[int, Json]] = []
        """Notifications: whom a new message mentioned, and the message as it was sent."""
        self.messages = Messages(self)
        self.registered = Commands(self.application_id, self.ids, lambda: self.tell({"type": "commands"}))
        self.interactions = Interactions(self)
        self.acts = Acts(self)
        self.faults = Faults()
        self.log: deque[Entry] = deque(maxlen=10_000)
        self._listeners: list[Callable[[Json], None]] = []
        self._sinks: list[Callable[[Dispatch], None]] = []
        self.guild_id = self.add_guild(guild)

    # people and places

    @property
    def commands(self) -> list[Json]:
        return self.registered.everywhere

    def add_guild(self, name: str, *, bot: bool = True) -> int:
        """A server with all the people in it; `bot`: the bot is a member."""
        guild_id = self.ids.guild()
        self.guilds[guild_id] = places.guild(guild_id, name, self.ids(), self.application_id if bot else None)
        if not bot:
            self.without_bot.add(guild_id)
        self.members[guild_id] = {}
        for user_id in self.users:
            self._join(guild_id, user_id, permissions.MEMBER)
        self.dispatch("GUILD_CREATE", lambda: self.guild_wire(guild_id), guild_id=guild_id, intent=GUILDS)
        return guild_id

    def add_user(self, name: str, *, locale: str = "en-US", permissions: int = permissions.MEMBER) -> int:
        """A person in every server; permissions beyond or below those of everybody come as a role of their own."""
        user_id = self.ids()
        self.users[user_id] = places.user(user_id, name) | {"locale": locale}
        for guild_id in self.guilds:
            self._join(guild_id, user_id, permissions)
        return user_id

    def _join(self, guild_id: int, user_id: int, rights: int) -> None:
        roles = []
        if rights != permissions.MEMBER:
            role = places.role(self.ids(), self.users[user_id]["username"], rights)
            self.guilds[guild_id]["roles"].append(role)
            roles.append(role["id"])
            self.dispatch(
                "GUILD_ROLE_CREATE",
                lambda: {"guild_id": str(guild_id), "role": role},
                guild_id=guild_id,
                intent=GUILDS,
            )
        self.members[guild_id][user_id] = places.member(roles)

    def add_channel(self, name: str, guild_id: int | None = None) -> int:
        """A text channel."""
        guild_id = guild_id or self.guild_id
        channel_id = self.ids()
        self.channels[channel_id] = places.text_channel(channel_id, guild_id, name, len(self.channels))
        self.tell_channel("create", self.channels[channel_id])
        return channel_id

    def direct(self, *user_ids: int, bot: bool = True) -> int:
        """The direct messages of these people and the bot, made on first use; `bot` False: of the people alone."""
        for channel_id, channel in self.channels.items():
            people = {int(u["id"]) for u in channel.get("recipients", ())}
            if people == set(user_ids) and (channel_id in self.without_bot) != bot:
                return channel_id
        channel_id = self.ids()
        self.channels[channel_id] = places.direct(
            channel_id, [self.person(u) for u in user_ids], group=len(user_ids) > 2
        )
        if not bot:
            self.without_bot.add(channel_id)
        self.tell({"type": "channel_create", "channel": self.channels[channel_id]})
        return channel_id

    def add_thread(
        self,
        parent_id: int,
        name: str,
        owner_id: int,
        *,
        private: bool = False,
        message_id: int | None = None,
        archive: int = 1440,
    ) -> Json:
        """A thread under a channel, begun on a message of it or on its own."""
        thread_id = message_id or self.ids()
        parent = self.channels[parent_id]
        thread = places.thread(thread_id, parent, name, owner_id, private=private, archive=archive)
        self.channels[thread_id] = thread
        self.join_thread(thread_id, owner_id)
        self.tell_channel("create", thread)
        return thread

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

    def delete_channel(self, channel_id: int) -> None:
        """Removes a channel with its threads and messages."""
        for thread in [c for c in self.channels.values() if c.get("parent_id") == str(channel_id)]:
            self.delete_channel(int(thread["id"]))
        channel = self.channels.pop(channel_id)
        self.messages.delete_channel(channel_id)
        self.thread_members.pop(channel_id, None)
        self.tell_channel("delete", channel)

    def delete_message(self, message_id: int) -> None:
        self.messages.delete(message_id)

    def archive(self, thread_id: int, *, locked: bool = False) -> None:
        """Archives a thread, as Discord does after a while and a moderator does with a lock."""
        self.change_thread(thread_id, archived=True, locked=locked)

    def change_thread(self, thread_id: int, *, name: str | None = None, **metadata: object) -> Json:
        thread = self.channels[thread_id]
        before = thread["thread_metadata"]
        after = before | metadata
        if after["archived"] != before["archived"]:
            after["archive_timestamp"] = timestamp()
        thread["thread_metadata"] = after
        thread["name"] = name or thread["name"]
        self.tell_channel("update", thread)
        return thread

    # rights

    def deny(self, channel_id: int, permission: int) -> None:
        """Takes a permission from the bot in a channel."""
        self._overwrite(channel_id, lambda allow, deny: (allow & ~permission, deny | permission))

    def allow(self, channel_id: int, permission: int) -> None:
        """Gives the bot a permission in a channel."""
        self._overwrite(channel_id, lambda allow, deny: (allow | permission, deny & ~permission))

    def _overwrite(self, channel_id: int, change: Callable[[int, int], tuple[int, int]]) -> None:
        channel = self.channels[channel_id]
        mine = str(self.application_id)
        before = next((o for o in channel["permission_overwrites"] if o["id"] == mine), {"allow": "0", "deny": "0"})
        allow, deny = change(int(before["allow"]), int(before["deny"]))
        others = [o for o in channel["permission_overwrites"] if o["id"] != mine]
        new = {"id": mine, "type": 1, "allow": str(allow), "deny": str(deny)}
        channel["permission_overwrites"] = [*others, new]
        self.tell_channel("update", channel)

    def rights(self, user_id: int, channel_id: int) -> int:
        """The permissions of a person or the bot in a channel; a thread has those of its parent."""
        channel = self.channels[channel_id]
        if "guild_id" not in channel:
            inside = channel_id not in self.without_bot or user_id != self.application_id
            return permissions.DIRECT if inside else 0
        guild_id = int(channel["guild_id"])
        if user_id == self.application_id and guild_id in self.without_bot:
            return 0
        base = self.guild_rights(guild_id, user_id)
        mine = [int(r) for r in self.member(guild_id, user_id)["roles"]]
        home = self.channels[int(channel["parent_id"])] if "thread_metadata" in channel else channel
        return permissions.left(base, home["permission_overwrites"], [guild_id, *mine, user_id])

    def require(self, channel_id: int, *needed: int) -> Json:
        """The channel, if the bot sees it and has the permissions.

        Raises:
            WireError: Unknown Channel, Missing Access or Missing Permissions.
        """
        if channel_id not in self.channels:
            raise unknown_channel()
        rights = self.rights(self.application_id, channel_id)
        if not rights & permissions.VIEW_CHANNEL:
            raise missing_access()
        if any(not rights & bit for bit in needed):
            raise missing_permission()
        return self.channels[channel_id]

    def guild_rights(self, guild_id: int, user_id: int) -> int:
        """The permissions of a person or the bot in a server as a whole."""
        roles = {int(r["id"]): int(r["permissions"]) for r in self.guilds[guild_id]["roles"]}
        mine = [int(r) for r in self.member(guild_id, user_id)["roles"]]
        if user_id in self.users and mine:
            return roles[mine[0]]
        return functools.reduce(operator.or_, (roles[r] for r in mine), roles[guild_id])

    # what is on the wire

    def readable(self, message: Json, intents: int | None = None) -> Json:
        """A message as the bot may read it: without the intent for it, others' messages come without their content."""
        allowed = self.privileged_intents if intents is None else intents
        me = str(self.application_id)
        mine = message["author"]["id"] == me or any(u["id"] == me for u in message["mentions"])
        if allowed & MESSAGE_CONTENT or mine or "guild_id" not in self.channels.get(int(message["channel_id"]), {}):
            return message
        return message | {"content": "", "embeds": [], "attachments": [], "components": []}

    def readable_event(self, event: Dispatch, intents: int) -> Json:
        """An event as a session with these intents hears of it."""
        hides = event.name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}
        return self.readable(event.data, intents) if hides else event.data

    def move(self, base_url: str) -> None:
        """Gives the files of all messages their place under a new address."""
        self.base_url = base_url

    def person(self, user_id: int) -> Json:
        """A user, the bot included, as Discord shows it to others.

        Raises:
            KeyError: There is no such user.
        """
        if user_id == self.application_id:
            return self.bot_user
        return {k: v for k, v in self.users[user_id].items() if k != "locale"}

    def people(self) -> dict[int, Json]:
        return {u: self.person(u) for u in (self.application_id, *self.users)}

    def member(self, guild_id: int, user_id: int) -> Json:
        """A member of a server with its user in it.

        Raises:
            KeyError: There is no such member.
        """
        if user_id == self.application_id and guild_id not in self.without_bot:
            return places.member([str(places.bot_role(self.guilds[guild_id]))]) | {"user": self.bot_user}
        return self.members[guild_id][user_id] | {"user": self.person(user_id)}

    def guild_wire(self, guild_id: int) -> Json:
        """A server as GUILD_CREATE carries it."""
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

    def visible(self, user_id: int, channel_id: int) -> list[Json]:
        """The messages this person may see, oldest first; an ephemeral one only where it is theirs."""
        if not self.sees(user_id, channel_id):
            return []
        owners = self.messages.owners
        return [m for m in self.messages.of(channel_id) if owners.get(int(m["id"]), user_id) == user_id]

    def sees(self, user_id: int, channel_id: int) -> bool:
        """Whether a person can open a channel at all."""
        channel = self.channels.get(channel_id)
        if channel is None:
            return False
        if "recipients" in channel:
            return str(user_id) in {u["id"] for u in channel["recipients"]}
        return channel["type"] != 12 or user_id in self.thread_members.get(channel_id, ())

    def attachment(self, attachment_id: int) -> tuple[bytes, str]:
        """The content and the content type of a file.

        Raises:
            KeyError: There is no such file.
        """
        upload: Upload = self.messages.files[attachment_id]
        return upload.content, places.content_type(upload)

    # what a person does

    async def slash(
        self, user_id: int, channel_id: int, command: str, options: Mapping[str, str | int | bool] = {}
    ) -> Interaction:
        """Sends a slash command, by its whole path ("abak move play").

        Raises:
            Refused: Discord's client would not send it.
            Timeout: The bot did not answer.
        """
        return await self.interactions.send(self.acts.slash(user_id, channel_id, command, options))

    async def autocomplete(
        self, user_id: int, channel_id: int, command: str, options: Mapping[str, str | int | bool], focused: str
    ) -> list[Json]:
        """The bot's choices for the option being typed, named in the person's language."""
        sent = await self.interactions.send(self.acts.autocomplete(user_id, channel_id, command, options, focused))
        locale = self.users[user_id]["locale"]
        return [
            {"name": (c.get("name_localizations") or {}).get(locale) or c["name"], "value": c["value"]}
            for c in sent.choices or ()
        ]

    async def press(self, user_id: int, message_id: int, custom_id: str) -> Interaction:
        """Presses a button."""
        return await self.interactions.send(self.acts.press(user_id, message_id, custom_id))

    async def choose(self, user_id: int, message_id: int, custom_id: str, values: list[str]) -> Interaction:
        """Chooses in a menu."""
        return await self.interactions.send(self.acts.choose(user_id, message_id, custom_id, values))

    async def submit(
        self, user_id: int, modal_interaction_id: int, values: Mapping[str, str | list[str]]
    ) -> Interaction:
        """Sends off a modal, its fields by custom id."""
        return await self.interactions.send(self.acts.submit(user_id, modal_interaction_id, values))

    async def context(self, user_id: int, channel_id: int, command: str, target_user_id: int) -> Interaction:
        """Uses a command of a person's context menu."""
        return await self.interactions.send(self.acts.context(user_id, channel_id, command, target_user_id))

    def say(self, user_id: int, channel_id: int, text: str) -> Json:
        """Writes a message."""
        if not self.sees(user_id, channel_id):
            raise Refused("this channel cannot be seen")
        self.revive(channel_id)
        return self.messages.create(channel_id, self.person(user_id), {"content": text}, {})

    def announce_thread(self, thread: Json) -> None:
        """The line that Discord writes into a channel when a thread was begun there."""
        place = {"type": 0, "channel_id": thread["id"], "guild_id": thread["guild_id"]}
        extra = {"type": 18, "message_reference": place}
        parent_id = int(thread["parent_id"])
        self.messages.create(parent_id, self.bot_user, {"content": thread["name"]}, {}, extra=extra)

    def revive(self, channel_id: int) -> None:
        """Takes a thread from the archive, as a new message does where it is not locked."""
        metadata = self.channels[channel_id].get("thread_metadata")
        if metadata and metadata["archived"] and not metadata["locked"]:
            self.change_thread(channel_id, archived=False)

    # who hears of it

    def subscribe(self, listener: Callable[[Json], None]) -> Callable[[], None]:
        """Tells `listener` of page events from now on; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def attach(self, sink: Callable[[Dispatch], None]) -> None:
        """Tells `sink`, a gateway, of everything a bot may hear of."""
        self._sinks.append(sink)

    def tell(self, event: Json) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    def dispatch(self, name: str, data: Callable[[], Json], *, guild_id: int | None, intent: int) -> None:
        if self._sinks and guild_id not in self.without_bot:
            event = Dispatch(name, data(), guild_id, intent)
            for sink in self._sinks:
                sink(event)

    def tell_message(self, change: str, message: Json, owner: int | None) -> None:
        """Tells of a message that was created, updated or deleted."""
        channel_id, message_id = int(message["channel_id"]), int(message["id"])
        if change == "create":
            self.pings += [(int(u["id"]), message) for u in message["mentions"] if owner in {None, int(u["id"])}]
        event: Json = {"type": f"message_{change}", "channel_id": channel_id, "message": message}
        self.tell(event if owner is None else event | {"only": owner})
        channel = self.channels.get(channel_id)
        if owner is not None or channel is None or channel_id in self.without_bot:
            return
        guild_id = int(channel["guild_id"]) if "guild_id" in channel else None
        place = {} if guild_id is None else {"guild_id": str(guild_id)}
        body = {"id": str(message_id), "channel_id": str(channel_id)} if change == "delete" else message
        intent = DIRECT_MESSAGES if guild_id is None else GUILD_MESSAGES
        self.dispatch(f"MESSAGE_{change.upper()}", lambda: body | place, guild_id=guild_id, intent=intent)

    def tell_channel(self, change: str, channel: Json) -> None:
        """Tells of a channel or thread that was created, updated or deleted."""
        self.tell({"type": f"channel_{change}", "channel": channel})
        if "guild_id" in channel:
            kind = "THREAD" if "thread_metadata" in channel else "CHANNEL"
            data = channel | ({"newly_created": True} if (kind, change) == ("THREAD", "create") else {})
            guild_id = int(channel["guild_id"])
            self.dispatch(f"{kind}_{change.upper()}", lambda: data, guild_id=guild_id, intent=GUILDS)

    def tell_typing(self, channel_id: int) -> None:
        self.tell({"type": "typing", "channel_id": channel_id, "user": self.bot_user})

    def channel_saw(self, channel_id: int, message_id: int) -> None:
        """Notes a new message in its channel."""
        channel = self.channels[channel_id]
        channel["last_message_id"] = str(message_id)
        if "thread_metadata" in channel:
            channel["message_count"] += 1
            channel["total_message_sent"] += 1
