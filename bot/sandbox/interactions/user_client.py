"""A person's Discord client. It makes interactions, and refuses acts that the client would not offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import Refused
from bot.sandbox.interactions import payloads
from bot.sandbox.interactions.interaction import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from bot.sandbox.state.attachments import Upload
from bot.sandbox.validation import components as c
from bot.sandbox.validation.commands import CHAT_INPUT, GROUP, SUBCOMMAND, USER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.interactions.lifecycle import Interactions
    from bot.sandbox.state.commands import Commands
    from bot.sandbox.state.data import WorldData
    from bot.sandbox.state.effective_permissions import EffectivePermissions
    from bot.sandbox.state.messages import Messages

Json = dict[str, Any]
STRING, INTEGER, BOOLEAN, USER_OPTION, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = 3, 4, 5, 6, 7, 8, 9, 10, 11

LARGEST = 10 * 1024 * 1024
"""The most bytes of a file that a person may send."""


class UserClient:
    """Makes interactions from a person's acts in a world."""

    def __init__(
        self,
        data: WorldData,
        permissions: EffectivePermissions,
        messages: Messages,
        commands: Commands,
        interactions: Interactions,
    ) -> None:
        self._data = data
        self._permissions = permissions
        self._messages = messages
        self._commands = commands
        self._interactions = interactions

    def slash(self, user_id: int, channel_id: int, path: str, given: Mapping[str, Any]) -> Interaction:
        data = self._command(user_id, channel_id, path, given, None)
        return self._new("slash", COMMAND, user_id, channel_id, data)

    def autocomplete(
        self, user_id: int, channel_id: int, path: str, given: Mapping[str, Any], focused: str
    ) -> Interaction:
        data = self._command(user_id, channel_id, path, given, focused)
        found = self._new("autocomplete", AUTOCOMPLETE, user_id, channel_id, data)
        options = data["options"]
        while options and options[0]["type"] in {SUBCOMMAND, GROUP}:
            options = options[0]["options"]
        found.focused = next(o["type"] for o in options if o.get("focused"))
        return found

    def context(self, user_id: int, channel_id: int, name: str, target_id: int) -> Interaction:
        command = self._find(user_id, channel_id, name, USER)
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": USER,
            "target_id": str(target_id),
            "resolved": self._resolved(channel_id, [target_id]),
        }
        return self._new("context", COMMAND, user_id, channel_id, data)

    def press(self, user_id: int, message_id: int, custom_id: str) -> Interaction:
        message, button = self._component(user_id, message_id, custom_id, frozenset({c.BUTTON}))
        return self._used(user_id, message, button, {}, "button")

    def choose(self, user_id: int, message_id: int, custom_id: str, values: list[str]) -> Interaction:
        message, menu = self._component(user_id, message_id, custom_id, c.SELECTS)
        self._check_values(menu, values)
        more: Json = {"values": list(values)}
        if menu["type"] in {c.USER_SELECT, c.MENTIONABLE_SELECT}:
            more["resolved"] = self._resolved(int(message["channel_id"]), [int(v) for v in values])
        if menu["type"] == c.CHANNEL_SELECT:
            self._check_places(user_id, menu, values)
            more["resolved"] = self._resolved(int(message["channel_id"]), [], tuple(int(v) for v in values))
        if menu["type"] == c.ROLE_SELECT:
            more["resolved"] = {"roles": self._chosen_roles(int(message["channel_id"]), values)}
        return self._used(user_id, message, menu, more, "select")

    def submit(self, user_id: int, opened_id: int, values: Mapping[str, str | list[str]]) -> Interaction:
        opened = self._interactions.live.get(opened_id)
        if opened is None or opened.modal is None or opened.user_id != user_id:
            raise Refused("no such modal is open")
        modal = opened.modal
        fields = {x["custom_id"]: x for _, x in c.walk(modal["components"]) if "custom_id" in x}
        if unknown := values.keys() - fields.keys():
            raise Refused(f"the modal has no fields {sorted(unknown)}; it has {sorted(fields)}")
        data: Json = {
            "custom_id": modal["custom_id"],
            "components": [self._submitted(x, n + 1, values) for n, x in enumerate(modal["components"])],
        }
        chosen = [int(v) for k, f in fields.items() if f["type"] == c.USER_SELECT for v in values.get(k, ())]
        if chosen:
            data["resolved"] = self._resolved(opened.channel_id, chosen)
        sent = self._new("modal", MODAL, user_id, opened.channel_id, data)
        sent.opened_by = opened
        sent.source = opened.source
        if opened.source is not None and (message := self._messages.find(opened.source)) is not None:
            sent.payload["message"] = message
        return sent

    def _new(self, kind: str, interaction_type: int, user_id: int, channel_id: int, data: Json) -> Interaction:
        return payloads.new_interaction(
            self._data, self._permissions, kind, interaction_type, user_id, channel_id, data
        )

    # commands

    def _find(self, user_id: int, channel_id: int, name: str, kind: int) -> Json:
        world = self._data
        if not world.sees(user_id, channel_id):
            raise Refused("this channel cannot be seen")
        channel = world.channels[channel_id]
        guild_id = int(channel["guild_id"]) if "guild_id" in channel else None
        command = self._commands.find(name, kind, guild_id)
        away = channel_id in world.without_bot or guild_id in world.without_bot
        if away and 1 not in command["integration_types"]:
            raise Refused(f"{name!r} can be installed to servers only, and the bot is not here")
        context = 0 if guild_id is not None else 2 if away else 1
        contexts = command["contexts"]
        if contexts is not None and context not in contexts:
            raise Refused(f"{name!r} is not offered in context {context}, only in {contexts}")
        needed = command["default_member_permissions"]
        if guild_id is not None and needed is not None:
            rights = self._permissions.in_channel(user_id, channel_id)
            if not int(needed) or rights & int(needed) != int(needed):
                raise Refused(f"{name!r} asks for permissions {needed}")
        return command

    def _command(self, user_id: int, channel_id: int, path: str, given: Mapping[str, Any], focused: str | None) -> Json:
        name, *below = path.split()
        command = self._find(user_id, channel_id, name, CHAT_INPUT)
        node, nested = command, []
        for part in below:
            inner = next((o for o in node["options"] if o["name"] == part and o["type"] in {1, 2}), None)
            if inner is None:
                raise Refused(f"/{path}: there is no {part!r}; there is {[o['name'] for o in node['options']]}")
            nested.append((inner["type"], part))
            node = inner
        declared = node.get("options") or []
        if any(o["type"] in {SUBCOMMAND, GROUP} for o in declared):
            raise Refused(f"/{path} needs one of {[o['name'] for o in declared]}")
        if unknown := given.keys() - {o["name"] for o in declared}:
            raise Refused(f"/{path} has no options {sorted(unknown)}; it has {[o['name'] for o in declared]}")
        if focused is not None and not any(o["name"] == focused and o.get("autocomplete") for o in declared):
            raise Refused(f"/{path}: {focused!r} has no autocomplete")
        options: list[Json] = []
        for option in declared:
            key = option["name"]
            if key == focused:
                options.append({"name": key, "type": option["type"], "value": given.get(key, ""), "focused": True})
            elif key in given:
                value = given[key] if focused is not None else self._value(option, given[key])
                options.append({"name": key, "type": option["type"], "value": value})
            elif option.get("required") and focused is None:
                raise Refused(f"/{path}: {key!r} is required")
        people = [int(o["value"]) for o in options if o["type"] in {USER_OPTION, MENTIONABLE}]
        places = tuple(int(o["value"]) for o in options if o["type"] == CHANNEL)
        files = self._sent_files(options)
        for kind, part in reversed(nested):
            options = [{"name": part, "type": kind, "options": options}]
        data: Json = {"id": command["id"], "name": name, "type": CHAT_INPUT, "options": options}
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        if people or places or files:
            data["resolved"] = self._resolved(channel_id, people, places) | files
        return data

    def _sent_files(self, options: list[Json]) -> Json:
        """Stores the files among the options and replaces them by their ids. Returns the attachments by these ids."""
        found: Json = {}
        for option in options:
            if isinstance(option["value"], Upload):
                stored = self._messages.store_upload(option["value"])
                option["value"] = stored["id"]
                found[stored["id"]] = stored | {"ephemeral": True}
        return {"attachments": found} if found else {}

    def _value(self, option: Mapping[str, Any], value: Any) -> Any:
        """Returns the value of an option as the client would send it."""
        kind, name = option["type"], option["name"]
        if kind == BOOLEAN:
            fits = isinstance(value, bool)
        elif kind == INTEGER:
            fits = isinstance(value, int) and not isinstance(value, bool)
        elif kind == NUMBER:
            fits = isinstance(value, int | float) and not isinstance(value, bool)
        elif kind == STRING:
            fits = isinstance(value, str) and value != ""
        elif kind == FILE:
            fits = isinstance(value, Upload) and len(value.content) <= LARGEST
        else:
            value = str(value)
            known = {USER_OPTION: self._data.people(), CHANNEL: self._data.channels}.get(kind)
            fits = value.isdecimal() and (known is None or int(value) in known)
        if not fits:
            raise Refused(f"{name!r} does not take {value!r}")
        choices = option.get("choices")
        if choices and value not in [x["value"] for x in choices]:
            raise Refused(f"{name!r} takes one of {[x['value'] for x in choices]}, not {value!r}")
        measure = len(value) if kind == STRING else value
        low, high = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
        if (low in option and measure < option[low]) or (high in option and measure > option[high]):
            raise Refused(f"{name!r}: {value!r} is out of {option.get(low)} to {option.get(high)}")
        return value

    def _resolved(self, channel_id: int, people: list[int], places: tuple[int, ...] = ()) -> Json:
        world = self._data
        channel = world.channels[channel_id]
        found: Json = {"users": {str(u): world.person(u) for u in people}}
        if "guild_id" in channel:
            guild_id = int(channel["guild_id"])
            hidden = {"user", "mute", "deaf"}
            members = {}
            for u in people:
                member = world.members[guild_id].get(u) or world.member(guild_id, u)
                rights = {"permissions": str(self._permissions.in_channel(u, channel_id))}
                members[str(u)] = {k: v for k, v in member.items() if k not in hidden} | rights
            found["members"] = members
        if places:
            found["channels"] = {
                str(p): {k: world.channels[p].get(k) for k in ("id", "type", "name", "parent_id")}
                | {"permissions": str(self._permissions.in_channel(world.application_id, p))}
                for p in places
            }
        return {k: v for k, v in found.items() if v}

    # components

    def _component(self, user_id: int, message_id: int, custom_id: str, kinds: frozenset[int]) -> tuple[Json, Json]:
        world = self._data
        message = self._messages.find(message_id)
        owner = self._messages.owners.get(message_id, user_id)
        if message is None or owner != user_id or not world.sees(user_id, int(message["channel_id"])):
            raise Refused("this person sees no such message")
        for _, component in c.walk(message["components"]):
            if component.get("custom_id") == custom_id and component["type"] in kinds:
                if component.get("disabled"):
                    raise Refused(f"{custom_id!r} is disabled")
                return message, component
        there = [x["custom_id"] for _, x in c.walk(message["components"]) if "custom_id" in x]
        raise Refused(f"the message has no {custom_id!r} of types {sorted(kinds)}; it has {there}")

    def _used(self, user_id: int, message: Json, component: Json, more: Json, kind: str) -> Interaction:
        data = {"custom_id": component["custom_id"], "component_type": component["type"], "id": component["id"]}
        channel_id = int(message["channel_id"])
        sent = self._new(kind, COMPONENT, user_id, channel_id, data | more)
        sent.source = int(message["id"])
        sent.payload["message"] = message
        return sent

    def _check_values(self, menu: Mapping[str, Any], values: list[str]) -> None:
        low, high = menu.get("min_values", 1), menu.get("max_values", 1)
        if not low <= len(values) <= high or len(set(values)) != len(values):
            raise Refused(f"{low} to {high} values can be chosen, each once")
        if menu["type"] == c.STRING_SELECT:
            offered = [o["value"] for o in menu["options"]]
            if missing := [v for v in values if v not in offered]:
                raise Refused(f"{missing} are not offered; there are {offered}")
        elif menu["type"] == c.USER_SELECT and not all(int(v) in self._data.people() for v in values):
            raise Refused("there is no such person")

    def _check_places(self, user_id: int, menu: Mapping[str, Any], values: list[str]) -> None:
        """Checks that the channels have the menu's kinds and that the person sees them."""
        world, kinds = self._data, menu.get("channel_types")
        for value in values:
            channel = world.channels.get(int(value)) if value.isdecimal() else None
            if channel is None or not world.sees(user_id, int(value)) or (kinds and channel["type"] not in kinds):
                raise Refused(f"{value!r} is not offered: no channel of the types {kinds} that this person sees")

    def _chosen_roles(self, channel_id: int, values: list[str]) -> Json:
        """Returns the server's roles of these ids."""
        guild = self._data.guilds.get(int(self._data.channels[channel_id].get("guild_id", 0)), {"roles": ()})
        found = {role["id"]: role for role in guild["roles"] if role["id"] in values}
        if missing := [value for value in values if value not in found]:
            raise Refused(f"{missing} are no roles of this server")
        return found

    # modals

    def _submitted(self, item: Json, number: int, values: Mapping[str, str | list[str]]) -> Json:
        if item["type"] == c.ROW:
            inner = [self._field(x, number * 10, values) for x in item["components"]]
            return {"type": c.ROW, "id": number, "components": inner}
        if item["type"] == c.LABEL:
            return {"type": c.LABEL, "id": number, "component": self._field(item["component"], number * 10, values)}
        return {"type": item["type"], "id": number}

    def _field(self, field: Json, number: int, values: Mapping[str, str | list[str]]) -> Json:
        name = field["custom_id"]
        needed = field.get("required", True)
        base = {"type": field["type"], "id": field.get("id") or number, "custom_id": name}
        value = values.get(name)
        if field["type"] == c.TEXT_INPUT:
            text = str(field.get("value") or "") if value is None else str(value)
            low, high = field.get("min_length") or 0, field.get("max_length") or 4000
            if needed and not text:
                raise Refused(f"{name!r} is required")
            if text and not low <= len(text) <= high:
                raise Refused(f"{name!r} takes {low} to {high} characters")
            return base | {"value": text}
        chosen = [value] if isinstance(value, str) else list(value or ())
        if value is None and field["type"] == c.STRING_SELECT:
            chosen = [o["value"] for o in field["options"] if o.get("default")]
        if chosen or needed:
            self._check_values(field, chosen)
        return base | {"values": chosen}
