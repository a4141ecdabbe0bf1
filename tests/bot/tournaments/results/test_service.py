"""The hall of fame, on both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.snapshots import GUILD, START, Made
from harness.damage import spoil

from bot.core.translations import language
from bot.tournaments.repository import TournamentRepository
from bot.tournaments.results import history
from bot.tournaments.results.repository import ResultRepository, Title
from bot.tournaments.results.service import PER_PAGE, ResultService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status
from engine.core.errors import Refused
from engine.tournament.model import Format, Stage

if TYPE_CHECKING:
    from bot.core.storage.database import Database

pytestmark = pytest.mark.both_databases

ANA, BEN, FORMER, OWNER = 11, 12, -13, 14


@pytest.fixture
def service(database: Database) -> ResultService:
    return ResultService(ResultRepository(database), TournamentService(TournamentRepository(database), lambda: START))


async def won_by(service: ResultService, name: str, *winners: int, guild_id: int = GUILD, created: int = 0) -> Made:
    """Stores a finished tournament in which these share the first place."""
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 4, id=name, name=name, guild_id=guild_id, owner=OWNER).finish()
    made.set(created=created)
    for number in range(1, 5):
        place = 1 if number <= len(winners) else 3
        user_id = winners[number - 1] if number <= len(winners) else 100 + number
        made.player(number, first_place=place, last_place=place, user_id=user_id)
    await write(service, made)
    return made


async def write(service: ResultService, made: Made) -> None:
    repository = TournamentRepository(service.repository.database)
    async with service.repository.database.writing() as connection:
        await repository.create(connection, made.snapshot.tournament)
        for player in made.snapshot.players:
            await repository.add_player(connection, made.snapshot.tournament.id, player)
        for one in made.rounds:
            await repository.add_round(connection, made.snapshot.tournament.id, one)
        await repository.add_pairings(connection, made.snapshot.tournament.id, made.snapshot.pairings)


@pytest.mark.parametrize("bad", ["0", str(PER_PAGE - 1)])
async def test_pages_go_on_past_a_tournament_that_cannot_be_read(service: ResultService, bad: str) -> None:
    for number in range(PER_PAGE + 1):
        await won_by(service, str(number), ANA, created=number)
    await spoil(service.repository.database, "UPDATE tournaments SET plan = '{' WHERE id = :id", id=bad)
    pages = [await service.hall(GUILD, page) for page in range(2)]
    assert [one.id for page in pages for one in page.tournaments] == [
        str(number) for number in reversed(range(PER_PAGE + 1)) if str(number) != bad
    ]
    assert [page.more for page in pages] == [True, False]


async def test_winners_and_who_has_most_titles(service: ResultService) -> None:
    await won_by(service, "a", ANA, created=1)
    await won_by(service, "b", BEN, ANA, created=2)
    await won_by(service, "c", FORMER, created=3)
    await won_by(service, "d", BEN, guild_id=GUILD + 1, created=4)
    running = Made((Stage(Format.SINGLE_ELIMINATION),), 4, id="e").rounds_of(1)
    await write(service, running)
    hall = await service.hall(GUILD, 0)
    assert [one.id for one in hall.tournaments] == ["c", "b", "a"]
    assert hall.winners == {"a": (ANA,), "b": (BEN, ANA), "c": (FORMER,)}
    assert list(hall.titles) == [Title(ANA, 2), Title(BEN, 1)]
    assert not hall.more
    said = history.text(hall, language("en"))
    assert said[1].endswith("🏆 a former player")
    assert said[2].endswith("🏆 <@12>, <@11>")
    assert said[-2:] == ["<@11>: 2 titles", "<@12>: 1 title"]


async def test_pages(service: ResultService) -> None:
    for number in range(PER_PAGE + 1):
        await won_by(service, f"t{number}", ANA, created=number)
    first, second = await service.hall(GUILD, 0), await service.hall(GUILD, 1)
    assert (len(first.tournaments), first.more) == (PER_PAGE, True)
    assert ([one.id for one in second.tournaments], second.more) == (["t0"], False)
    assert list(second.titles) == [Title(ANA, PER_PAGE + 1)]


async def test_who_may_look_at_a_tournament(service: ResultService) -> None:
    made = await won_by(service, "a", ANA)
    assert (await service.visible("a", GUILD, 999)).tournament.id == "a"
    assert (await service.visible("a", None, ANA)).tournament.id == "a"
    assert (await service.visible("a", None, OWNER)).players
    assert len(await service.rounds("a")) == len(made.rounds)
    for guild_id, user_id in ((GUILD + 1, ANA), (None, 999)):
        with pytest.raises(Refused):
            await service.visible("a", guild_id, user_id)


async def test_a_draft_is_its_owners_alone(service: ResultService) -> None:
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 2, id="d", owner=OWNER)
    made.set(status=Status.DRAFT)
    await write(service, made)
    assert await service.visible("d", GUILD, OWNER)
    with pytest.raises(Refused):
        await service.visible("d", GUILD, ANA)
