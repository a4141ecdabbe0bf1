"""Makes interactions from what is to be seen in the rooms, and from what is not.

Most are as Discord's client sends them; some carry what only a client of somebody's own can send.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from harness.discord import components

from bot.app import FEATURES
from bot.sandbox.state.attachments import Upload
from bot.sandbox.validation.messages import LOADING
from engine.registry import GAMES
from fuzz.mutation import AWKWARD, mutated
from fuzz.seeds import FILES, RESTS, TYPED

if TYPE_CHECKING:
    import random

    from harness.bot import Room
    from harness.discord import Seat

    from bot.sandbox.interactions.interaction import Interaction

Json = dict[str, Any]
VERBS: Final = sorted({verb for feature in FEATURES for handlers in feature.handlers for verb in handlers.by_verb})
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
"""Types of interactions."""
SLASH, OF_PERSON, OF_MESSAGE = 1, 2, 3
"""Types of commands: those of two kinds of context menus come after those that are typed."""
SUBCOMMANDS: Final = frozenset({1, 2})
STRING, INTEGER, BOOLEAN, PERSON, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = 3, 4, 5, 6, 7, 8, 9, 10, 11
"""Types of options."""
BUTTON, LABEL = 2, 18
MENUS: Final = {"m": 3, "u": 5, "r": 6, "c": 8}
"""The type of the menu by what its custom_id begins with."""
OF_MENU: Final = {"u": PERSON, "r": ROLE, "c": CHANNEL}
"""The type of option for the choices of each kind of menu."""
FIELDS: Final = ("move", "reason", "name", "days", "clock", "from", "word")
STRANGER: Final = 0.25
"""How often an interaction is the stranger's in a game in which nobody else does anything."""
FORGED: Final = 0.1
"""How often a part of it is none that Discord's own client would send."""
JUNK: Final[tuple[Any, ...]] = (None, [], {}, 7, -1, "", "9" * 5000, True, 1.5, [None], {"a": 1}, "\ud800", ["x"] * 30)
ID: Final = re.compile(r"[0-9]{1,19}")
BAD_IDS: Final = ("0", "-1", "1", "9" * 19, "9" * 25, "9" * 5000, "x", "", "1.5", "\u0661", "<@1>", "a\nb", "\ud800")
"""Ids of nobody and nothing."""


