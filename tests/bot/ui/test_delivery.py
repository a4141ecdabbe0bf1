"""Everybody hears that it is their turn, once, in whatever way there is."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, Room, bot_running, milliseconds, private, told, told_all, wired
from harness.discord import Seat, alt, components, is_ephemeral, text, until
from harness.hours import pass_time
from harness.players import Greedy
from sqlalchemy import select

from bot.i18n import Language, language
from bot.sandbox import permissions as p
from bot.services.notices import ENOUGH
from bot.services.tables import Place
from bot.store.schema import notices
from bot.ui import courier, history, presenter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.client import AbakBot
    from bot.sandbox.server import Server
    from bot.services.tables import Seated

Json = dict[str, Any]
EN, ES = language("en"), language("es")
FIRST, SECOND = "e4-e5 e3-e4", "e9-d8 e10-e9"
HOUR = 3_600_000
NOON = 1_800_014_400_000
"""A time at which it is twelve o'clock in UTC."""


@dataclass
class Scene:
    """A room, the time of its bot, and what is written in its outbox."""

    room: Room
    time: Clock
    url: str

    @property
    def bot(self) -> AbakBot:
        assert self.room.bot is not None
        return self.room.bot

    @property
    def world(self) -> Any:
        return self.room.server.world

    async def begin(self, clock: str = "", policy: str = "") -> Seated:
        """A game of APB between Ana and Ben, its first board shown."""
        place = Place(self.world.guild_id, self.room.channel_id)
        players = (self.room.ana.user_id, self.room.ben.user_id)
        await self.bot.services.tables.open("apb", {}, players, place, "en", clock, policy)
        return await self.room.shown()

    async def move(self, seated: Seated, text: str) -> None:
        """Who is to move plays; what follows is seen to."""
        assert seated.to_act is not None
        await self.bot.services.tables.play(seated.id, seated.to_act, None, text)
        await self.settle()

    async def settle(self) -> None:
        """Lets everything come to rest that is due by now."""
        await self.bot.presenter.idle()
        await self.bot.courier.turn()
        await self.bot.presenter.idle()

    async def pass_time(self, milliseconds: int) -> None:
        self.time.at += milliseconds
        await self.settle()

    async def outbox(self, kind: str | None = None) -> list[Any]:
        """The rows of the outbox, the oldest first."""
        query = select(notices).order_by(notices.c.due, notices.c.id)
        if kind is not None:
            query = query.where(notices.c.kind == kind)
        async with self.bot.services.boards.store.database.reading() as connection:
            return list(await connection.execute(query))

    async def states(self, kind: str | None = None) -> list[str]:
        return [row.state for row in await self.outbox(kind)]

    def sent_to(self, who: Seat) -> list[Json]:
        """What the bot wrote to somebody in direct messages."""
        return [m for m in who.direct().messages if m["author"]["id"] == str(self.world.application_id)]

    async def prefer(self, who: Seat, **chosen: str) -> None:
        for key, value in chosen.items():
            await self.bot.services.preferences.set_user(who.user_id, key, value)

    def shut(self) -> None:
        """The bot cannot post boards any more."""
        self.world.deny(self.room.channel_id, p.SEND_MESSAGES)

    async def open(self) -> None:
        self.world.allow(self.room.channel_id, p.SEND_MESSAGES)
        await until(lambda: len(self.room.boards) == 2, "the board is shown")
        await self.settle()

    def called(self, who: Seat) -> int:
        """How often somebody was called for anything but the first board: by boards, notes, direct messages."""
        others = [m for m in who.pings if m["id"] != self.room.boards[0]["id"] and "recipients" not in m]
        direct = self.world.direct(who.user_id)
        return len([m for m in others if m["channel_id"] != str(direct)]) + len(self.sent_to(who))


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setattr(presenter, "RETRIES", (0.01,))
    time = Clock(NOON)
    stand_in.world.ids.now = time
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        yield Scene(Room.of(stand_in, bot), time, sqlite_url)


def notice_channel(scene: Scene) -> Seat:
    """Ben before a channel that the server has chosen for notices."""
    return scene.room.ben.at(scene.world.add_channel("notices"))


# --- it is your turn -------------------------------------------------------------------------------------------------


