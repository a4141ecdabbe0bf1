"""The operations that the page may request, by name in `OPS`."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.page import management, welcome
from bot.sandbox.page import requests as read
from bot.sandbox.page.management import DENIABLE
from bot.sandbox.page.requests import BadRequest, Request
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction
    from bot.sandbox.page.welcome import Welcome
    from bot.sandbox.world import World

Json = dict[str, Any]
SAFE_INTEGER = 1 << 53  # the largest whole number of JavaScript
HISTORY_LIMIT = 50  # messages of a channel's history sent at once
SEAT: Final = re.compile(r"[0-9]{1,20}")
USER_NAME_LIMIT = 32  # characters of a person's name, as in Discord

log = logging.getLogger(__name__)


@dataclass
class PageState:
    """The state of one page: the users whose seats it shows."""

    watched: frozenset[int] = frozenset()
    welcome: Welcome | None = None
    """The content of its welcome card, if it has one."""


Operation = Callable[["World", PageState, Request], Awaitable[object]]


def ids_as_text(value: object, key: str = "") -> object:
    """Returns the same JSON value with every id as a string."""
    if isinstance(value, Mapping):
        return {str(name): ids_as_text(part, str(name)) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [ids_as_text(part, key) for part in value]
    if isinstance(value, int) and not isinstance(value, bool):
        identity = key == "only" or key.endswith("_id")
        return str(value) if identity or abs(value) >= SAFE_INTEGER else value
    return value


def event_for_page(world: World, page: PageState, event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Returns the event as it is sent to this page; None if it is not sent.

    An event for one person goes to the pages that show that person's seat, any other event to all pages: they count
    unread messages also for seats that they do not show.
    """
    if "only" in event:
        return event if int(event["only"]) in page.watched else None
    match event["type"]:
        case "commands":
            return {**event, "commands": _commands(world)}
        case "users":
            return {**event, "users": _users(world), "channels": _channels(world), "roles": _roles(world)}
        case "channel_create" | "channel_update":
            return {**event, "channel": _channel(world, event["channel"])}
        case _:
            return event


def _users(world: World) -> list[Json]:
    """Returns the people, with their permissions in the server. A client offers only the commands that these allow."""
    return [user | _user_status(world, identity) for identity, user in world.users.items()]


def _user_status(world: World, user: int) -> Json:
    server = world.guild_id
    rights = world.permissions.in_guild(server, user) if user in world.members[server] else 0
    return {
        "permissions": str(rights),
        "owner": world.guilds[server]["owner_id"] == str(user),
        "manages": bool(rights & permissions.MANAGE_GUILD),
        "open": user not in world.dms_closed,
    }


def _commands(world: World) -> list[Json]:
    return [*world.registered.of(world.guild_id), *world.commands]


def _channels(world: World) -> list[Json]:
    return [_channel(world, channel) for channel in world.channels.values()]


def _roles(world: World) -> list[Json]:
    return [{"id": role["id"], "name": role["name"]} for role in world.guilds[world.guild_id]["roles"]]


def _channel(world: World, channel: Json) -> Json:
    """Returns a channel, with the permissions that the bot lacks there, and the people who see it unless all do."""
    identity = int(channel["id"])
    denied = world.permissions.denied(identity) if identity in world.channels else 0
    seats = [str(user) for user in world.users if world.sees(user, identity)]
    more = {} if len(seats) == len(world.users) else {"seats": seats}
    return {**channel, "denied": [name for name, bits in DENIABLE.items() if denied & bits], **more}


async def answer(world: World, page: PageState, request: Request) -> dict[str, object]:
    """Runs the request: `{"ok": …}`, or `{"error": {"code", "message"}}`.

    Codes: `timeout`: the bot did not answer in time; `refused`: the world would not do it; `bad`: it was not
    understood; `failed`: anything else.
    """
    try:
        return {"ok": await OPS[str(request["op"])](world, page, request)}
    except BadRequest as error:
        return _error(BadRequest.code, error)
    except TimeoutError as error:
        return _error("timeout", error)
    except (LookupError, ValueError, PermissionError) as error:
        return _error("refused", error)
    except Exception as error:  # the page must learn of any error
        log.exception("the page's request failed")
        return _error("failed", error)


def _error(code: str, error: BaseException) -> dict[str, object]:
    text = str(error.args[0]) if error.args else type(error).__name__
    return {"error": {"code": code, "message": text}}


def _interaction(interaction: Interaction) -> dict[str, object]:
    return {
        "interaction_id": interaction.id,
        "deferred": interaction.deferred,
        "message_id": (interaction.message or {}).get("id"),
        "modal": interaction.modal,
    }


async def _hello(world: World, page: PageState, request: Request) -> object:
    welcome.arrive(world, str(request.get("language", "")))
    await _watch(world, page, request)
    return {
        "since": world.ids(),
        "welcome": page.welcome and page.welcome.told(),
        "users": _users(world),
        "bot": world.bot_user,
        "guild_id": world.guild_id,
        "channels": _channels(world),
        "roles": _roles(world),
        "commands": _commands(world),
    }


