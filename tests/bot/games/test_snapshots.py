"""A long game is read from its snapshot; a wrong one does no harm, is found, and is written anew."""

import dataclasses
import json
import zlib
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import pytest
from fakes.timed import NIM, played
from sqlalchemy import insert, select, update
from structlog.testing import capture_logs

from bot.core.storage.database import Conflict, Database
from bot.games import repository as module
from bot.games.rebuild import Checked, rebuild_all
from bot.games.repository import SNAPSHOT_EVERY, GameRepository
from bot.games.rows import packed, unpacked
from bot.games.stored import StoredGame
from bot.games.tables import snapshots
from engine.core.record import Record, dump
from engine.core.table import Table

File = Callable[..., Awaitable[StoredGame]]
LONG = SNAPSHOT_EVERY + 3


async def kept(database: Database) -> bytes | None:
    async with database.reading() as connection:
        return await connection.scalar(select(snapshots.c.text))


async def read(repository: GameRepository) -> Table[Any, Any]:
    """Returns the game as the bot reads it."""
    stored = await repository.load("n1")
    assert stored is not None
    return dataclasses.replace(stored.table(), game=NIM)  # whose rules the registry has as another object


async def replace(database: Database, text: bytes) -> None:
    async with database.writing() as connection:
        await connection.execute(update(snapshots).values(text=text))


async def written(repository: GameRepository, file: File, turns: int = LONG) -> Table[Any, Any]:
    """Stores a game that reached so many entries turn by turn."""
    await file(played(SNAPSHOT_EVERY - 2))
    for number in range(SNAPSHOT_EVERY - 1, turns + 1):
        await repository.append("n1", number - 1, played(number), "next")
    return played(turns)


def other(text: str, table: Table[Any, Any], **said: Any) -> str:
    """Returns the snapshot with other content, and a seal that fits."""
    body = json.dumps(json.loads(text.partition("\n")[2]) | said)
    before = Record(table.record.header, table.record.entries[: json.loads(body)["seq"]])
    sealed = dump(before) + "\n" + body
    return sha256(sealed.encode()).hexdigest() + "\n" + body


@pytest.mark.both_databases
async def test_a_long_game_is_read_from_its_snapshot(
    repository: GameRepository, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    await file(played(SNAPSHOT_EVERY - 2))
    await repository.append("n1", SNAPSHOT_EVERY - 2, played(SNAPSHOT_EVERY - 1), "next")
    assert await kept(repository.database) is None
    await repository.append("n1", SNAPSHOT_EVERY - 1, played(LONG), "next")  # it need not be hit exactly
    monkeypatch.setattr(Table, "replay", None)
    assert unpacked(await kept(repository.database)) == played(LONG).snapshot()
    assert await read(repository) == played(LONG)


@pytest.mark.both_databases
async def test_a_later_snapshot_takes_the_place_of_the_first(
    repository: GameRepository, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SNAPSHOT_EVERY", 20)
    await file(played(19))
    for number in (20, 21):
        await repository.append("n1", number - 1, played(number), "next")
        assert unpacked(await kept(repository.database)) == played(20).snapshot()
    await repository.append("n1", 21, played(41), "next")  # more entries than one statement takes
    assert unpacked(await kept(repository.database)) == played(41).snapshot()


@pytest.mark.both_databases
async def test_who_is_too_late_leaves_no_snapshot(repository: GameRepository, file: File) -> None:
    await file(played(SNAPSHOT_EVERY - 1))
    with pytest.raises(Conflict):
        await repository.append("n1", SNAPSHOT_EVERY - 2, played(SNAPSHOT_EVERY), "next")
    assert await kept(repository.database) is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda text, _: text[:-9].encode(),
        lambda *_: b"",
        lambda *_: zlib.compress(b"\xff"),
        lambda text, _: packed(text.replace('"paused":false', '"paused":true')),
        lambda text, _: packed(f"{'0' * 64}\n{text.partition(chr(10))[2]}"),
        lambda text, table: packed(other(text, table, format=99)),
        lambda text, table: packed(other(text, table, state="nonsense")),
        lambda text, table: packed(other(text, table, seq=LONG + 9)),
        lambda *_: packed(played(LONG + 1).snapshot() or ""),
        lambda *_: packed(played(LONG, "2d/move").snapshot() or ""),
    ],
    ids=["cut", "empty", "bytes", "clock", "hash", "version", "state", "seq", "later", "another game"],
)
async def test_a_snapshot_that_does_not_fit_is_not_used_and_is_found(
    repository: GameRepository, file: File, wrong: Callable[[str, Table[Any, Any]], bytes]
) -> None:
    table = await written(repository, file)
    await replace(repository.database, wrong(unpacked(await kept(repository.database)) or "", table))
    with capture_logs() as logs:
        assert await read(repository) == table
    assert [(log["event"], log["game"]) for log in logs] == [("snapshot_not_used", "n1")]
    assert [checked async for checked in rebuild_all(repository.database)] == [Checked("n1", ("snapshot",))]
    assert unpacked(await kept(repository.database)) == table.snapshot()
    await repository.append("n1", LONG, played(LONG + 1), "next")
    assert await read(repository) == played(LONG + 1)
    assert [checked async for checked in rebuild_all(repository.database)] == [Checked("n1")]


@pytest.mark.parametrize("said", ["state", "clock", "paused"])
async def test_a_snapshot_that_fits_and_lies_is_found(repository: GameRepository, file: File, said: str) -> None:
    table = await written(repository, file)
    text = unpacked(await kept(repository.database)) or ""
    body = json.loads(text.partition("\n")[2])
    lie = {
        "state": NIM.encode(played(3).state),
        "clock": body["clock"] | {"banks": [1000, 1000]},
        "paused": True,
    }
    await replace(repository.database, packed(other(text, table, **{said: lie[said]})))
    assert [checked async for checked in rebuild_all(repository.database)] == [Checked("n1", ("snapshot",))]
    assert await read(repository) == table


async def test_a_game_without_a_snapshot_is_right(repository: GameRepository, file: File) -> None:
    await file(played(LONG))
    assert [checked async for checked in rebuild_all(repository.database)] == [Checked("n1")]
    async with repository.database.writing() as connection:
        await connection.execute(insert(snapshots).values(game_id="n1", text=packed(played(5).snapshot() or "")))
    assert [checked async for checked in rebuild_all(repository.database)] == [Checked("n1")]
    assert await read(repository) == played(LONG)
