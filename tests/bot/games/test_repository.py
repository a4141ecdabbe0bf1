"""Tests the promises of the repository, on both databases alike."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.unshown import unshown
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Conflict, PlaceTaken
from bot.games import repository as repository_module
from bot.games.derived import DERIVED, derived
from bot.games.repository import GameRepository
from bot.games.rows import rows_of
from bot.games.stored import GameVersion, StoredGame
from bot.games.tables import entries, games
from engine.core.errors import CorruptRecord
from engine.core.record import Entry, Kind
from engine.core.table import Table

pytestmark = pytest.mark.both_databases

MakeTable = Callable[..., Table[Any, Any]]
File = Callable[..., Awaitable[StoredGame]]


async def row(repository: GameRepository, game_id: str) -> dict[str, Any]:
    async with repository.database.reading() as connection:
        found = await connection.execute(select(games).where(games.c.id == game_id))
        return dict(found.mappings().one())


async def test_a_game_comes_back_as_it_was_filed(repository: GameRepository, table: MakeTable, file: File) -> None:
    stored = await file(table("a", "2", "1"), guild=None, channel=2**63 - 1)
    assert await repository.load("a") == stored


@pytest.mark.parametrize("banks", [None, (0, 0), (599_999, 7_200_000)])
async def test_the_banks_of_a_game_are_kept(
    repository: GameRepository, table: MakeTable, file: File, banks: tuple[int, int] | None
) -> None:
    opened = table("a")
    header = replace(opened.record.header, clock="10m", timeout_policy="loss", banks=banks, match="m", match_game=2)
    stored = await file(Table.open(opened.game, header))
    again = await repository.load("a")
    assert again == stored
    assert again.record.header.banks == banks


async def test_malformed_banks_make_a_game_corrupt(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a"))
    async with repository.database.writing() as connection:
        await connection.execute(update(games).values(banks="1,2"))
    with pytest.raises(CorruptRecord):
        await repository.load("a")


async def test_an_unknown_game_is_none(repository: GameRepository) -> None:
    assert await repository.load("nothing") is None


async def test_appending_adds_entries_and_what_follows_from_them(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    stored = await file(table("a", "2"))
    await repository.append("a", 1, table("a", "2", "1", "3"), "next-secret")
    stored = await repository.load("a")
    assert stored == replace(stored, record=table("a", "2", "1", "3").record, secret="next-secret")
    assert (await row(repository, "a")).items() >= derived(table("a", "2", "1", "3")).items()


def test_the_names_of_derived_columns_are_complete(table: MakeTable) -> None:
    assert list(DERIVED) == list(derived(table("a")))


async def test_the_end_of_a_game_is_noted(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a", "2", heap=3))
    await repository.append("a", 1, table("a", "2", "1", heap=3), "")
    noted = await row(repository, "a")
    told = {name: noted[name] for name in ("status", "to_act", "points0", "points1", "reason")}
    assert told == {"status": "over", "to_act": None, "points0": -1, "points1": 1, "reason": "nim.last_taken"}
    assert noted["ended"] == noted["last_entry_at"] == noted["started"] + 2000


@pytest.mark.parametrize("seq", [0, 2])
async def test_only_the_present_length_can_be_appended_to(
    repository: GameRepository, table: MakeTable, file: File, seq: int
) -> None:
    stored = await file(table("a", "2"))
    with pytest.raises(Conflict):
        await repository.append("a", seq, table("a", "2", "1", "3"), "other")
    assert await repository.load("a") == stored


async def test_an_entry_that_is_there_already_is_a_conflict(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    """As if the count of entries had been damaged: the key of the entries still holds."""
    await file(table("a", "2", "1"))
    async with repository.database.writing() as connection:
        await connection.execute(update(games).values(seq=1))
    with pytest.raises(Conflict):
        await repository.append("a", 1, table("a", "2", "3"), "")
    stored = await repository.load("a")
    assert stored is not None
    assert [entry.body for entry in stored.record.entries] == ["2", "1"]


async def test_an_append_that_fails_half_way_leaves_nothing(
    repository: GameRepository, table: MakeTable, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await file(table("a", "2"))
    before = await row(repository, "a")

    def failing(*_: object) -> list[dict[str, Any]]:
        return [*rows_of("a", 1, [Entry(1, Kind.PLAY, 1, "1")]), *rows_of("a", 0, [Entry(1, Kind.PLAY, 0, "2")])]

    monkeypatch.setattr(repository_module, "rows_of", failing)
    with pytest.raises(Conflict):
        await repository.append("a", 1, table("a", "2", "1"), "other")
    assert await row(repository, "a") == before
    assert await repository.load("a") == stored


async def test_one_game_runs_in_a_channel(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a"))
    with pytest.raises(PlaceTaken):
        await file(table("b"))
    assert await repository.load("b") is None
    await repository.append("a", 0, table("a", "3", "3", "3"), "")
    await file(table("b"))
    assert await repository.running_at(5) == GameVersion("b", 0, -1, 5, 11, 22)
    assert await repository.ended_at(5) == GameVersion("a", 3, -1, 5, 11, 22)
    assert await repository.running_at(6) is None


async def test_an_id_is_given_once(table: MakeTable, file: File) -> None:
    await file(table("a"))
    with pytest.raises(IntegrityError):
        await file(table("a"), channel=6)


async def test_the_running_games_of_a_user_longest_waiting_first(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    await file(table("late", "1", "1"), channel=1)
    await file(table("early"), channel=2, players=(33, 11))
    await file(table("over", "3", "3", "3"), channel=3)
    await file(table("others"), channel=4, players=(33, 44))
    assert [version.id for version in await repository.running_of(11)] == ["early", "late"]


async def test_what_has_been_shown_never_goes_back(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a", "1", "1"))
    assert await unshown(repository.database) == ["a"]
    shown = []
    for seq, message in ((0, 100), (2, 200), (1, 150), (2, None), (2, 201)):
        await repository.mark_shown("a", seq, message)
        stored = await repository.load("a")
        assert stored is not None
        shown.append((stored.shown_seq, stored.message_id))
    assert shown == [(0, 100), (2, 200), (2, 200), (2, 200), (2, 201)]
    assert await unshown(repository.database) == []


async def test_more_cannot_be_shown_than_there_is(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a", "1"))
    with pytest.raises(IntegrityError):
        await repository.mark_shown("a", 2, 100)


async def test_a_gap_in_the_entries_is_noticed(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a", "1", "1"))
    async with repository.database.writing() as connection:
        await connection.execute(delete(entries).where(entries.c.seq == 0))
        await connection.execute(insert(entries).values(game_id="a", seq=7, at=9, kind="play", seat=0, body="1"))
    with pytest.raises(CorruptRecord, match="gap"):
        await repository.load("a")


async def test_entries_of_every_kind_come_back(repository: GameRepository, table: MakeTable, file: File) -> None:
    made = table("a", "1")
    for entry in (
        Entry(2000, Kind.OFFER, 0, "draw"),
        Entry(3000, Kind.DECLINE, 1, "draw"),
        Entry(4000, Kind.RESIGN, 1, "2"),
    ):
        made = made.append(entry)
    stored = await file(made)
    assert (await repository.load("a")) == stored


async def test_an_entry_of_a_later_release_is_noticed(repository: GameRepository, table: MakeTable, file: File) -> None:
    await file(table("a", "1"))
    async with repository.database.writing() as connection:
        await connection.execute(update(entries).values(kind="blitz"))
    with pytest.raises(CorruptRecord, match="blitz"):
        await repository.load("a")


async def test_a_fault_in_what_belongs_to_a_change_is_no_conflict(
    repository: GameRepository, table: MakeTable, file: File
) -> None:
    """Or its player would be told for ever that somebody else was faster."""
    stored = await file(table("a", "2"))

    async def also(connection: AsyncConnection) -> None:
        await connection.execute(insert(games).values(id="a"))

    with pytest.raises(IntegrityError):
        await repository.append("a", 1, table("a", "2", "1"), "", also)
    assert await repository.load("a") == stored
