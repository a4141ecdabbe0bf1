"""Measures lists of finished games as games pile up: ``python benchmarks/history.py [postgres] [COUNT]``.

Fills one database with 1,000 finished games and one with COUNT (by default a million), on SQLite or on PostgreSQL, and
asks both the same questions in turn, so that both meet the same load. A line per question: the median in both in
milliseconds, and their ratio. On SQLite it is CPU; on PostgreSQL, whose server works in processes of its own, the time
until the answer. Exits with 1 if a ratio is above LIMIT.

Three people are the same in both: Ana, with 300 games; Ben, against whom she played 100 of them; and Cleo, who played
in three of ten games of either database. Everybody else plays some 20 games.
"""

import asyncio
import itertools
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)
sys.path.insert(1, str(ROOT / "tests"))

import asyncpg
from harness.finished import STARTED, row

from bot.archive.finished import Cursor, Filters
from bot.archive.repository import HistoryRepository
from bot.archive.service import HistoryService
from bot.core.storage.database import Database
from bot.explorer.counting import position_key, rolls_of
from bot.explorer.repository import ExplorerRepository
from bot.explorer.service import ExplorerService
from bot.games.repository import GameRepository
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService
from bot.profiles.ranking import Board
from bot.profiles.repository import ProfileRepository
from bot.profiles.service import ProfileService
from bot.profiles.tables import EVERYBODY
from bot.ratings.pace import pace_of
from bot.ratings.repository import RatingRepository
from engine.registry import GAMES

