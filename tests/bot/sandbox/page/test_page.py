"""The page's server: what it serves to whom, and what may be asked over its socket."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from harness.discord import PATIENT
from harness.stage import EPHEMERAL, Stage, button, png, row, said, staged, suggested

from bot.sandbox.page.routes import STATIC
from bot.sandbox.state.attachments import Upload

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Json = dict[str, Any]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with staged() as made:
        yield made


@pytest.fixture
async def http(stage: Stage) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(stage.server.url) as session:
        yield session


class Socket:
    """The page's end of the socket."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.number = 0
        self.events: list[Json] = []

    async def ask(self, op: str, **body: object) -> Json:
        """Sends a request, and returns the answer. It keeps events that come before it."""
        self.number += 1
        await self.ws.send_json({"id": self.number, "op": op, **body})
        while True:
            frame = await self.ws.receive_json(timeout=PATIENT)
            if "event" not in frame:
                assert frame["id"] == self.number
                return frame
            self.events.append(frame["event"])

    async def types(self) -> list[str]:
        """Returns the types of all events so far."""
        await self.ask("watch", seats=[])
        return [event["type"] for event in self.events]


@pytest.fixture
async def socket(http: aiohttp.ClientSession) -> AsyncIterator[Socket]:
    async with http.ws_connect("/page/ws") as ws:
        yield Socket(ws)


# what is served


async def test_the_page_and_its_modules_are_served_under_a_strict_policy(http: aiohttp.ClientSession) -> None:
    for path in ("/", *(f"/static/{file.name}" for file in STATIC.iterdir())):
        async with http.get(path) as response:
            assert response.status == 200, path
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
    async with http.get("/static/app.js") as response:
        assert response.content_type == "text/javascript"


@pytest.mark.parametrize(
    "path", ["/static/none.js", "/static/..%2fpage.py", "/static/%2e%2e%2fpage_ops.py", "/static/"]
)
async def test_nothing_else_is_served(http: aiohttp.ClientSession, path: str) -> None:
    async with http.get(path) as response:
        assert response.status == 404


def test_the_page_names_no_other_host() -> None:
    allowed = re.compile(r"http://www\.w3\.org/2000/svg|ws://\$\{location\.host\}")
    for file in STATIC.iterdir():
        text = allowed.sub("", file.read_text())
        assert not re.search(r"(?:https?|wss?)://[\w$]", text), file.name


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "127.0.0.1.5", "localhost:1;x", ""]
)
@pytest.mark.parametrize("path", ["/", "/static/app.js", "/attachments/1/a.png", "/page/ws"])
async def test_another_name_for_this_machine_is_refused(http: aiohttp.ClientSession, host: str, path: str) -> None:
    async with http.get(path, headers={"Host": host}) as response:
        assert response.status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", "https://localhost"])
async def test_another_origin_opens_no_socket(http: aiohttp.ClientSession, origin: str) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await http.ws_connect("/page/ws", headers={"Origin": origin})
    assert caught.value.status == 403


async def test_its_own_origin_opens_the_socket(stage: Stage, http: aiohttp.ClientSession) -> None:
    async with http.ws_connect("/page/ws", headers={"Origin": stage.server.url}) as ws:
        assert "ok" in await Socket(ws).ask("watch", seats=[])


async def test_attachments_are_shown_only_where_that_is_safe(stage: Stage, http: aiohttp.ClientSession) -> None:
    page = Upload("evil.html", b"<script>alert(1)</script>", "text/html")
    files = [{"id": 0, "filename": "board.png"}, {"id": 1, "filename": "evil.html"}]
    message = stage.bot.post(stage.hall, {"content": "files", "attachments": files}, png(), page)
    shown, loaded = message["attachments"]
    async with http.get(shown["url"]) as response:
        assert response.content_type == "image/png"
        assert response.headers["Content-Disposition"] == "inline"
        assert await response.read() == png().content
    async with http.get(loaded["url"]) as response:
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"] == "attachment"
        assert "sandbox" in response.headers["Content-Security-Policy"]
    async with http.get("/attachments/1/none.png") as response:
        assert response.status == 404


# the socket


@pytest.mark.parametrize("text", ["", "[]", "{", '{"op": "dance", "id": 1}', '{"id": 1}', '{"op": ["say"], "id": 1}'])
async def test_what_is_not_understood_is_answered_so(socket: Socket, text: str) -> None:
    await socket.ws.send_str(text)
    assert (await socket.ws.receive_json(timeout=PATIENT))["error"]["code"] == "bad"
    assert "ok" in await socket.ask("watch", seats=[])  # and the line holds


