"""A server removes the bot: its games stand still, go on when it is invited again, and end after some days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import Room, bot_running
from harness.discord import Seat, text, until
from harness.scene import FIRST, SECOND, posts
from harness.undelivered import Undelivered
from sqlalchemy import select

from bot.board.delivery.errors import is_removed
from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.heartbeats.tables import outages, removed_servers
from bot.clocks.removed_servers.service import RemovedServers
from bot.clocks.removed_servers.worker import RemovedServerWorker
from bot.clocks.worker import DeadlineWorker
from bot.core.translations import language
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.dispatcher import NotificationDispatcher
from bot.sandbox.state import permissions as p
from engine.core.errors import Refused
from engine.core.hours import DAY
from engine.core.record import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")


async def removed(scene: Undelivered, clock: str = "") -> LiveGame:
    """Begins a game, and removes the bot from its server."""
    room, place = scene.room, Place(scene.world.guild_id, scene.room.channel_id)
    players = (room.ana.user_id, room.ben.user_id)
    await scene.bot.service(GameService).open(NewGame("apb", {}, place, "en", clock, "loss" if clock else ""), players)
    live = await room.shown()
    scene.world.remove_bot(scene.world.guild_id)
    await marked(scene, gone=True)
    return live


async def marked(scene: Undelivered, *, gone: bool) -> None:
    async def is_marked() -> bool:
        return (await scene.row()).server_gone is gone

    await until(is_marked, "the game is marked")


async def kinds(scene: Undelivered, game_id: str) -> list[Kind]:
    live = await scene.bot.service(GameService).newest(game_id)
    return [entry.kind for entry in live.entries]


async def test_an_invited_bot_shows_at_once_what_has_long_been_due(scene: Undelivered) -> None:
    """However often its boards have failed before."""
    room = scene.room
    await scene.hinder()
    for _ in range(6):
        scene.time.at = (await scene.row()).next_attempt_at
        await scene.sweep()
    scene.world.remove_bot(scene.world.guild_id)
    await marked(scene, gone=True)
    scene.world.allow(room.channel_id, p.SEND_MESSAGES)
    scene.world.invite_bot(scene.world.guild_id)
    await until(lambda: len(room.boards) == 2, "the board is shown")


async def test_a_new_role_of_the_bot_shows_at_once_what_is_due(scene: Undelivered) -> None:
    room, world = scene.room, scene.world
    await scene.hinder()
    overwrites = world.channels[room.channel_id]["permission_overwrites"]
    overwrites.clear()  # as Discord's own event would tell, which is lost here
    guild = scene.bot.get_guild(world.guild_id)
    assert guild is not None
    await scene.bot.on_member_update(guild.me, guild.me)
    await until(lambda: len(room.boards) == 2, "the board is shown")


async def test_nothing_is_tried_while_the_server_is_without_the_bot(scene: Undelivered) -> None:
    live = await removed(scene)
    before = posts(scene.world, scene.room.channel_id)
    await scene.bot.service(GameService).play(live.id, scene.room.ana.user_id, 0, FIRST)
    for _ in range(5):
        scene.time.at += DAY
        await scene.sweep()
    assert posts(scene.world, scene.room.channel_id) == before
    await scene.bot.service(NotificationDispatcher).turn()
    assert len(messages_to(scene, scene.room.ben)) == 1  # it is his turn


async def test_no_time_is_lost_while_the_server_is_without_the_bot(scene: Undelivered) -> None:
    live = await removed(scene, clock="1d/move")
    deadlines = scene.bot.service(DeadlineWorker)
    for _ in range(3):
        scene.time.at += 3 * DAY
        await deadlines.run_once()
    assert Kind.TIMEOUT not in await kinds(scene, live.id)
    scene.world.invite_bot(scene.world.guild_id)
    await marked(scene, gone=False)
    await deadlines.run_once()
    assert set(await kinds(scene, live.id)) == {Kind.CREDIT}
    scene.time.at += DAY // 2
    await scene.room.type(live, FIRST)
    await scene.room.shown()


async def test_a_game_that_is_taken_elsewhere_loses_no_time_either(scene: Undelivered) -> None:
    live = await removed(scene, clock="1d/move")
    scene.time.at += 3 * DAY
    await scene.bot.service(RemovedServers).credit(live)
    assert set(await kinds(scene, live.id)) == {Kind.CREDIT}


async def test_the_games_end_after_some_days_and_both_players_are_told(scene: Undelivered) -> None:
    live = await removed(scene)
    worker, days = scene.bot.service(RemovedServerWorker), scene.bot.services.settings.end_removed
    scene.time.at += days * DAY - 1
    await worker.run_once()
    assert (await scene.row()).status == "running"
    before = posts(scene.world, scene.room.channel_id)
    scene.time.at += 1
    await worker.run_once()
    row = await scene.row()
    assert (row.status, row.reason, row.counts) == ("over", "end.voided", False)
    await scene.bot.service(BoardPublisher).idle()
    for _ in range(4):
        await scene.bot.service(NotificationDispatcher).turn()
    for who, other in ((scene.room.ana, scene.room.ben), (scene.room.ben, scene.room.ana)):
        (told,) = messages_to(scene, who)
        assert EN("notification.server_removed", game="APB", opponent=f"<@{other.user_id}>") in told
    assert posts(scene.world, scene.room.channel_id) == before
    assert await stored(scene, removed_servers) == []
    assert await kinds(scene, live.id) == [Kind.ADJUDICATE]


async def test_a_game_that_could_not_be_ended_goes_on_after_an_invitation(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise Refused("table.over")

    await removed(scene)
    scene.time.at += scene.bot.services.settings.end_removed * DAY
    monkeypatch.setattr(scene.bot.service(GameService), "adjudicate", fails)
    await scene.bot.service(RemovedServerWorker).run_once()
    assert await stored(scene, removed_servers) == []
    assert (await scene.row()).server_gone
    scene.world.invite_bot(scene.world.guild_id)
    await marked(scene, gone=False)


async def test_a_shard_that_only_begins_to_hear_says_nothing_about_its_servers(scene: Undelivered) -> None:
    """As just after another process has died: it is connected, but Discord has not yet told of the servers."""
    await scene.room.begin("apb")
    bot, guild_id = scene.bot, scene.world.guild_id
    (shard,), guild = bot.runner.shards.values(), bot.get_guild(guild_id)
    assert guild is not None
    shard.ready = False
    bot._connection._remove_guild(guild)
    await bot.service(RemovedServerWorker).compare()
    assert not (await scene.row()).server_gone
    assert not is_removed(bot, guild_id)
    shard.ready = True
    await bot.service(RemovedServerWorker).compare()
    assert (await scene.row()).server_gone


async def test_an_invitation_before_that_continues_the_games(scene: Undelivered) -> None:
    live = await removed(scene)
    worker = scene.bot.service(RemovedServerWorker)
    scene.time.at += (scene.bot.services.settings.end_removed - 1) * DAY
    scene.world.invite_bot(scene.world.guild_id)
    await marked(scene, gone=False)
    scene.time.at += 5 * DAY
    await worker.run_once()
    assert (await scene.row()).status == "running"
    await scene.room.type(live, FIRST)
    await scene.room.shown()
    await scene.room.ben.slash("abak move play", notation=SECOND)
    await scene.room.shown()


@pytest.mark.parametrize("back", [True, False])
async def test_it_is_noticed_after_a_restart(stand_in: Server, sqlite_url: str, back: bool) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        if back:
            stand_in.world.remove_bot(stand_in.world.guild_id)
            await until(bot.service(RemovedServers).store.known, "the removal is stored")
            await bot.service(GameService).play(live.id, room.ana.user_id, 0, FIRST)
    if back:
        stand_in.world.invite_bot(stand_in.world.guild_id)
    else:
        stand_in.world.remove_bot(stand_in.world.guild_id)
    async with bot_running(stand_in, sqlite_url) as bot:

        async def noticed() -> bool:
            return (await bot.service(RemovedServers).store.known() == []) is back

        await until(noticed, "the change is noticed")
        if back:
            await until(lambda: len(room.boards) == 2, "the board is shown")


async def lost_session(scene: Undelivered, meanwhile: Callable[[], None]) -> None:
    """Ends the shard's session, and lets something happen before it has a new one."""
    world = scene.world
    world.faults.drop_gateway(resume=False)
    meanwhile()

    def begun() -> bool:
        return bool(scene.room.server.gateway.sessions) and all(
            shard.is_open for shard in scene.bot.runner.shards.values()
        )

    await until(begun, "there is a new session")


