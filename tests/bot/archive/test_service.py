"""HistoryService on both databases: who is listed what, in which order, page by page, and the scores of matches."""

from __future__ import annotations

from typing import Any

import pytest
from harness.examples import examples
from harness.finished import STARTED, row, store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.archive.finished import Cursor, Filters
from bot.archive.repository import HistoryRepository
from bot.archive.service import PER_PAGE, HistoryService, match_scores, read_link
from bot.core.storage.database import Database
from bot.players.machines import ANY_LEVEL, is_machine
from engine.registry import GAMES

pytestmark = pytest.mark.both_databases

ANA, BEN, CLEO, DAN = 11, 12, 13, 14
LEVELS = (2, 7)
HERE, THERE = 10, 20
Row = dict[str, Any]


def scattered(count: int) -> list[Row]:
    """Returns games of four players, some against the machine, in two servers and in direct messages, several of them
    ended at the same moment.
    """
    rows = []
    keys, others = list(GAMES), (CLEO, ANA, DAN, BEN)
    for n in range(count):
        first = (ANA, BEN, CLEO, DAN)[n % 4]
        second = next(p for p in (others[n // 4 % 4], *others) if p != first)
        second = LEVELS[n // 7 % 2] if n % 7 == 3 else second
        points = (1, -2, 0)[n % 3]
        reason = (
            ("end.aborted", "end.voided")[n // 9 % 2] if n % 9 == 8 else "end.agreed" if points == 0 else "end.resigned"
        )
        rows.append(
            row(
                f"g{n:03}",
                (first, second),
                STARTED + n // 3 * 1000,
                game=keys[n // 2 % len(keys)],
                guild_id=(HERE, THERE, None)[n // 5 % 3],
                points0=points,
                points1=-points,
                reason=reason,
            )
        )
    return rows


def wanted(rows: list[Row], filters: Filters) -> list[str]:
    """Returns the expected list, found by going through all games."""
    found = []
    for game in rows:
        players = (game["seat0"], game["seat1"])
        if filters.user_id not in players:
            continue
        seat = players.index(filters.user_id)
        other, points = players[1 - seat], game[f"points{seat}"]
        known = filters.viewer_id in players or (filters.guild_id is not None and game["guild_id"] == filters.guild_id)
        result = "won" if points > 0 else "lost" if points < 0 else "drawn"
        opponents = {None, other, ANY_LEVEL} if is_machine(other) else {None, other}
        fits = filters.game in {"", game["game"]} and filters.opponent_id in opponents
        if filters.result == "drawn" and game["reason"] in {"end.aborted", "end.voided"}:
            continue
        if known and fits and filters.result in {"", result}:
            found.append(game)
    return [game["id"] for game in sorted(found, key=lambda game: (-game["ended"], game["id"]))]


@pytest.fixture
async def rows(database: Database) -> list[Row]:
    found = scattered(180)
    async with database.writing() as connection:
        await store(connection, found)
    return found


async def walk(service: HistoryService, filters: Filters) -> tuple[list[str], list[str]]:
    """Returns all games in the order of the pages forward, and in that of the pages back."""
    page = await service.page(filters)
    assert not page.has_newer
    forth = [game.id for game in page.games]
    while page.has_older:
        last = page.games[-1]
        page = await service.page(filters, Cursor(last.ended, last.id))
        assert page.games
        assert page.has_newer
        forth += [game.id for game in page.games]
    back = [game.id for game in page.games]
    while page.has_newer:
        first = page.games[0]
        page = await service.page(filters, Cursor(first.ended, first.id), newer=True)
        back = [game.id for game in page.games if game.id not in back] + back
    return forth, back


USERS = st.sampled_from([ANA, BEN, CLEO, DAN])


@settings(examples(20), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        Filters,
        user_id=USERS,
        viewer_id=USERS | st.just(99),
        guild_id=st.sampled_from([HERE, THERE, None]),
        game=st.sampled_from(["", *GAMES]),
        opponent_id=st.none() | USERS | st.just(ANY_LEVEL),
        result=st.sampled_from(["", "won", "lost", "drawn"]),
    )
)
def test_pages_hold_every_game_that_fits_once_in_order(
    loop: Any, stored: tuple[HistoryService, list[Row]], filters: Filters
) -> None:
    service, rows = stored
    forth, back = loop.run_until_complete(walk(service, filters))
    assert forth == back == wanted(rows, filters)


@pytest.fixture
def loop() -> Any:
    import asyncio

    found = asyncio.new_event_loop()
    yield found
    found.close()


@pytest.fixture
def stored(loop: Any, sqlite_url: str) -> Any:
    async def begin() -> tuple[Database, list[Row]]:
        database, rows = Database(sqlite_url), scattered(180)
        async with database.writing() as connection:
            await store(connection, rows)
        return database, rows

    database, rows = loop.run_until_complete(begin())
    yield HistoryService(HistoryRepository(database)), rows
    loop.run_until_complete(database.close())


async def test_pages_are_the_same_on_every_database(database: Database, rows: list[Row]) -> None:
    service = HistoryService(HistoryRepository(database))
    for filters in (
        Filters(ANA, ANA, HERE),
        Filters(ANA, BEN, HERE, result="won"),
        Filters(BEN, 99, THERE, game="abalone"),
        Filters(CLEO, CLEO, None, opponent_id=ANA, result="drawn"),
        Filters(DAN, 99, None),
    ):
        assert await walk(service, filters) == (wanted(rows, filters), wanted(rows, filters))
    page = await service.page(Filters(ANA, ANA, HERE))
    assert [game.turns for game in page.games] == [2] * PER_PAGE


async def test_a_new_game_at_the_beginning_is_seen_when_paging_back(database: Database, rows: list[Row]) -> None:
    assert len(rows) > 3 * PER_PAGE
    service, filters = HistoryService(HistoryRepository(database)), Filters(ANA, ANA, None)
    first = await service.page(filters)
    last = first.games[-1]
    second = await service.page(filters, Cursor(last.ended, last.id))
    async with database.writing() as connection:
        await store(connection, [row("newest", (ANA, BEN), STARTED + 10**9)])
    top = second.games[0]
    back = await service.page(filters, Cursor(top.ended, top.id), newer=True)
    assert [game.id for game in back.games] == [game.id for game in first.games]
    again = await service.page(filters, Cursor(first.games[0].ended, first.games[0].id), newer=True)
    assert [game.id for game in again.games] == ["newest", *(game.id for game in first.games[:-1])]


async def test_cube_actions_are_no_turns_but_passes_are(database: Database) -> None:
    from sqlalchemy import insert

    from bot.games.tables import entries, games

    kinds = [("chance", "31"), ("play", "8/5 6/5"), ("automatic", "roll"), ("forced", "pass"), ("play", "double")]
    kinds += [("conditional", "take"), ("play", "8/5"), ("play", "double"), ("play", "pass"), ("offer", "draw")]
    async with database.writing() as connection:
        await connection.execute(insert(games), [row("cube", (ANA, BEN), STARTED, game="backgammon")])
        await connection.execute(
            insert(entries),
            [
                {"game_id": "cube", "seq": n, "at": n, "kind": kind, "seat": 0, "body": body}
                for n, (kind, body) in enumerate(kinds)
            ],
        )
    (game,) = (await HistoryService(HistoryRepository(database)).page(Filters(ANA, ANA, None))).games
    assert game.turns == 3


async def test_a_match_is_shown_with_its_score_after_each_game(database: Database) -> None:
    """To points, the winner's points count, in either seat; in a series a win is one and a draw a half."""
    to_points = '{"points": 5}'
    rows = [
        row(f"p{n}", (ANA, BEN), STARTED + n, options=to_points, match_id="p", match_game=n, points0=x, points1=-x)
        for n, x in ((1, 2), (2, -1), (3, 4))
    ]
    series = ((1, (ANA, BEN), 3, "end.resigned"), (2, (BEN, ANA), 0, "end.agreed"), (3, (ANA, BEN), 0, "end.aborted"))
    rows += [
        row(f"s{n}", seats, STARTED + n, match_id="s", match_game=n, points0=x, points1=-x, reason=why)
        for n, seats, x, why in series
    ]
    async with database.writing() as connection:
        await store(connection, rows)
    repository = HistoryRepository(database)
    scores = match_scores(await repository.of_matches(["p", "s"]))
    assert {key: (score.first, score.second) for key, score in scores.items()} == {
        "p1": (2, 0),
        "p2": (2, 1),
        "p3": (6, 1),
        "s1": (1, 0),
        "s2": (0.5, 1.5),
        "s3": (1.5, 0.5),
    }
    assert set((await HistoryService(repository).page(Filters(ANA, ANA, None))).scores) == set(scores)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://discord.com/channels/1/22/333", (22, 333)),
        (" <https://ptb.discord.com/channels/1/22/333> ", (22, 333)),
        ("https://discordapp.com/channels/@me/22", (22, None)),
        ("https://discord.com/channels/1/22/333/", (22, 333)),
        ("https://discord.com.evil.org/channels/1/22/333", None),
        ("https://evil.org/channels/1/22/333", None),
        ("https://discord.com/channels/1/22/" + "9" * 30, None),
        ("abcdefghijklmnop", None),
    ],
)
def test_links_are_read_as_discord_writes_them(text: str, found: tuple[int, int | None] | None) -> None:
    assert read_link(text) == found