@pytest.mark.parametrize(
    ("op", "body"),
    [
        ("say", {"text": "x" * 2001}),
        ("say", {"text": "   "}),
        ("say", {"text": 7}),
        ("say", {"seat": "me", "text": "x"}),
        ("choose", {"message": "1", "custom_id": "a", "values": "b"}),
        ("slash", {"command": "game panel"}),
        ("slash", {"command": "game load", "options": {"file": {"name": "a", "type": "", "content": "%"}}}),
        ("slash", {"command": "game load", "options": {"file": {"name": "a", "content": ""}}}),
        ("submit", {"interaction": "1"}),
        ("add_user", {"name": "", "locale": "en-US"}),
        ("add_user", {"name": "x" * 33, "locale": "en-US"}),
        ("add_user", {"name": "Zoe", "locale": "xx"}),
        ("watch", {"seats": "all"}),
        ("set_manager", {"person": "me", "on": True}),
        ("set_manager", {"person": "1", "on": "yes"}),
        ("add_channel", {"name": " "}),
        ("rename", {"name": "x" * 101}),
        ("let_bot", {"right": "fly", "on": True}),
        ("let_bot", {"right": "view", "on": 1}),
    ],
)
async def test_a_senseless_request_is_refused(stage: Stage, socket: Socket, op: str, body: Json) -> None:
    base = {"seat": str(stage.ana), "channel": str(stage.hall)}
    answer = await socket.ask(op, **(base | body))
    assert answer["error"]["code"] == "bad"


async def test_identities_are_texts_all_the_way_down(stage: Stage, socket: Socket) -> None:
    hello = (await socket.ask("hello", seats=[str(stage.ana)]))["ok"]
    assert hello["guild_id"] == str(stage.world.guild_id)
    assert hello["users"][0]["id"] == str(stage.ana)
    assert (await socket.ask("say", seat=str(stage.ana), channel=str(stage.hall), text="Hi"))["ok"] == {}
    event = next(event for event in socket.events if event["type"] == "message_create")
    assert event["channel_id"] == str(stage.hall)
    assert event["message"]["author"]["id"] == str(stage.ana)


async def test_private_messages_reach_only_who_watches_their_owner(stage: Stage, socket: Socket) -> None:
    stage.bot.answers["game panel"] = said("for Ana", flags=EPHEMERAL)
    await socket.ask("hello", seats=[str(stage.ben)])
    ask = {"seat": str(stage.ana), "channel": str(stage.hall), "command": "game panel", "options": {}}
    await socket.ask("slash", **ask)
    assert "message_create" not in await socket.types()
    await socket.ask("watch", seats=[str(stage.ana)])
    await socket.ask("slash", **ask)
    assert (await socket.types()).count("message_create") == 1
    history = await socket.ask("history", seat=str(stage.ben), channel=str(stage.hall))
    assert history["ok"]["messages"] == []


async def test_an_interaction_without_answer_times_out(stage: Stage, socket: Socket) -> None:
    stage.world.answer_limit = 0.05
    answer = await socket.ask("slash", seat=str(stage.ana), channel=str(stage.hall), command="game silent", options={})
    assert answer["error"]["code"] == "timeout"


async def test_the_world_may_refuse(stage: Stage, socket: Socket) -> None:
    message = stage.bot.post(stage.hall, {"content": "x", "components": [row(button("Off", "off", disabled=True))]})
    answer = await socket.ask("press", seat=str(stage.ana), message=message["id"], custom_id="off")
    assert answer["error"]["code"] == "refused"
    assert "disabled" in answer["error"]["message"]
    answer = await socket.ask("history", seat=str(stage.ana), channel="12")
    assert answer["ok"]["messages"] == []


async def test_what_cannot_be_settled_is_refused(stage: Stage, socket: Socket) -> None:
    world = stage.world
    world.set_owner(world.guild_id, stage.ana)
    thread = world.add_thread(stage.hall, "A thread", stage.ana)
    direct = world.direct_channel(stage.ana)
    requests = [
        ("set_manager", {"person": str(stage.ana), "on": False}),
        ("set_manager", {"person": "12", "on": True}),
        ("set_open", {"person": str(world.application_id), "on": False}),
        ("rename", {"channel": str(direct), "name": "x"}),
        ("delete_channel", {"channel": str(direct)}),
        ("delete_channel", {"channel": "12"}),
        ("lock", {"channel": str(stage.hall), "on": True}),
        ("let_bot", {"channel": thread["id"], "right": "view", "on": False}),
    ]
    for op, body in requests:
        assert (await socket.ask(op, **body)).get("error", {}).get("code") == "refused", (op, body)


async def test_every_page_hears_of_what_was_settled(stage: Stage, socket: Socket) -> None:
    hall = str(stage.hall)
    await socket.ask("set_manager", person=str(stage.ben), on=True)
    await socket.ask("set_open", person=str(stage.ben), on=False)
    await socket.ask("let_bot", channel=hall, right="files", on=False)
    await socket.ask("rename", channel=hall, name="The Great Hall")
    await socket.ask("delete_channel", channel=hall)
    assert [event["type"] for event in socket.events] == [
        "users",
        "users",
        "channel_update",
        "channel_update",
        "channel_delete",
    ]
    _, ben = socket.events[1]["users"]
    assert (ben["owner"], ben["manages"], ben["open"]) == (False, True, False)
    assert socket.events[2]["channel"]["denied"] == ["files"]
    assert socket.events[3]["channel"]["name"] == "the-great-hall"


