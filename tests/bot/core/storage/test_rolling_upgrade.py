"""Two versions at once on one PostgreSQL: the newer one migrates, the older one plays on, and may start again."""

from __future__ import annotations

import ast
import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck
from harness.discord import until
from harness.revisions import LATER, later
from sqlalchemy import text

from bot.core.storage import migrate, revisions
from bot.core.storage.database import Database
from bot.core.storage.revisions import UnknownSchema
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases, pytest.mark.long]


ROOT: Final = Path(__file__).parents[4]
FAKES: Final = ROOT / "tests" / "fakes"

# --- two processes ---------------------------------------------------------------------------------------------------


async def start(script: str, *arguments: str) -> Process:
    """Starts a player, and waits until it is ready."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))}
    command = (sys.executable, str(FAKES / script), *arguments)
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment)
    assert process.stdout
    first = await process.stdout.readline()
    if first != b"ready\n":
        raise RuntimeError((await process.communicate())[1].decode())
    return process


async def play(process: Process) -> str:
    """Makes one play of this process, after as many looks at the game as it needs. Returns "" if the game is over."""
    assert process.stdin
    assert process.stdout
    told = "-"
    while told == "-":
        process.stdin.write(b"\n")
        told = (await process.stdout.readline()).decode().strip()
    return told


async def test_two_versions_play_in_turns_while_the_newer_one_migrates(
    postgres_url: str, make_postgres_games: Callable[[], GameService], tmp_path: Path
) -> None:
    live = await make_postgres_games().open(NewGame("nim", {"heap": 99, "dice": "no"}, Place(1, 5), "en"), (11, 22))
    folder = later(tmp_path / "later", "expand")
    older = await start("player.py", postgres_url, live.id)
    told = [await play(older)]
    starting = asyncio.create_task(start("newer_player.py", postgres_url, live.id, str(folder)))
    while not starting.done() and len(told) < 8:
        told.append(await play(older))
        await asyncio.sleep(0.2)
    newer = await starting
    for _ in range(2):
        told += [await play(newer), await play(older)]
    for process in (older, newer):
        process.kill()
        await process.wait()
    async with await Database.open(postgres_url) as database:  # the older version starts on the newer schema
        games = GameService(GameRepository(database), SeededLuck(1), Clock())
        live = await games.get(live.id)
        assert live.to_act is not None
        live = await games.play(live.id, live.to_act, live.seq, "1")
        told.append(f"{live.seq} 1")
    stored = (await make_postgres_games().newest(live.id)).table
    played = [entry.body for entry in stored.record.entries if entry.kind == "play"]
    assert [line.split()[1] for line in told if line] == played


async def test_a_newer_schema_that_takes_something_away_ends_the_older_version(
    postgres_url: str, make_postgres_games: Callable[[], GameService], tmp_path: Path
) -> None:
    live = await make_postgres_games().open(NewGame("nim", {"heap": 99, "dice": "no"}, Place(1, 5), "en"), (11, 22))
    newer = await start("newer_player.py", postgres_url, live.id, str(later(tmp_path / "later", "contract")))
    newer.kill()
    await newer.wait()
    with pytest.raises(UnknownSchema, match=f"schema {LATER} of a newer version"):
        await Database.open(postgres_url)


# --- in one process --------------------------------------------------------------------------------------------------


@pytest.fixture
async def make_postgres_games(postgres_url: str, nim: Any) -> AsyncIterator[Callable[[], GameService]]:
    """Services of this version on PostgreSQL."""
    del nim
    async with Database(postgres_url) as database:
        yield lambda: GameService(GameRepository(database), SeededLuck(1), Clock())


async def test_one_process_upgrades_at_its_start_and_an_older_one_starts_after_it(
    database_url: str, newer: pytest.MonkeyPatch
) -> None:
    await (await Database.open(database_url)).close()
    newer.undo()
    async with await Database.open(database_url) as database:
        assert (await database.fetch(text("SELECT version_num FROM alembic_version"))).scalar() == LATER


async def test_after_a_way_back_the_newer_version_migrates_again(database_url: str, newer: pytest.MonkeyPatch) -> None:
    del newer
    database = await Database.open(database_url)
    async with database.engine.begin() as connection:
        await connection.run_sync(migrate.downgrade, revisions.revisions()[-2])
    await database.close()
    async with await Database.open(database_url) as database:
        assert (await database.fetch(text("SELECT version_num FROM alembic_version"))).scalar() == LATER


async def somebody_waits_for_the_games(database: Database) -> bool:
    query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'games'::regclass"
    return bool((await database.fetch(text(query))).scalar())


async def test_a_migration_that_waits_for_a_table_lets_the_others_through(
    postgres_url: str, newer: pytest.MonkeyPatch
) -> None:
    newer.setattr(migrate, "LOCK_MS", 200)
    newer.setattr(migrate, "PAUSE", 0.2)
    async with Database(postgres_url) as long, Database(postgres_url) as other:
        async with long.reading() as connection:
            await connection.execute(text("SELECT count(*) FROM games"))
            migration = asyncio.create_task(Database.open(postgres_url))
            await until(lambda: somebody_waits_for_the_games(other), "it waits for the games")
            await other.fetch(text("SELECT count(*) FROM games"))
            assert not migration.done()
        await (await migration).close()


# --- the rule --------------------------------------------------------------------------------------------------------

ADDS: Final = frozenset({"create_table", "create_index", "add_column", "batch_alter_table", "f"})
"""The operations that a revision of the phase ``expand`` may call in ``upgrade``."""


FIRST: Final = "abakbot_0001"
"""The first schema, which no version is older than. Every later revision names its phase."""


def broken_rules(source: str) -> list[str]:
    """Returns the operations of a revision that its phase does not allow."""
    tree = ast.parse(source)
    said = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    if said["revision"] == FIRST:
        return []
    phase = said.get("phase")
    if phase not in {"expand", "contract"}:
        return [f"{said['revision']} names no phase, expand or contract"]
    if phase == "contract":
        return []
    upgrade = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "upgrade")
    return [f"{said['revision']}: {ast.unparse(call)}" for call in _calls(upgrade) if not _adds(call)]


def _calls(upgrade: ast.FunctionDef) -> Iterator[ast.Call]:
    for node in ast.walk(upgrade):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ) and node.func.value.id != "sa":
            yield node


def _adds(call: ast.Call) -> bool:
    """Returns whether a call adds something that an older version need not know."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr not in ADDS:
        return False
    given = {
        word.arg: ast.unparse(word.value)
        for node in ast.walk(call)
        if isinstance(node, ast.Call)
        for word in node.keywords
    }
    if call.func.attr == "add_column":
        return given.get("nullable") != "False" or "server_default" in given
    return not (call.func.attr == "create_index" and given.get("unique") == "True")


