"""The pretend Discord: servers, people, channels, messages, and what a person can do there."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.sandbox import permissions, places
from bot.sandbox.acts import Acts
from bot.sandbox.commands import Commands
from bot.sandbox.errors import Refused, Timeout
from bot.sandbox.faults import Faults
from bot.sandbox.interaction import Interaction
from bot.sandbox.interactions import Interactions
from bot.sandbox.messages import Messages
from bot.sandbox.news import GUILDS, News
from bot.sandbox.rights import Rights
from bot.sandbox.snowflake import Snowflakes, timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.sandbox.attachments import Upload
    from bot.sandbox.news import Dispatch

__all__ = ["Entry", "Interaction", "Refused", "Timeout", "World"]

Json = dict[str, Any]


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
        self.closed: set[int] = set()
        """People who take no direct messages from the bot."""
        self.channels: dict[int, Json] = {}
        self.thread_members: dict[int, dict[int, Json]] = {}
        self.news = News(self)
        self.rights = Rights(self)
        self.messages = Messages(self)
        self.registered = Commands(self.application_id, self.ids, lambda: self.news.tell({"type": "commands"}))
        self.interactions = Interactions(self)
        self.acts = Acts(self)
        self.faults = Faults()
        self.log: deque[Entry] = deque(maxlen=10_000)
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
        self.news.dispatch("GUILD_CREATE", lambda: self.guild_wire(guild_id), guild_id=guild_id, intent=GUILDS)
        return guild_id

    def add_user(self, name: str, *, locale: str = "en-US", permissions: int = permissions.MEMBER) -> int:
        """A person in every server; permissions beyond or below those of everybody come as a role of their own."""
        user_id = self.ids()
        self.users[user_id] = places.user(user_id, name) | {"locale": locale}
        for guild_id in self.guilds:
            self._join(guild_id, user_id, permissions)
        return user_id

    def _join(self, guild_id: int, user_id: int, rights: int) -> None:
        self.members[guild_id][user_id] = places.member([])
        if rights != permissions.MEMBER:
            self.rights.grant(guild_id, user_id, rights)

    def own(self, guild_id: int, user_id: int) -> None:
        """Makes a person the owner of a server, who may do everything there."""
        guild = self.guilds[guild_id]
        guild["owner_id"] = str(user_id)
        self.news.dispatch("GUILD_UPDATE", lambda: guild, guild_id=guild_id, intent=GUILDS)

    def remove_member(self, guild_id: int, user_id: int) -> None:
        """Lets a person leave a server."""
        self.members[guild_id].pop(user_id)

    def remove_bot(self, guild_id: int) -> None:
        """Throws the bot out of a server."""
        gone = {"id": str(guild_id)}
        self.news.dispatch("GUILD_DELETE", lambda: gone, guild_id=guild_id, intent=GUILDS)
        self.without_bot.add(guild_id)

    def add_channel(self, name: str, guild_id: int | None = None) -> int:
        """A text channel."""
        guild_id = guild_id or self.guild_id
        channel_id = self.ids()
        self.channels[channel_id] = places.text_channel(channel_id, guild_id, name, len(self.channels))
        self.news.channel("create", self.channels[channel_id])
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
        self.news.tell({"type": "channel_create", "channel": self.channels[channel_id]})
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
        self.news.channel("create", thread)
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
        self.news.channel("delete", channel)

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
        self.news.channel("update", thread)
        return thread

    # rights

    def deny(self, channel_id: int, permission: int) -> None:
        """Takes a permission from the bot in a channel."""
        self.rights.overwrite(channel_id, take=permission)

    def allow(self, channel_id: int, permission: int) -> None:
        """Gives the bot a permission in a channel."""
        self.rights.overwrite(channel_id, give=permission)

    def guild_rights(self, guild_id: int, user_id: int) -> int:
        """The permissions of a person or the bot in a server as a whole."""
        return self.rights.in_guild(guild_id, user_id)

    # what is on the wire

    def move(self, base_url: str) -> None:
        """Gives the files of all messages their place under a new address."""
        if base_url != self.base_url:
            self.messages.move(f"{self.base_url}/attachments/", f"{base_url}/attachments/")
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
        if user_id not in self.members[int(channel["guild_id"])]:
            return False
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
        self.news.listeners.append(listener)
        return lambda: self.news.listeners.remove(listener)

    def tell(self, event: Json) -> None:
        """Tells the page's listeners of something."""
        self.news.tell(event)

    def attach(self, sink: Callable[[Dispatch], None]) -> None:
        """Tells `sink`, a gateway, of everything a bot may hear of."""
        self.news.sinks.append(sink)

    def channel_saw(self, channel_id: int, message_id: int) -> None:
        """Notes a new message in its channel."""
        channel = self.channels[channel_id]
        channel["last_message_id"] = str(message_id)
        if "thread_metadata" in channel:
            channel["message_count"] += 1
            channel["total_message_sent"] += 1