async def test_a_board_that_is_posted_calls_once_and_nothing_else_does(scene: Scene) -> None:
    seated = await scene.begin()
    await scene.move(seated, FIRST)
    assert scene.called(scene.room.ben) == 1
    assert await scene.outbox() == []


@pytest.mark.parametrize("chosen", ["auto", "es"])
async def test_who_cannot_be_called_by_the_board_gets_it_directly(scene: Scene, chosen: str) -> None:
    seated = await scene.begin()
    ben = scene.room.ben
    await scene.prefer(ben, language=chosen)
    scene.shut()
    await scene.move(seated, FIRST)
    (message,) = scene.sent_to(ben)
    say = ES if chosen == "es" else EN
    assert text(message).startswith(say("notice.turn", game="APB", opponent="|", link="").split("|")[0])
    assert f"https://discord.com/channels/{scene.world.guild_id}/{scene.room.channel_id}" in text(message)
    assert len(alt(message)) == 1
    assert [row.via for row in await scene.outbox("turn")] == ["dm"]
    (name,) = [x["custom_id"] for x in wired(message) if x["custom_id"].startswith("b:waiting:")]
    assert name == f"b:waiting:{(await scene.outbox())[0].id}:0:"


@pytest.mark.parametrize(("chosen", "say"), [("auto", ES), ("en", EN)])
async def test_a_direct_message_speaks_as_the_users_discord_did_last(scene: Scene, chosen: str, say: Language) -> None:
    """The game is in an English channel; Ben's Discord is Spanish, as his last command has shown."""
    seated = await scene.begin()
    ben = scene.room.ben
    await scene.prefer(ben, language=chosen)
    for locale in ("en-US", SPANISH):
        scene.world.users[ben.user_id]["locale"] = locale
        await ben.slash("abak games")
    assert (await scene.bot.services.preferences.of_user(ben.user_id))["heard"] == "es"
    scene.shut()
    await scene.move(seated, FIRST)
    (message,) = scene.sent_to(ben)
    assert text(message).startswith(say("notice.turn", game="APB", opponent="|", link="").split("|")[0])


