"""Nobody is pinged by challenge after challenge: the table counts them, over all processes and in one transaction."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from fakes.clock import Clock, Names

from bot.challenges.repository import ChallengeRepository
from bot.challenges.service import ChallengeService
from bot.core.limits.rates import (
    CHALLENGES_IN_SERVER,
    CHALLENGES_OF_PAIR,
    CHALLENGES_OF_USER,
    CHALLENGES_TO_USER,
    OPEN_OF_PAIR,
)
from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.service import MatchService
from engine.core.errors import Refused

pytestmark = pytest.mark.both_databases

ANA, BEN = 11, 12


@dataclass
class Poster:
    """Posts challenges in one server."""

    service: ChallengeService

    async def post(self, challenger: int = ANA, opponent: int | None = BEN, guild_id: int = 9) -> str:
        """Posts a challenge, and returns its id, or the reason for the refusal."""
        try:
            made = await self.service.post(challenger, opponent, NewGame("nim", {}, Place(guild_id, 5), "en"))
        except Refused as refused:
            return f"{refused.key} {refused.params['n']}"
        return made.id

    async def count(self, times: int, **given: int | None) -> int:
        made = [await self.post(**given) for _ in range(times)]  # type: ignore[arg-type]
        return sum("quota" not in what for what in made)


@pytest.fixture
def make(database: Database, games: GameService, matches: MatchService, clock: Clock) -> Callable[[str], Poster]:
    def made(prefix: str) -> Poster:
        store = ChallengeRepository(database)
        service = ChallengeService(store, games, clock, 3600, lambda: 0, matches, new_id=Names(prefix), limited=True)
        return Poster(service)

    return made


async def test_sixty_at_once_over_two_processes_are_five(make: Callable[[str], Poster]) -> None:
    one, two = make("a"), make("b")
    found = await asyncio.gather(*(process.post() for _ in range(30) for process in (one, two)))
    assert sum("quota" not in what for what in found) == OPEN_OF_PAIR
    assert set(found) & {f"challenge.quota.open {OPEN_OF_PAIR}"}


async def test_who_cancels_again_and_again_is_limited_and_reads_when_it_goes_on(
    make: Callable[[str], Poster], clock: Clock
) -> None:
    poster = make("a")
    for _ in range(CHALLENGES_OF_PAIR.most):
        await poster.service.cancel(await poster.post(), ANA)
    assert await poster.post() == "challenge.quota.pair 10"
    assert "quota" not in await poster.post(opponent=3)
    clock.at += CHALLENGES_OF_PAIR.period - 60_000
    assert await poster.post() == "challenge.quota.pair 1"
    clock.at += 60_000
    assert "quota" not in await poster.post()


async def test_a_user_makes_only_so_many(make: Callable[[str], Poster]) -> None:
    poster = make("a")
    assert await poster.count(CHALLENGES_OF_USER.most + 3, opponent=None) == CHALLENGES_OF_USER.most
    assert (await poster.post(opponent=None)).startswith("challenge.quota.user")
    assert await poster.count(1, challenger=7, opponent=None) == 1


async def test_a_user_is_pinged_only_so_often(make: Callable[[str], Poster]) -> None:
    poster = make("a")
    made = [await poster.post(challenger=100 + number) for number in range(CHALLENGES_TO_USER.most + 2)]
    assert sum("quota" not in what for what in made) == CHALLENGES_TO_USER.most
    assert made[-1].startswith("challenge.quota.opponent")


async def test_a_server_has_only_so_many(make: Callable[[str], Poster], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.challenges.quotas.CHALLENGES_IN_SERVER", type(CHALLENGES_IN_SERVER)(4, 600_000))
    poster = make("a")
    made = [await poster.post(challenger=100 + number, opponent=None) for number in range(6)]
    assert sum("quota" not in what for what in made) == 4
    assert made[-1].startswith("challenge.quota.server")
    assert "quota" not in await poster.post(challenger=100, opponent=None, guild_id=10)
