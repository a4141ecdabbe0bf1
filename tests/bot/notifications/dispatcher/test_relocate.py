"""A game goes on in another channel: because its own was deleted, or because a player brings it there."""

from __future__ import annotations

import pytest
from harness.bot import told, told_all, wired
from harness.delivery import Delivery
from harness.discord import Seat, text, until
from harness.scene import FIRST, SECOND, told_lines

from bot.core.translations import language
from bot.games.service import GameService
from bot.sandbox.state import permissions as p
from engine.core.errors import Translated

EN = language("en")


async def test_a_deleted_channel_comes_with_an_offer_to_go_on_elsewhere(scene: Delivery) -> None:
    live = await scene.begin()
    scene.world.delete_channel(scene.room.channel_id)
    for who, other in ((scene.room.ana, scene.room.ben), (scene.room.ben, scene.room.ana)):
        await until(lambda who=who: scene.sent_to(who), "both are told")
        (message,) = scene.sent_to(who)
        assert text(message) == EN("notification.gone", game="APB", opponent=other.mention)
    await scene.move(live, FIRST)
    message = scene.sent_to(scene.room.ben)[-1]
    assert text(message) == EN("notification.turn_gone", game="APB", opponent=scene.room.ana.mention)


async def test_each_channel_that_is_deleted_is_told_of(scene: Delivery) -> None:
    await scene.begin()
    gone = EN("notification.gone", game="APB", opponent=scene.room.ben.mention)

    def told_of() -> int:
        return [text(message) for message in scene.sent_to(scene.room.ana)].count(gone)

    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    scene.world.delete_channel(scene.room.channel_id)
    await until(lambda: told_of() == 1, "she is told")
    await elsewhere.ana.slash("abak move here")
    await scene.settle()
    scene.world.delete_channel(elsewhere.channel_id)
    await until(lambda: told_of() == 2, "she is told again")


@pytest.mark.parametrize("named", [True, False])
async def test_a_game_whose_channel_was_deleted_goes_on_elsewhere(scene: Delivery, named: bool) -> None:
    live = await scene.begin()
    scene.world.delete_channel(scene.room.channel_id)
    await until(lambda: scene.sent_to(scene.room.ana), "Ana is told that the channel is gone")
    await scene.move(live, FIRST)
    assert len(scene.sent_to(scene.room.ben)) == 2
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    given = {"game": live.id} if named else {}
    await elsewhere.ben.slash("abak move here", **given)
    assert told(elsewhere.ben) == EN("here.moved", game="APB")
    await scene.settle()
    after = await elsewhere.shown()
    assert after.place.channel_id == elsewhere.channel_id
    assert EN("story.play", seat=EN("seat.white"), move=FIRST) in text(elsewhere.board)
    assert elsewhere.pings == []  # who is awaited was told directly
    message = scene.sent_to(elsewhere.ana)[-1]
    link = f"https://discord.com/channels/{scene.world.guild_id}/{elsewhere.channel_id}"
    assert text(message).startswith(EN("notification.relocated", game="APB", opponent=elsewhere.ben.mention, link=link))
    await elsewhere.type(after, SECOND)
    await elsewhere.shown()
    assert [user_id for user_id, _ in elsewhere.pings] == [elsewhere.ana.user_id]
    await elsewhere.ben.slash("abak help")
    await told_all(scene.bot)
    assert told_lines(elsewhere.ben, EN("undelivered.gone", game="APB")) == []


async def test_a_game_is_brought_elsewhere_and_leaves_its_old_board_without_buttons(scene: Delivery) -> None:
    await scene.begin()
    first = scene.room.board
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    (choice,) = await elsewhere.ana.choices("abak move here", "game", game="")
    name = scene.world.channels[scene.room.channel_id]["name"]
    assert choice["name"].startswith("APB")
    assert choice["name"].endswith(f"(#{name})")
    await elsewhere.ana.slash("abak move here", game=choice["value"])
    await scene.settle()
    await elsewhere.shown()
    await until(lambda: wired(scene.room.ana.fresh(first)) == [], "the old board has no buttons")
    assert elsewhere.pings == []  # the first board had called already
    assert len(scene.sent_to(elsewhere.ben)) == 1
    assert scene.sent_to(elsewhere.ana) == []


async def test_a_game_can_go_there_and_back(scene: Delivery) -> None:
    live = await scene.begin()
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    for room in (elsewhere, scene.room) * 2:
        scene.time.at += 1000
        await room.ana.slash("abak move here")
        await scene.settle()
        assert (await room.present()).place.channel_id == room.channel_id
    assert len(scene.sent_to(scene.room.ben)) == 4
    await scene.move(await scene.room.present(), FIRST)
    assert scene.room.pings[-1][0] == scene.room.ben.user_id
    assert (await scene.room.shown()).id == live.id


async def test_what_cannot_be_brought_here(scene: Delivery) -> None:
    live = await scene.begin()
    elsewhere = scene.room.elsewhere(scene.world.add_channel("hall"))
    await elsewhere.begin("abalone")
    await elsewhere.ana.slash("abak move here", game=live.id)
    assert told(elsewhere.ana) == EN("place.taken")
    await scene.room.ana.slash("abak move here", game=live.id)
    assert told(scene.room.ana) == EN("place.here")
    third = scene.room.elsewhere(scene.world.add_channel("third"))
    await third.ana.slash("abak move here")
    assert told(third.ana) == EN("here.which")
    stranger = Seat.join(scene.world, "Eve", third.channel_id)
    await stranger.slash("abak move here", game=live.id)
    assert told(stranger) == EN("table.not_a_player")
    await stranger.slash("abak move here")
    assert told(stranger) == EN("here.none")
    await stranger.slash("abak move here", game="nothing")
    assert told(stranger) == EN("table.unknown")
    scene.world.deny(third.channel_id, p.ATTACH_FILES)
    await third.ana.slash("abak move here", game=live.id)
    assert told(third.ana) == EN("place.permission", permission=Translated("@permission.attach_files"))
    scene.world.allow(third.channel_id, p.ATTACH_FILES)
    await scene.bot.service(GameService).resign(live.id, scene.room.ana.user_id, 1)
    await third.ana.slash("abak move here", game=live.id)
    assert told(third.ana) == EN("table.over")
