"""What goes wrong between a bot and Discord goes wrong here too, when it is asked to."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.discord import Seat, running, until
from harness.tiny import Tiny, file
from harness.wire import call

from bot.sandbox import permissions
from bot.sandbox.server import serve
from bot.sandbox.world import Refused, Timeout, World

if TYPE_CHECKING:
    from bot.sandbox.server import Server

Json = dict[str, Any]


def channel_of(client: Tiny, seat: Seat) -> discord.PartialMessageable:
    return client.get_partial_messageable(seat.channel_id)


# the gateway


async def test_resume_after_a_drop_misses_nothing(client: Tiny, stand_in: Server, world: World, ana: Seat) -> None:
    before = set(stand_in.gateway.sessions)
    world.faults.drop_gateway()
    sent = await ana.slash("fruit", name="sent while nobody listened")
    await until(lambda: client.resumed == 1, "resumed")
    assert sent.message is not None
    assert ana.last["content"] == "sent while nobody listened"
    assert set(stand_in.gateway.sessions) == before


async def test_asked_to_reconnect(client: Tiny, stand_in: Server, world: World, ana: Seat) -> None:
    before = set(stand_in.gateway.sessions)
    world.faults.reconnect()
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="pear")
    assert set(stand_in.gateway.sessions) == before


@pytest.mark.parametrize("told", [True, False])
async def test_a_session_that_is_gone(client: Tiny, stand_in: Server, world: World, ana: Seat, told: bool) -> None:
    before = set(stand_in.gateway.sessions)
    if told:
        world.faults.invalidate()
    else:
        world.faults.drop_gateway(resume=False)
    await until(lambda: stand_in.gateway.sessions.keys() - before, "a new session")
    await until(lambda: client.guilds and not client.guilds[0].unavailable, "the guild is back")
    await ana.slash("fruit", name="pear")
    assert client.resumed == 0


async def test_an_invalid_session_that_may_be_resumed(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.invalidate(resume=True)
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="pear")


async def test_a_silent_shard_lives_but_hears_nothing(client: Tiny, world: World, ana: Seat) -> None:
    world.answer_limit = 0.05
    world.faults.silence()
    with pytest.raises(Timeout, match="did not respond"):
        await ana.slash("fruit", name="pear")
    await client.ws.send_heartbeat({"op": 1, "d": None})
    world.answer_limit = 3
    world.faults.reconnect()
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="plum")
    assert ana.last["content"] == "plum"


@pytest.mark.parametrize(
    ("intents", "token", "error"),
    [
        (discord.Intents.all(), "right", discord.PrivilegedIntentsRequired),
        (discord.Intents.none(), "wrong", discord.LoginFailure),
    ],
)
async def test_who_is_not_let_in(
    stand_in: Server, intents: discord.Intents, token: str, error: type[Exception]
) -> None:
    stand_in.world.token = "right"
    with pytest.raises(error):
        async with running(Tiny(intents=intents), token=token):
            pass


async def test_shards_hear_of_their_own_servers(stand_in: Server, world: World, ana: Seat) -> None:
    world.shards = 2
    guilds = [world.guild_id, *(world.add_guild(f"G{n}") for n in range(3))]
    by_shard = {shard: [g for g in guilds if (g >> 22) % 2 == shard] for shard in (0, 1)}
    assert all(by_shard.values())
    one, two = Tiny(shard_id=0, shard_count=2), Tiny(shard_id=1, shard_count=2)
    async with running(one), running(two):
        for shard, client in ((0, one), (1, two)):
            await until(lambda c=client, s=shard: len(c.guilds) == len(by_shard[s]), "its guilds")
            assert {g.id for g in client.guilds} == set(by_shard[shard])
            place = world.add_channel("there", by_shard[shard][0])
            await ana.at(place).slash("fruit", name="pear")
        await ana.direct().slash("fruit", name="to shard 0")
    assert len(stand_in.gateway.sessions) == 2


async def test_message_events_go_to_those_who_asked(stand_in: Server, world: World, ana: Seat) -> None:
    heard: list[tuple[str, str]] = []

    class Listener(Tiny):
        async def on_message(self, message: discord.Message) -> None:
            heard.append((message.author.name, message.content))

        async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
            heard.append(("edit", payload.message.content))

        async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
            heard.append(("delete", str(payload.message_id)))

    assert stand_in.world is world
    async with running(Listener(intents=discord.Intents(guilds=True, guild_messages=True))) as client:
        ana.say("hidden from it")
        ana.say(f"seen by it <@{world.application_id}>")
        mine = await client.get_partial_messageable(ana.channel_id).send("mine")
        await mine.edit(content="changed")
        await mine.delete()
        await until(lambda: len(heard) == 5, "five events")
    assert heard[0] == ("ana", "")
    assert heard[1] == ("ana", f"seen by it <@{world.application_id}>")
    assert heard[2:] == [("bot", "mine"), ("edit", "changed"), ("delete", str(mine.id))]


async def test_a_client_follows_channels_and_threads(client: Tiny, world: World, ana: Seat) -> None:
    guild = client.guilds[0]
    new = world.add_channel("new")
    thread = world.add_thread(ana.channel_id, "A thread", ana.user_id)
    await until(lambda: guild.get_channel(new) and guild.get_thread(int(thread["id"])), "both are known")
    world.change_thread(int(thread["id"]), name="Renamed")
    await until(lambda: [t.name for t in guild.threads] == ["Renamed"], "renamed")
    world.delete_channel(new)
    world.delete_channel(int(thread["id"]))
    await until(lambda: not guild.get_channel(new) and not guild.threads, "both are gone")
    world.deny(ana.channel_id, permissions.SEND_MESSAGES)
    place = guild.get_channel(ana.channel_id)
    assert place is not None
    await until(lambda: not place.permissions_for(guild.me).send_messages, "the right is gone")


# REST


async def test_a_rate_limit_is_waited_out(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.fail_next("POST /channels", status=429, retry_after=0.05, times=2)
    before = time.monotonic()
    await channel_of(client, ana).send("after all")
    assert time.monotonic() - before >= 0.1
    assert [m["content"] for m in ana.messages] == ["after all"]
    world.faults.fail_next("/callback", status=429, retry_after=0.05)
    await ana.slash("fruit", name="pear")
    assert [e.status for e in world.log if e.path.endswith("/callback")] == [429, 200]


async def test_a_global_rate_limit(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.fail_next("POST /channels", status=429, retry_after=0.05, everywhere=True)
    await channel_of(client, ana).send("after all")
    assert world.log[-2].response["global"] is True


async def test_a_500_on_a_callback_is_tried_again(client: Tiny, world: World, ana: Seat) -> None:
    assert client.user is not None
    world.faults.fail_next("/callback", status=500)
    sent = await ana.slash("fruit", name="pear")
    assert sent.message is not None
    assert [e.status for e in world.log if e.path.endswith("/callback")] == [500, 200]


async def test_an_answer_that_got_lost_is_not_sent_twice(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.fail_next("POST /channels", status=502, lost=True)
    await channel_of(client, ana).send("once", nonce="n")
    assert [m["content"] for m in ana.messages] == ["once"]
    world.faults.fail_next("/callback", status=502, lost=True)
    await ana.slash("fruit", name="pear")
    await until(lambda: client.errors, "the second callback is refused")
    assert getattr(client.errors[0], "code", None) == 40060


async def test_a_missing_permission(client: Tiny, world: World, ana: Seat) -> None:
    place = channel_of(client, ana)
    world.deny(ana.channel_id, permissions.ATTACH_FILES)
    await place.send("no file")
    with pytest.raises(discord.Forbidden) as caught:
        await place.send(file=file())
    assert caught.value.code == 50013
    world.deny(ana.channel_id, permissions.SEND_MESSAGES)
    with pytest.raises(discord.Forbidden) as caught:
        await place.send("nothing")
    assert caught.value.code == 50013
    await ana.slash("fruit", name="an answer needs no permission")
    world.allow(ana.channel_id, permissions.SEND_MESSAGES)
    await place.send("again")
    world.deny(ana.channel_id, permissions.VIEW_CHANNEL)
    with pytest.raises(discord.Forbidden) as caught:
        await place.send("unseen")
    assert caught.value.code == 50001
    world.faults.fail_next("POST /channels", status=403, code=50013)
    with pytest.raises(discord.Forbidden, match="Missing Permissions"):
        await place.send("refused by a fault")


async def test_what_was_deleted_is_unknown(client: Tiny, world: World, ana: Seat) -> None:
    message = await channel_of(client, ana).send("here")
    world.delete_message(message.id)
    with pytest.raises(discord.NotFound) as caught:
        await message.edit(content="gone")
    assert caught.value.code == 10008
    world.delete_channel(ana.channel_id)
    with pytest.raises(discord.NotFound) as caught:
        await channel_of(client, ana).send("gone")
    assert caught.value.code == 10003


async def test_an_answer_after_three_seconds(client: Tiny, world: World, ana: Seat) -> None:
    world.answer_limit = 0.1
    with pytest.raises(Timeout, match="did not respond"):
        await ana.slash("slow", seconds=0.2)
    await until(lambda: client.errors, "the bot's answer is refused")
    assert isinstance(client.errors[0], discord.NotFound)
    assert client.errors[0].code == 10062
    assert ana.messages == []


async def test_a_slow_network_counts_too(client: Tiny, world: World, ana: Seat) -> None:
    world.answer_limit = 0.1
    world.faults.delay("/callback", 0.2)
    with pytest.raises(Timeout):
        await ana.slash("fruit", name="pear")
    await until(lambda: client.errors, "the bot's answer is refused")
    world.faults.clear()
    await ana.slash("fruit", name="pear")


async def test_a_thread_sleeps_and_wakes(client: Tiny, world: World, ana: Seat) -> None:
    message = await channel_of(client, ana).send("Board")
    thread = await client.http.start_thread_with_message(
        ana.channel_id, message.id, name="Game", auto_archive_duration=1440, rate_limit_per_user=None
    )
    place, metadata = client.get_partial_messageable(int(thread["id"])), world.channels[int(thread["id"])]
    first = await place.send("first")
    world.archive(int(thread["id"]))
    with pytest.raises(discord.HTTPException) as caught:
        await first.edit(content="asleep")
    assert caught.value.code == 50083
    await place.send("awake")
    assert metadata["thread_metadata"]["archived"] is False
    world.archive(int(thread["id"]), locked=True)
    world.deny(ana.channel_id, permissions.MANAGE_THREADS)
    with pytest.raises(discord.HTTPException) as caught:
        await place.send("locked out")
    assert caught.value.code == 50083
    with pytest.raises(discord.HTTPException) as caught:
        await client.http.start_thread_with_message(
            ana.channel_id, message.id, name="Again", auto_archive_duration=60, rate_limit_per_user=None
        )
    assert caught.value.code == 160004


# the bare wire: what discord.py would not do


async def unanswered(world: World, seat: Seat) -> tuple[str, str]:
    """An interaction that waits for an answer: its callback's path, and its webhook's."""
    world.registered.replace([{"name": "ask", "description": "Ask"}])
    task = asyncio.ensure_future(world.slash(seat.user_id, seat.channel_id, "ask"))
    task.add_done_callback(lambda t: t.cancelled() or t.exception())
    await asyncio.sleep(0)
    sent = next(iter(world.interactions.live.values()))
    return f"/interactions/{sent.id}/{sent.token}/callback", f"/webhooks/{world.application_id}/{sent.token}"


async def test_an_interaction_is_answered_once(served: Server, world: World, ana: Seat) -> None:
    callback, hook = await unanswered(world, ana)
    assert (await call(served, "PATCH", f"{hook}/messages/@original", {"content": "early"}))[1]["code"] == 10015
    assert (await call(served, "POST", callback.replace("/callback", "x/callback"), {"type": 5}))[1]["code"] == 10062
    assert await call(served, "POST", callback, {"type": 4, "data": {"content": "yes"}}) == (204, None)
    status, body = await call(served, "POST", callback, {"type": 4, "data": {"content": "again"}})
    assert (status, body["code"]) == (400, 40060)
    status, body = await call(served, "POST", hook, {"content": "more"})
    assert (status, body["content"]) == (200, "more")
    assert (await call(served, "DELETE", f"{hook}/messages/{body['id']}"))[0] == 204
    assert (await call(served, "GET", f"{hook}/messages/{body['id']}"))[1]["code"] == 10008
    world.token_life = 0
    assert await call(served, "POST", hook, {"content": "late"}) == (
        401,
        {"message": "Invalid Webhook Token", "code": 50027},
    )
    assert not served.gate.violations


async def test_a_follow_up_takes_the_place_of_a_deferred_answer(served: Server, world: World, ana: Seat) -> None:
    callback, hook = await unanswered(world, ana)
    assert (await call(served, "POST", callback, {"type": 5}))[0] == 204
    waiting = ana.last
    assert waiting["flags"] == 128
    _, filled = await call(served, "POST", hook, {"content": "here"})
    assert (filled["id"], filled["flags"]) == (waiting["id"], 0)
    assert filled["edited_timestamp"] is None


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"type": 7, "data": {"content": "no message to update"}}, "type"),
        ({"type": 8, "data": {"choices": []}}, "type"),
        ({"type": 99}, "type"),
        ({"type": 4, "data": {"content": "x" * 2001}}, "data.content"),
        ({"type": 4, "data": {"contents": "misspelt"}}, "data.contents"),
        ({"type": 5, "data": {"flags": 1 << 20}}, "data.flags"),
        ({"type": 9, "data": {"custom_id": "m", "title": "t" * 46, "components": []}}, "data.title"),
    ],
)
async def test_a_bad_answer_is_refused_and_noted(world: World, ana: Seat, strict: bool, body: Json, where: str) -> None:
    server = await serve(world, strict=strict, page=False)
    callback, _ = await unanswered(world, ana)
    status, found = await call(server, "POST", callback, body)
    assert (status, found["code"]) == (400, 50035)
    node = found["errors"]
    for key in where.split("."):
        node = node[key]
    assert node["_errors"][0]["message"]
    assert len(server.gate.violations) == 1
    assert (await call(server, "POST", callback, {"type": 4, "data": {"content": "better"}}))[0] == 204
    await server.close()


async def test_bad_choices_are_refused_and_noted(served: Server, world: World, ana: Seat) -> None:
    option = {"type": 4, "name": "n", "description": "d", "autocomplete": True}
    world.registered.replace([{"name": "ask", "description": "Ask", "options": [option]}])
    world.users[ana.user_id]["locale"] = "es-ES"
    task = asyncio.ensure_future(ana.choices("ask", "n", n=""))
    await asyncio.sleep(0)
    [sent] = world.interactions.live.values()
    path = f"/interactions/{sent.id}/{sent.token}/callback"
    for value, status in (("one", 400), (1, 204)):
        choices = [{"name": "One", "value": value, "name_localizations": {"es-ES": "Uno"}}]
        assert (await call(served, "POST", path, {"type": 8, "data": {"choices": choices}}))[0] == status
    assert await task == [{"name": "Uno", "value": 1}]
    assert len(served.gate.violations) == 1


async def test_an_original_is_taken_back(served: Server, world: World, ana: Seat) -> None:
    callback, hook = await unanswered(world, ana)
    [sent] = world.interactions.live.values()
    assert (await call(served, "POST", callback, {"type": 5, "data": {"flags": 64}}))[0] == 204
    assert len(ana.messages) == 1
    assert (await call(served, "DELETE", f"{hook}/messages/@original"))[0] == 204
    assert ana.messages == []
    assert (await sent.settled(0.01)).message is None
    assert (await call(served, "PATCH", f"{hook}/messages/@original", {"content": "x"}))[1]["code"] == 10008


async def test_an_edit_leaves_no_message_empty(served: Server, ana: Seat) -> None:
    path = f"/channels/{ana.channel_id}/messages"
    _, made = await call(served, "POST", path, {"content": "x"})
    assert (await call(served, "PATCH", f"{path}/{made['id']}", {"content": None}))[1]["code"] == 50006
    assert ana.last["content"] == "x"


async def test_empty_messages_and_unknown_routes(served: Server, ana: Seat) -> None:
    assert (await call(served, "POST", f"/channels/{ana.channel_id}/messages", {}))[1]["code"] == 50006
    assert (await call(served, "GET", "/users/@me/nothing"))[0] == 404
    assert [v.path for v in served.gate.violations] == [f"/channels/{ana.channel_id}/messages", "/users/@me/nothing"]


async def test_without_a_token(served: Server) -> None:
    served.world.token = "right"
    assert (await call(served, "GET", "/users/@me", token="wrong"))[0] == 401
    assert (await call(served, "GET", "/users/@me", token="right"))[0] == 200


async def test_who_takes_no_direct_messages(client: Tiny, world: World, ana: Seat) -> None:
    user = await client.fetch_user(ana.user_id)
    world.closed.add(ana.user_id)
    with pytest.raises(discord.Forbidden) as caught:
        await user.send("Psst")
    assert caught.value.code == 50007


async def test_who_left(client: Tiny, world: World, ana: Seat, ben: Seat) -> None:
    world.remove_member(world.guild_id, ben.user_id)
    with pytest.raises(Refused):
        await ben.slash("show", who=ana)
    with pytest.raises(discord.NotFound) as caught:
        await client.guilds[0].fetch_member(ben.user_id)
    assert caught.value.code == 10007
    world.remove_bot(world.guild_id)
    await until(lambda: not client.guilds, "the bot knows that it was thrown out")
    with pytest.raises(discord.Forbidden):
        await channel_of(client, ana).send("Hello?")


async def test_a_message_becomes_components_v2_only_without_its_content(
    served: Server, world: World, ana: Seat
) -> None:
    _, made = await call(served, "POST", f"/channels/{ana.channel_id}/messages", {"content": "old"})
    path = f"/channels/{ana.channel_id}/messages/{made['id']}"
    body = {"flags": 1 << 15, "components": [{"type": 10, "content": "new"}]}
    status, found = await call(served, "PATCH", path, body)
    assert (status, list(found["errors"])) == (400, ["content"])
    assert (await call(served, "PATCH", path, body | {"content": None}))[0] == 200
    assert (await call(served, "PATCH", path, {"content": "back"}))[0] == 400
    assert world.messages.find(int(made["id"]))["content"] == ""


async def test_a_deferred_update_ends_with_any_edit_of_its_message(served: Server, world: World, ana: Seat) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    body = {"components": [{"type": 1, "components": [button]}]}
    _, made = await call(served, "POST", f"/channels/{ana.channel_id}/messages", body)
    press = asyncio.ensure_future(world.press(ana.user_id, int(made["id"]), "go"))
    await asyncio.sleep(0)
    [sent] = world.interactions.live.values()
    assert (await call(served, "POST", f"/interactions/{sent.id}/{sent.token}/callback", {"type": 6}))[0] == 204
    assert (await press).deferred
    with pytest.raises(Timeout, match="not completed"):
        await sent.settled(0.01)
    await call(served, "PATCH", f"/channels/{ana.channel_id}/messages/{made['id']}", {"content": "gone"})
    assert (await sent.settled(0.01)).state == "answered"
