"""Tests the limits of Discord's client for a person, in a stand-in that answers for itself, without a socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from harness.discord import Seat, answered_within

from bot.sandbox.errors import Refused, Timeout, WireError
from bot.sandbox.state import attachments, messages, permissions
from bot.sandbox.state.attachments import Upload
from bot.sandbox.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.sandbox.state.events import Dispatch

Json = dict[str, Any]


def answering(world: World, reply: Callable[[Json], Json]) -> None:
    """Answers every interaction at once with what `reply` makes of it."""

    def hear(event: Dispatch) -> None:
        if event.name == "INTERACTION_CREATE":
            data = event.data
            loop = asyncio.get_running_loop()
            loop.call_soon(world.interactions.answer, int(data["id"]), data["token"], reply(data), {})

    world.on_dispatch(hear)


@pytest.fixture
def heard(world: World) -> list[Json]:
    """The interactions that came; each is answered with a word."""
    found: list[Json] = []

    def reply(data: Json) -> Json:
        found.append(data)
        return {"type": 8, "data": {"choices": []}} if data["type"] == 4 else {"type": 4, "data": {"content": "ok"}}

    answering(world, reply)
    return found


def option(kind: int, **more: object) -> Json:
    return {"type": kind, "name": "x", "description": "d", "required": True, **more}


def register(world: World, *options: Json, **more: object) -> None:
    world.registered.replace([{"name": "do", "description": "d", "options": list(options), **more}])


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        (option(3), "text", ""),
        (option(3, min_length=2, max_length=3), "abc", "abcd"),
        (option(3, choices=[{"name": "A", "value": "a"}]), "a", "A"),
        (option(4), 5, True),
        (option(4, min_value=1, max_value=3), 3, 4),
        (option(4, min_value=1), 1, 0),
        (option(5), False, "no"),
        (option(10), 1.5, "1.5"),
        (option(8), "123", "everyone"),
        (option(7), None, "1"),
        (option(6), None, "1"),
    ],
)
async def test_options(world: World, ana: Seat, heard: list[Json], declared: Json, good: Any, bad: Any) -> None:
    register(world, declared)
    value = {6: str(ana.user_id), 7: str(ana.channel_id)}.get(declared["type"], good)
    await ana.slash("do", x=value)
    assert heard[0]["data"]["options"] == [{"name": "x", "type": declared["type"], "value": value}]
    assert bool(heard[0]["data"].get("resolved")) is (declared["type"] in {6, 7})
    with pytest.raises(Refused):
        await ana.slash("do", x=bad)
    with pytest.raises(Refused, match="required"):
        await ana.slash("do")
    assert len(heard) == 1


async def test_a_file_is_uploaded_with_the_command(world: World, ana: Seat, heard: list[Json]) -> None:
    register(world, option(11), option(6, name="y", required=False))
    await ana.slash("do", x=Upload("game.mat", b" 3 point match\n", "text/plain"), y=ana)
    data = heard[0]["data"]
    [sent, _] = data["options"]
    assert sent["type"] == 11
    assert set(data["resolved"]) == {"users", "members", "attachments"}
    attachment = data["resolved"]["attachments"][sent["value"]]
    assert (attachment["filename"], attachment["size"], attachment["ephemeral"]) == ("game.mat", 15, True)
    assert attachment["url"].endswith(f"/attachments/{sent['value']}/game.mat")
    assert world.attachment(int(sent["value"]))[0] == b" 3 point match\n"
    for bad in ("game.mat", Upload("big", bytes(10 * 1024 * 1024 + 1))):
        with pytest.raises(Refused, match="does not take"):
            await ana.slash("do", x=bad)


async def test_only_the_latest_uploads_are_kept(world: World) -> None:
    stored = [world.messages.store_upload(Upload(f"{n}.txt", b"x")) for n in range(messages.UPLOADS + 1)]
    assert len(world.messages.files) == messages.UPLOADS
    with pytest.raises(KeyError):
        world.attachment(int(stored[0]["id"]))


async def test_paths_of_commands(world: World, ana: Seat, heard: list[Json]) -> None:
    leaf = {
        "type": 1,
        "name": "now",
        "description": "d",
        "options": [option(6), option(3, name="y", autocomplete=True)],
    }
    register(world, {"type": 2, "name": "move", "description": "d", "options": [leaf]})
    await ana.slash("do move now", x=ana, y="anything")
    [group] = heard[0]["data"]["options"]
    assert (group["name"], group["type"], group["options"][0]["name"]) == ("move", 2, "now")
    assert ana.last["interaction"]["name"] == "do move now"
    assert await ana.choices("do move now", "y", y="an") == []
    typed = heard[1]["data"]["options"][0]["options"][0]["options"]
    assert typed == [{"name": "y", "type": 3, "value": "an", "focused": True}]
    for path, why in (
        ("do", "needs one of"),
        ("do move", "needs one of"),
        ("do run", "no 'run'"),
        ("move now", "no command"),
    ):
        with pytest.raises(Refused, match=why):
            await ana.slash(path)


async def test_who_may_use_a_command(world: World, ana: Seat, heard: list[Json]) -> None:
    boss = Seat.join(world, "Boss", ana.channel_id, permissions=permissions.MANAGER)
    register(world, default_member_permissions=permissions.MANAGE_GUILD)
    await boss.slash("do")
    with pytest.raises(Refused, match="permissions"):
        await ana.slash("do")
    register(world, default_member_permissions=0)
    with pytest.raises(Refused, match="permissions"):
        await boss.slash("do")
    register(world, contexts=[0])
    with pytest.raises(Refused, match="context 1"):
        await ana.direct().slash("do")
    assert len(heard) == 1


async def test_a_servers_own_command_comes_first(world: World, ana: Seat, heard: list[Json]) -> None:
    register(world)
    world.registered.replace([{"name": "do", "description": "here"}], world.guild_id)
    await ana.slash("do")
    await ana.direct().slash("do")
    assert [h["data"].get("guild_id") for h in heard] == [str(world.guild_id), None]


def send(world: World, seat: Seat, *components: Json, owner: Seat | None = None) -> Json:
    body = {"components": [{"type": 1, "components": list(components)}]}
    user_id = None if owner is None else owner.user_id
    return world.messages.create(seat.channel_id, world.bot_user, body, {}, owner=user_id)


def menu(kind: int = 3, **more: object) -> Json:
    options = [{"label": x.upper(), "value": x} for x in "abc"]
    return {"type": kind, "custom_id": "m", **({"options": options} if kind == 3 else {}), **more}


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        (menu(), ["a"], []),
        (menu(), ["b"], ["a", "b"]),
        (menu(max_values=2), ["a", "b"], ["a", "a"]),
        (menu(min_values=0), [], ["d"]),
        (menu(disabled=True), None, ["a"]),
        (menu(5), ["ana"], ["1"]),
    ],
)
async def test_menus(
    world: World, ana: Seat, heard: list[Json], declared: Json, good: list[str] | None, bad: list[str]
) -> None:
    message = send(world, ana, declared)
    if good is not None:
        values = [str(ana.user_id) if v == "ana" else v for v in good]
        await world.choose(ana.user_id, int(message["id"]), "m", values)
        assert heard[0]["data"]["values"] == values
        assert ("resolved" in heard[0]["data"]) is (declared["type"] == 5)
    with pytest.raises(Refused):
        await world.choose(ana.user_id, int(message["id"]), "m", bad)


async def test_a_menu_of_channels_offers_those_of_its_kinds(world: World, ana: Seat, heard: list[Json]) -> None:
    here = str(ana.channel_id)
    default = {"id": ana.channel_id, "type": "channel"}
    message = send(world, ana, menu(8, channel_types=[0], default_values=[default]))
    assert message["components"][0]["components"][0]["default_values"] == [{"id": here, "type": "channel"}]
    await world.choose(ana.user_id, int(message["id"]), "m", [here])
    assert heard[0]["data"]["resolved"]["channels"].keys() == {here}
    thread = world.add_thread(ana.channel_id, "apart", ana.user_id)
    for bad in (str(thread), "1", "general"):
        with pytest.raises(Refused):
            await world.choose(ana.user_id, int(message["id"]), "m", [bad])


async def test_buttons_nobody_may_press(world: World, ana: Seat, ben: Seat, heard: list[Json]) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    mine = send(world, ana, button, owner=ana)
    for message_id, custom_id in ((int(mine["id"]), "go"), (1, "go")):
        with pytest.raises(Refused, match="sees no such message"):
            await world.press(ben.user_id, message_id, custom_id)
    with pytest.raises(Refused, match="has no 'stop'"):
        await world.press(ana.user_id, int(mine["id"]), "stop")
    await world.press(ana.user_id, int(mine["id"]), "go")
    world.delete_message(int(mine["id"]))
    with pytest.raises(Refused):
        await world.press(ana.user_id, int(mine["id"]), "go")
    assert len(heard) == 1


async def test_a_modal_with_a_menu(world: World, ana: Seat, ben: Seat) -> None:
    chosen = menu(required=False)
    chosen["options"][1]["default"] = True
    text = {"type": 4, "custom_id": "t", "style": 1, "required": False, "value": "as it was"}
    labels = [
        {"type": 18, "label": "Menu", "component": chosen},
        {"type": 18, "label": "Who", "component": menu(5, custom_id="u")},
        {"type": 18, "label": "Text", "component": text},
        {"type": 10, "content": "A word"},
    ]
    modal = {"custom_id": "modal", "title": "Modal", "components": labels}
    got: list[Json] = []

    def reply(data: Json) -> Json:
        got.append(data)
        return {"type": 9, "data": modal} if data["type"] == 2 else {"type": 4, "data": {"content": "ok"}}

    answering(world, reply)
    register(world)
    opened = await ana.slash("do")
    with pytest.raises(Refused, match="no such modal"):
        await ben.submit(opened, {})
    with pytest.raises(Refused, match="no fields"):
        await ana.submit(opened, {"v": "x"})
    with pytest.raises(Refused):
        await ana.submit(opened, {"Who": []})
    await ana.submit(opened, {"Who": [str(ben.user_id)]})
    fields = [c.get("component") for c in got[1]["data"]["components"]]
    assert [f and (f.get("values") or f.get("value")) for f in fields] == [["b"], [str(ben.user_id)], "as it was", None]
    assert got[1]["data"]["resolved"]["users"].keys() == {str(ben.user_id)}


async def test_a_modal_changes_the_message_it_was_opened_from(world: World, ana: Seat) -> None:
    text = {"type": 4, "custom_id": "t", "style": 1, "label": "Text"}
    modal = {"custom_id": "m", "title": "Modal", "components": [{"type": 1, "components": [text]}]}
    answers = {3: {"type": 9, "data": modal}, 5: {"type": 7, "data": {"content": "changed"}}}
    answering(world, lambda data: answers[data["type"]])
    message = send(world, ana, {"type": 2, "style": 1, "label": "Go", "custom_id": "go"})
    opened = await ana.press("Go")
    sent = await ana.submit(opened, {"Text": "x"})
    assert sent.payload["message"] == message
    assert sent.message == ana.last
    assert [(m["id"], m["content"]) for m in ana.messages] == [(message["id"], "changed")]


async def test_a_message_that_went_before_its_update(world: World, ana: Seat) -> None:
    found: list[WireError] = []

    def reply(data: Json) -> None:
        world.delete_message(int(data["message"]["id"]))
        with pytest.raises(WireError) as caught:
            world.interactions.answer(int(data["id"]), data["token"], {"type": 7, "data": {"content": "x"}}, {})
        found.append(caught.value)

    world.on_dispatch(lambda event: reply(event.data) if event.name == "INTERACTION_CREATE" else None)
    send(world, ana, {"type": 2, "style": 1, "label": "Go", "custom_id": "go"})
    with answered_within(world, 0.01), pytest.raises(Timeout):
        await ana.press("Go")
    assert [e.code for e in found] == [10008]


def test_components_v2_with_files_and_pictures_of_elsewhere(world: World, ana: Seat) -> None:
    thumbnail = {"type": 11, "media": {"url": "https://example.org/a.png"}}
    section = {"type": 9, "components": [{"type": 10, "content": "x <@0>"}], "accessory": thumbnail}
    body = {"flags": 1 << 15, "components": [section, {"type": 13, "file": {"url": "attachment://a.txt"}}]}
    message = world.messages.create(ana.channel_id, world.bot_user, body, {0: Upload("a.txt", b"text")})
    shown, file = message["components"]
    assert shown["accessory"]["media"]["url"] == "https://example.org/a.png"
    assert (file["name"], file["size"]) == ("a.txt", 4)
    assert file["file"]["url"] == message["attachments"][0]["url"]


def test_a_nonce_is_forgotten_after_some_minutes(world: World, ana: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    at = world.ids.now() + 1000
    made = []
    for nonce, later in (("a", 0), ("b", messages.NONCE_MS), ("a", 0), ("c", 1000), ("a", 0), ("b", 0)):
        at += later
        monkeypatch.setattr(world.ids, "now", lambda at=at: at)
        body = {"content": nonce, "nonce": nonce, "enforce_nonce": True}
        made.append(world.messages.create(ana.channel_id, world.bot_user, body, {})["id"])
    assert made[2] == made[0]
    assert made[4] != made[0]
    assert made[5] == made[1]


async def test_nobody_answers(world: World, ana: Seat) -> None:
    world.answer_limit = 0.01
    register(world)
    told: list[Json] = []
    world.subscribe(told.append)
    with pytest.raises(Timeout):
        await ana.slash("do")
    assert [(e["state"], e["only"]) for e in told if e["type"] == "interaction"] == [
        ("sent", ana.user_id),
        ("failed", ana.user_id),
    ]


async def test_what_the_page_hears(world: World, ana: Seat, heard: list[Json]) -> None:
    told: list[Json] = []
    stop = world.subscribe(told.append)
    register(world)
    await ana.slash("do")
    message = ana.say("Hello")
    world.delete_message(int(message["id"]))
    thread = world.add_thread(ana.channel_id, "T", ana.user_id)
    world.delete_channel(int(thread["id"]))
    assert len(heard) == 1
    assert [e["type"] for e in told] == [
        "commands",
        "interaction",
        "message_create",
        "interaction",
        "message_create",
        "message_delete",
        "channel_create",
        "channel_delete",
    ]
    stop()
    ana.say("Unheard")
    assert len(told) == 8
    with pytest.raises(ValueError, match="not in list"):
        stop()


def test_a_channel_goes_with_all_that_is_in_it(world: World, ana: Seat) -> None:
    thread = int(world.add_thread(ana.channel_id, "T", ana.user_id)["id"])
    upload = {0: Upload("a.txt", b"x")}
    message = world.messages.create(thread, world.bot_user, {"content": "x"}, upload)
    world.delete_channel(ana.channel_id)
    assert world.channels == world.thread_members == world.messages.files == {}
    assert world.messages.find(int(message["id"])) is None
    with pytest.raises(KeyError):
        world.attachment(int(message["attachments"][0]["id"]))
    with pytest.raises(Refused):
        ana.say("into the void")


GIF = b"GIF89a\x05\x00\x06\x00"
VP8X = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x04\0\0\x05\0\0"
VP8L = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (4 | 5 << 14).to_bytes(4, "little") + b"\0" * 8
VP8 = b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 10 + b"\x05\0\x06\0"


@pytest.mark.parametrize(
    ("name", "content", "kind", "size"),
    [
        ("a.png", GIF, "image/gif", (5, 6)),
        ("a", VP8X, "image/webp", (5, 6)),
        ("a", VP8L, "image/webp", (5, 6)),
        ("a", VP8, "image/webp", (5, 6)),
        ("a", b"\xff\xd8\xff", "image/jpeg", None),
        ("a.txt", b"text", "text/plain; charset=utf-8", None),
        ("a", b"?", "application/octet-stream", None),
        ("a.png", b"\x89PNG\r\n\x1a\n", "image/png", None),
    ],
)
def test_what_a_file_is(name: str, content: bytes, kind: str, size: tuple[int, int] | None) -> None:
    assert attachments.content_type(Upload(name, content)) == kind
    assert attachments.picture_size(content) == size


def test_rights_in_discords_order() -> None:
    everyone, role, me = (
        {"id": str(n), "allow": str(a), "deny": str(d)} for n, a, d in ((1, 2, 4 | 1024), (2, 4 | 1024, 8), (3, 8, 2))
    )
    base = permissions.VIEW_CHANNEL | 4
    assert permissions.apply_overwrites(base, [everyone, role, me], [1, 2, 3]) == permissions.VIEW_CHANNEL | 4 | 8
    assert permissions.apply_overwrites(base, [everyone], [1, 2, 3]) == 0
    assert permissions.apply_overwrites(permissions.ADMINISTRATOR, [everyone], [1, 3]) == permissions.ALL
