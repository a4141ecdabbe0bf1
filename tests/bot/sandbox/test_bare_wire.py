"""Sends requests that discord.py would not send, and expects Discord's refusals."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from harness.discord import Seat
from harness.wire import call

from bot.sandbox.errors import Timeout
from bot.sandbox.server import serve
from bot.sandbox.world import World

if TYPE_CHECKING:
    from bot.sandbox.server import Server

Json = dict[str, Any]


async def unanswered(world: World, seat: Seat) -> tuple[str, str]:
    """Sends an interaction that waits for an answer, and returns the paths of its callback and its webhook."""
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
    assert not served.validator.violations


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
    assert len(server.validator.violations) == 1
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
    assert len(served.validator.violations) == 1


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
    assert [v.path for v in served.validator.violations] == [
        f"/channels/{ana.channel_id}/messages",
        "/users/@me/nothing",
    ]


async def test_without_a_token(served: Server) -> None:
    served.world.token = "right"
    assert (await call(served, "GET", "/users/@me", token="wrong"))[0] == 401
    assert (await call(served, "GET", "/users/@me", token="right"))[0] == 200


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