async def test_a_removal_while_no_session_stands_is_noticed_with_the_next(scene: Undelivered) -> None:
    room = scene.room
    live = await room.begin("apb", time="10m")
    await lost_session(scene, lambda: scene.world.remove_bot(scene.world.guild_id))
    await marked(scene, gone=True)
    scene.time.at += DAY
    await scene.bot.service(DeadlineWorker).run_once()
    assert (await scene.row()).status == "running"
    await lost_session(scene, lambda: scene.world.invite_bot(scene.world.guild_id))
    await marked(scene, gone=False)
    assert Kind.TIMEOUT not in await kinds(scene, live.id)


async def test_what_failed_before_a_server_came_back_unheard_is_shown_with_the_next_session(scene: Undelivered) -> None:
    room = scene.room
    await scene.hinder()
    for _ in range(6):
        scene.time.at = (await scene.row()).next_attempt_at
        await scene.sweep()

    def removed_and_invited() -> None:
        scene.world.remove_bot(scene.world.guild_id)
        scene.world.allow(room.channel_id, p.SEND_MESSAGES)
        scene.world.invite_bot(scene.world.guild_id)

    await lost_session(scene, removed_and_invited)
    await until(lambda: len(room.boards) == 2, "the board is shown")


async def stored(scene: Undelivered, table: Any) -> list[Any]:
    async with scene.bot.services.database.reading() as connection:
        return list(await connection.execute(select(table)))


def messages_to(scene: Undelivered, who: Seat) -> list[str]:
    """Returns the bot's direct messages to somebody."""
    bot = str(scene.world.application_id)
    return [text(m) for m in who.direct().messages if m["author"]["id"] == bot]


async def test_the_absence_is_stored_for_this_server_only(scene: Undelivered) -> None:
    await removed(scene)
    scene.time.at += DAY
    scene.world.invite_bot(scene.world.guild_id)
    await marked(scene, gone=False)
    (row,) = [row for row in await stored(scene, outages) if row.guild_id]
    assert (row.guild_id, row.until - row.since) == (scene.world.guild_id, DAY)
    found = await scene.bot.service(RemovedServers).store.with_games()
    assert found == [scene.world.guild_id]
