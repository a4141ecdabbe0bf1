"""Digests, once a day in place of pings: the games that wait for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.delivery import HOUR, Delivery
from harness.discord import text
from harness.scene import FIRST, SECOND
from harness.statements import fill, watched

from bot.core.translations import language
from bot.games.service import GameService

if TYPE_CHECKING:
    import pytest

EN = language("en")


async def test_a_digest_takes_the_place_of_pings(scene: Delivery) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    live = await scene.begin("3d/move")
    await scene.move(live, FIRST)
    assert scene.pings_of(ben) == 0
    await scene.pass_time(6 * HOUR)
    (message,) = scene.sent_to(ben)
    assert text(message).splitlines()[0] == EN("notification.digest", n=1)
    up = scene.bot.service(GameService)
    live = await up.get(live.id)
    assert live.table.deadline is not None
    assert f"<t:{(live.table.record.header.started + live.table.deadline) // 1000}:R>" in text(message)
    assert scene.room.board["id"] in text(message)


async def test_digests_go_on_while_a_game_waits_and_end_with_it(scene: Delivery) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    live = await scene.begin()
    await scene.move(live, FIRST)
    for day in range(1, 4):
        await scene.pass_time(24 * HOUR)
        assert len(scene.sent_to(ben)) == day
    await scene.move(await scene.room.present(), SECOND)
    await scene.pass_time(72 * HOUR)
    assert len(scene.sent_to(ben)) == 3
    assert await scene.states("digest") == ["sent", "sent", "sent", "void"]


async def test_the_games_of_a_digest_are_asked_for_once_and_none_is_replayed(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben, database = scene.room.ben, scene.bot.services.database
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    live = await scene.begin()
    await scene.move(live, FIRST)
    players = (ben.user_id, scene.room.ana.user_id)
    await fill(database, 300, players, scene.world.guild_id, started=scene.time.at)
    with watched(database, monkeypatch) as asked:
        await scene.pass_time(6 * HOUR)
    (message,) = scene.sent_to(ben)
    assert text(message).splitlines()[0] == EN("notification.digest", n=301)
    assert asked.loads == []
    assert len([statement for statement in asked.statements if "awaited" in statement]) == 1
    assert len(asked.statements) < 10, asked.statements
