"""Tests what a challenge says before it is accepted, and who may accept by their rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, bot_running, told, verbs
from harness.discord import text
from sqlalchemy import insert

from bot.challenges.words import clock_line
from bot.core.translations import language
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.ratings.service import RatingService
from bot.ratings.tables import ratings
from engine.core.errors import Translated
from engine.match.match import Terms
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN = language("en")


async def rate(room: Room, user_id: int, game: str, pace: str, rating: float) -> None:
    assert room.bot is not None
    store: GameRepository = room.bot.service(GameService).repository
    values = {
        "user_id": user_id,
        "game": game,
        "pace": pace,
        "rating": rating,
        "deviation": 60,
        "volatility": 0.06,
        "last_at": room.bot.services.now(),
    }
    results = {"contests": 20, "wins": 20, "draws": 0, "losses": 0}
    async with store.database.writing() as connection:
        await connection.execute(insert(ratings).values(values | results))
    room.bot.service(RatingService).forget_changed(None)


@pytest.mark.parametrize(
    ("points", "policy", "said"),
    [(0, "loss", "the game is lost."), (7, "loss", "the match is lost."), (7, "claim", "claim a draw, or wait.")],
)
def test_a_clock_says_what_is_lost_with_it(points: int, policy: str, said: str) -> None:
    assert said in clock_line("1d/move", policy, Terms(points=points), EN)


SAID = [
    (
        "backgammon",
        {"points": 3},
        "Match to 3 points with the doubling cube",
        "Encuentro a 3 puntos con cubo de doblar",
    ),
    ("backgammon", {"points": 1}, "Match to 1 point", "Encuentro a 1 punto"),
    ("abak", {"points": 5}, "Match to 5 points", "Encuentro a 5 puntos"),
    ("abalone", {"games": 3}, "Best of 3, sides alternate", "Al mejor de 3, se alternan los bandos"),
    ("apb", {}, "Single game", "Una sola partida"),
    (
        "backgammon",
        {"cube": "on", "beavers": True},
        "Unlimited game with the doubling cube, Jacoby rule, beavers",
        "Partida ilimitada con cubo de doblar, regla de Jacoby, beavers",
    ),
    (
        "abak",
        {"cube": "on", "jacoby": False},
        "Unlimited game with the doubling cube, no Jacoby rule",
        "Partida ilimitada con cubo de doblar, sin regla de Jacoby",
    ),
    (
        "abalone",
        {"marbles": 4, "limit": 120},
        "Single game, 4 ejected marbles win, at most 120 moves",
        "Una sola partida, gana quien expulse 4 canicas, como mucho 120 jugadas",
    ),
]


@pytest.mark.usefixtures("experienced")
async def test_what_is_played_for_is_said_in_both_languages(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        for locale, column in (("en-US", 0), (SPANISH, 1)):
            room = Room.of(stand_in, bot, locale=locale)
            for game, given, *words in SAID:
                message = await room.challenge(game, **given)
                assert f"🏆 **{words[column]}.** {room.say('challenge.rated')}" in text(message).splitlines()
                casual = await room.challenge(game, rated=False, **given)
                assert f"🏆 **{words[column]}.** {room.say('challenge.casual')}" in text(casual).splitlines()


async def test_it_is_said_who_plays_which_side(room: Room) -> None:
    assert EN("challenge.sides_drawn") in text(await room.challenge("abalone"))
    message = await room.challenge("abalone", side="white")
    assert EN("challenge.side", player=room.ana.mention, side=Translated("@seat.white")) in text(message).splitlines()
    await room.ben.press("b:accept_challenge:", message)
    live = await room.shown()
    assert live.players == (room.ben.user_id, room.ana.user_id), "Black has the first seat"
    assert EN("challenge.side", player=room.ana.mention, side=Translated("@seat.white")) not in text(
        room.ben.fresh(message)
    )


@pytest.mark.usefixtures("experienced")
async def test_backgammon_by_correspondence_is_a_match_if_nothing_is_said(room: Room) -> None:
    for given, said in (
        ({}, EN("challenge.match_cube", n=3)),
        ({"time": "3d/move"}, EN("challenge.match_cube", n=3)),
        ({"time": "10m"}, EN("challenge.single")),
        ({"points": 0}, EN("challenge.single")),
    ):
        await room.ana.slash("abak challenge", opponent=room.ben, game="backgammon", **given)
        assert said in text(room.ana.last)


async def test_the_clock_of_a_match_is_said(room: Room) -> None:
    each = await room.challenge("backgammon", points=5, time="10m+5s")
    assert EN("challenge.bank.game") in text(each)
    shared = await room.challenge("backgammon", points=5, time="10m+5s", bank="match")
    assert EN("challenge.bank.match") in text(shared)
    for given in ({"points": 5, "time": "3d/move"}, {"time": "10m"}, {"points": 5, "time": "none"}):
        said = text(await room.challenge("backgammon", **given))
        assert EN("challenge.bank.game") not in said


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"game": "abalone", "points": 3}, "challenge.no_points"),
        ({"game": "apb", "cube": "on"}, "challenge.no_cube"),
        ({"game": "abalone", "beavers": True}, "challenge.no_beavers"),
        ({"game": "backgammon", "beavers": True}, "challenge.beavers"),
        ({"game": "backgammon", "points": 3, "games": 3}, "match.points_or_games"),
        ({"game": "backgammon", "games": 3, "cube": "on"}, "challenge.series_cube"),
        ({"game": "abalone", "bank": "match", "time": "10m"}, "challenge.bank_single"),
        ({"game": "abalone", "games": 3, "bank": "match"}, "challenge.bank_none"),
        ({"game": "abalone", "rating": "1400-1700"}, "challenge.rating_opponent"),
    ],
)
async def test_what_does_not_fit_is_refused_in_private(room: Room, given: dict[str, str], key: str) -> None:
    await room.ana.slash("abak challenge", opponent=room.ben, **given)
    params = {"game": GAMES[given["game"]].name} if ".no_" in key else {}
    assert told(room.ana) == EN(key, **params)
    assert room.ben.messages == []


async def test_an_upside_down_or_unreadable_range_is_refused(room: Room) -> None:
    await room.ana.slash("abak challenge", game="abalone", rating="1700-1400")
    assert told(room.ana) == EN("challenge.rating_order", low=1700, high=1400)
    await room.ana.slash("abak challenge", game="abalone", rating="good players")
    assert told(room.ana) == EN("challenge.rating_text", text="good players")
    assert room.ben.messages == []


async def test_the_rating_of_the_challenger_is_said_while_it_is_open(room: Room) -> None:
    message = await room.challenge("abalone")
    assert EN("challenge.rating_provisional", player=room.ana.mention, rating=1500) in text(message)
    await rate(room, room.ana.user_id, "abalone", "correspondence", 1612.4)
    message = await room.challenge("abalone")
    said = EN("challenge.rating", player=room.ana.mention, rating=1612)
    assert said in text(message)
    live = await room.challenge("abalone", time="10m")
    assert EN("challenge.rating_provisional", player=room.ana.mention, rating=1500) in text(live)
    await room.ben.press("b:decline_challenge:", message)
    assert said not in text(room.ana.fresh(message))


@pytest.mark.parametrize(
    ("asked", "rating", "refusal"),
    [
        ("1400-1700", 1399.4, ("challenge.rating_below", {"rating": 1399, "low": 1400})),
        ("1400-1700", 1399.6, None),
        ("1400-1700", 1700.4, None),
        ("1400-1700", 1701, ("challenge.rating_above", {"rating": 1701, "high": 1700})),
        ("-1700", 900, None),
        ("1400+", 2000, None),
    ],
)
async def test_who_is_outside_of_the_range_is_told_so(
    room: Room, asked: str, rating: float, refusal: tuple[str, dict[str, int]] | None
) -> None:
    await rate(room, room.ben.user_id, "abalone", "live", rating)
    message = await room.challenge("abalone", opponent=None, rating=asked, time="10m")
    low, _, high = asked.replace("+", "-").partition("-")
    key = "challenge.wanted" if low and high else "challenge.wanted_from" if low else "challenge.wanted_to"
    assert EN(key, low=low, high=high) in text(message)
    await room.ben.press("b:accept_challenge:", message)
    if refusal:
        assert told(room.ben) == EN(refusal[0], **refusal[1])
        assert verbs(room.ana.fresh(message))[:2] == ["accept_challenge", "cancel_challenge"]
    else:
        await room.shown()
        assert EN(key, low=low, high=high) not in text(room.ana.fresh(message))
