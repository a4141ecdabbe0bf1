"""A board that cannot be shown: tried ever more seldom, explained once to whoever can mend it, and to the players."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, Room, bot_running, milliseconds, shows, told_all
from harness.discord import Seat, is_ephemeral, text, until
from sqlalchemy import select

from bot.i18n import Language, language
from bot.sandbox import permissions as p
from bot.services import boards
from bot.store.schema import challenges, games
from bot.ui import presenter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.client import AbakBot
    from bot.sandbox.server import Server

EN = language("en")
FIRST, SECOND = "e4-e5 e3-e4", "e9-d8 e10-e9"
MANAGER = p.MEMBER | p.MANAGE_CHANNELS


@dataclass
class Time:
    """The bot's time; a test lets it pass."""

    at: int

    def __call__(self) -> int:
        return self.at


@dataclass
class Scene:
    """A room, the time of its bot, and somebody who manages the server."""

    room: Room
    time: Time
    manager: Seat

    @property
    def bot(self) -> AbakBot:
        assert self.room.bot is not None
        return self.room.bot

    async def row(self) -> Any:
        """The channel's game as it is stored."""
        query = select(games).where(games.c.channel_id == self.room.channel_id)
        async with self.bot.services.boards.store.database.reading() as connection:
            return (await connection.execute(query)).one()

    async def sweep(self) -> None:
        """What the presenter does each minute."""
        for game_id in await self.bot.services.boards.due():
            self.bot.presenter.wake(game_id, recovering=True)
        await self.bot.presenter.idle()


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str) -> AsyncIterator[Scene]:
    async with staged(stand_in, sqlite_url) as scene:
        yield scene


@asynccontextmanager
async def staged(server: Server, url: str, locale: str = "en-US") -> AsyncIterator[Scene]:
    time = Time(milliseconds())
    async with bot_running(server, url, now=time) as bot:
        room = Room.of(server, bot, locale=locale)
        yield Scene(room, time, Seat.join(server.world, "Eve", room.channel_id, locale=locale, permissions=MANAGER))


def asides(who: Seat, says: Language = EN) -> list[str]:
    """What somebody was told privately about boards that are not shown."""
    marks = [says(key, **dict.fromkeys(("game", "channel", "permission"), "|")).split("|")[0] for key in ASIDES]
    lines = [line for m in who.messages if is_ephemeral(m) for line in text(m).splitlines()]
    return [line for line in lines if line.startswith(tuple(marks))]


ASIDES = ("trouble.permission", "trouble.locked", "hindered.permission", "hindered.locked", "hindered.gone")


def posts(room: Room) -> int:
    """How often a message was sent, or tried to be, in the room."""
    path = f"/channels/{room.channel_id}/messages"
    return sum(entry.method == "POST" and entry.path == path for entry in room.server.world.log)


# --- pauses ----------------------------------------------------------------------------------------------------------


async def test_the_pauses_between_attempts_grow_and_are_kept(scene: Scene) -> None:
    room = scene.room
    seated = await room.begin("apb")
    room.server.world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(seated, FIRST)
    await scene.bot.presenter.idle()
    pauses, before = [], posts(room)
    for number in range(1, 12):
        row = await scene.row()
        assert (row.tries, row.hindrance) == (number, "send_messages")
        pauses.append(row.try_at - scene.time.at)
        scene.time.at = row.try_at - 1
        await scene.sweep()
        assert posts(room) == before + number - 1
        scene.time.at += 1
        await scene.sweep()
        assert posts(room) == before + number
    assert pauses[:3] == [60_000, 120_000, 240_000]
    assert pauses == [boards.pause(number) for number in range(11)]
    assert pauses[-1] == boards.LONGEST_PAUSE