class Generator:
    """The same ``rng`` in the same rooms makes the same interactions."""

    def __init__(self, rng: random.Random, rooms: list[Room], quiet: list[Room], eve: Seat) -> None:
        self._rng = rng
        self._world = rooms[0].server.world
        self._rooms = rooms
        self._quiet = quiet
        self._eve = eve
        abroad = self._world.add_guild("Abroad")
        self._world.add_channel("abroad", abroad)
        self._world.add_thread(rooms[0].channel_id, "a thread", rooms[0].ana.user_id)

    def make(self) -> Interaction:
        rng = self._rng
        alone = rng.random() < STRANGER
        room = rng.choice(self._quiet if alone else self._rooms)
        stranger = self._eve.at(room.channel_id)
        who = stranger if alone else rng.choice((room.ana, room.ben, stranger))
        kind = rng.choice(("slash", "slash", "autocomplete", "button", "button", "button", "modal", "context"))
        if kind in {"slash", "autocomplete"}:
            data = self._command(room, typing=kind == "autocomplete")
        elif kind == "context":
            data = self._context_menu(room)
        else:
            data = self._form(room) if kind == "modal" else self._press(room)
            if rng.random() < FORGED:
                data = self._broken(data)
        number = {"autocomplete": AUTOCOMPLETE, "button": COMPONENT, "modal": MODAL}.get(kind, COMMAND)
        if kind == "context" and data.get("target_id") not in map(str, self._world.people()):
            kind = "slash"  # the stand-in names the target of a menu in the bot's message
        sent = self._world.user_client._new(kind, number, who.user_id, who.channel_id, data)
        if number in {COMPONENT, MODAL}:
            pressable = [m for m in who.messages[-12:] if "flags" in m and not m["flags"] & LOADING]
            message = rng.choice(pressable or [room.board])
            sent.source = int(message["id"])
            sent.payload["message"] = message
        return sent

    # --- buttons, menus and forms --------------------------------------------------------------------------------

    def _press(self, room: Room) -> Json:
        rng = self._rng
        kind = rng.choice(("b", "b", "b", "m", "m", *OF_MENU))
        if kind == "b":
            return {"custom_id": self._custom_id("b", room), "component_type": BUTTON, "id": 1}
        data: Json = {"custom_id": self._custom_id(kind, room), "component_type": MENUS[kind], "id": 1}
        if rng.random() < FORGED:
            data["component_type"] = rng.choice((BUTTON, 7, *MENUS.values()))
        count = rng.choice((0, 1, 1, 1, 2, 3, 25))
        if kind == "m":
            offered = [*self._seen(room), *VERBS, *GAMES, "1", "", self._text()]
            return data | {"values": [rng.choice(offered) for _ in range(count)]}
        data["values"] = [self._id(OF_MENU[kind]) for _ in range(count)]
        return self._resolving(data, room, [(OF_MENU[kind], value) for value in data["values"]])

    def _form(self, room: Room) -> Json:
        rng = self._rng
        fields: list[Json] = []
        for number, key in enumerate(rng.sample(FIELDS, 2)):
            field: Json = {"type": 4, "id": number + 20, "custom_id": key, "value": self._text()}
            if rng.random() < FORGED:  # a menu in a form
                field = field | {"type": rng.choice((3, 5, 6, 8)), "values": [self._id(PERSON)]}
                del field["value"]
            fields.append({"type": LABEL, "id": number, "component": field})
        return {"custom_id": self._custom_id("f", room), "components": fields}

    def _custom_id(self, kind: str, room: Room) -> str:
        rng = self._rng
        seen = [one for one in self._seen(room) if one.startswith(f"{kind}:")]
        if seen and rng.random() < 0.5:
            return mutated(rng, seen) if rng.random() < 0.5 else rng.choice(seen)
        game = rng.choice(self._seen(room) or ["b:x:x:0:"]).split(":")
        subject = rng.choice((game[2] if len(game) > 2 else "x", "me", "1", "nobody", *GAMES))
        made = f"{kind}:{rng.choice(VERBS)}:{subject}:{rng.randint(0, 12)}:{rng.choice(RESTS)}"
        return mutated(rng, [made])[:100] if rng.random() < 0.3 else made

    def _seen(self, room: Room) -> list[str]:
        """Returns the custom_ids in the room's last messages, private ones included."""
        messages = [*room.ana.messages[-6:], *room.ben.messages[-6:]]
        return [found["custom_id"] for message in messages for found in components(message) if "custom_id" in found]

    def _broken(self, data: Json) -> Json:
        """Returns the data with one part of its values or fields replaced or removed."""
        broken = deepcopy(data)
        part: Any = broken.get("values", broken.get("components", []))
        while isinstance(part, dict | list) and part:
            key: Any = self._rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[key], dict | list) or not part[key] or self._rng.random() < 0.5:
                if self._rng.random() < 0.3:
                    del part[key]
                else:
                    part[key] = self._rng.choice([*JUNK, *AWKWARD])
                break
            part = part[key]
        return broken

    # --- commands ------------------------------------------------------------------------------------------------

    def _command(self, room: Room, *, typing: bool) -> Json:
        rng = self._rng
        command = rng.choice([each for each in self._world.commands if each["type"] == SLASH])
        path, node = [], command
        while inner := [each for each in node.get("options") or () if each["type"] in SUBCOMMANDS]:
            node = rng.choice(inner)
            path.append((node["type"], node["name"]))
        options = [
            {"name": each["name"], **self._given(each)}
            for each in node.get("options") or ()
            if each.get("required") or rng.random() < 0.5
        ]
        helped = {each["name"] for each in node.get("options") or () if each.get("autocomplete")}
        if typing:
            typed = [one for one in options if one["name"] in helped and one["type"] == STRING]
            if not typed:
                return self._command(room, typing=True)
            rng.choice(typed)["focused"] = True
        data: Json = {"id": command["id"], "name": command["name"], "type": SLASH}
        data = self._resolving(data, room, [(one["type"], one["value"]) for one in options])
        for kind, name in reversed(path):
            options = [{"name": name, "type": kind, "options": options}]
        return data | {"options": options}

    def _given(self, option: Json) -> Json:
        """Returns the type and the value of an option. Some are of another type, as another release may have had it."""
        kind = option["type"] if self._rng.random() >= 0.03 else self._rng.randint(STRING, FILE)
        return {"type": kind, "value": self._value(option | {"type": kind})}

    def _value(self, option: Json) -> Any:
        rng = self._rng
        if rng.random() < 0.03:
            return rng.choice(JUNK)
        choices = [each["value"] for each in option.get("choices") or ()]
        if choices and rng.random() < 0.8:
            return rng.choice(choices)
        kind = option["type"]
        if kind in {PERSON, CHANNEL, ROLE, MENTIONABLE, FILE}:
            return self._id(kind)
        return {
            STRING: self._text(),
            INTEGER: rng.choice((0, 1, 7, -1, 10**12)),
            BOOLEAN: rng.random() < 0.5,
            NUMBER: rng.choice((0.5, -1.0, 1e300)),
        }[kind]

    def _context_menu(self, room: Room) -> Json:
        """Returns a command of the menu of a person or of a message; some are of the other menu, or of none."""
        rng = self._rng
        command = rng.choice([each for each in self._world.commands if each["type"] != SLASH])
        kind, name = command["type"], command["name"]
        if rng.random() < FORGED:
            kind = rng.choice((OF_PERSON, OF_MESSAGE))
        if rng.random() < FORGED:
            name = rng.choice([self._text(), *(each["name"] for each in self._world.commands)])
        data: Json = {"id": command["id"], "name": name, "type": kind}
        if kind == OF_MESSAGE:
            message = rng.choice([*room.ana.messages[-6:], room.board])
            return data | {"target_id": message["id"], "resolved": {"messages": {message["id"]: message}}}
        if rng.random() < FORGED:
            target: Any = rng.choice(("", "x", "-1", "9" * 25, "9" * 5000, None))
            return data | ({} if target is None else {"target_id": target})
        data["target_id"] = self._id(PERSON)
        return self._resolving(data, room, [(PERSON, data["target_id"])])

    # --- what they refer to --------------------------------------------------------------------------------------

    def _text(self) -> str:
        return mutated(self._rng, TYPED)

    def _id(self, kind: int) -> str:
        """Returns the id of somebody or something: of this server, of another one, or of none."""
        rng, world = self._rng, self._world
        if rng.random() < FORGED:
            return rng.choice(BAD_IDS)
        if kind == FILE:
            return str(world.messages.store_upload(Upload("game.mat", self._content()))["id"])
        roles = [role["id"] for guild in world.guilds.values() for role in guild["roles"]]
        people = [*world.people()]
        found = {CHANNEL: [*world.channels], ROLE: roles, MENTIONABLE: [*roles, *people]}
        return str(rng.choice(found.get(kind, people)))

    def _content(self) -> bytes:
        """Returns the content of an uploaded file."""
        rng = self._rng
        if rng.random() < 0.1:
            return rng.choice((b"", b"\0" * 100, b"\xff\xfe" * 200, rng.randbytes(500), b"9" * 200_000))
        return mutated(rng, FILES).encode("utf-8", "surrogatepass")

    def _resolving(self, data: Json, room: Room, given: list[tuple[int, Any]]) -> Json:
        """Returns the data with Discord's entries for the ids in it; some are missing, as of users who have left."""
        rng, world = self._rng, self._world
        ids = [(kind, int(value)) for kind, value in given if isinstance(value, str) and ID.fullmatch(value)]
        people = {one for kind, one in ids if kind in {PERSON, MENTIONABLE} and one in world.people()}
        places = {one for kind, one in ids if kind == CHANNEL and one in world.channels}
        resolved = world.user_client._resolved(room.channel_id, sorted(people), tuple(sorted(places)))
        for one, told in resolved.get("channels", {}).items():
            resolved["channels"][one] = world.channels[int(one)] | told  # with what only a thread has
        wanted = {str(one) for kind, one in ids if kind in {ROLE, MENTIONABLE}}
        guilds = world.guilds.values()
        if roles := {role["id"]: role for guild in guilds for role in guild["roles"] if role["id"] in wanted}:
            resolved["roles"] = roles
        if files := {str(one): self._file(one) for kind, one in ids if kind == FILE and one in world.messages.files}:
            resolved["attachments"] = files
        if rng.random() < FORGED:
            resolved.pop(rng.choice([*resolved, "members"]), None)
        return data | {"resolved": resolved} if resolved else data

    def _file(self, identity: int) -> Json:
        """Returns an uploaded file as Discord describes it; some can no longer be loaded."""
        url = f"{self._world.base_url}/attachments/{identity if self._rng.random() >= FORGED else 1}/game.mat"
        size = len(self._world.messages.files[identity].content)
        return {"id": str(identity), "filename": "game.mat", "size": size, "url": url, "proxy_url": url}
