"""Registers commands, for everywhere and for single servers."""

from __future__ import annotations

from bot.sandbox.api.call import Answer, Call, Route


def _guild(call: Call) -> int | None:
    return call.id("guild_id") if "guild_id" in call.params else None


def listed(call: Call) -> Answer:
    return 200, list(call.world.registered.of(_guild(call)))


def replace(call: Call) -> Answer:
    return 200, call.world.registered.replace(call.body, _guild(call))


def create(call: Call) -> Answer:
    return 201, call.world.registered.upsert(call.fields, _guild(call))


def one(call: Call) -> Answer:
    return 200, call.world.registered.get(call.id("command_id"), _guild(call))


def change(call: Call) -> Answer:
    return 200, call.world.registered.upsert(call.fields, _guild(call), call.id("command_id"))


def delete(call: Call) -> Answer:
    call.world.registered.delete(call.id("command_id"), _guild(call))
    return 204, None


ROUTES = tuple(
    Route(method, base + path, answer)
    for base in (
        "/applications/{application_id}/commands",
        "/applications/{application_id}/guilds/{guild_id}/commands",
    )
    for method, path, answer in (
        ("GET", "", listed),
        ("PUT", "", replace),
        ("POST", "", create),
        ("GET", "/{command_id}", one),
        ("PATCH", "/{command_id}", change),
        ("DELETE", "/{command_id}", delete),
    )
)
