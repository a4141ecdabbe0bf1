"""Derived data are written anew from the records, on both databases alike, also while the bot works."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from click.testing import CliRunner
from fakes.clock import START
from fakes.timed import overdue, paused, played
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.__main__ import main
from bot.core.storage.database import Database
from bot.games import rebuild as module
from bot.games.derived import derived
from bot.games.rebuild import Checked, rebuild_all
from bot.games.repository import GameRepository
from bot.games.stored import Place, StoredGame
from bot.games.tables import entries, games
from engine.core.hours import DAY
from engine.core.table import Table

pytestmark = pytest.mark.both_databases

MakeTable = Callable[..., Table[Any, Any]]
File = Callable[..., Awaitable[StoredGame]]


async def rows(database: Database) -> list[dict[str, Any]]:
    async with database.reading() as connection:
        found = await connection.execute(select(games).order_by(games.c.id))
        return [dict(row) for row in found.mappings()]


async def damage(database: Database, *statements: Any) -> None:
    async with database.writing() as connection:
        for statement in statements:
            await connection.execute(statement)


async def run(database: Database) -> list[Checked]:
    return [game async for game in rebuild_all(database)]


def meanwhile(monkeypatch: pytest.MonkeyPatch, does: Callable[[], Awaitable[Any]]) -> None:
    """Lets something happen, once, between the reading of a game and the writing."""
    writing, left = Database.writing, [does]

    @asynccontextmanager
    async def interrupted(self: Database) -> AsyncIterator[AsyncConnection]:
        if left:
            await left.pop()()
        async with writing(self) as connection:
            yield connection

    monkeypatch.setattr(Database, "writing", interrupted)


async def test_every_derived_column_is_written_anew(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a", "3", "3", "3"))
    await file(table("b", "3"), channel=6)
    before = await rows(repository.database)
    wrong = {
        "seq": 7,
        "to_act": 1,
        "status": "running",
        "last_entry_at": 0,
        "points0": None,
        "points1": 9,
        "reason": "?",
        "ended": None,
        "deadline": 5,
        "counts": None,
        "awaited": 1,
        "offered": True,
        "paused": True,
        "overdue": True,
        "due": 5,
        "time_left": 5,
        "time_off": "?",
        "claimable_at": 5,
    }
    assert set(wrong) == set(derived(table("a"))) - {"leased_until"}
    await damage(repository.database, update(games).where(games.c.id == "a").values(wrong))
    assert await run(repository.database) == [Checked("a", tuple(derived(table("a")))[:-1]), Checked("b")]
    assert await rows(repository.database) == before
    assert await run(repository.database) == [Checked("a"), Checked("b")]


@pytest.mark.parametrize(
    ("made", "stored", "changed"),
    [
        (played(2), None, True),
        (played(2), 9 * DAY, True),
        (played(2), -DAY, False),  # made due by the bot, whose tick sets it anew
        (paused(), 0, True),
        (overdue(), 0, True),
    ],
    ids=["lost", "put off", "brought forward", "paused", "overdue"],
)
async def test_a_deadline_is_written_anew_unless_it_is_earlier(
    repository: GameRepository, file: File, made: Table[Any, Any], stored: int | None, *, changed: bool
) -> None:
    await file(made)
    due = derived(made)["deadline"]
    given = None if stored is None else (due or START) + stored
    await damage(repository.database, update(games).values(deadline=given, leased_until=77))
    assert await run(repository.database) == [Checked("n1", ("deadline",) if changed else ())]
    (row,) = await rows(repository.database)
    assert row["deadline"] == (due if changed else given)
    assert row["leased_until"] == 77


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (update(entries).values(body="99"), r"does not replay: nim\.too_many"),
        (update(entries).where(entries.c.seq == 1).values(seat=7), "does not replay"),
        (update(entries).values(kind="blitz"), "unknown kind"),
        (delete(entries).where(entries.c.seq == 0), "gap"),
        (update(games).values(version=2), r"game\.unknown"),
        (update(games).values(game="chess"), r"game\.unknown"),
        (update(games).values(options="{"), "does not replay: JSONDecodeError"),
    ],
    ids=["refused", "seat", "kind", "gap", "version", "game", "options"],
)
async def test_a_corrupt_record_is_named_and_left_as_it_is(
    repository: GameRepository, table: MakeTable, file: File, statement: Any, why: str
) -> None:
    await file(table("a", "1", "1"))
    await damage(repository.database, statement, update(games).values(reason="?"))
    before = await rows(repository.database)
    await file(table("b", "1"), channel=6)
    (corrupt, sound) = await run(repository.database)
    assert (corrupt.id, corrupt.changed) == ("a", ())
    with pytest.raises(AssertionError, match=why):
        raise AssertionError(corrupt.fault)
    assert sound == Checked("b")
    assert (await rows(repository.database))[:1] == before


async def test_what_the_players_have_seen_testifies_to_a_lost_end(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    await file(table("a", "1", "1"))
    await repository.mark_shown("a", 2, 100)
    await damage(repository.database, delete(entries).where(entries.c.seq == 1))
    (lacking,) = await run(repository.database)
    assert lacking.fault == "game a lacks its end: its players have been shown 2 entries, and it has 1"
    assert (await rows(repository.database))[0]["seq"] == 2


async def test_a_game_cannot_come_back_where_another_runs(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    await file(table("a", "1"))
    await damage(repository.database, update(games).values(status="over"))
    await file(table("b"))
    before = await rows(repository.database)
    assert await run(repository.database) == [
        Checked("a", fault="game a goes on, but another runs in its channel"),
        Checked("b"),
    ]
    assert await rows(repository.database) == before


async def test_any_other_refusal_of_the_database_is_raised(
    repository: GameRepository, table: MakeTable, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    await file(table("a", "1"))
    monkeypatch.setattr(module, "derived", lambda made: derived(made) | {"status": "lost"})
    with pytest.raises(IntegrityError):
        await run(repository.database)


async def test_games_are_read_page_by_page(
    repository: GameRepository, table: MakeTable, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        await file(table(f"g{number}", "1"), channel=number)
    monkeypatch.setattr(module, "PAGE", 3)
    page, pages = module._page, []

    async def noted(database: Database, after: str) -> list[str]:
        pages.append(await page(database, after))
        return pages[-1]

    monkeypatch.setattr(module, "_page", noted)
    assert [game.id for game in await run(repository.database)] == [f"g{number}" for number in range(7)]
    assert [len(ids) for ids in pages] == [3, 3, 1, 0]


async def test_a_move_in_between_stands(
    repository: GameRepository, table: MakeTable, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    await file(table("a", "1"))
    await damage(repository.database, update(games).values(reason="?"))
    moved = table("a", "1", "1")
    meanwhile(monkeypatch, lambda: repository.append("a", 1, moved, "next"))
    assert await run(repository.database) == [Checked("a")]
    (row,) = await rows(repository.database)
    assert row.items() >= derived(moved).items()
    assert row["secret"] == "next"


async def test_a_deadline_that_is_brought_forward_in_between_stands(
    repository: GameRepository, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = played(2)
    await file(made)
    await damage(repository.database, update(games).values(reason="?"))
    now = derived(made)["deadline"] - DAY // 2
    meanwhile(monkeypatch, lambda: repository.make_due(11, now, 5))
    assert await run(repository.database) == [Checked("n1", ("reason",))]
    (row,) = await rows(repository.database)
    assert (row["deadline"], row["reason"]) == (now, None)


async def test_a_game_that_goes_on_at_every_look_is_let_go(
    repository: GameRepository, table: MakeTable, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    await file(table("a", "1"))
    tried = []
    monkeypatch.setattr(
        module, "_expected_columns", lambda row, _: tried.append(row) or {"reason": "?", "seq": row.seq + 1}
    )
    monkeypatch.setattr(module, "update", lambda _: update(games).where(games.c.id == "gone"))
    assert await run(repository.database) == [Checked("a")]
    assert len(tried) == module.ATTEMPTS


async def test_games_go_on_while_another_process_writes_anew(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    taken = ["1"] * 40
    await file(table("a", heap=60))
    other = Database(repository.database.url.render_as_string(hide_password=False))

    async def play() -> None:
        for seq in range(len(taken)):
            await repository.append("a", seq, table("a", *taken[: seq + 1], heap=60), "next")
            for _ in range(2 if seq % 8 == 0 else 0):  # now and then a whole look in peace
                looked.clear()
                await looked.wait()

    async def watch() -> None:
        while not playing.done():
            await damage(other, update(games).values(reason="?", last_entry_at=0))
            found.extend(await run(other))
            looked.set()

    found: list[Checked] = []
    looked = asyncio.Event()
    playing = asyncio.create_task(play())
    try:
        await watch()
        await playing
        assert await run(other) == [Checked("a")]
    finally:
        await other.close()
    assert any(game.changed for game in found)
    assert not any(game.fault for game in found)
    (row,) = await rows(repository.database)
    assert row.items() >= derived(table("a", *taken, heap=60)).items()


@pytest.mark.usefixtures("nim")
def test_the_command_reports_in_words(
    database_url: str, monkeypatch: pytest.MonkeyPatch, table: MakeTable, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)

    def command() -> tuple[int, list[str]]:
        """Returns the command's exit code, and what it says of games and matches."""
        done = CliRunner().invoke(main, ["db", "rebuild"])
        lines = done.output.splitlines()
        end = next(number for number, line in enumerate(lines, 1) if "games and matches checked" in line)
        return done.exit_code, lines[:end]

    async def prepare(*statements: Any) -> None:
        database = Database(database_url)
        await damage(database, *statements)
        await database.close()

    async def fill() -> None:
        database = Database(database_url)
        repository = GameRepository(database)
        for channel, made in enumerate((table("a", "1"), table("b", "1"), table("c", "1"))):
            stored = StoredGame(made.record, (11, 22), Place(1, channel), "en", "")
            async with database.writing() as connection:
                await repository.create(connection, stored, made)
        await database.close()

    assert command() == (0, ["0 games and matches checked, 0 written anew, 0 left as they are."])
    asyncio.run(fill())
    asyncio.run(prepare(update(games).where(games.c.id == "b").values(to_act=0, last_entry_at=1)))
    summary = "3 games and matches checked, 1 written anew, 0 left as they are."
    assert command() == (0, ["b is written anew: to_act, last_entry_at", summary])
    asyncio.run(prepare(update(entries).where(entries.c.game_id == "c").values(body="99")))
    code, lines = command()
    assert code == 1
    assert lines[0].startswith("c is left as it is: game c does not replay: nim.too_many")
    assert lines[1:] == ["3 games and matches checked, 0 written anew, 1 left as they are."]
