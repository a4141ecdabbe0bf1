"""The commands that a bot has registered, for everywhere and for single servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import InvalidFormError, Refused, WireError
from bot.sandbox.validation import commands as command_rules

if TYPE_CHECKING:
    from bot.sandbox.state.data import WorldData
    from bot.sandbox.state.events import Events

Json = dict[str, Any]


class Commands:
    """Registered commands. `everywhere` are the global ones; a server's own come before them."""

    def __init__(self, data: WorldData, events: Events) -> None:
        self._data = data
        self._events = events
        self.everywhere: list[Json] = []
        self.by_guild: dict[int, list[Json]] = {}

    def of(self, guild_id: int | None) -> list[Json]:
        return self.everywhere if guild_id is None else self.by_guild.setdefault(guild_id, [])

    def replace(self, payload: Any, guild_id: int | None = None) -> list[Json]:
        """Registers a whole list. A command keeps its id if one of its type and name was registered.

        Raises:
            InvalidFormError: Discord would refuse the list.
        """
        if problems := command_rules.check_commands(payload):
            raise InvalidFormError(problems)
        before = {(c["type"], c["name"]): c["id"] for c in self.of(guild_id)}
        found = [self._wire(c, guild_id, before.get((c.get("type") or 1, c["name"]))) for c in payload]
        self.of(guild_id)[:] = found
        self._changed()
        return found

    def upsert(self, payload: Any, guild_id: int | None = None, command_id: int | None = None) -> Json:
        """Registers or changes one command. The others stay as they are."""
        old = self.get(command_id, guild_id) if command_id is not None else None
        merged: Json = {**_request(old), **payload} if old is not None else payload
        name = merged.get("name"), merged.get("type") or 1
        others = [c for c in self.of(guild_id) if c is not old and (c["name"], c["type"]) != name]
        self.replace([*map(_request, others), merged], guild_id)
        return self.of(guild_id)[-1]

    def get(self, command_id: int, guild_id: int | None = None) -> Json:
        for command in self.of(guild_id):
            if command["id"] == str(command_id):
                return command
        raise WireError(404, 10063, "Unknown application command")

    def delete(self, command_id: int, guild_id: int | None = None) -> None:
        self.of(guild_id).remove(self.get(command_id, guild_id))
        self._changed()

    def find(self, name: str, kind: int, guild_id: int | None) -> Json:
        """Returns the command of that type and name that a person finds in a server.

        Raises:
            Refused: There is none.
        """
        for command in [*self.by_guild.get(guild_id or 0, ()), *self.everywhere]:
            if (command["type"], command["name"]) == (kind, name):
                found: Json = command
                return found
        names = sorted(c["name"] for c in self.everywhere if c["type"] == kind)
        raise Refused(f"no command {name!r} of type {kind} is registered; there are {names}")

    def _changed(self) -> None:
        self._events.publish({"type": "commands"})

    def _wire(self, command: Json, guild_id: int | None, identity: str | None) -> Json:
        found = {k: v for k, v in command.items() if v is not None}
        found.setdefault("type", 1)
        found.setdefault("description", "")
        found.setdefault("nsfw", False)
        found.setdefault("integration_types", [0])
        found.setdefault("contexts", None)
        if found["type"] == command_rules.CHAT_INPUT:
            found["options"] = [_option(o) for o in found.get("options", ())]
        else:
            found.pop("options", None)
        rights = command.get("default_member_permissions")
        found["default_member_permissions"] = None if rights is None else str(rights)
        found["id"] = identity or str(self._data.ids())
        found["application_id"] = str(self._data.application_id)
        found["version"] = str(self._data.ids())
        if guild_id is not None:
            found["guild_id"] = str(guild_id)
        return found


def _option(option: Json) -> Json:
    found = {k: v for k, v in option.items() if v is not None}
    if "options" in found:
        found["options"] = [_option(o) for o in found["options"]]
    return found


def _request(command: Json) -> Json:
    """Returns a registered command in the form of a registration."""
    rights = command["default_member_permissions"]
    kept = {k: v for k, v in command.items() if k not in {"application_id", "version", "guild_id"}}
    return kept | {"default_member_permissions": None if rights is None else int(rights)}
