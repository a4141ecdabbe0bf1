"""Operations of a server's owner: its managers, its channels, the bot's permissions there.

Unlike Discord's client, the page asks for no permission here, so that every situation can be tried out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import Refused
from bot.sandbox.page import requests as read
from bot.sandbox.page.requests import BadRequest, Request
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from bot.sandbox.world import World

Json = dict[str, Any]
CHANNEL_NAME_LIMIT = 100  # characters of a channel's or thread's name, as in Discord
DENIABLE: Mapping[str, int] = {
    "view": permissions.VIEW_CHANNEL,
    "send": permissions.SEND_MESSAGES,
    "files": permissions.ATTACH_FILES,
    "threads": permissions.CREATE_PUBLIC_THREADS,
    "reply": permissions.SEND_MESSAGES_IN_THREADS,
}
"""The permissions that the page can deny the bot in a channel: those that its games there need."""


async def _set_manager(world: World, request: Request) -> object:
    on, person = read.boolean(request), _person(world, request)
    if not on and world.guilds[world.guild_id]["owner_id"] == str(person):
        raise Refused("the owner of a server manages it")
    world.grant(world.guild_id, person, permissions.MANAGER if on else permissions.MEMBER)
    world.publish({"type": "users"})
    return {}


async def _set_open(world: World, request: Request) -> object:
    person = _person(world, request)
    (world.dms_closed.discard if read.boolean(request) else world.dms_closed.add)(person)
    world.publish({"type": "users"})
    return {}


async def _add_channel(world: World, request: Request) -> object:
    return {"channel_id": world.add_channel(_channel_name(request))}


async def _rename(world: World, request: Request) -> object:
    channel = _guild_channel(world, request)
    if "thread_metadata" in channel:
        world.change_thread(int(channel["id"]), name=read.name(request, CHANNEL_NAME_LIMIT))
    else:
        channel["name"] = _channel_name(request)
        world.events.channel("update", channel)
    return {}


async def _delete_channel(world: World, request: Request) -> object:
    world.delete_channel(int(_guild_channel(world, request)["id"]))
    return {}


async def _lock(world: World, request: Request) -> object:
    """Locks a thread and archives it, as Discord's client does."""
    thread, on = _guild_channel(world, request), read.boolean(request)
    if "thread_metadata" not in thread:
        raise Refused("only threads can be locked")
    world.change_thread(int(thread["id"]), archived=on, locked=on)
    return {}


async def _let_bot(world: World, request: Request) -> object:
    channel, right, on = _guild_channel(world, request), read.text(request, "right"), read.boolean(request)
    if right not in DENIABLE:
        raise BadRequest("right: unknown")
    if "permission_overwrites" not in channel:
        raise Refused("a thread has the permissions of its channel")
    (world.allow if on else world.deny)(int(channel["id"]), DENIABLE[right])
    return {}


def _person(world: World, request: Request) -> int:
    person = read.identity(request, "person")
    if person not in world.users:
        raise Refused("there is no such person")
    return person


def _guild_channel(world: World, request: Request) -> Json:
    """Returns a channel or thread of a server."""
    channel = world.channels.get(read.identity(request, "channel"))
    if channel is None or "guild_id" not in channel:
        raise Refused("there is no such channel in the server")
    return channel


def _channel_name(request: Request) -> str:
    """Reads the name of a text channel: small letters, no spaces."""
    return read.name(request, CHANNEL_NAME_LIMIT).lower().replace(" ", "-")


OPS: Mapping[str, Callable[[World, Request], Awaitable[object]]] = {
    "set_manager": _set_manager,
    "set_open": _set_open,
    "add_channel": _add_channel,
    "rename": _rename,
    "delete_channel": _delete_channel,
    "lock": _lock,
    "let_bot": _let_bot,
}