def test_every_revision_keeps_to_its_phase() -> None:
    sources = [path.read_text() for folder in revisions.FOLDERS for path in folder.glob("*.py")]
    assert len(sources) == len(revisions.revisions())
    assert [fault for source in sources for fault in broken_rules(source)] == []


@pytest.mark.parametrize(
    ("phase", "does", "allowed"),
    [
        ("expand", 'op.add_column("games", sa.Column("mood", sa.String(8), nullable=True))', True),
        ("expand", 'op.add_column("games", sa.Column("mood", sa.Text(), nullable=False, server_default=""))', True),
        ("expand", 'op.add_column("games", sa.Column("mood", sa.String(8), nullable=False))', False),
        ("expand", 'op.create_index("ix_games_mood", "games", ["mood"])', True),
        ("expand", 'op.create_index("uq_games_mood", "games", ["mood"], unique=True)', False),
        ("expand", 'op.drop_column("games", "mood")', False),
        ("expand", 'op.rename_table("games", "plays")', False),
        ("expand", 'op.alter_column("games", "mood", nullable=False)', False),
        ("contract", 'op.drop_column("games", "mood")', True),
        ("", 'op.create_index("ix_games_mood", "games", ["mood"])', False),
    ],
)
def test_the_rule_tells_what_an_older_version_can_live_with(phase: str, does: str, allowed: bool) -> None:
    source = f'revision = "{LATER}"\nphase = "{phase}"\n\ndef upgrade():\n    {does}\n'
    assert (broken_rules(source) == []) is allowed
