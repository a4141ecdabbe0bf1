"""The simulated Discord: its data, the acts of people in it, and the listeners to its changes."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.sandbox.errors import Refused
from bot.sandbox.faults import Faults
from bot.sandbox.interactions.interaction import Interaction
from bot.sandbox.interactions.lifecycle import Interactions
from bot.sandbox.interactions.user_client import UserClient
from bot.sandbox.state import attachments, objects, permissions
from bot.sandbox.state.commands import Commands
from bot.sandbox.state.data import WorldData
from bot.sandbox.state.effective_permissions import EffectivePermissions
from bot.sandbox.state.events import Events
from bot.sandbox.state.intents import GUILDS
from bot.sandbox.state.messages import Messages
from bot.sandbox.state.snowflake import timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.sandbox.state.attachments import Upload
    from bot.sandbox.state.events import Dispatch

Json = dict[str, Any]


class LoggedRequest(NamedTuple):
    """One request in the log."""

    method: str
    path: str
    body: Any
    status: int
    response: Any


class World(WorldData):
    """One bot, its servers and the people in them, with all that people and Discord itself do there."""

    def __init__(self, *, bot_name: str = "Bot", guild: str = "Sandbox", bot: bool = True) -> None:
        """Creates the world. `bot`: the bot is a member of the server."""
        super().__init__(bot_name)
        self.permissions = EffectivePermissions(self)
        self.events = Events(self, self.permissions)
        self.messages = Messages(self, self.events)
        self.registered = Commands(self, self.events)
        self.interactions = Interactions(self, self.messages, self.events)
        self.user_client = UserClient(self, self.permissions, self.messages, self.registered, self.interactions)
        self.faults = Faults()
        self.log: deque[LoggedRequest] = deque(maxlen=10_000)
        self.guild_id = self.add_guild(guild, bot=bot)

    # people, servers and channels

    @property
    def commands(self) -> list[Json]:
        return self.registered.everywhere

    def add_guild(self, name: str, *, bot: bool = True) -> int:
        """Adds a server with all the people in it. Returns its id. `bot`: the bot is a member."""
        guild_id = self.ids.guild()
        self.guilds[guild_id] = objects.guild(guild_id, name, self.ids(), self.application_id if bot else None)
        if not bot:
            self.without_bot.add(guild_id)
        self.members[guild_id] = {}
        for user_id in self.users:
            self._join(guild_id, user_id, permissions.MEMBER)
        self._announce_guild(guild_id)
        return guild_id

    def _announce_guild(self, guild_id: int) -> None:
        """Tells the bot of a server that it has just joined. Unlike a known server, it was never unavailable."""
        self.events.dispatch(
            "GUILD_CREATE",
            lambda: {k: v for k, v in self.guild_create(guild_id).items() if k != "unavailable"},
            guild_id=guild_id,
            intent=GUILDS,
        )

    def invite_bot(self, guild_id: int) -> None:
        """Makes the bot a member of a server, perhaps again."""
        guild = self.guilds[guild_id]
        if not any("tags" in role for role in guild["roles"]):
            guild["roles"].append(objects.role(self.ids(), "Bot", permissions.BOT, bot_id=self.application_id))
        self.without_bot.discard(guild_id)
        self._announce_guild(guild_id)

    def add_user(self, name: str, *, locale: str = "en-US", permissions: int = permissions.MEMBER) -> int:
        """Adds a person to every server. Returns their id. Special permissions are given by a role of their own."""
        user_id = self.ids()
        self.users[user_id] = objects.user(user_id, name) | {"locale": locale}
        for guild_id in self.guilds:
            self._join(guild_id, user_id, permissions)
        return user_id

    def _join(self, guild_id: int, user_id: int, rights: int) -> None:
        self.members[guild_id][user_id] = objects.member([])
        if rights != permissions.MEMBER:
            self.grant(guild_id, user_id, rights)

    def set_owner(self, guild_id: int, user_id: int) -> None:
        """Makes a person the owner of a server, with all permissions there."""
        self._change_guild(guild_id, owner_id=str(user_id))

    def set_language(self, guild_id: int, locale: str) -> None:
        """Sets the language that a server's owner chose for it."""
        self._change_guild(guild_id, preferred_locale=locale)

    def set_system_channel(self, guild_id: int, channel_id: int | None) -> None:
        """Sets the channel in which a server welcomes newcomers."""
        self._change_guild(guild_id, system_channel_id=None if channel_id is None else str(channel_id))

    def _change_guild(self, guild_id: int, **changes: str | None) -> None:
        guild = self.guilds[guild_id]
        guild.update(changes)
        self.events.dispatch("GUILD_UPDATE", lambda: guild, guild_id=guild_id, intent=GUILDS)

    def remove_member(self, guild_id: int, user_id: int) -> None:
        self.members[guild_id].pop(user_id)

    def remove_bot(self, guild_id: int) -> None:
        gone = {"id": str(guild_id)}
        self.events.dispatch("GUILD_DELETE", lambda: gone, guild_id=guild_id, intent=GUILDS)
        self.without_bot.add(guild_id)

    def add_channel(self, name: str, guild_id: int | None = None) -> int:
        """Adds a text channel. Returns its id."""
        guild_id = guild_id or self.guild_id
        channel_id = self.ids()
        self.channels[channel_id] = objects.text_channel(channel_id, guild_id, name, len(self.channels))
        self.events.channel("create", self.channels[channel_id])
        return channel_id

    def direct_channel(self, *user_ids: int, bot: bool = True) -> int:
        """Returns the id of the direct messages of these people and the bot, made on first use. Without `bot`: of the
        people alone.
        """
        for channel_id, channel in self.channels.items():
            people = {int(u["id"]) for u in channel.get("recipients", ())}
            if people == set(user_ids) and (channel_id in self.without_bot) != bot:
                return channel_id
        channel_id = self.ids()
        self.channels[channel_id] = objects.direct_channel(
            channel_id, [self.person(u) for u in user_ids], group=len(user_ids) > 2
        )
        if not bot:
            self.without_bot.add(channel_id)
        self.events.publish({"type": "channel_create", "channel": self.channels[channel_id]})
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
        """Adds a thread under a channel, on one of its messages or on its own."""
        thread_id = message_id or self.ids()
        parent = self.channels[parent_id]
        thread = objects.thread(thread_id, parent, name, owner_id, private=private, archive=archive)
        self.channels[thread_id] = thread
        self.join_thread(thread_id, owner_id)
        self.events.channel("create", thread)
        return thread

    def delete_channel(self, channel_id: int) -> None:
        """Removes a channel with its threads and messages."""
        for thread in [c for c in self.channels.values() if c.get("parent_id") == str(channel_id)]:
            self.delete_channel(int(thread["id"]))
        channel = self.channels.pop(channel_id)
        self.messages.delete_channel(channel_id)
        self.thread_members.pop(channel_id, None)
        self.events.channel("delete", channel)

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
        self.events.channel("update", thread)
        return thread

    # permissions

    def deny(self, channel_id: int, permission: int) -> None:
        """Takes a permission from the bot in a channel."""
        self._overwrite(channel_id, take=permission)

    def allow(self, channel_id: int, permission: int) -> None:
        """Gives the bot a permission in a channel."""
        self._overwrite(channel_id, give=permission)

    def _overwrite(self, channel_id: int, *, give: int = 0, take: int = 0) -> None:
        """Changes the permissions that a channel allows and denies the bot, in an overwrite of its own."""
        channel = self.channels[channel_id]
        mine = str(self.application_id)
        others = [o for o in channel["permission_overwrites"] if o["id"] != mine]
        before = next((o for o in channel["permission_overwrites"] if o["id"] == mine), {"allow": "0", "deny": "0"})
        allow, deny = int(before["allow"]) & ~take | give, int(before["deny"]) & ~give | take
        new = {"id": mine, "type": 1, "allow": str(allow), "deny": str(deny)}
        channel["permission_overwrites"] = [*others, new]
        self.events.channel("update", channel)

    def grant(self, guild_id: int, user_id: int, rights: int) -> None:
        """Gives a person exactly these permissions in a server, by a role of their own."""
        guild, member = self.guilds[guild_id], self.members[guild_id][user_id]
        role = next((r for r in guild["roles"] if r["id"] in member["roles"]), None)
        change = "CREATE" if role is None else "UPDATE"
        if role is None:
            role = objects.role(self.ids(), self.users[user_id]["username"], rights)
            guild["roles"].append(role)
            member["roles"].append(role["id"])
        role["permissions"] = str(rights)
        told = {"guild_id": str(guild_id), "role": role}
        self.events.dispatch(f"GUILD_ROLE_{change}", lambda: told, guild_id=guild_id, intent=GUILDS)

    # what is shown

    def set_base_url(self, base_url: str) -> None:
        """Changes the address under which the files of all messages are served."""
        if base_url != self.base_url:
            self.messages.replace_urls(f"{self.base_url}/attachments/", f"{base_url}/attachments/")
            self.base_url = base_url

    def visible_messages(self, user_id: int, channel_id: int) -> list[Json]:
        """Returns the messages that this person may see, the oldest first. Only its owner sees an ephemeral one."""
        if not self.sees(user_id, channel_id):
            return []
        owners = self.messages.owners
        return [m for m in self.messages.in_channel(channel_id) if owners.get(int(m["id"]), user_id) == user_id]

    def attachment(self, attachment_id: int) -> tuple[bytes, str]:
        """Returns the content and the content type of a file.

        Raises:
            KeyError: There is no such file.
        """
        upload: Upload = self.messages.files[attachment_id]
        return upload.content, attachments.content_type(upload)

    # what a person does

    async def slash(
        self, user_id: int, channel_id: int, command: str, options: Mapping[str, str | int | bool | Upload] = {}
    ) -> Interaction:
        """Sends a slash command, by its whole path ("abak move play"). A file among the options is uploaded first.

        Raises:
            Refused: Discord's client would not send it.
            Timeout: The bot did not answer.
        """
        return await self.interactions.send(self.user_client.slash(user_id, channel_id, command, options))

    async def autocomplete(
        self, user_id: int, channel_id: int, command: str, options: Mapping[str, str | int | bool], focused: str
    ) -> list[Json]:
        """Returns the bot's choices for the option being typed, named in the person's language."""
        sent = await self.interactions.send(
            self.user_client.autocomplete(user_id, channel_id, command, options, focused)
        )
        locale = self.users[user_id]["locale"]
        return [
            {"name": (c.get("name_localizations") or {}).get(locale) or c["name"], "value": c["value"]}
            for c in sent.choices or ()
        ]

    async def press(self, user_id: int, message_id: int, custom_id: str) -> Interaction:
        return await self.interactions.send(self.user_client.press(user_id, message_id, custom_id))

    async def choose(self, user_id: int, message_id: int, custom_id: str, values: list[str]) -> Interaction:
        return await self.interactions.send(self.user_client.choose(user_id, message_id, custom_id, values))

    async def submit(
        self, user_id: int, modal_interaction_id: int, values: Mapping[str, str | list[str]]
    ) -> Interaction:
        """Submits a modal, its fields by custom id."""
        return await self.interactions.send(self.user_client.submit(user_id, modal_interaction_id, values))

    async def context(self, user_id: int, channel_id: int, command: str, target_user_id: int) -> Interaction:
        """Uses a command of a person's context menu."""
        return await self.interactions.send(self.user_client.context(user_id, channel_id, command, target_user_id))

    def say(self, user_id: int, channel_id: int, text: str) -> Json:
        if not self.sees(user_id, channel_id):
            raise Refused("this channel cannot be seen")
        self.unarchive(channel_id)
        return self.messages.create(channel_id, self.person(user_id), {"content": text}, {})

    def announce_thread(self, thread: Json) -> None:
        """Writes the message with which Discord announces a new thread in its channel."""
        place = {"type": 0, "channel_id": thread["id"], "guild_id": thread["guild_id"]}
        extra = {"type": 18, "message_reference": place}
        parent_id = int(thread["parent_id"])
        self.messages.create(parent_id, self.bot_user, {"content": thread["name"]}, {}, extra=extra)

    def unarchive(self, channel_id: int) -> None:
        """Unarchives a thread that is not locked, as a new message does."""
        metadata = self.channels[channel_id].get("thread_metadata")
        if metadata and metadata["archived"] and not metadata["locked"]:
            self.change_thread(channel_id, archived=False)

    # listeners

    def subscribe(self, listener: Callable[[Json], None]) -> Callable[[], None]:
        """Calls `listener` with every page event, until the returned function is called."""
        self.events.listeners.append(listener)
        return lambda: self.events.listeners.remove(listener)

    def publish(self, event: Json) -> None:
        """Sends an event to the page's listeners."""
        self.events.publish(event)

    def on_dispatch(self, listener: Callable[[Dispatch], None]) -> None:
        """Calls `listener`, such as a gateway, with every event that a bot may receive."""
        self.events.dispatch_listeners.append(listener)