async def test_what_was_shown_is_tried_from_the_beginning(scene: Scene) -> None:
    room = scene.room
    seated = await room.begin("apb")
    room.server.world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(seated, FIRST)
    await scene.bot.presenter.idle()
    room.server.world.allow(room.channel_id, p.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown as soon as it may be")
    await room.shown()
    row = await scene.row()
    assert (row.tries, row.try_at, row.hindrance, row.hindrance_told) == (0, 0, "", 0)


@pytest.mark.parametrize("mend", ["channel", "role"])
async def test_a_change_of_permissions_is_tried_at_once(scene: Scene, mend: str) -> None:
    room, world = scene.room, scene.room.server.world
    seated = await room.begin("apb")
    world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(seated, FIRST)
    await scene.bot.presenter.idle()
    if mend == "channel":
        world.allow(room.channel_id, p.SEND_MESSAGES)
    else:
        world.channels[room.channel_id]["permission_overwrites"] = []
        role = world.guilds[world.guild_id]["roles"][0]
        changed = {"guild_id": str(world.guild_id), "role": role | {"mentionable": True}}
        world.news.dispatch("GUILD_ROLE_UPDATE", lambda: changed, guild_id=world.guild_id, intent=1)
    await until(lambda: len(room.boards) == 2, "the board is shown")


async def test_an_old_board_that_cannot_be_tidied_is_tidied_later(scene: Scene) -> None:
    room = scene.room
    seated = await room.begin("apb")
    first = room.board
    room.server.world.faults.fail_next("PATCH /channels", status=403, code=50001)
    await room.type(seated, FIRST)
    await room.shown()
    assert any(x["components"] for x in room.ana.fresh(first)["components"])
    (old,) = await later(scene, boards.FIRST_PAUSE)
    assert (old.message_id, old.tries, old.removed) == (int(first["id"]), 1, False)
    await scene.bot.presenter._tidy(old)
    assert room.ana.fresh(first)["components"] == []
    assert await later(scene, boards.LONGEST_PAUSE) == []


async def test_an_old_board_that_cannot_be_removed_is_removed_later(scene: Scene) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.bot.services.preferences.set_server(world.guild_id, "old_board", "delete")
    seated = await room.begin("apb")
    world.faults.fail_next("DELETE /channels", status=400, code=0)
    await room.type(seated, FIRST)
    await room.shown()
    assert len(room.boards) == 2
    for _ in range(2):
        world.faults.fail_next("DELETE /channels", status=400, code=0)
        for old in await later(scene, boards.LONGEST_PAUSE):
            await scene.bot.presenter._tidy(old)
    world.faults.clear()
    (old,) = await later(scene, boards.LONGEST_PAUSE)
    assert (old.tries, old.removed) == (3, True)
    await scene.bot.presenter._tidy(old)
    assert len(room.boards) == 1
    assert await later(scene, boards.LONGEST_PAUSE) == []


async def later(scene: Scene, milliseconds: int) -> list[boards.OldBoard]:
    """The old boards that are due then."""
    scene.time.at += milliseconds
    return await scene.bot.services.boards.old()


async def test_a_closed_challenge_that_cannot_be_changed_is_tried_ever_more_seldom(scene: Scene) -> None:
    room, world = scene.room, scene.room.server.world
    message = await room.challenge("apb")
    world.deny(room.channel_id, p.VIEW_CHANNEL)
    world.faults.fail_next("PATCH /channels", status=403, code=50013, times=2)
    scene.time.at += 25 * 3_600_000
    await scene.bot.expiry.turn()
    assert await scene.bot.services.challenges.unshown() == []
    scene.time.at += boards.FIRST_PAUSE
    await scene.bot.expiry.turn()
    world.allow(room.channel_id, p.VIEW_CHANNEL)
    scene.time.at += boards.FIRST_PAUSE
    await scene.bot.expiry.turn()
    assert EN("challenge.expired") not in text(room.ana.fresh(message))
    async with scene.bot.services.boards.store.database.reading() as connection:
        assert await connection.scalar(select(challenges.c.tries)) == 2
    scene.time.at += boards.FIRST_PAUSE
    await scene.bot.expiry.turn()
    assert EN("challenge.expired") in text(room.ana.fresh(message))


# --- permissions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("denied", "named"),
    [(p.VIEW_CHANNEL, "view_channel"), (p.SEND_MESSAGES, "send_messages"), (p.ATTACH_FILES, "attach_files")],
)
@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_missing_permission_is_named_once_to_who_can_mend_it(
    stand_in: Server, sqlite_url: str, denied: int, named: str, locale: str
) -> None:
    async with staged(stand_in, sqlite_url, locale) as scene:
        room, world = scene.room, stand_in.world
        seated = await room.begin("apb")
        world.deny(room.channel_id, denied)
        await room.type(seated, FIRST)
        await scene.bot.presenter.idle()
        elsewhere = scene.manager.at(world.add_channel("hall"))
        channel = f"<#{room.channel_id}>"
        line = room.say("trouble.permission", channel=channel, permission=f"@permission.{named}")
        for _ in range(2):
            await elsewhere.slash("abak help")
            await until(lambda: asides(elsewhere, room.say) == [line], "the manager is told")
        other = Seat.join(world, "Max", elsewhere.channel_id, permissions=MANAGER)
        await other.slash("abak help")
        await scene.bot.presenter.idle()
        assert asides(other) == []


