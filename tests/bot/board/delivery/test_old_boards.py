"""An old board that cannot be taken out of the way is tried again later."""

from __future__ import annotations

from harness.scene import FIRST
from harness.undelivered import Undelivered

from bot.board.delivery import service
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core import workers
from bot.core.translations import language
from bot.players.service import PreferenceService

EN = language("en")


async def test_an_old_board_that_cannot_be_tidied_is_tidied_later(scene: Undelivered) -> None:
    room = scene.room
    live = await room.begin("apb")
    first = room.board
    room.server.world.faults.fail_next("PATCH /channels", status=403, code=50001)
    await room.type(live, FIRST)
    await room.shown()
    assert any(x["components"] for x in room.ana.fresh(first)["components"])
    (old,) = await later(scene, workers.FIRST_PAUSE)
    assert (old.message_id, old.attempts, old.removed) == (int(first["id"]), 1, False)
    await scene.bot.service(BoardPublisher).old_boards.tidy(old)
    assert room.ana.fresh(first)["components"] == []
    assert await later(scene, workers.LONGEST_PAUSE) == []


async def test_an_old_board_that_cannot_be_removed_is_removed_later(scene: Undelivered) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.bot.service(PreferenceService).set_server(world.guild_id, "old_board", "delete")
    live = await room.begin("apb")
    world.faults.fail_next("DELETE /channels", status=400, code=0)
    await room.type(live, FIRST)
    await room.shown()
    assert len(room.boards) == 2
    for _ in range(2):
        world.faults.fail_next("DELETE /channels", status=400, code=0)
        for old in await later(scene, workers.LONGEST_PAUSE):
            await scene.bot.service(BoardPublisher).old_boards.tidy(old)
    world.faults.clear()
    (old,) = await later(scene, workers.LONGEST_PAUSE)
    assert (old.attempts, old.removed) == (3, True)
    await scene.bot.service(BoardPublisher).old_boards.tidy(old)
    assert len(room.boards) == 1
    assert await later(scene, workers.LONGEST_PAUSE) == []


async def later(scene: Undelivered, milliseconds: int) -> list[service.OldBoard]:
    """Returns the old boards that are due then."""
    await scene.bot.service(BoardPublisher).idle()
    scene.time.at += milliseconds
    return await scene.bot.service(BoardDelivery).old()
