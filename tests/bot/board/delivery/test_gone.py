"""Threads that are archived or locked; channels, servers and boards that are gone."""

from __future__ import annotations

import pytest
from harness.bot import Room, told_all
from harness.discord import until
from harness.origins import shows
from harness.scene import FIRST
from harness.undelivered import Undelivered, pending_notices
from sqlalchemy import update

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core.translations import language
from bot.games.service import GameService
from bot.games.tables import games
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions as p
from engine.core.errors import Translated

EN = language("en")


async def in_thread(scene: Undelivered) -> Room:
    """Begins a game in a thread of its own."""
    await scene.bot.service(PreferenceService).set_server(scene.room.server.world.guild_id, "threads", "always")
    message = await scene.room.challenge("apb")
    await scene.room.ben.press("b:accept_challenge:", message)
    thread = scene.room.elsewhere(int(message["id"]))
    await thread.shown()
    return thread


async def test_an_archived_thread_comes_back_with_a_move(scene: Undelivered) -> None:
    thread = await in_thread(scene)
    scene.room.server.world.archive(thread.channel_id)
    await scene.bot.service(GameService).play((await thread.present()).id, thread.ana.user_id, None, FIRST)
    await thread.shown()
    assert not scene.room.server.world.channels[thread.channel_id]["thread_metadata"]["archived"]
    assert shows(thread.board)[1] == 1


async def test_an_archived_thread_comes_back_for_a_board_that_is_changed_in_place(scene: Undelivered) -> None:
    thread = await in_thread(scene)
    world = scene.room.server.world
    await scene.bot.service(PreferenceService).set_server(world.guild_id, "old_board", "edit")
    world.archive(thread.channel_id)
    await scene.bot.service(GameService).play((await thread.present()).id, thread.ana.user_id, None, FIRST)
    await thread.shown()
    assert not world.channels[thread.channel_id]["thread_metadata"]["archived"]


@pytest.mark.parametrize("archived", [True, False])
async def test_a_locked_thread_is_explained_and_goes_on_when_it_is_unlocked(scene: Undelivered, archived: bool) -> None:
    thread, world = await in_thread(scene), scene.room.server.world
    world.deny(scene.room.channel_id, p.MANAGE_THREADS)
    world.change_thread(thread.channel_id, archived=archived, locked=True)
    await scene.bot.service(GameService).play((await thread.present()).id, thread.ana.user_id, None, FIRST)
    await scene.bot.service(BoardPublisher).idle()
    assert len(thread.boards) == 1
    for who, key, more in (
        (scene.room.ana, "undelivered.locked", {"game": "APB"}),
        (scene.manager, "permission_issue.locked", {}),
    ):
        line = EN(key, channel=f"<#{thread.channel_id}>", **more)
        await who.slash("abak help")
        await until(lambda who=who, line=line: pending_notices(who) == [line], "it is told")
    world.change_thread(thread.channel_id, locked=False)
    await until(lambda: len(thread.boards) == 2, "the board is shown")


async def test_a_game_that_this_version_does_not_know_is_named_by_its_key(scene: Undelivered) -> None:
    await scene.hinder()
    await scene.room.present()  # it is in memory now, and so not read again
    async with scene.bot.service(BoardDelivery).store.database.writing() as connection:
        await connection.execute(update(games).values(game="tetris"))
    await scene.room.ben.slash("abak help")
    about = {"channel": f"<#{scene.room.channel_id}>", "permission": Translated("@permission.send_messages")}
    line = EN("undelivered.permission", game="tetris", **about)
    await until(lambda: pending_notices(scene.room.ben) == [line], "it is told")


async def test_a_deleted_channel_is_no_matter_for_managers_but_for_players(scene: Undelivered) -> None:
    room, world = scene.room, scene.room.server.world
    live = await room.begin("apb")
    hall = world.add_channel("hall")
    world.delete_channel(room.channel_id)
    await scene.bot.service(GameService).play(live.id, room.ana.user_id, 0, FIRST)
    await scene.bot.service(BoardPublisher).idle()
    for who, told in ((room.ben, [EN("undelivered.gone", game="APB")]), (scene.manager, [])):
        await who.at(hall).slash("abak help")
        await told_all(scene.bot)
        assert pending_notices(who.at(hall)) == told


async def test_the_bot_thrown_out_of_the_server_waits(scene: Undelivered) -> None:
    room, world = scene.room, scene.room.server.world
    live = await room.begin("apb")
    world.remove_bot(world.guild_id)
    await until(lambda: not scene.bot.guilds, "the bot knows it")
    await scene.bot.service(GameService).play(live.id, room.ana.user_id, 0, FIRST)
    await scene.bot.service(BoardPublisher).idle()
    assert (await scene.row()).server_gone


async def test_a_deleted_board_is_followed_by_a_new_one(scene: Undelivered) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.bot.service(PreferenceService).set_server(world.guild_id, "old_board", "edit")
    live = await room.begin("apb")
    world.delete_message(int(room.board["id"]))
    await room.type(live, FIRST)
    await room.shown()
    assert shows(room.board)[1] == 1