async def test_a_fault_of_the_world_is_told(stage: Stage, socket: Socket, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(stage.world, "say", broken)
    answer = await socket.ask("say", seat=str(stage.ana), channel=str(stage.hall), text="Hi")
    assert answer["error"] == {"code": "failed", "message": "out of order"}


async def test_history_comes_in_pages(stage: Stage, socket: Socket) -> None:
    for number in range(60):
        stage.world.say(stage.ana, stage.hall, f"line {number}")
    first = (await socket.ask("history", seat=str(stage.ben), channel=str(stage.hall)))["ok"]
    assert [m["content"] for m in first["messages"]] == [f"line {n}" for n in range(10, 60)]
    assert first["more"]
    oldest = first["messages"][0]["id"]
    second = (await socket.ask("history", seat=str(stage.ben), channel=str(stage.hall), before=oldest))["ok"]
    assert [m["content"] for m in second["messages"]] == [f"line {n}" for n in range(10)]
    assert not second["more"]


async def test_suggestions_come_in_the_seats_language(stage: Stage, socket: Socket) -> None:
    stage.bot.answers["game move play"] = suggested("a1 b2")
    body = {"command": "game move play", "options": {"step": "a"}, "focused": "step"}
    answer = await socket.ask("autocomplete", seat=str(stage.ana), channel=str(stage.hall), **body)
    assert answer["ok"]["choices"] == [{"name": "a1 b2", "value": "A1 B2"}]
    assert stage.bot.seen[-1]["data"]["options"][0]["options"][0]["options"][0]["value"] == "a"


async def test_direct_messages_are_shown_to_their_people(stage: Stage, socket: Socket) -> None:
    channel = (await socket.ask("direct", seat=str(stage.ana), target=str(stage.world.application_id)))["ok"]["channel"]
    assert channel["seats"] == [str(stage.ana)]
    other = (await socket.ask("direct", seat=str(stage.ana), target=str(stage.ben)))["ok"]["channel"]
    assert "seats" not in other  # it is everybody's in this small world
    await socket.ask("add_user", name="Zoe", locale="en-US")
    told = next(event for event in socket.events if event["type"] == "users")
    assert [c["seats"] for c in told["channels"] if c["id"] == other["id"]] == [[str(stage.ana), str(stage.ben)]]
    hello = (await socket.ask("hello", seats=[]))["ok"]
    assert [c.get("seats") for c in hello["channels"] if c["id"] == channel["id"]] == [[str(stage.ana)]]


async def test_a_person_who_left_the_server_may_do_nothing_there(stage: Stage, socket: Socket) -> None:
    stage.world.remove_member(stage.world.guild_id, stage.ben)
    hello = (await socket.ask("hello", seats=[]))["ok"]
    assert [user["permissions"] == "0" for user in hello["users"]] == [False, True]
    assert hello["channels"][0]["seats"] == [str(stage.ana)]


async def test_closing_the_server_closes_the_sockets(stage: Stage, socket: Socket) -> None:
    await socket.ask("hello", seats=[])
    await stage.server.close()
    message = await socket.ws.receive(timeout=PATIENT)
    assert message.type is aiohttp.WSMsgType.CLOSE


async def test_a_page_that_reads_nothing_is_let_go(
    stage: Stage, socket: Socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.page.routes.BACKLOG", 3)
    async with aiohttp.ClientSession(stage.server.url) as session, session.ws_connect("/page/ws") as ws:
        slow = Socket(ws)
        await slow.ask("hello", seats=[])
        for _ in range(5):  # all in one turn of the loop: nothing is written in between
            stage.world.say(stage.ana, stage.hall, "flood")
        while (message := await ws.receive(timeout=PATIENT)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.type is aiohttp.WSMsgType.CLOSE
    assert "ok" in await socket.ask("watch", seats=[])


# the page's own words


def test_every_word_is_there_in_both_languages_and_used() -> None:
    table = (STATIC / "words.js").read_text()
    words = dict(re.findall(r"^  (\w+): \[(.*?)\],$", table, re.MULTILINE | re.DOTALL))
    code = "".join(file.read_text() for file in STATIC.glob("*.js") if file.name != "words.js")
    for key, pair in words.items():
        found = re.findall(r'"((?:[^"\\]|\\.)*)"', pair)
        assert len(found) == 2, key
        assert all(found), key
        english, spanish = (sorted(re.findall(r"\{\w+\}", text)) for text in found)
        assert english == spanish, key
        assert f'"{key}"' in code, key
    for key in re.findall(r'word\([\w.]+, "(\w+)"', code):
        assert key in words
