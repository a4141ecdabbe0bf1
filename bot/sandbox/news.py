"""Who hears of what happens in a world: the page's listeners, and the gateway's sessions."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.sandbox.permissions import VIEW_CHANNEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.sandbox.world import World

Json = dict[str, Any]
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1, 1 << 9, 1 << 12, 1 << 15
"""Gateway intents (documentation, "Gateway Intents")."""


class Dispatch(NamedTuple):
    """An event for the gateway: for the shard of its guild, and those who asked for its intent (0: everybody)."""

    name: str
    data: Json
    guild_id: int | None
    intent: int


class News:
    """Tells listeners, at once and in order; none of them may wait."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.listeners: list[Callable[[Json], None]] = []
        self.sinks: list[Callable[[Dispatch], None]] = []
        self.pings: deque[tuple[int, Json]] = deque(maxlen=10_000)
        """Notifications: whom a new message mentioned, and the message as it was sent."""

    def tell(self, event: Json) -> None:
        """Tells the page's listeners."""
        for listener in tuple(self.listeners):
            listener(event)

    def dispatch(self, name: str, data: Callable[[], Json], *, guild_id: int | None, intent: int) -> None:
        """Tells the gateway; the data are made only where one listens."""
        if self.sinks and guild_id not in self._world.without_bot:
            event = Dispatch(name, data(), guild_id, intent)
            for sink in self.sinks:
                sink(event)

    def message(self, change: str, message: Json, owner: int | None) -> None:
        """Tells of a message that was created, updated or deleted; one with an owner concerns nobody else."""
        channel_id, message_id = int(message["channel_id"]), int(message["id"])
        if change == "create":
            people = [int(u["id"]) for u in message["mentions"]]
            self.pings.extend((u, message) for u in people if owner in {None, u})
        event: Json = {"type": f"message_{change}", "channel_id": channel_id, "message": message}
        self.tell(event if owner is None else event | {"only": owner})
        channel = self._world.channels.get(channel_id)
        if owner is not None or channel is None or not self._bot_sees(channel_id):
            return
        guild_id = int(channel["guild_id"]) if "guild_id" in channel else None
        place = {} if guild_id is None else {"guild_id": str(guild_id)}
        body = {"id": str(message_id), "channel_id": str(channel_id)} if change == "delete" else message
        intent = DIRECT_MESSAGES if guild_id is None else GUILD_MESSAGES
        self.dispatch(f"MESSAGE_{change.upper()}", lambda: body | place, guild_id=guild_id, intent=intent)

    def _bot_sees(self, channel_id: int) -> bool:
        rights = self._world.rights.in_channel(self._world.application_id, channel_id)
        return bool(rights & VIEW_CHANNEL)

    def channel(self, change: str, channel: Json) -> None:
        """Tells of a channel or thread that was created, updated or deleted."""
        self.tell({"type": f"channel_{change}", "channel": channel})
        if "guild_id" in channel:
            kind = "THREAD" if "thread_metadata" in channel else "CHANNEL"
            data = channel | ({"newly_created": True} if (kind, change) == ("THREAD", "create") else {})
            guild_id = int(channel["guild_id"])
            self.dispatch(f"{kind}_{change.upper()}", lambda: data, guild_id=guild_id, intent=GUILDS)

    def typing(self, channel_id: int) -> None:
        self.tell({"type": "typing", "channel_id": channel_id, "user": self._world.bot_user})