async def test_members_are_not_told_what_they_cannot_mend(scene: Scene) -> None:
    room = scene.room
    seated = await room.begin("apb")
    room.server.world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(seated, FIRST)
    await scene.bot.presenter.idle()
    member = Seat.join(room.server.world, "Max", room.channel_id)
    await member.slash("abak help")
    await told_all(scene.bot)
    assert asides(member) == []
    await scene.manager.slash("abak help")
    await until(lambda: len(asides(scene.manager)) == 1, "the manager is told")


async def test_each_player_is_told_once_why_the_board_is_not_there(scene: Scene) -> None:
    room = scene.room
    seated = await room.begin("apb")
    room.server.world.deny(room.channel_id, p.ATTACH_FILES)
    await room.type(seated, FIRST)
    channel = f"<#{room.channel_id}>"
    line = EN("hindered.permission", game="APB", channel=channel, permission="@permission.attach_files")
    await until(lambda: asides(room.ana) == [line], "who has just moved is told at once")
    for _ in range(2):
        await room.ben.slash("abak games")
        await until(lambda: asides(room.ben) == [line], "the other is told at the next command")
    await room.ana.slash("abak games")
    await told_all(scene.bot)
    assert asides(room.ana) == [line]


async def test_what_failed_again_after_it_worked_is_told_again(scene: Scene) -> None:
    room, world = scene.room, scene.room.server.world
    seated = await room.begin("apb")
    world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(seated, FIRST)
    await scene.bot.presenter.idle()
    await scene.manager.slash("abak help")
    await until(lambda: len(asides(scene.manager)) == 1, "the manager is told")
    world.allow(room.channel_id, p.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown")
    await scene.bot.presenter.idle()
    world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.ben.slash("abak move play", notation=SECOND)
    await until(lambda: len(asides(room.ben)) == 1, "who has just moved is told")
    await scene.manager.slash("abak help")
    await until(lambda: len(asides(scene.manager)) == 2, "the manager is told anew")


async def test_who_can_mend_it_and_plays_is_told_once(scene: Scene) -> None:
    world = scene.room.server.world
    room = Room(scene.room.server, scene.manager, scene.room.ben, scene.bot)
    seated = await room.begin("apb")
    world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(seated, FIRST)
    await until(lambda: len(asides(scene.manager)) == 1, "told")
    assert asides(scene.manager)[0].startswith(EN("trouble.permission", channel="", permission="x")[:20])
    await scene.manager.slash("abak help")
    await told_all(scene.bot)
    assert len(asides(scene.manager)) == 1


# --- threads, channels and messages that are gone --------------------------------------------------------------------


async def in_thread(scene: Scene) -> Room:
    """A game in a thread of its own."""
    await scene.bot.services.preferences.set_server(scene.room.server.world.guild_id, "threads", "always")
    message = await scene.room.challenge("apb")
    await scene.room.ben.press("b:take_up:", message)
    thread = scene.room.elsewhere(int(message["id"]))
    await thread.shown()
    return thread


async def test_an_archived_thread_comes_back_with_a_move(scene: Scene) -> None:
    thread = await in_thread(scene)
    scene.room.server.world.archive(thread.channel_id)
    await scene.bot.services.tables.play((await thread.present()).id, thread.ana.user_id, None, FIRST)
    await thread.shown()
    assert not scene.room.server.world.channels[thread.channel_id]["thread_metadata"]["archived"]
    assert shows(thread.board)[1] == 1


async def test_an_archived_thread_comes_back_for_a_board_that_is_changed_in_place(scene: Scene) -> None:
    thread = await in_thread(scene)
    world = scene.room.server.world
    await scene.bot.services.preferences.set_server(world.guild_id, "old_board", "edit")
    world.archive(thread.channel_id)
    await scene.bot.services.tables.play((await thread.present()).id, thread.ana.user_id, None, FIRST)
    await thread.shown()
    assert not world.channels[thread.channel_id]["thread_metadata"]["archived"]


@pytest.mark.parametrize("archived", [True, False])
async def test_a_locked_thread_is_explained_and_goes_on_when_it_is_unlocked(scene: Scene, archived: bool) -> None:
    thread, world = await in_thread(scene), scene.room.server.world
    world.deny(scene.room.channel_id, p.MANAGE_THREADS)
    world.change_thread(thread.channel_id, archived=archived, locked=True)
    await scene.bot.services.tables.play((await thread.present()).id, thread.ana.user_id, None, FIRST)
    await scene.bot.presenter.idle()
    assert len(thread.boards) == 1
    for who, key, more in (
        (scene.room.ana, "hindered.locked", {"game": "APB"}),
        (scene.manager, "trouble.locked", {}),
    ):
        line = EN(key, channel=f"<#{thread.channel_id}>", **more)
        await who.slash("abak help")
        await until(lambda who=who, line=line: asides(who) == [line], "it is told")
    world.change_thread(thread.channel_id, locked=False)
    await until(lambda: len(thread.boards) == 2, "the board is shown")


async def test_a_deleted_channel_is_no_matter_for_managers_but_for_players(scene: Scene) -> None:
    room, world = scene.room, scene.room.server.world
    seated = await room.begin("apb")
    hall = world.add_channel("hall")
    world.delete_channel(room.channel_id)
    await scene.bot.services.tables.play(seated.id, room.ana.user_id, 0, FIRST)
    await scene.bot.presenter.idle()
    for who, told in ((room.ben, [EN("hindered.gone", game="APB")]), (scene.manager, [])):
        await who.at(hall).slash("abak help")
        await told_all(scene.bot)
        assert asides(who.at(hall)) == told


async def test_the_bot_thrown_out_of_the_server_waits(scene: Scene) -> None:
    room, world = scene.room, scene.room.server.world
    seated = await room.begin("apb")
    world.remove_bot(world.guild_id)
    await scene.bot.services.tables.play(seated.id, room.ana.user_id, 0, FIRST)
    await scene.bot.presenter.idle()
    assert (await scene.row()).hindrance == "view_channel"


async def test_a_deleted_board_is_followed_by_a_new_one(scene: Scene) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.bot.services.preferences.set_server(world.guild_id, "old_board", "edit")
    seated = await room.begin("apb")
    world.delete_message(int(room.board["id"]))
    await room.type(seated, FIRST)
    await room.shown()
    assert shows(room.board)[1] == 1


async def test_a_failure_of_no_known_kind_is_no_permissions_fault(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenter, "RETRIES", (0.01, 0.01))
    room = scene.room
    seated = await room.begin("apb")
    room.server.world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, times=3)
    await room.type(seated, FIRST)
    await scene.bot.presenter.idle()
    row = await scene.row()
    assert (row.tries, row.hindrance) == (1, "")
    await room.ana.slash("abak help")
    await told_all(scene.bot)
    assert asides(room.ana) == []
    scene.time.at = row.try_at
    await scene.sweep()
    await room.shown()
