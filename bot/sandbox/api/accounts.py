"""The bot's account, the address of the gateway, the servers and the people."""

from __future__ import annotations

from typing import Any

from bot.sandbox.api.call import Answer, Call, Route
from bot.sandbox.errors import WireError, missing_access, missing_permission
from bot.sandbox.state import objects, permissions
from bot.sandbox.state.intents import GUILD_MEMBERS

Json = dict[str, Any]


def me(call: Call) -> Answer:
    return 200, call.world.bot_user | {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}


def user(call: Call) -> Answer:
    try:
        return 200, call.world.person(call.id("user_id"))
    except KeyError:
        raise WireError(404, 10013, "Unknown User") from None


def application(call: Call) -> Answer:
    world = call.world
    owner = objects.user(world.application_id - 1, "Owner")
    return 200, {
        "id": str(world.application_id),
        "name": world.bot_user["global_name"],
        "icon": None,
        "description": "",
        "type": None,
        "bot": world.bot_user,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": owner,
        "approximate_guild_count": len(world.guilds) - len(world.without_bot & world.guilds.keys()),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }


def gateway(call: Call) -> Answer:
    return 200, {"url": call.gateway_url}


def gateway_bot(call: Call) -> Answer:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": call.world.max_concurrency}
    return 200, {"url": call.gateway_url, "shards": call.world.shards, "session_start_limit": limit}


def my_guilds(call: Call) -> Answer:
    world = call.world
    return 200, [
        {k: g[k] for k in ("id", "name", "icon", "banner", "features")}
        | {"owner": False, "permissions": str(world.permissions.in_guild(g_id, world.application_id))}
        for g_id, g in world.guilds.items()
        if g_id not in world.without_bot
    ]


def _guild(call: Call) -> tuple[int, Json]:
    guild_id = call.id("guild_id")
    if guild_id not in call.world.guilds:
        raise WireError(404, 10004, "Unknown Guild")
    if guild_id in call.world.without_bot:
        raise missing_access()
    return guild_id, call.world.guilds[guild_id]


def guild(call: Call) -> Answer:
    guild_id, found = _guild(call)
    if call.query_flag("with_counts"):
        count = len(call.world.members[guild_id]) + 1
        found = found | {"approximate_member_count": count, "approximate_presence_count": count}
    return 200, found


def roles(call: Call) -> Answer:
    return 200, _guild(call)[1]["roles"]


def channels(call: Call) -> Answer:
    guild_id = str(_guild(call)[0])
    found = [c for c in call.world.channels.values() if c.get("guild_id") == guild_id]
    return 200, [c for c in found if "thread_metadata" not in c]


def active_threads(call: Call) -> Answer:
    guild_id = str(_guild(call)[0])
    mine = [c for c in call.world.channels.values() if c.get("guild_id") == guild_id and "thread_metadata" in c]
    joined = [call.world.thread_members[int(t["id"])].get(call.world.application_id) for t in mine]
    threads = [t for t in mine if not t["thread_metadata"]["archived"]]
    return 200, {"threads": threads, "members": [m for m in joined if m], "has_more": False}


def member(call: Call) -> Answer:
    guild_id, _ = _guild(call)
    try:
        return 200, call.world.member(guild_id, call.id("user_id"))
    except KeyError:
        raise WireError(404, 10007, "Unknown Member") from None


def give_role(call: Call) -> Answer:
    """Gives a member a role that is below the bot's highest one."""
    guild_id, found = _guild(call)
    data = member(call)[1]
    role = next((role for role in found["roles"] if role["id"] == str(call.id("role_id"))), None)
    if role is None:
        raise WireError(404, 10011, "Unknown Role")
    rights = call.world.permissions.in_guild(guild_id, call.world.application_id)
    own = call.world.member(guild_id, call.world.application_id)["roles"]
    highest = max((one["position"] for one in found["roles"] if one["id"] in own), default=0)
    if not rights & permissions.MANAGE_ROLES or role["position"] >= highest:
        raise missing_permission()
    if role["id"] not in data["roles"]:
        data["roles"].append(role["id"])
    return 204, None


def members(call: Call) -> Answer:
    guild_id, _ = _guild(call)
    if not call.world.privileged_intents & GUILD_MEMBERS:
        raise missing_access()
    after, limit = call.query_number("after") or 0, call.query_number("limit") or 1
    ids = sorted(i for i in (call.world.application_id, *call.world.members[guild_id]) if i > after)
    return 200, [call.world.member(guild_id, i) for i in ids[:limit]]


def find_members(call: Call) -> Answer:
    guild_id, _ = _guild(call)
    wanted, limit = call.query.get("query", "").lower(), call.query_number("limit") or 1
    found = [call.world.member(guild_id, i) for i in call.world.members[guild_id]]
    return 200, [m for m in found if m["user"]["username"].startswith(wanted)][:limit]


def emojis(_call: Call) -> Answer:
    return 200, {"items": []}


ROUTES = (
    Route("GET", "/users/@me", me),
    Route("GET", "/users/@me/guilds", my_guilds),
    Route("GET", "/users/{user_id}", user),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
    Route("GET", "/applications/{application_id}/emojis", emojis),
    Route("GET", "/gateway", gateway),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", "/guilds/{guild_id}", guild),
    Route("GET", "/guilds/{guild_id}/roles", roles),
    Route("GET", "/guilds/{guild_id}/channels", channels),
    Route("GET", "/guilds/{guild_id}/threads/active", active_threads),
    Route("GET", "/guilds/{guild_id}/members", members),
    Route("GET", "/guilds/{guild_id}/members/search", find_members),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", member),
    Route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", give_role),
)
