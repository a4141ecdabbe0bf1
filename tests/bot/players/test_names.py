"""Names are remembered, cleaned, and written only when they change."""

import pytest
from fakes.clock import Clock

from bot.core.cache import Cache
from bot.core.storage.database import Database
from bot.players.repository import PlayerNameRepository
from bot.players.service import PlayerNames

ANN, BOB, EVE = 11, 22, 2**63 - 1


@pytest.fixture
def people(database: Database, clock: Clock) -> PlayerNames:
    return PlayerNames(PlayerNameRepository(database), clock)


@pytest.fixture
def written(people: PlayerNames, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that the database was asked to keep."""
    listed: list[str] = []
    keep = people.store.name

    async def note(user_id: int, name: str, now: int) -> None:
        listed.append(name)
        await keep(user_id, name, now)

    monkeypatch.setattr(people.store, "name", note)
    return listed


@pytest.mark.both_databases
async def test_names_are_remembered(people: PlayerNames, database: Database, clock: Clock) -> None:
    await people.seen(ANN, "Ann")
    await people.seen(EVE, "Éve 🎲")
    wanted = {EVE: "Éve 🎲", BOB: "", ANN: "Ann"}
    for reader in (people, PlayerNames(PlayerNameRepository(database), clock)):
        assert list((await reader.names([EVE, BOB, ANN, EVE])).items()) == list(wanted.items())
    assert await people.names([]) == {}


@pytest.mark.both_databases
async def test_a_name_is_written_only_when_it_changes(
    people: PlayerNames, written: list[str], database: Database, clock: Clock
) -> None:
    for name in ("Ann", "Ann", "Anna", "Anna", "Ann"):
        await people.seen(ANN, name)
    assert written == ["Ann", "Anna", "Ann"]
    assert await people.names([ANN]) == {ANN: "Ann"}
    after_a_restart = PlayerNames(people.store, clock)
    for _ in range(3):
        await after_a_restart.seen(ANN, "Ann")
    assert written == ["Ann", "Anna", "Ann", "Ann"]  # it cannot know when the last meeting was stored
    assert database is people.store.database


@pytest.mark.both_databases
async def test_the_same_name_twice_keeps_its_time(people: PlayerNames, database: Database, clock: Clock) -> None:
    await people.store.name(ANN, "Ann", clock())
    first = clock()
    clock.pass_seconds(5)
    await people.store.name(ANN, "Ann", clock())  # two processes at once
    async with database.reading() as connection:
        assert (await connection.exec_driver_sql("SELECT seen FROM player_names")).scalar() == first
    await people.store.name(ANN, "Anna", clock())
    async with database.reading() as connection:
        assert (await connection.exec_driver_sql("SELECT seen FROM player_names")).scalar() == first + 5000


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ann \n", "Ann"),
        ("A\x00n\nn\x7f", "Ann"),
        ("\u202eAnn\u2069", "Ann"),
        ("A\u200bn\u200en\u200f\u061c\ufeff", "Ann"),
        ("Ann\ud800", "Ann"),
        ("x" * 300, "x" * 100),
        ("👩\u200d🚀", "👩\u200d🚀"),  # one emoji of two
    ],
)
async def test_a_name_is_made_fit_to_show(people: PlayerNames, name: str, shown: str) -> None:
    await people.seen(ANN, name)
    assert await PlayerNames(people.store, people._now).names([ANN]) == {ANN: shown}


@pytest.mark.parametrize("name", ["", "  ", "\x00", "\u202e", "\u200d", "\u200b \u2060"])
async def test_a_name_with_nothing_to_show_changes_nothing(people: PlayerNames, written: list[str], name: str) -> None:
    await people.seen(ANN, "Ann")
    await people.seen(ANN, name)
    assert written == ["Ann"]
    assert await people.names([ANN]) == {ANN: "Ann"}


async def test_somebody_unknown_is_known_once_met(people: PlayerNames) -> None:
    assert await people.names([ANN]) == {ANN: ""}
    await people.seen(ANN, "Ann")
    assert await people.names([ANN]) == {ANN: "Ann"}


@pytest.mark.both_databases
async def test_another_process_knows_a_new_name_after_a_while(people: PlayerNames, clock: Clock) -> None:
    seconds = [0.0]
    there = PlayerNames(people.store, clock, Cache(clock=lambda: seconds[0]))
    assert await there.names([ANN]) == {ANN: ""}
    await people.seen(ANN, "Ann")
    seconds[0] = 60.0
    assert await there.names([ANN]) == {ANN: "Ann"}


async def test_names_in_memory_are_not_asked_for_again(people: PlayerNames, monkeypatch: pytest.MonkeyPatch) -> None:
    await people.seen(ANN, "Ann")
    asked: list[list[int]] = []

    async def names(user_ids: list[int]) -> dict[int, str]:
        asked.append(list(user_ids))
        return {}

    monkeypatch.setattr(people.store, "names", names)
    for _ in range(2):
        assert await people.names([ANN, BOB]) == {ANN: "Ann", BOB: ""}
    assert asked == [[BOB]]