FEW: Final = 1_000
MANY: Final = 1_000_000
LIMIT: Final = 1.3
WARMING: Final = 10
TIMES: Final = 100
"""The number of times that each question is asked before the timing, and during it."""
AGAIN: Final = 2
"""The number of new timings of a question whose ratio is above LIMIT."""
BATCH: Final = 20_000
ANA, BEN, CLEO = 11, 12, 13
HERE: Final = 1 << 40
"""The server on which they play and ask."""
OTHERS: Final = 1000
"""Users and servers from this number on are others."""
PERIOD: Final = 3 * 365 * 86_400_000
MIDDLE: Final = Cursor(STARTED + PERIOD // 2, "")
MESSAGE: Final = 5_000_000_000
STRONG: Final = 40
"""The number of players above Ana on every leaderboard, on which she is, too."""
PACE: Final = pace_of("")

Row = dict[str, Any]
Ask = Callable[[Database], Awaitable[Any]]


def history(*, newer: bool = False, cursor: Cursor | None = None, **filters: Any) -> Ask:
    """Asks for a page of the list, as ``/abak history`` does."""
    asked = Filters(**({"user_id": ANA, "viewer_id": ANA, "guild_id": HERE} | filters))
    return lambda database: HistoryService(HistoryRepository(database)).page(asked, cursor, newer=newer)


def explore(game: str, *moves: str) -> Ask:
    """Asks for the plays from a position, as ``/abak explore`` does."""
    rules = GAMES[game]
    state = rules.start(rules.settle_options({}))
    for move in moves:
        _, state = rules.replay_turn(state, move)

    async def ask(database: Database) -> Any:
        games: Any = None  # only counting needs the service of games
        return await ExplorerService(ExplorerRepository(database), games).explore(HERE, rules, state)

    return ask


def profiles(database: Database) -> ProfileService:
    return ProfileService(ProfileRepository(database), PreferenceService(PreferenceRepository(database)))


def top(guild_id: int, page: int = 0) -> Ask:
    """Asks for a page of a leaderboard, as ``/abak top`` does."""
    return lambda database: profiles(database).page(Board(guild_id, "abalone", PACE), page)


QUESTIONS: Final[dict[str, Ask]] = {
    "history": history(),
    "history, a deep page": history(cursor=MIDDLE),
    "history, a page back": history(cursor=MIDDLE, newer=True),
    "history of a game": history(game="backgammon", cursor=MIDDLE),
    "history, won": history(result="won"),
    "history, drawn": history(result="drawn", cursor=MIDDLE),
    "history of a game, lost, to Ben": history(game="apb", result="lost", opponent_id=BEN),
    "history of another": history(viewer_id=OTHERS),
    "history of another, deep": history(viewer_id=OTHERS, cursor=MIDDLE),
    "history of Cleo": history(user_id=CLEO, viewer_id=CLEO),
    "history of Cleo, deep": history(user_id=CLEO, viewer_id=CLEO, cursor=MIDDLE),
    "history of Cleo, a game, deep": history(user_id=CLEO, viewer_id=CLEO, game="abak", cursor=MIDDLE),
    "history of Cleo, seen by Ana": history(user_id=CLEO, cursor=MIDDLE),
    "head to head": history(opponent_id=BEN),
    "suggestions for replay": lambda database: GameRepository(database).finished_by(ANA, 25),
    "suggestions for replay, Cleo": lambda database: GameRepository(database).finished_by(CLEO, 25),
    "replay by link": lambda database: HistoryRepository(database).by_message(MESSAGE + 7),
    "last game of a channel": lambda database: GameRepository(database).ended_at(HERE + 1),
    "explore the start": explore("abalone"),
    "explore the opening roll": explore("backgammon"),
    "explore a rare position": explore("abalone", "a1b1", "g5g4"),
    "profile": lambda database: profiles(database).of(ANA, ANA),
    "profile, seen by Ben": lambda database: profiles(database).of(ANA, BEN),
    "top of everybody": top(EVERYBODY),
    "top of the server, third page": top(HERE, 2),
    "place on the leaderboard": lambda database: profiles(database).place(Board(EVERYBODY, "abalone", PACE), ANA),
    "rating change on a card": lambda database: RatingRepository(database).changes_of(f"g{2:015}"),
}
"""The questions, by name. A new list of finished games or of results belongs here."""


# --- the games -----------------------------------------------------------------------------------------------------


def finished(count: int) -> Iterator[Row]:
    """Yields so many finished games over PERIOD, in the order of their ends; the same at every call."""
    luck, keys = random.Random(count), list(GAMES)
    every = count / 300  # Ana's games are spread over all of them
    ours = {int(number * every): number for number in range(300)}
    for number in range(count):
        seats, guild = _players(ours.get(number), count, luck)
        points = luck.choice((1, 1, 1, 2, -1, -1, -1, -2, 0, 0))
        yield row(
            f"g{number:015}",
            seats,
            STARTED + PERIOD * number // count,
            game=keys[number % len(keys)],
            guild_id=guild,
            channel_id=guild + 1 + number % 20,
            message_id=MESSAGE + number,
            rated=number % 2 == 0,
            points0=points,
            points1=-points,
            reason="end.resigned" if points else "end.agreed",
        )


def _players(ours: int | None, count: int, luck: random.Random) -> tuple[tuple[int, int], int]:
    """Draws two players, and their server."""
    other = OTHERS + luck.randrange(count // 10)
    if ours is not None:
        pair, guild = (ANA, BEN if ours % 3 == 0 else other), HERE if ours % 2 else HERE + 100 * (1 + other % 50)
    elif luck.random() < 0.3:
        pair, guild = (CLEO, other), HERE if luck.random() < 0.5 else HERE + 100 * (1 + other % 50)
    else:
        second = OTHERS + (other - OTHERS + 1 + luck.randrange(count // 10 - 1)) % (count // 10)
        pair, guild = (other, second), HERE + 100 * (1 + other % max(50, count // 1000))
    return (pair if luck.random() < 0.5 else pair[::-1]), guild


def entries(count: int) -> Iterator[Row]:
    """Yields two turns and the end of each game."""
    kinds = (("play", 0, "a1b1"), ("play", 1, "g5g4"), ("resign", 1, "1"))
    for number in range(count):
        for seq, (kind, seat, body) in enumerate(kinds):
            yield {"game_id": f"g{number:015}", "seq": seq, "at": seq, "kind": kind, "seat": seat, "body": body}


def explored(count: int) -> Iterator[Row]:
    """Yields the counts of positions: those asked for, and four more for each game, in the order of the key."""
    abalone, backgammon = GAMES["abalone"], GAMES["backgammon"]
    start = abalone.start(abalone.settle_options({}))
    known = {position_key(abalone, start): [abalone.format(start, steps) for steps, _ in abalone.turns(start)]}
    opening = backgammon.start(backgammon.settle_options({}))
    for state in rolls_of(backgammon, opening).values():
        if backgammon.to_act(state) in {0, 1}:
            moves = [backgammon.format(state, steps) for steps, _ in backgammon.turns(state)][:20]
            known[position_key(backgammon, state)] = moves
    luck = random.Random(1)
    others = (luck.getrandbits(64) - (1 << 63) for _ in range(4 * count))
    for position in sorted(itertools.chain(known, others)):
        for move in sorted(known.get(position, ["a1b1"])):
            counts = {"games": 5 + len(move), "wins0": 2, "wins1": 2, "points0": 0}
            yield {"guild_id": HERE, "position": position, "move": move, **counts}


def contests(count: int) -> Iterator[Row]:
    """Yields the rated contests, of one game each."""
    for seq, game in enumerate(finished(count)):
        if game["rated"]:
            yield {"seq": seq, "contest_id": game["id"], "is_match": False, "counted": True}


def changes(count: int) -> Iterator[Row]:
    """Yields the change of each rated game for the ratings of its two players."""
    kinds = ("rating", "deviation", "volatility")
    figures = {f"{kind}_{when}": 1.0 for when in ("before", "after") for kind in kinds}
    for seq, game in enumerate(finished(count)):
        for player in (0, 1) if game["rated"] else ():
            yield {
                "contest_id": game["id"],
                "player": player,
                "seq": seq,
                "user_id": game[f"seat{player}"],
                "opponent_id": game[f"seat{1 - player}"],
                "game": game["game"],
                "pace": PACE,
                "score": 0.5 + ((game[f"points{player}"] > 0) - (game[f"points{player}"] < 0)) / 2,
                "weight": 1.0,
                "ended": game["ended"],
                **figures,
            }


def rated(count: int) -> Iterator[tuple[int, float]]:
    """Yields everybody with a rating, and the rating."""
    luck = random.Random(2)
    yield from ((user_id, 2100.0) for user_id in (ANA, BEN, CLEO))
    yield from ((100 + number, 2500.0 - number) for number in range(STRONG))
    yield from ((OTHERS + number, luck.uniform(1000, 2000)) for number in range(count // 10))


def standings(count: int) -> Iterator[Row]:
    tally = {"contests": 3, "wins": 1, "draws": 1, "losses": 1, "last_at": STARTED}
    for user_id, rating in rated(count):
        for game in sorted(GAMES):
            standing = {"user_id": user_id, "game": game, "pace": PACE, "rating": rating}
            yield {**standing, "deviation": 80.0, "volatility": 0.06, **tally}


def leaderboards(count: int) -> Iterator[Row]:
    """Yields the leaderboard of all servers with everybody, and that of HERE with every tenth and the best."""
    for guild_id in (EVERYBODY, HERE):
        for user_id, rating in rated(count):
            if guild_id == EVERYBODY or user_id < OTHERS or user_id % 10 == 0:
                one = {"guild_id": guild_id, "game": "abalone", "pace": PACE, "user_id": user_id}
                yield {**one, "rating": rating, "contests": 3, "listed": True}


WRITTEN: Final[dict[str, Callable[[int], Iterator[Row]]]] = {
    "games": finished,
    "entries": entries,
    "explored_moves": explored,
    "rated_contests": contests,
    "rating_changes": changes,
    "ratings": standings,
    "leaderboard": leaderboards,
}
"""The rows of each table."""


def batches(count: int) -> Iterator[tuple[str, list[str], list[tuple[Any, ...]]]]:
    """Yields all rows in batches: a table, its columns, some of its rows."""
    for table, write in WRITTEN.items():
        rows = write(count)
        while batch := list(itertools.islice(rows, BATCH)):
            yield table, list(batch[0]), [tuple(one.values()) for one in batch]


# --- the databases -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def on_sqlite(folder: Path, count: int) -> AsyncIterator[Database]:
    path = folder / f"{count}.sqlite3"
    database = await Database.open(f"sqlite:///{path}")
    await database.close()
    await asyncio.to_thread(fill_sqlite, path, count)
    database = Database(f"sqlite:///{path}")
    yield database
    await database.close()


def fill_sqlite(path: Path, count: int) -> None:
    """Writes the rows, then makes the indexes, which is much faster."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -400000")
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        indexes = connection.execute(query).fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        for table, columns, rows in batches(count):
            marks = ",".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} ({','.join(columns)}) VALUES ({marks})", rows)  # noqa: S608
        for _, sql in indexes:
            connection.execute(sql)
        connection.commit()
        connection.execute("PRAGMA journal_mode = WAL")


@asynccontextmanager
async def on_postgres(server: str, count: int) -> AsyncIterator[Database]:
    from fakes.databases import order, target

    name = f"history_{count}"
    await order(server, f"CREATE DATABASE {name}")
    url = target(server, name)
    database = await Database.open(url)
    await fill_postgres(url.replace("+asyncpg", ""), count)
    yield database
    await database.close()


async def fill_postgres(url: str, count: int) -> None:
    connection = await asyncpg.connect(url)
    query = "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY($1) AND indexname LIKE 'ix%'"
    indexes = await connection.fetch(query, list(WRITTEN))
    for index in indexes:
        await connection.execute(f"DROP INDEX {index['indexname']}")
    for table, columns, rows in batches(count):
        await connection.copy_records_to_table(table, records=rows, columns=columns)
    for index in indexes:
        await connection.execute(index["indexdef"])
    await connection.execute("VACUUM ANALYZE")  # as the server itself does after a while
    await connection.close()


# --- the questions -------------------------------------------------------------------------------------------------


async def milliseconds(ask: Ask, database: Database) -> float:
    spent = time.process_time if database.engine.dialect.name == "sqlite" else time.perf_counter
    began = spent()
    await ask(database)
    return (spent() - began) * 1000


async def compare(ask: Ask, *databases: Database) -> list[float]:
    """Returns the median of each database. They are asked in turn, so that other load meets them alike."""
    times: list[list[float]] = [[] for _ in databases]
    for number in range(WARMING + TIMES):
        for times_of_one, database in zip(times, databases, strict=True):
            taken = await milliseconds(ask, database)
            if number >= WARMING:
                times_of_one.append(taken)
    return [statistics.median(one) for one in times]


async def main() -> int:
    postgres = "postgres" in sys.argv[1:]
    many = next((int(word) for word in sys.argv[1:] if word.isdecimal()), MANY)
    folder = Path(tempfile.mkdtemp(prefix="abakbot-history-"))
    slow = []
    try:
        async with AsyncExitStack() as stack:
            if postgres:
                from fakes.databases import embedded

                server = stack.enter_context(embedded())
            databases = []
            for count in (FEW, many):
                began = time.perf_counter()
                opened = on_postgres(server, count) if postgres else on_sqlite(folder, count)
                databases.append(await stack.enter_async_context(opened))
                print(f"{count:,} games written in {time.perf_counter() - began:.0f} s", flush=True)
            print(f"\n{'median in ms':34} {FEW:>9,} {many:>9,} {'ratio':>6}")
            for name, ask in QUESTIONS.items():
                first, second = await compare(ask, *databases)
                for _ in range(AGAIN):  # other load on the machine can only make an answer slower
                    if second > LIMIT * first:
                        first, second = await compare(ask, *databases)
                slow += [name] if second > LIMIT * first else []
                print(f"{name:34} {first:9.2f} {second:9.2f} {second / first:6.2f}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\nAbove {LIMIT}: {', '.join(slow) or 'nothing'}.")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
