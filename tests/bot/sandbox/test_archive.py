"""A sandbox that was stopped comes back as it was; one that was killed too."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from typing import TYPE_CHECKING

import aiohttp
import pytest
from harness.discord import PATIENT, Seat, point_at, running
from harness.tiny import Tiny, file, picture

from bot.sandbox import archive as archives
from bot.sandbox.archive import Archive
from bot.sandbox.server import serve
from bot.sandbox.state import permissions
from bot.sandbox.state.attachments import Upload
from bot.sandbox.world import World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "world.sqlite3"


def filled() -> tuple[World, Seat]:
    world = World(bot_name="Robot", guild="Home")
    ana = Seat.join(world, "Ana", world.add_channel("games"), locale="es-ES", permissions=permissions.MANAGER)
    Seat.join(world, "Ben", ana.channel_id)
    world.add_guild("Elsewhere", bot=False)
    world.add_thread(ana.channel_id, "A thread", ana.user_id)
    world.set_owner(world.guild_id, ana.user_id)
    world.dms_closed.add(ana.user_id)
    world.deny(ana.channel_id, permissions.ATTACH_FILES)
    world.registered.replace([{"name": "play", "description": "Play"}])
    world.registered.replace([{"name": "here", "description": "Here"}], world.guild_id)
    ana.say("Hello")
    return world, ana


def same(one: World, two: World) -> None:
    assert archives._state(one) == archives._state(two)
    assert one.messages.by_channel == two.messages.by_channel
    assert one.messages.attachments == two.messages.attachments
    assert one.messages.owners == two.messages.owners
    assert one.messages.files == two.messages.files


async def saved(path: Path, world: World) -> World:
    """Waits until the file holds the world as it is, and returns it, read beside the archive that writes it."""
    async with asyncio.timeout(PATIENT):
        while True:
            with Archive(path) as beside, contextlib.suppress(AssertionError):
                found = beside.load()
                assert found is not None
                same(world, found)
                return found
            await asyncio.sleep(0.01)


def test_an_empty_archive_has_no_world(path: Path) -> None:
    with Archive(path) as archive:
        assert archive.load() is None


def test_a_world_comes_back(path: Path) -> None:
    world, ana = filled()
    with Archive(path) as archive:
        archive.save(world)
        second = ana.say("More")
        world.delete_message(int(ana.messages[0]["id"]))
        archive.save(world)
    with Archive(path) as archive:
        again = archive.load()
        assert again is not None
        same(world, again)
    back = Seat(again, ana.user_id, ana.channel_id)
    assert back.messages == [second]
    assert int(back.say("Later")["id"]) > int(second["id"])
    assert again.registered.find("here", 1, again.guild_id)["description"] == "Here"
    assert again.permissions.in_channel(ana.user_id, ana.channel_id) == permissions.ALL
    assert again.dms_closed == {ana.user_id}


def test_an_archive_from_before_there_were_closed_doors(path: Path) -> None:
    world, _ = filled()
    with Archive(path) as archive:
        archive.save(world)
    with sqlite3.connect(path) as db:
        db.execute("update world set body = json_remove(body, '$.closed')")
    db.close()
    with Archive(path) as archive:
        again = archive.load()
    assert again is not None
    assert again.dms_closed == set()


@pytest.mark.usefixtures("addresses")
async def test_a_killed_sandbox_comes_back_with_its_pictures(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "SAVE_DELAY", 0.01)
    world = World()
    ana = Seat.join(world, "Ana", world.add_channel("games"))
    archive = Archive(path)
    server = await serve(world, page=False, archive=archive)
    point_at(server)
    async with running(Tiny()) as client:
        await ana.slash("show", who=ana)
        await ana.choose("Red")
        await client.get_partial_messageable(ana.channel_id).send(file=file("old.png", 9))
        again = await saved(path, world)  # and here it would be killed
    await server.close()
    archive.close()
    server = await serve(again, page=False)
    back = Seat(again, ana.user_id, ana.channel_id)
    assert server.url != world.base_url
    async with aiohttp.ClientSession() as session, session.get(back.last["attachments"][0]["url"]) as reply:
        assert await reply.read() == picture(9)
    point_at(server)
    async with running(Tiny()):
        assert [m["content"] for m in back.messages][-2:] == ["You picked red", ""]
        await back.press("Step 1")
        assert back.messages[0]["content"] == "Step 1"
    await server.close()


async def test_the_last_change_is_kept_when_the_server_closes(path: Path) -> None:
    world, ana = filled()
    with Archive(path) as archive:
        server = await serve(world, page=False, archive=archive)
        await asyncio.sleep(0)
        ana.say("The last word")
        await server.close()
        again = archive.load()
    assert again is not None
    assert Seat(again, ana.user_id, ana.channel_id).last["content"] == "The last word"


def test_a_failed_save_leaves_the_old_state(path: Path) -> None:
    world, ana = filled()
    with Archive(path) as archive:
        archive.save(world)
        ana.say("Written only in part")
        world.messages.files[5] = Upload("x", object())  # type: ignore[arg-type]
        with pytest.raises(sqlite3.Error):
            archive.save(world)
        del world.messages.files[5]
        with Archive(path) as beside:
            old = beside.load()
        assert old is not None
        assert [m["content"] for m in Seat(old, ana.user_id, ana.channel_id).messages] == ["Hello"]
        archive.save(world)
        again = archive.load()
    assert again is not None
    same(world, again)


def test_a_file_that_is_no_archive(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"something else, and long enough to be looked at" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        Archive(path)


def test_an_archive_of_another_format(path: Path) -> None:
    Archive(path).close()
    db = sqlite3.connect(path)
    db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(ValueError, match="format 99"):
        Archive(path)