async def _watch(world: World, page: PageState, request: Request) -> object:
    seats = request.get("seats", [])
    if not isinstance(seats, list):
        raise BadRequest("seats: not a list")
    page.watched = frozenset(int(seat) for seat in seats if SEAT.fullmatch(str(seat))) & frozenset(world.users)
    return {}


async def _history(world: World, _page: PageState, request: Request) -> object:
    """Returns the messages of a channel. Private ones are left out from before the message id `since`, when the page
    was opened.
    """
    seat, channel = read.identity(request, "seat"), read.identity(request, "channel")
    messages = world.visible_messages(seat, channel)
    if request.get("since") is not None:
        since, owners = read.identity(request, "since"), world.messages.owners
        messages = [m for m in messages if int(m["id"]) > since or int(m["id"]) not in owners]
    if request.get("before") is not None:
        before = read.identity(request, "before")
        messages = [message for message in messages if int(message["id"]) < before]
    return {"messages": messages[-HISTORY_LIMIT:], "more": len(messages) > HISTORY_LIMIT}


async def _slash(world: World, _page: PageState, request: Request) -> object:
    seat, channel = read.identity(request, "seat"), read.identity(request, "channel")
    return _interaction(await world.slash(seat, channel, read.text(request, "command"), read.options(request)))


async def _autocomplete(world: World, _page: PageState, request: Request) -> object:
    seat, channel = read.identity(request, "seat"), read.identity(request, "channel")
    command, focused = read.text(request, "command"), read.text(request, "focused")
    return {"choices": await world.autocomplete(seat, channel, command, read.options(request), focused)}


async def _press(world: World, _page: PageState, request: Request) -> object:
    seat, message = read.identity(request, "seat"), read.identity(request, "message")
    return _interaction(await world.press(seat, message, read.text(request, "custom_id")))


async def _choose(world: World, _page: PageState, request: Request) -> object:
    seat, message = read.identity(request, "seat"), read.identity(request, "message")
    values = request.get("values")
    if not isinstance(values, list):
        raise BadRequest("values: not a list")
    chosen = [str(value) for value in values]
    return _interaction(await world.choose(seat, message, read.text(request, "custom_id"), chosen))


async def _submit(world: World, _page: PageState, request: Request) -> object:
    seat, interaction = read.identity(request, "seat"), read.identity(request, "interaction")
    values = request.get("values")
    if not isinstance(values, Mapping):
        raise BadRequest("values: not an object")
    fields = {str(name): [*map(str, v)] if isinstance(v, list) else str(v) for name, v in values.items()}
    return _interaction(await world.submit(seat, interaction, fields))


async def _context(world: World, _page: PageState, request: Request) -> object:
    seat, channel = read.identity(request, "seat"), read.identity(request, "channel")
    command, target = read.text(request, "command"), read.identity(request, "target")
    return _interaction(await world.context(seat, channel, command, target))


async def _say(world: World, _page: PageState, request: Request) -> object:
    seat, channel = read.identity(request, "seat"), read.identity(request, "channel")
    text = read.text(request, "text").strip()
    if not 0 < len(text) <= 2_000:
        raise BadRequest("text: 1 to 2,000 characters")
    world.say(seat, channel, text)
    return {}


async def _direct(world: World, _page: PageState, request: Request) -> object:
    seat, target = read.identity(request, "seat"), read.identity(request, "target")
    to_bot = target == world.application_id
    channel = world.direct_channel(seat) if to_bot else world.direct_channel(seat, target, bot=False)
    return {"channel": _channel(world, world.channels[channel])}


async def _add_user(world: World, _page: PageState, request: Request) -> object:
    user = world.add_user(read.name(request, USER_NAME_LIMIT), locale=read.locale(request))
    world.publish({"type": "users"})
    return {"user": world.users[user]}


async def _set_locale(world: World, _page: PageState, request: Request) -> object:
    world.users[read.identity(request, "seat")]["locale"] = read.locale(request)
    welcome.speak(world)
    world.publish({"type": "users"})
    return {}


def _without_page(op: Callable[[World, Request], Awaitable[object]]) -> Operation:
    async def run(world: World, _page: PageState, request: Request) -> object:
        return await op(world, request)

    return run


OPS: Mapping[str, Operation] = {
    "hello": _hello,
    "watch": _watch,
    "history": _history,
    "slash": _slash,
    "autocomplete": _autocomplete,
    "press": _press,
    "choose": _choose,
    "submit": _submit,
    "context": _context,
    "say": _say,
    "direct": _direct,
    "add_user": _add_user,
    "set_locale": _set_locale,
    **{name: _without_page(op) for name, op in management.OPS.items()},
}
