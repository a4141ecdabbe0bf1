"""Every route of the REST interface, its answers against Discord's document (the fixture sees to that)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from harness.wire import call, gateway, identify

from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from harness.discord import Seat

    from bot.sandbox.server import Server
    from bot.sandbox.world import World

Json = dict[str, Any]
COMMAND: Json = {"name": "play", "description": "Play"}


async def refused(server: Server, method: str, path: str, body: object = None) -> tuple[int, int]:
    status, found = await call(server, method, path, body)
    return status, found["code"]


async def test_who_the_bot_is(stand_in: Server, world: World) -> None:
    for path in ("/users/@me", f"/users/{world.application_id}", "/oauth2/applications/@me", "/applications/@me"):
        status, found = await call(stand_in, "GET", path)
        assert (status, found["id"]) == (200, str(world.application_id))
    assert await refused(stand_in, "GET", "/users/1") == (404, 10013)
    assert await call(stand_in, "GET", f"/applications/{world.application_id}/emojis") == (200, {"items": []})


async def test_where_the_gateway_is(stand_in: Server, world: World) -> None:
    world.shards = 3
    assert await call(stand_in, "GET", "/gateway") == (200, {"url": stand_in.gateway_url})
    _, found = await call(stand_in, "GET", "/gateway/bot")
    assert (found["url"], found["shards"]) == (stand_in.gateway_url, 3)


async def test_a_server_and_who_is_in_it(stand_in: Server, world: World, ana: Seat, ben: Seat) -> None:
    base = f"/guilds/{world.guild_id}"
    assert (await call(stand_in, "GET", base))[1]["name"] == "Sandbox"
    assert (await call(stand_in, "GET", f"{base}?with_counts=true"))[1]["approximate_member_count"] == 3
    assert len((await call(stand_in, "GET", f"{base}/roles"))[1]) == 2
    assert [c["id"] for c in (await call(stand_in, "GET", f"{base}/channels"))[1]] == [str(ana.channel_id)]
    assert (await call(stand_in, "GET", f"{base}/members/{ben.user_id}"))[1]["user"]["global_name"] == "Ben"
    assert [m["user"]["username"] for m in (await call(stand_in, "GET", f"{base}/members/search?query=an"))[1]] == [
        "ana"
    ]
    assert await refused(stand_in, "GET", f"{base}/members?limit=10") == (403, 50001)
    world.privileged_intents = 1 << 1
    assert len((await call(stand_in, "GET", f"{base}/members?limit=10"))[1]) == 3
    assert (await call(stand_in, "GET", "/users/@me/guilds"))[1][0]["permissions"] == str(permissions.BOT)
    assert await refused(stand_in, "GET", "/guilds/1") == (404, 10004)
    assert await refused(stand_in, "GET", f"/guilds/{world.add_guild('Far', bot=False)}") == (403, 50001)


@pytest.mark.parametrize("where", ["", "/guilds/{guild}"])
async def test_commands_one_by_one(stand_in: Server, world: World, where: str) -> None:
    base = f"/applications/{world.application_id}{where.format(guild=world.guild_id)}/commands"
    status, made = await call(stand_in, "POST", base, COMMAND | {"default_member_permissions": 32})
    assert (status, made["default_member_permissions"]) == (201, "32")
    options = [
        {
            "type": 1,
            "name": "now",
            "description": "At once",
            "options": [{"type": 6, "name": "who", "description": "Who"}],
        }
    ]
    status, changed = await call(stand_in, "PATCH", f"{base}/{made['id']}", {"options": options})
    assert (status, changed["id"], changed["description"]) == (200, made["id"], "Play")
    assert changed["default_member_permissions"] == "32"
    assert changed["version"] != made["version"]
    assert await call(stand_in, "GET", f"{base}/{made['id']}") == (200, changed)
    _, listed = await call(stand_in, "PUT", base, [COMMAND, {"name": "Look", "type": 2}])
    assert [c["id"] == made["id"] for c in listed] == [True, False]
    assert await call(stand_in, "GET", base) == (200, listed)
    assert await call(stand_in, "DELETE", f"{base}/{made['id']}") == (204, None)
    assert await refused(stand_in, "GET", f"{base}/{made['id']}") == (404, 10063)
    assert len((await call(stand_in, "GET", base))[1]) == 1


async def test_threads(stand_in: Server, world: World, ana: Seat) -> None:
    base = f"/channels/{ana.channel_id}"
    status, thread = await call(stand_in, "POST", f"{base}/threads", {"name": "Game", "type": 11})
    assert (status, thread["type"], ana.last["type"]) == (201, 11, 18)
    status, hidden = await call(stand_in, "POST", f"{base}/threads", {"name": "Secret", "auto_archive_duration": 60})
    assert (status, hidden["type"], hidden["thread_metadata"]["auto_archive_duration"]) == (201, 12, 60)
    place = f"/channels/{thread['id']}"
    assert await refused(stand_in, "POST", f"{place}/threads", {"name": "In a thread"}) == (400, 50024)
    assert await refused(stand_in, "PUT", f"{base}/thread-members/@me") == (400, 50024)

    assert not world.sees(ana.user_id, int(hidden["id"]))
    assert (await call(stand_in, "PUT", f"/channels/{hidden['id']}/thread-members/{ana.user_id}"))[0] == 204
    assert world.sees(ana.user_id, int(hidden["id"]))
    assert await refused(stand_in, "PUT", f"{place}/thread-members/1") == (404, 10013)
    _, members = await call(stand_in, "GET", f"/channels/{hidden['id']}/thread-members")
    assert {m["user_id"] for m in members} == {str(ana.user_id), str(world.application_id)}
    assert (await call(stand_in, "GET", place))[1]["member"]["user_id"] == str(world.application_id)
    assert (await call(stand_in, "DELETE", f"{place}/thread-members/@me"))[0] == 204
    assert "member" not in (await call(stand_in, "GET", place))[1]
    assert (await call(stand_in, "PUT", f"{place}/thread-members/@me"))[0] == 204

    _, active = await call(stand_in, "GET", f"/guilds/{world.guild_id}/threads/active")
    assert {t["id"] for t in active["threads"]} == {thread["id"], hidden["id"]}
    _, changed = await call(stand_in, "PATCH", place, {"name": "Over", "archived": True, "locked": True})
    assert (changed["name"], changed["thread_metadata"]["archived"]) == ("Over", True)
    assert await refused(stand_in, "PATCH", place, {"name": "Asleep"}) == (400, 50083)
    assert await refused(stand_in, "PUT", f"{place}/thread-members/@me") == (400, 50083)
    _, found = await call(stand_in, "GET", f"{base}/threads/archived/public")
    assert [t["id"] for t in found["threads"]] == [thread["id"]]
    world.deny(ana.channel_id, permissions.MANAGE_THREADS)
    assert await refused(stand_in, "PATCH", place, {"archived": False, "locked": False}) == (403, 50013)
    assert await refused(stand_in, "DELETE", place) == (403, 50013)
    world.allow(ana.channel_id, permissions.MANAGE_THREADS)
    assert (await call(stand_in, "PATCH", place, {"archived": False, "locked": False}))[0] == 200
    assert (await call(stand_in, "DELETE", place))[0] == 200
    assert int(thread["id"]) not in world.channels
    for right in (permissions.CREATE_PRIVATE_THREADS, permissions.CREATE_PUBLIC_THREADS):
        world.deny(ana.channel_id, right)
    for kind in (11, 12):
        assert await refused(stand_in, "POST", f"{base}/threads", {"name": "x", "type": kind}) == (403, 50013)


async def test_somebody_elses_thread_is_woken_but_not_renamed(stand_in: Server, world: World, ana: Seat) -> None:
    thread = world.add_thread(ana.channel_id, "Hers", ana.user_id)
    world.deny(ana.channel_id, permissions.MANAGE_THREADS)
    place = f"/channels/{thread['id']}"
    assert await refused(stand_in, "PATCH", place, {"name": "Mine"}) == (403, 50013)
    world.archive(int(thread["id"]))
    assert (await call(stand_in, "PATCH", place, {"archived": False}))[0] == 200
    world.archive(int(thread["id"]))
    ana.at(int(thread["id"])).say("and a word wakes it too")
    assert thread["thread_metadata"]["archived"] is False


async def test_a_channel(stand_in: Server, world: World, ana: Seat) -> None:
    place = f"/channels/{ana.channel_id}"
    assert (await call(stand_in, "GET", place))[1]["name"] == "games"
    assert (await call(stand_in, "POST", f"{place}/typing"))[0] == 204
    assert await refused(stand_in, "PATCH", place, {"name": "other"}) == (403, 50013)
    assert await refused(stand_in, "DELETE", place) == (403, 50013)
    world.allow(ana.channel_id, permissions.MANAGE_CHANNELS)
    assert (await call(stand_in, "PATCH", place, {"name": "other", "topic": "Games"}))[1]["topic"] == "Games"
    assert (await call(stand_in, "DELETE", place))[0] == 200
    assert await refused(stand_in, "GET", place) == (404, 10003)


async def test_messages_of_others(stand_in: Server, world: World, ana: Seat) -> None:
    said = ana.say("Hello")
    place = f"/channels/{ana.channel_id}/messages"
    assert (await call(stand_in, "GET", f"{place}/{said['id']}"))[1]["content"] == ""
    world.privileged_intents = 1 << 15
    assert (await call(stand_in, "GET", f"{place}/{said['id']}"))[1]["content"] == "Hello"
    assert await refused(stand_in, "PATCH", f"{place}/{said['id']}", {"content": "x"}) == (403, 50005)
    assert await refused(stand_in, "DELETE", f"{place}/{said['id']}") == (403, 50013)
    world.deny(ana.channel_id, permissions.READ_MESSAGE_HISTORY)
    assert await call(stand_in, "GET", place) == (200, [])
    assert await refused(stand_in, "GET", f"{place}/{said['id']}") == (403, 50013)
    reply = {"content": "Yes", "message_reference": {"message_id": said["id"]}}
    assert await refused(stand_in, "POST", place, reply) == (403, 160002)
    world.allow(ana.channel_id, permissions.READ_MESSAGE_HISTORY | permissions.MANAGE_MESSAGES)
    assert (await call(stand_in, "POST", place, reply))[1]["referenced_message"]["id"] == said["id"]
    assert (await call(stand_in, "DELETE", f"{place}/{said['id']}"))[0] == 204
    reply["message_reference"] = {"message_id": said["id"], "fail_if_not_exists": False}
    assert (await call(stand_in, "POST", place, reply))[1]["type"] == 0


async def test_embeds_need_a_right_too(stand_in: Server, world: World, ana: Seat) -> None:
    world.deny(ana.channel_id, permissions.EMBED_LINKS)
    body = {"content": "x", "embeds": [{"title": "t"}]}
    _, found = await call(stand_in, "POST", f"/channels/{ana.channel_id}/messages", body)
    assert found["embeds"] == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/channels/{channel}/messages?limit=0", None),
        ("GET", "/channels/{channel}/messages?limit=101", None),
        ("GET", "/channels/{channel}/messages?before=x", None),
        ("GET", "/channels/abc", None),
        ("PATCH", "/channels/{channel}", ["no object"]),
        ("PATCH", "/channels/{channel}", {"name": "x" * 101}),
        ("POST", "/channels/{channel}/threads", {"name": ""}),
        ("POST", "/channels/{channel}/threads", {"name": "x", "auto_archive_duration": 61}),
        ("POST", "/users/@me/channels", {"recipient_id": "1"}),
        ("POST", "/channels/{channel}/messages", {"content": "x", "message_reference": {"message_id": "1"}}),
        ("PUT", "/applications/1/commands", {"name": "x"}),
        ("POST", "/applications/1/commands", {"name": "X", "description": "x"}),
    ],
)
async def test_a_bad_form(served: Server, world: World, ana: Seat, method: str, path: str, body: object) -> None:
    world.allow(ana.channel_id, permissions.MANAGE_CHANNELS)
    assert await refused(served, method, path.format(channel=ana.channel_id), body) == (400, 50035)
    assert len(served.validator.violations) == 1


# the gateway


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("no json", 4002),
        ("[]", 4002),
        ({"op": 99}, 4003),
        ({"op": 8, "d": {}}, 4003),
        (identify(token=""), 4004),
        (identify(shard=[2, 2]), 4010),
        (identify(intents=1 << 40), 4013),
        (identify(intents=None), 4013),
        (identify(intents=1 << 15), 4014),
    ],
)
async def test_the_gateway_closes_on_nonsense(stand_in: Server, sent: str | Json, code: int) -> None:
    async with gateway(stand_in) as socket:
        await (socket.send_str(sent) if isinstance(sent, str) else socket.send_json(sent))
        assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
        assert socket.close_code == code


@pytest.mark.parametrize(("sent", "code"), [(identify(), 4005), ({"op": 99}, 4001), ({"op": 6, "d": {}}, 4005)])
async def test_and_later_too(stand_in: Server, sent: Json, code: int) -> None:
    async with gateway(stand_in) as socket:
        await socket.send_json(identify())
        assert (await socket.receive_json())["t"] == "READY"
        await socket.send_json({"op": 3, "d": {}})
        await socket.send_json(sent)
        await socket.receive()
        assert socket.close_code == code


async def test_a_heartbeat_is_answered(stand_in: Server) -> None:
    async with gateway(stand_in) as socket:
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json())["op"] == 11


async def test_a_heartbeats_answer_is_on_its_way_for_a_while(
    stand_in: Server, world: World, ana: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.gateway.HEARTBEAT_DELAY", 0.5)  # the second request is there long before
    async with gateway(stand_in) as socket:
        await socket.send_json(identify())
        await socket.receive_json()
        await socket.send_json({"op": 1, "d": None})
        await socket.send_json({"op": 8, "d": {"guild_id": str(world.guild_id), "user_ids": [str(ana.user_id)]}})
        assert [(await socket.receive_json())["op"] for _ in range(2)] == [0, 11]


@pytest.mark.parametrize("session", [{"session_id": "none", "seq": 1}, {"session_id": "none"}])
async def test_a_session_nobody_knows(stand_in: Server, session: Json) -> None:
    async with gateway(stand_in) as socket:
        await socket.send_json({"op": 6, "d": {"token": "t", **session}})
        assert await socket.receive_json() == {"op": 9, "d": False, "s": None, "t": None}


async def test_members_are_sent_in_a_chunk(stand_in: Server, world: World, ana: Seat, ben: Seat) -> None:
    async with gateway(stand_in) as socket:
        await socket.send_json(identify())
        await socket.receive_json()
        for asked, names in (
            ({"user_ids": [str(ben.user_id)], "nonce": "n"}, ["ben"]),
            ({"user_ids": str(ana.user_id)}, ["ana"]),
            ({"query": "", "limit": 0}, ["ana", "ben", "bot"]),
            ({"query": "b", "limit": 1}, ["ben"]),
        ):
            await socket.send_json({"op": 8, "d": {"guild_id": str(world.guild_id), **asked}})
            chunk = (await socket.receive_json())["d"]
            assert [m["user"]["username"] for m in chunk["members"]] == names
            assert chunk.get("nonce") == asked.get("nonce")


async def test_a_session_that_was_left_too_long_is_forgotten(
    stand_in: Server, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(stand_in) as socket:
        await socket.send_json(identify())
        await socket.receive_json()
    assert len(stand_in.gateway.sessions) == 1
    monkeypatch.setattr("bot.sandbox.gateway.RESUME_WINDOW", -1.0)
    for session in stand_in.gateway.sessions.values():
        session.socket = None
    world.add_channel("new")
    assert stand_in.gateway.sessions == {}