async def test_what_a_discord_speaks_is_written_only_when_it_changes(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, written = scene.bot.services.preferences.store, []
    choose = store.choose

    async def noted(scope: str, of: int, key: str, value: str) -> None:
        written.append((of, key, value))
        await choose(scope, of, key, value)

    monkeypatch.setattr(store, "choose", noted)
    ana = scene.room.ana
    for locale in ("en-US", "en-GB", SPANISH, "es-419"):
        scene.world.users[ana.user_id]["locale"] = locale
        await ana.slash("abak games")
        await ana.slash("abak help")
    assert written == [(ana.user_id, "heard", "en"), (ana.user_id, "heard", "es")]


async def test_a_turn_can_be_played_from_the_direct_message(scene: Scene) -> None:
    seated = await scene.begin()
    scene.shut()
    await scene.move(seated, FIRST)
    (message,) = scene.sent_to(scene.room.ben)
    direct = scene.room.ben.direct()
    await direct.press("b:move:", message)
    assert EN("picker.what") in told(direct)
    await direct.press("b:waiting:", message)
    assert EN("games.some", n=1) in told(direct)


async def test_the_board_that_comes_later_calls_nobody_twice(scene: Scene) -> None:
    seated = await scene.begin()
    scene.shut()
    await scene.move(seated, FIRST)
    assert scene.called(scene.room.ben) == 1
    await scene.open()
    assert scene.called(scene.room.ben) == 1
    await scene.move(await scene.room.present(), SECOND)
    assert scene.called(scene.room.ana) == 1


async def test_a_board_that_comes_before_the_notice_takes_its_place(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await scene.begin()
    scene.shut()
    monkeypatch.setattr(scene.bot.services.notices.store, "lease", nothing)
    await scene.move(seated, FIRST)
    assert await scene.states() == ["pending"]
    await scene.open()
    monkeypatch.undo()
    await scene.settle()
    assert await scene.states() == ["void"]
    assert scene.called(scene.room.ben) == 1


async def nothing(*_: object) -> list[Any]:
    return []


async def test_closed_direct_messages_leave_the_servers_channel(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    notes = notice_channel(scene)
    await scene.bot.services.preferences.set_server(scene.world.guild_id, "notice_channel", str(notes.channel_id))
    scene.world.closed.add(ben.user_id)
    scene.shut()
    await scene.move(seated, FIRST)
    (message,) = notes.messages
    assert text(message).startswith(
        f"{ben.mention} {EN('notice.turn', game='APB', opponent='|', link='').split('|')[0]}"
    )
    assert [u["id"] for u in message["mentions"]] == [str(ben.user_id)]
    assert [row.via for row in await scene.outbox()] == ["server"]
    assert scene.called(ben) == 1


@pytest.mark.parametrize("channel", ["none", "gone", "denied"])
async def test_who_cannot_be_reached_is_told_at_the_next_command(scene: Scene, channel: str) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    if channel != "none":
        notes = notice_channel(scene)
        await scene.bot.services.preferences.set_server(scene.world.guild_id, "notice_channel", str(notes.channel_id))
        if channel == "gone":
            scene.world.delete_channel(notes.channel_id)
        else:
            scene.world.deny(notes.channel_id, p.SEND_MESSAGES)
    scene.world.closed.add(ben.user_id)
    scene.shut()
    await scene.move(seated, FIRST)
    assert await scene.states() == ["failed"]
    start = EN("notice.unreached", text="")
    for _ in range(2):
        await ben.slash("abak help")
        await until(lambda: len(lines(ben, start)) == 1, "it is told")
    await told_all(scene.bot)
    assert len(lines(ben, start)) == 1
    assert [(row.state, row.via) for row in await scene.outbox()] == [("sent", "told")]
    await scene.open()
    assert scene.called(ben) == 0


def lines(who: Seat, start: str) -> list[str]:
    """What they were told privately, as far as it begins so."""
    told = [line for m in who.messages if is_ephemeral(m) for line in text(m).splitlines()]
    return [line for line in told if line.startswith(start)]


async def test_who_was_not_reached_is_called_by_the_board_that_comes_later(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    scene.world.closed.add(ben.user_id)
    scene.shut()
    await scene.move(seated, FIRST)
    assert await scene.states() == ["failed"]
    await scene.open()
    assert scene.called(ben) == 1
    assert await scene.states() == ["void"]


async def test_who_has_moved_meanwhile_is_not_told(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await scene.begin()
    scene.shut()
    with monkeypatch.context() as patched:
        patched.setattr(scene.bot.services.notices.store, "lease", nothing)
        await scene.move(seated, FIRST)
        await scene.move(await scene.room.present(), SECOND)
    await scene.settle()
    assert scene.sent_to(scene.room.ben) == []
    assert len(scene.sent_to(scene.room.ana)) == 1
    assert sorted(await scene.states("turn")) == ["sent", "void"]


async def test_a_deleted_channel_comes_with_an_offer_to_go_on_elsewhere(scene: Scene) -> None:
    seated = await scene.begin()
    scene.world.delete_channel(scene.room.channel_id)
    for who, other in ((scene.room.ana, scene.room.ben), (scene.room.ben, scene.room.ana)):
        await until(lambda who=who: scene.sent_to(who), "both are told")
        (message,) = scene.sent_to(who)
        assert text(message) == EN("notice.gone", game="APB", opponent=other.mention)
    await scene.move(seated, FIRST)
    message = scene.sent_to(scene.room.ben)[-1]
    assert text(message) == EN("notice.turn_gone", game="APB", opponent=scene.room.ana.mention)


async def test_failures_of_no_known_kind_are_waited_out_before_anybody_is_bothered(scene: Scene) -> None:
    seated = await scene.begin()
    scene.world.faults.fail_next(f"POST /channels/{scene.room.channel_id}/messages", status=400, times=99)
    await scene.move(seated, FIRST)
    for _ in range(2):
        assert await scene.outbox() == []
        scene.bot.presenter.wake(seated.id, recovering=True)
        await scene.settle()
    assert await scene.states() == ["sent"]
    scene.world.faults.clear()
    scene.bot.presenter.wake(seated.id, recovering=True)
    await scene.settle()
    assert scene.called(scene.room.ben) == 1


# --- never twice -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nonces", [True, False])
async def test_what_arrived_unnoticed_is_not_sent_again(scene: Scene, nonces: bool) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    direct = scene.world.direct(ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{direct}/messages", status=400, lost=True)
    scene.shut()
    await scene.move(seated, FIRST)
    assert await scene.states() == ["pending"]
    if not nonces:
        scene.world.messages.nonces.clear()
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_what_arrived_with_the_last_attempt_is_not_told_otherwise(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    path = f"POST /channels/{scene.world.direct(ben.user_id)}/messages"
    scene.world.faults.fail_next(path, status=400, times=ENOUGH - 1)
    scene.world.faults.fail_next(path, status=400, lost=True)
    scene.shut()
    await scene.move(seated, FIRST)
    for _ in range(ENOUGH):
        await scene.pass_time(6 * HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_while_nobody_can_look_nothing_is_sent_again(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    channel = scene.world.direct(ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{channel}/messages", status=400, lost=True)
    scene.shut()
    await scene.move(seated, FIRST)
    scene.world.messages.nonces.clear()
    scene.world.faults.fail_next(f"GET /channels/{channel}/messages", status=400)
    await scene.pass_time(HOUR)
    assert await scene.states() == ["pending"]
    assert len(scene.sent_to(ben)) == 1
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_what_arrived_is_found_however_many_messages_came_since(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, seated)
    for number in range(250):
        notes.say(f"{number}")
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len([m for m in notes.messages if m["author"]["id"] != str(ben.user_id)]) == 1


async def lost_in_the_servers_channel(scene: Scene, seated: Seated) -> Seat:
    """A notice that arrived there, and nobody was told so."""
    notes = notice_channel(scene)
    await scene.bot.services.preferences.set_server(scene.world.guild_id, "notice_channel", str(notes.channel_id))
    scene.world.closed.add(scene.room.ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{notes.channel_id}/messages", status=400, lost=True)
    scene.shut()
    await scene.move(seated, FIRST)
    assert await scene.states() == ["pending"]
    scene.world.messages.nonces.clear()
    return notes


async def test_among_too_many_messages_it_is_not_looked_for_for_ever(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST", 20)
    seated = await scene.begin()
    notes = notice_channel(scene)
    await scene.bot.services.preferences.set_server(scene.world.guild_id, "notice_channel", str(notes.channel_id))
    scene.world.closed.add(scene.room.ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{notes.channel_id}/messages", status=400)
    scene.shut()
    await scene.move(seated, FIRST)
    for number in range(20):
        notes.say(f"{number}")
    await scene.pass_time(HOUR)
    assert await scene.states() == ["failed"]


async def by_right(scene: Scene, notes: Seat) -> None:
    scene.world.deny(notes.channel_id, p.READ_MESSAGE_HISTORY)
    me = scene.bot.guilds[0].me
    await until(
        lambda: not scene.bot.get_channel(notes.channel_id).permissions_for(me).read_message_history,  # type: ignore[union-attr]
        "the bot knows",
    )


async def by_answer(scene: Scene, notes: Seat) -> None:
    scene.world.faults.fail_next(f"GET /channels/{notes.channel_id}/messages", status=403, code=50001)


@pytest.mark.parametrize("unread", [by_right, by_answer])
async def test_where_nobody_may_look_it_is_not_sent_again_but_told_at_the_next_command(
    scene: Scene, unread: Any
) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, seated)
    await unread(scene, notes)
    await scene.pass_time(HOUR)
    assert await scene.states() == ["failed"]
    assert len(notes.messages) == 1
    await ben.slash("abak help")
    await until(lambda: len(lines(ben, EN("notice.unreached", text=""))) == 1, "it is told")


async def test_a_channel_that_is_gone_has_told_nobody_anything(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, seated)
    scene.world.delete_channel(notes.channel_id)
    scene.world.closed.clear()
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_a_process_that_dies_while_it_sends_is_followed_by_one_that_looks(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Clock(milliseconds())
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        scene = Scene(Room.of(stand_in, bot), time, sqlite_url)
        seated = await scene.begin()
        monkeypatch.setattr(bot.services.notices, "sent", nothing)  # it dies before it notes that it was sent
        scene.shut()
        await scene.move(seated, FIRST)
        assert await scene.states() == ["pending"]
        monkeypatch.undo()
    stand_in.world.messages.nonces.clear()
    time.at += HOUR
    async with bot_running(stand_in, sqlite_url, now=time) as scene.room.bot:
        await scene.settle()
        assert await scene.states() == ["sent"]
        assert len(scene.sent_to(scene.room.ben)) == 1


@pytest.mark.parametrize("failing", [{"status": 429}, {"status": 500}, {"status": 400, "code": 0}], ids=str)
async def test_what_fails_for_a_while_is_tried_again(scene: Scene, failing: dict[str, Any]) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    scene.world.faults.fail_next(f"POST /channels/{scene.world.direct(ben.user_id)}/messages", **failing)
    scene.shut()
    await scene.move(seated, FIRST)
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_what_goes_on_failing_is_told_at_the_next_command(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    scene.world.faults.fail_next(f"POST /channels/{scene.world.direct(ben.user_id)}/messages", status=400, times=99)
    scene.shut()
    await scene.move(seated, FIRST)
    pauses = []
    while await scene.states() == ["pending"]:
        (row,) = await scene.outbox()
        pauses.append(row.try_at - scene.time.at)
        await scene.pass_time(pauses[-1])
    assert await scene.states() == ["failed"]
    assert pauses == sorted(pauses)
    assert len(pauses) == ENOUGH


async def test_two_processes_send_nothing_twice(scene: Scene) -> None:
    seated = await scene.begin()
    scene.shut()
    second = courier.Courier(scene.bot, scene.bot.services)
    assert seated.to_act is not None
    await scene.bot.services.tables.play(seated.id, seated.to_act, None, FIRST)
    await scene.bot.presenter.idle()
    await asyncio.gather(scene.bot.courier.turn(), second.turn(), scene.bot.courier.turn())
    assert len(scene.sent_to(scene.room.ben)) == 1
    path = f"/channels/{scene.world.direct(scene.room.ben.user_id)}/messages"
    assert sum(entry.method == "POST" and entry.path == path for entry in scene.world.log) == 1


async def test_who_is_slow_leaves_it_to_the_process_that_leased_it_since(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = scene.room.ben
    seated = await scene.begin()
    await scene.bot.courier.close()
    scene.shut()
    assert seated.to_act is not None
    await scene.bot.services.tables.play(seated.id, seated.to_act, None, FIRST)
    await scene.bot.presenter.idle()
    slow, following = (courier.Courier(scene.bot, scene.bot.services) for _ in range(2))
    needed = slow._needed

    async def late(*given: Any) -> bool:
        found = await needed(*given)
        scene.time.at += HOUR
        await following.turn()
        scene.world.messages.nonces.clear()
        return found

    monkeypatch.setattr(slow, "_needed", late)
    await slow.turn()
    assert len(scene.sent_to(ben)) == 1
    assert [row.via for row in await scene.outbox()] == ["dm"]


async def test_a_message_that_takes_too_long_is_looked_for_and_sent_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    monkeypatch.setattr(courier, "SENDING_MS", 200)
    scene.world.faults.delay(f"POST /channels/{scene.world.direct(ben.user_id)}/messages", 1)
    scene.shut()
    await scene.move(seated, FIRST)
    assert await scene.states() == ["pending"]
    scene.world.faults.clear()
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


class Killed(BaseException):
    """The process dies here."""


@pytest.mark.parametrize("way", ["dm", "server"])
@pytest.mark.parametrize(("where", "after"), [("sending", False), ("sending", True), ("sent", False), ("sent", True)])
async def test_wherever_a_process_dies_the_user_is_told_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, where: str, after: bool, way: str
) -> None:
    ben, outbox = scene.room.ben, scene.bot.services.notices
    notes = notice_channel(scene)
    await scene.bot.services.preferences.set_server(scene.world.guild_id, "notice_channel", str(notes.channel_id))
    if way == "server":
        scene.world.closed.add(ben.user_id)
    seated = await scene.begin()
    await scene.bot.courier.close()
    scene.shut()
    assert seated.to_act is not None
    await scene.bot.services.tables.play(seated.id, seated.to_act, None, FIRST)
    await scene.bot.presenter.idle()
    plain, calls = getattr(outbox, where), 0

    async def die(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        found = await plain(*given) if after or calls < (2 if way == "server" and where == "sending" else 1) else None
        if calls == (2 if way == "server" and where == "sending" else 1):
            raise Killed
        return found

    monkeypatch.setattr(outbox, where, die)
    with pytest.raises(Killed):
        await courier.Courier(scene.bot, scene.bot.services).turn()
    monkeypatch.setattr(outbox, where, plain)
    scene.world.messages.nonces.clear()
    following = courier.Courier(scene.bot, scene.bot.services)
    await following.turn()  # still leased by the dead
    scene.time.at += HOUR
    await following.turn()
    await following.turn()
    assert scene.called(ben) == 1
    assert await scene.states() == ["sent"]


# --- quiet hours, digests --------------------------------------------------------------------------------------------


async def test_in_quiet_hours_the_call_waits_for_their_end(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    await scene.move(seated, FIRST)
    assert len(scene.room.boards) == 2
    assert scene.called(ben) == 0
    await scene.pass_time(2 * HOUR)
    assert scene.called(ben) == 0
    await scene.pass_time(HOUR // 2)
    assert scene.called(ben) == 1
    (message,) = scene.sent_to(ben)
    assert text(message).startswith(EN("notice.call", game="APB", opponent=scene.room.ana.mention, link=""))
    assert len(alt(message)) == 1
    assert any(x.get("url", "").endswith(f"/{scene.room.board['id']}") for x in components(message))


async def test_who_moves_in_their_quiet_hours_is_not_called_after_them(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    await scene.move(seated, FIRST)
    await scene.move(await scene.room.present(), SECOND)
    await scene.pass_time(24 * HOUR)
    assert scene.called(ben) == 0
    assert await scene.states() == ["void"]


async def test_quiet_hours_are_those_of_the_players_zone(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="Asia/Tokyo")  # 21:00 there
    await scene.move(seated, FIRST)
    assert scene.called(ben) == 1


async def test_a_board_that_cannot_be_posted_in_quiet_hours_is_told_after_them(scene: Scene) -> None:
    seated, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    scene.shut()
    await scene.move(seated, FIRST)
    assert scene.called(ben) == 0
    await scene.pass_time(3 * HOUR)
    assert len(scene.sent_to(ben)) == 1
    await scene.open()
    assert scene.called(ben) == 1


async def test_a_digest_takes_the_place_of_calls(scene: Scene) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    seated = await scene.begin("3d/move")
    await scene.move(seated, FIRST)
    assert scene.called(ben) == 0
    await scene.pass_time(6 * HOUR)
    (message,) = scene.sent_to(ben)
    assert text(message).splitlines()[0] == EN("notice.digest", n=1)
    up = scene.bot.services.tables
    seated = await up.get(seated.id)
    assert seated.table.deadline is not None
    assert f"<t:{(seated.table.record.header.started + seated.table.deadline) // 1000}:R>" in text(message)
    assert scene.room.board["id"] in text(message)


async def test_digests_go_on_while_a_game_waits_and_end_with_it(scene: Scene) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    seated = await scene.begin()
    await scene.move(seated, FIRST)
    for day in range(1, 4):
        await scene.pass_time(24 * HOUR)
        assert len(scene.sent_to(ben)) == day
    await scene.move(await scene.room.present(), SECOND)
    await scene.pass_time(72 * HOUR)
    assert len(scene.sent_to(ben)) == 3
    assert await scene.states("digest") == ["sent", "sent", "sent", "void"]


# --- reminders -------------------------------------------------------------------------------------------------------


async def test_reminders_come_at_four_fifths_and_an_hour_before(scene: Scene) -> None:
    seated = await scene.begin("3d/move")
    ana = scene.room.ana
    await scene.pass_time(int(72 * HOUR * 0.8) - 1)
    assert scene.sent_to(ana) == []
    await scene.pass_time(1)
    (message,) = scene.sent_to(ana)
    assert seated.table.deadline is not None
    when = f"<t:{(seated.table.record.header.started + seated.table.deadline) // 1000}:R>"
    start = EN("notice.reminder", game="APB", opponent=scene.room.ben.mention, when=when, link="")
    assert text(message).startswith(start)
    await scene.pass_time(72 * HOUR - int(72 * HOUR * 0.8) - HOUR)
    assert len(scene.sent_to(ana)) == 2


@pytest.mark.parametrize(("chosen", "hours"), [("none", []), ("hour", [71]), ("day", [48]), ("share", [57.6])])
async def test_reminders_come_when_they_are_wanted(scene: Scene, chosen: str, hours: list[float]) -> None:
    await scene.prefer(scene.room.ana, reminders=chosen)
    seated = await scene.begin("3d/move")
    started = seated.table.record.header.started
    assert [(row.due - started) / HOUR for row in await scene.outbox("reminder")] == hours


async def test_who_has_moved_is_not_reminded(scene: Scene) -> None:
    seated = await scene.begin("3d/move")
    await scene.move(seated, FIRST)
    assert await scene.states("reminder") == ["void", "pending", "pending", "void"] or sorted(
        await scene.states("reminder")
    ) == ["pending", "pending", "void", "void"]
    await scene.pass_time(71 * HOUR)
    assert scene.sent_to(scene.room.ana) == []
    assert len(scene.sent_to(scene.room.ben)) == 2


async def test_reminders_wait_for_the_end_of_quiet_hours_unless_time_is_up_before(scene: Scene) -> None:
    await scene.prefer(scene.room.ana, quiet="10:30-12:30", zone="UTC")
    seated = await scene.begin("3d/move")  # up at twelve, reminded at eleven: quiet hours end after that
    started = seated.table.record.header.started
    hours = [(row.due - started) / HOUR for row in await scene.outbox("reminder")]
    assert hours == [57.6, 71]
    await scene.prefer(scene.room.ben, quiet="10:30-11:30", zone="UTC")
    await scene.move(seated, FIRST)
    rows = [row for row in await scene.outbox("reminder") if row.user_id == scene.room.ben.user_id]
    assert [(row.due - started) / HOUR for row in rows] == [57.6, 71.5]


async def test_a_reminder_goes_to_the_place_where_direct_messages_are_closed(scene: Scene) -> None:
    await scene.begin("3d/move")
    ana = scene.room.ana
    scene.world.closed.add(ana.user_id)
    before = len(ana.pings)
    await scene.pass_time(71 * HOUR)
    assert len(ana.pings) == before + 2
    assert {row.via for row in await scene.outbox("reminder")} == {"place"}


async def test_a_reminder_no_longer_wanted_is_not_sent(scene: Scene) -> None:
    await scene.begin("3d/move")
    await scene.prefer(scene.room.ana, reminders="none")
    await scene.pass_time(71 * HOUR)
    assert scene.sent_to(scene.room.ana) == []
    assert await scene.states("reminder") == ["void", "void"]


# --- time is up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["loss", "claim"])
async def test_both_are_told_that_time_is_up(scene: Scene, policy: str) -> None:
    await scene.begin("3d/move", policy)
    player = Greedy(patience=9)
    for _ in range(4):
        table = (await scene.room.present()).table
        await scene.move(
            await scene.room.present(), table.game.format(table.state, player.turn(table.game, table.state))
        )
    before = {who.user_id: len(scene.sent_to(who)) for who in (scene.room.ana, scene.room.ben)}
    await pass_time(scene.bot, scene.time, 73 * 3600)
    await scene.settle()
    kinds = ("time_lost", "time_won") if policy == "loss" else ("time_late", "time_claim")
    for who, kind in zip((scene.room.ana, scene.room.ben), kinds, strict=True):
        other = scene.room.ben if who is scene.room.ana else scene.room.ana
        start = EN(f"notice.{kind}", game="APB", opponent=other.mention, link="|").split("|")[0]
        found = [m for m in scene.sent_to(who)[before[who.user_id] :] if text(m).startswith(start)]
        assert len(found) == 1


async def test_spaniards_read_spanish(stand_in: Server, sqlite_url: str) -> None:
    time = Clock(NOON)
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        scene = Scene(Room.of(stand_in, bot, locale=SPANISH), time, sqlite_url)
        await scene.room.begin("apb")
        scene.world.closed.add(scene.room.ben.user_id)
        scene.shut()
        await scene.room.ana.slash("abak move play", notation=FIRST)
        await scene.settle()
        await scene.room.ben.slash("abak help")
        start = ES("notice.unreached", text="")
        await until(lambda: len(lines(scene.room.ben, start)) == 1, "it is told")
        assert is_ephemeral(private(scene.room.ben))


# --- elsewhere -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", [True, False])
async def test_a_game_whose_channel_was_deleted_goes_on_elsewhere(scene: Scene, named: bool) -> None:
    seated = await scene.begin()
    scene.world.delete_channel(scene.room.channel_id)
    await until(lambda: scene.sent_to(scene.room.ana), "Ana is told that the channel is gone")
    await scene.move(seated, FIRST)
    assert len(scene.sent_to(scene.room.ben)) == 2
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    given = {"game": seated.id} if named else {}
    await elsewhere.ben.slash("abak here", **given)
    assert told(elsewhere.ben) == EN("here.moved", game="APB")
    await scene.settle()
    after = await elsewhere.shown()
    assert after.place.channel_id == elsewhere.channel_id
    assert EN("story.play", seat=EN("seat.white"), move=FIRST) in text(elsewhere.board)
    assert elsewhere.calls == []  # who is awaited was told directly
    message = scene.sent_to(elsewhere.ana)[-1]
    link = f"https://discord.com/channels/{scene.world.guild_id}/{elsewhere.channel_id}"
    assert text(message).startswith(EN("notice.moved", game="APB", opponent=elsewhere.ben.mention, link=link))
    await elsewhere.type(after, SECOND)
    await elsewhere.shown()
    assert [user_id for user_id, _ in elsewhere.calls] == [elsewhere.ana.user_id]
    await elsewhere.ben.slash("abak help")
    await told_all(scene.bot)
    assert lines(elsewhere.ben, EN("hindered.gone", game="APB")) == []


async def test_a_game_is_brought_elsewhere_and_leaves_its_old_board_without_buttons(scene: Scene) -> None:
    await scene.begin()
    first = scene.room.board
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    (choice,) = await elsewhere.ana.choices("abak here", "game", game="")
    name = scene.world.channels[scene.room.channel_id]["name"]
    assert choice["name"].startswith("APB")
    assert choice["name"].endswith(f"(#{name})")
    await elsewhere.ana.slash("abak here", game=choice["value"])
    await scene.settle()
    await elsewhere.shown()
    await until(lambda: wired(scene.room.ana.fresh(first)) == [], "the old board has no buttons")
    assert elsewhere.calls == []  # the first board had called already
    assert len(scene.sent_to(elsewhere.ben)) == 1
    assert scene.sent_to(elsewhere.ana) == []


async def test_a_game_can_go_there_and_back(scene: Scene) -> None:
    seated = await scene.begin()
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    for room in (elsewhere, scene.room) * 2:
        scene.time.at += 1000
        await room.ana.slash("abak here")
        await scene.settle()
        assert (await room.present()).place.channel_id == room.channel_id
    assert len(scene.sent_to(scene.room.ben)) == 4
    await scene.move(await scene.room.present(), FIRST)
    assert scene.room.calls[-1][0] == scene.room.ben.user_id
    assert (await scene.room.shown()).id == seated.id


async def test_what_cannot_be_brought_here(scene: Scene) -> None:
    seated = await scene.begin()
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    await elsewhere.begin("abalone")
    await elsewhere.ana.slash("abak here", game=seated.id)
    assert told(elsewhere.ana) == EN("place.taken")
    await scene.room.ana.slash("abak here", game=seated.id)
    assert told(scene.room.ana) == EN("place.here")
    third = scene.room.elsewhere(scene.world.add_channel("third"))
    await third.ana.slash("abak here")
    assert told(third.ana) == EN("here.which")
    stranger = Seat.join(scene.world, "Eve", third.channel_id)
    await stranger.slash("abak here", game=seated.id)
    assert told(stranger) == EN("table.not_a_player")
    await stranger.slash("abak here")
    assert told(stranger) == EN("here.none")
    await stranger.slash("abak here", game="nothing")
    assert told(stranger) == EN("table.unknown")
    scene.world.deny(third.channel_id, p.ATTACH_FILES)
    await third.ana.slash("abak here", game=seated.id)
    assert told(third.ana) == EN("place.permission", permission="@permission.attach_files")
    scene.world.allow(third.channel_id, p.ATTACH_FILES)
    await scene.bot.services.tables.resign(seated.id, scene.room.ana.user_id, 1)
    await third.ana.slash("abak here", game=seated.id)
    assert told(third.ana) == EN("table.over")
