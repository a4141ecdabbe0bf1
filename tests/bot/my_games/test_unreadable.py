"""One game that cannot be read is named and left out; the others are shown, and it is in the log once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import structlog
from harness.bot import SPANISH, Room, bot_running, told, told_all
from harness.damage import spoil

from bot.clocks.service import tick
from bot.core.storage.faults import damage
from bot.games.service import GameService

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server


ENTRY = "UPDATE entries SET body = 'z9-z8' WHERE game_id = :id AND seq = 0"
GAP = "UPDATE entries SET seq = 7 WHERE game_id = :id AND seq = 0"
KEY = "UPDATE games SET game = 'tetris' WHERE id = :id"
TIME_OFF = "UPDATE games SET time_off = '{' WHERE id = :id"


def forget(bot: AbakBot) -> None:
    """Empties the caches, as a restart does."""
    bot.service(GameService).forget_player(None)


async def two_games(room: Room) -> tuple[LiveGame, LiveGame, Room]:
    """Begins two games in which Ana is on move, the first with entries, and the second in another channel."""
    live = await room.begin("abalone")
    for _ in range(2):
        await room.type(live, live.game.format(live.state, (live.game.legal(live.state)[0],)))
        live = await room.shown()
    elsewhere = Room(room.server, room.ana, room.ben, room.bot).elsewhere(room.server.world.add_channel("more"))
    return live, await elsewhere.begin("abalone"), elsewhere


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("damaged", [ENTRY, GAP])
async def test_the_next_game_is_shown_without_the_one_that_cannot_be_read(
    stand_in: Server, sqlite_url: str, damaged: str, locale: str
) -> None:
    damage._named.clear()
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:  # it is named once
        room = Room.of(stand_in, bot, locale=locale)
        bad, good, elsewhere = await two_games(room)
        await spoil(bot.services.database, damaged, id=bad.id)
        forget(bot)
        for _ in range(2):
            await room.ana.slash("abak next")
            assert f"/{elsewhere.channel_id}/" in told(room.ana)
        assert room.say("games.unreadable", n=1, games=bad.id) in told(room.ana)
        await room.ana.slash("abak games")
        assert room.say("games.unreadable", n=1, games=bad.id) in told(room.ana)
        assert f"/{elsewhere.channel_id}/" in told(room.ana)
        await room.ana.slash("abak board")
        assert told(room.ana) == room.say("table.unreadable", game=bad.id)
        assert await room.ana.choices("abak move play", "notation", notation="") == []
        await tick(bot.service(GameService), bad.id)  # the clock of others goes on
        await tick(bot.service(GameService), good.id)
        await elsewhere.type(good, good.game.format(good.state, (good.game.legal(good.state)[0],)))
        assert (await elsewhere.present()).seq > good.seq


@pytest.mark.parametrize("damaged", [KEY, TIME_OFF])
async def test_a_row_that_cannot_be_read_is_left_out_of_every_list(
    stand_in: Server, sqlite_url: str, damaged: str
) -> None:
    damage._named.clear()
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        bad, _, elsewhere = await two_games(room)
        await spoil(bot.services.database, damaged, id=bad.id)
        forget(bot)
        for command in ("abak games", "abak next"):
            await room.ana.slash(command)
            assert f"/{elsewhere.channel_id}/" in told(room.ana)
        third = room.elsewhere(room.server.world.add_channel("third"))
        offered = await third.ana.choices("abak move here", "game", game="")
        assert len(offered) == 1


def test_a_damaged_record_is_named_once() -> None:
    damage._named.clear()
    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            damage.note_damage("game", "g1", ValueError("why"))
        damage.note_damage("game", "g2", ValueError("why"))
    assert [(line["id"], line["log_level"]) for line in lines] == [("g1", "error"), ("g2", "error")]


async def test_a_challenge_that_cannot_be_read_hides_no_other(stand_in: Server, sqlite_url: str) -> None:
    damage._named.clear()
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        await room.challenge("apb")
        await told_all(bot)
        await spoil(bot.services.database, "UPDATE challenges SET options = '{'")
        await room.challenge("abalone")
        await told_all(bot)
        await room.ana.slash("abak games")
        assert "Abalone" in told(room.ana)
        assert "APB" not in told(room.ana)
