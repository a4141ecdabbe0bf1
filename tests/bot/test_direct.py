"""Direct messages with the bot are a place to play, for one person alone."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import pytest
from fakes.clock import Clock
from fakes.thinker import FirstTurn
from harness.bot import SPANISH, Room, bot_running, milliseconds, private, told, verbs
from harness.discord import Seat, is_ephemeral, text, until
from harness.undelivered import pending_notices
from sqlalchemy import select

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.tables import permission_issues
from bot.board.message import link
from bot.core.translations import language, language_for_locale
from bot.core.workers import FIRST_PAUSE
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.opponents.service import OpponentService
from bot.opponents.worker import OpponentWorker
from bot.players.machines import USUAL, machine_name
from bot.sandbox.errors import Refused
from bot.sandbox.validation.messages import SUPPRESS_NOTIFICATIONS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

OPPONENT: Final = USUAL
"""A machine, whose turns the test plays."""
EN: Final = language("en")
FIRST: Final = "a1b1"
SECOND: Final = "g5g4"


@asynccontextmanager
async def alone(server: Server, url: str, *, locale: str = "en-US", **given: Any) -> AsyncIterator[Room]:
    """Ana's direct messages with the bot. The machines think until the test lets them answer."""
    async with bot_running(server, url, **given) as bot:
        bot.service(OpponentService)._thinker = thinker = FirstTurn()
        thinker.free.clear()
        ana = Seat.join(server.world, "Ana", server.world.add_channel("games"), locale=locale).direct()
        yield Room(server, ana, Seat(server.world, OPPONENT, ana.channel_id), bot)


async def open_game(room: Room, game: str = "abalone", **given: Any) -> LiveGame:
    """Begins a game in which Ana has the first turn."""
    assert room.bot is not None
    place, players = Place(None, room.channel_id), (room.ana.user_id, OPPONENT)
    live = await room.bot.service(GameService).open(NewGame(game, {}, place, "en", **given), players)
    await room.bot.service(BoardPublisher).idle()
    return live


def is_silent(message: Any) -> bool:
    return bool(message["flags"] & SUPPRESS_NOTIFICATIONS)


