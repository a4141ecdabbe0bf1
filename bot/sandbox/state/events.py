"""Events of a world: they are sent to the page's listeners and to the gateway."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.sandbox.state.intents import DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS
from bot.sandbox.state.permissions import VIEW_CHANNEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.sandbox.state.data import WorldData
    from bot.sandbox.state.effective_permissions import EffectivePermissions

Json = dict[str, Any]


class Dispatch(NamedTuple):
    """An event for the gateway: for the shard of its guild, and for sessions with its intent (0: all sessions)."""

    name: str
    data: Json
    guild_id: int | None
    intent: int


class Events:
    """Calls listeners at once and in order. No listener may wait."""

    def __init__(self, data: WorldData, permissions: EffectivePermissions) -> None:
        self._data = data
        self._permissions = permissions
        self.listeners: list[Callable[[Json], None]] = []
        self.dispatch_listeners: list[Callable[[Dispatch], None]] = []
        self.notifications: deque[tuple[int, Json]] = deque(maxlen=10_000)
        """The notifications of new messages: the mentioned people, and the message as it was sent."""

    def publish(self, event: Json) -> None:
        """Sends an event to the page's listeners."""
        for listener in tuple(self.listeners):
            listener(event)

    def dispatch(self, name: str, data: Callable[[], Json], *, guild_id: int | None, intent: int) -> None:
        """Sends an event to the gateway. The data are made only if there is a listener."""
        if self.dispatch_listeners and guild_id not in self._data.without_bot:
            event = Dispatch(name, data(), guild_id, intent)
            for listener in self.dispatch_listeners:
                listener(event)

    def message(self, change: str, message: Json, owner: int | None) -> None:
        """Reports a message that was created, updated or deleted. With an owner, it is reported only to them."""
        channel_id, message_id = int(message["channel_id"]), int(message["id"])
        if change == "create":
            people = [int(u["id"]) for u in message["mentions"]]
            self.notifications.extend((u, message) for u in people if owner in {None, u})
        event: Json = {"type": f"message_{change}", "channel_id": channel_id, "message": message}
        self.publish(event if owner is None else event | {"only": owner})
        channel = self._data.channels.get(channel_id)
        if owner is not None or channel is None or not self._bot_sees(channel_id):
            return
        guild_id = int(channel["guild_id"]) if "guild_id" in channel else None
        place = {} if guild_id is None else {"guild_id": str(guild_id)}
        body = {"id": str(message_id), "channel_id": str(channel_id)} if change == "delete" else message
        intent = DIRECT_MESSAGES if guild_id is None else GUILD_MESSAGES
        self.dispatch(f"MESSAGE_{change.upper()}", lambda: body | place, guild_id=guild_id, intent=intent)

    def _bot_sees(self, channel_id: int) -> bool:
        rights = self._permissions.in_channel(self._data.application_id, channel_id)
        return bool(rights & VIEW_CHANNEL)

    def channel(self, change: str, channel: Json) -> None:
        """Reports a channel or thread that was created, updated or deleted."""
        self.publish({"type": f"channel_{change}", "channel": channel})
        if "guild_id" in channel:
            kind = "THREAD" if "thread_metadata" in channel else "CHANNEL"
            data = channel | ({"newly_created": True} if (kind, change) == ("THREAD", "create") else {})
            guild_id = int(channel["guild_id"])
            self.dispatch(f"{kind}_{change.upper()}", lambda: data, guild_id=guild_id, intent=GUILDS)

    def typing(self, channel_id: int) -> None:
        self.publish({"type": "typing", "channel_id": channel_id, "user": self._data.bot_user})
