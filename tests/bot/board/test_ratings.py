"""Ratings beside the names on a board, and their changes on the result card; over a real socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import Room, bot_running, told
from harness.discord import text

from bot.board.ratings import changed, written
from bot.core.translations import language
from bot.games.service import GameService
from bot.matches.contests import FinishedContest
from bot.matches.service import MatchService
from bot.ratings.changes import RatingChange
from bot.ratings.pace import CORRESPONDENCE
from bot.ratings.service import RatingService
from engine.rating.glicko import Rating

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN, ES = language("en"), language("es")


def alt(message: dict[str, Any]) -> str:
    return str(message["attachments"][0]["description"])


async def resigned(room: Room, live: LiveGame) -> dict[str, Any]:
    """Lets Ben resign, and returns the result card."""
    assert room.bot is not None
    await room.bot.service(GameService).resign(live.id, room.ben.user_id, 1)
    await room.shown()
    return room.board


async def counted(room: Room, contest_id: str, winner: int = 0) -> None:
    """Counts a rated contest of the two that has ended just now."""
    assert room.bot is not None
    contest = FinishedContest(
        id=contest_id,
        is_match=True,
        game="abalone",
        players=(room.ana.user_id, room.ben.user_id),
        winner=winner,
        rated=True,
        counts=True,
        clock="",
        points=1,
        started=0,
        ended=room.bot.services.now(),
        guild_id=None,
    )
    async with room.bot.services.database.writing() as connection:
        for hook in room.bot.service(MatchService).hooks:
            await hook.on_end(connection, contest)


@pytest.mark.parametrize("say", [EN, ES], ids=["en", "es"])
async def test_a_rated_game_shows_the_ratings_then_their_changes(room: Room, say: Any) -> None:
    room.speak("en-US" if say is EN else "es-ES")
    live = await room.begin("abalone", rated=True)
    assert live.record.header.rated
    assert f"{room.ana.mention} (1500?)" in text(room.board)
    assert f"{room.ben.mention} (1500?)" in text(room.board)
    assert "Ana (1500?), Ben (1500?)." in alt(room.board)
    await room.ben.press("b:flip:", room.board)
    card = await resigned(room, live)
    assert f"{room.ana.mention} 1662? (+162)" in text(card)
    assert f"{room.ben.mention} 1338? (\N{MINUS SIGN}162)" in text(card)
    assert "Ana 1662? (+162), Ben 1338? (\N{MINUS SIGN}162)." in alt(card)
    again = await room.begin("abalone", rated=True)
    assert f"{room.ana.mention} (1662?)" in text(room.board)
    await room.ana.slash("abak board")
    assert "(1662?)" in told(room.ana)
    assert again.id != live.id


async def test_a_casual_game_shows_no_ratings(room: Room) -> None:
    live = await room.begin("abalone", rated=False)
    assert "1500" not in text(room.board) + alt(room.board)
    card = await resigned(room, live)
    assert "1500" not in text(card) + alt(card)
    assert room.bot is not None
    assert await room.bot.service(RatingService).changes_of(live.id) == []


async def test_what_exceeds_the_daily_limit_is_casual_and_says_so(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, rated_a_day=1) as bot:
        room = Room.of(stand_in, bot)
        await resigned(room, await room.begin("abalone", rated=True))
        messages = [
            await room.challenge("abalone", rated=True),
            await room.challenge("abalone", rated=True, opponent=None),
        ]
        named, anyone = (text(message) for message in messages)
        assert (EN("challenge.casual_today") in named, EN("challenge.casual_today") in anyone) == (True, False)
        assert (EN("challenge.rated") in named, EN("challenge.rated") in anyone) == (False, True)
        await room.ben.press("b:accept_challenge:", messages[1])
        live = await room.shown()
        assert not live.record.header.rated
        ended = text(room.ana.fresh(messages[1]))
        assert EN("challenge.casual_today") in ended
        assert EN("challenge.rated") not in ended
        await resigned(room, live)
        assert await bot.service(RatingService).changes_of(live.id) == []


async def test_a_game_that_exceeds_the_limit_at_its_end_says_so(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, rated_a_day=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("abalone", rated=True)
        await counted(room, "other")
        card = await resigned(room, live)
        assert EN("board.not_rated_today", n=1) in text(card)
        assert f"{room.ana.mention} (1662?)" in text(card)
        rating = await bot.service(RatingService).of(room.ana.user_id, "abalone", CORRESPONDENCE)
        assert round(rating.rating) == 1662


def test_ratings_in_words() -> None:
    sure = Rating(1531.5, 60)
    assert written(sure) == "1532"
    assert written(Rating(1531.5, 110)) == "1532?"
    common: dict[str, Any] = {
        "contest_id": "g",
        "player": 0,
        "user_id": 1,
        "opponent_id": 2,
        "game": "abalone",
        "pace": "live",
        "score": 1.0,
        "weight": 1.0,
        "ended": 0,
    }
    for before, expected in ((1520.6, "1532 (+11)"), (1543, "1532 (\N{MINUS SIGN}11)"), (1531.9, "1532 (±0)")):
        assert changed(RatingChange(**common, before=Rating(before), after=sure)) == expected