async def reply(room: Room, turn: str) -> LiveGame:
    """Plays the opponent's turn, and shows it."""
    assert room.bot is not None
    live = await room.present()
    await room.bot.service(GameService).play(live.id, OPPONENT, live.seq, turn)
    return await room.shown()


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_whole_turn_and_the_end(stand_in: Server, sqlite_url: str, locale: str) -> None:
    time = Clock(milliseconds())
    async with alone(stand_in, sqlite_url, locale=locale, now=time) as room:
        live, ana = await open_game(room), room.ana
        await room.play(live, FIRST)
        assert (await room.shown()).seq == 1
        assert is_silent(room.board)
        assert not ana.pings
        time.pass_seconds(600)  # she has gone meanwhile
        live = await reply(room, SECOND)
        assert SECOND in text(room.board)
        (ping,) = ana.pings
        assert not is_silent(ping)
        await room.type(live, "b1c1")
        assert (await room.shown()).seq == 3
        await ana.slash("abak games")
        assert f"https://discord.com/channels/@me/{ana.channel_id}/{room.board['id']}" in told(ana)
        await ana.slash("abak resign")
        await ana.press("b:resign_for:", private(ana))
        assert (await room.shown()).is_over
        assert "rematch" in verbs(room.board)
        assert is_silent(room.board)
        await ana.slash("abak history")
        assert f"/channels/@me/{ana.channel_id}/{room.board['id']}" in told(ana)
        await ana.slash("abak replay")
        assert "look" in verbs(private(ana))


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_what_needs_a_server_or_others_says_so(stand_in: Server, sqlite_url: str, locale: str) -> None:
    say = language_for_locale(locale)
    async with alone(stand_in, sqlite_url, locale=locale) as room:
        ana = room.ana
        for command, key in (
            ("server", "settings.no_server"),
            ("explore", "explore.server"),
            ("board", "place.no_game"),
        ):
            await ana.slash(f"abak {command}")
            assert told(ana) == say(key)
        ben = Seat.join(stand_in.world, "Ben", ana.channel_id)
        await ana.slash("abak challenge", opponent=ben)
        assert say("challenge.direct") in [text(message) for message in ana.messages]
        for command in ("rules", "settings", "games", "next", "top", "help", "profile", "vacation", "data"):
            shown = len(ana.messages)
            await ana.slash(f"abak {command}")  # a fault would be logged, which no test allows
            assert is_ephemeral(ana.messages[shown])
        with pytest.raises(Refused, match="not offered in context 1"):
            await ana.slash("tournament list")


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_machine_is_played_in_direct_messages(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    say = language_for_locale(locale)
    monkeypatch.setattr(OpponentWorker, "pause", 0.0)
    async with alone(stand_in, sqlite_url, locale=locale) as room:
        assert room.bot is not None
        games, ana = room.bot.service(GameService), room.ana
        room.bot.service(OpponentService)._thinker.free.set()

        async def ana_to_move() -> LiveGame:
            async def waits() -> bool:
                found = await games.at(room.channel_id)
                return found is not None and found.awaited == ana.user_id and found.shown_seq == found.seq

            await until(waits, "it is Ana's turn")
            return await room.shown()

        await ana.slash("abak challenge")
        await ana.press("b:machine_options:", private(ana))
        form = ["form_game", "form_kind", "form_time", "form_level", "form_post", "form_side"]
        assert verbs(private(ana)) == form  # nothing that concerns others
        await ana.slash("abak challenge")
        await ana.press("Abalone", private(ana))
        live = await ana_to_move()
        assert (live.players, live.place) == ((ana.user_id, USUAL), Place(None, room.channel_id))
        await room.type(live, FIRST)
        live = await ana_to_move()
        assert live.locale == say.code
        assert machine_name(USUAL, say) in text(room.board)
        assert FIRST in text(room.board)
        await ana.slash("abak challenge")  # a game runs: it says so, and no other can be chosen
        assert say("machine.taken", game="Abalone", board=link(live)) in told(ana)
        assert verbs(private(ana)) == ["machine_level", "machine_options", "resign"]
        posted = len(ana.messages)
        await ana.slash("abak challenge", game="apb")
        assert [text(message) for message in ana.messages[posted:]] == [say("place.taken")]
        await ana.slash("abak resign")
        await ana.press("b:resign_for:", private(ana))
        await room.shown()
        await ana.press("b:rematch:", room.board)
        live = await ana_to_move()
        assert live.players == (USUAL, ana.user_id)
        await ana.slash("abak resign")
        await ana.press("b:resign_for:", private(ana))
        await room.shown()
        await ana.slash("abak challenge", game="apb", level=1)
        assert (await ana_to_move()).players == (ana.user_id, 1)


async def test_a_game_stays_where_its_players_see_it(stand_in: Server, sqlite_url: str) -> None:
    async with alone(stand_in, sqlite_url) as direct:
        there = Room.of(stand_in, direct.bot)
        ana = there.ana.direct()
        live = await there.begin("abalone")
        await ana.slash("abak move here", game=live.id)
        assert text(ana.last) == EN("here.direct")
        await open_game(direct)
        await direct.ana.press("b:more:", direct.board)
        await there.ana.slash("abak replay", game=(await direct.present()).id)
        assert told(there.ana) == EN("access.direct")


async def test_who_takes_no_direct_messages_is_told_in_a_server(stand_in: Server, sqlite_url: str) -> None:
    time = Clock(milliseconds())
    async with alone(stand_in, sqlite_url, now=time) as room:
        assert room.bot is not None
        world, ana = stand_in.world, room.ana
        world.dms_closed.add(ana.user_id)
        await open_game(room)
        assert not room.boards
        hall = ana.at(world.add_channel("hall"))
        await hall.slash("abak games")
        await room.told_all()
        assert pending_notices(hall) == [EN("undelivered.closed", game="Abalone")]
        async with room.bot.services.database.reading() as connection:
            assert not (await connection.execute(select(permission_issues))).all()
        world.dms_closed.clear()
        time.pass_seconds(2 * FIRST_PAUSE / 1000)
        await room.bot.service(BoardPublisher).sweep()
        assert str((await room.shown()).message_id) == room.board["id"]
