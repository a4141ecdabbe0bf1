"""Nobody is asked again and again: a player makes only so many offers in a while, told by the records of the games."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock, Names
from fakes.luck import SeededLuck

from bot.core.limits.rates import OFFERS_IN_GAME, OFFERS_OF_PAIR, OFFERS_OF_USER, Quota
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.running.offer_quotas import OfferQuotas
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import Refused
from engine.core.hours import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.storage.database import Database
    from bot.games.live import LiveGame

ANA, BEN = 11, 12


async def test_a_player_makes_only_so_many_offers_in_a_while(database: Database, clock: Clock) -> None:
    def process() -> GameService:
        return GameService(GameRepository(database), SeededLuck(1), clock, new_id=Names("g"), limited=True)

    games = process()
    live = await games.open(NewGame("apb", {}, Place(9, 5), "en", "3d/move"), (ANA, BEN))
    for number in range(OFFERS_IN_GAME.most):
        await games.offer(live.id, ANA, f"adjourn {number + 4}d/move")
        await games.withdraw(live.id, ANA)
    with pytest.raises(Refused) as refused:
        await process().offer(live.id, ANA, "draw")  # another process reads the same record
    assert (refused.value.key, refused.value.params) == ("table.too_many_offers", {"n": 10})
    await games.offer(live.id, BEN, "draw")  # the opponent is free to ask
    await games.withdraw(live.id, BEN)
    clock.at += OFFERS_IN_GAME.period
    assert (await games.offer(live.id, ANA, "draw")).offer is not None


# --- over all games --------------------------------------------------------------------------------------------------


@dataclass
class Players:
    """They play many games, each in a channel of its own."""

    games: GameService
    channels: int = 0

    async def begin(self, opponent: int = BEN) -> LiveGame:
        """Begins a game in which Ana has either seat by turns."""
        self.channels += 1
        seats = (ANA, opponent) if self.channels % 2 else (opponent, ANA)
        return await self.games.open(NewGame("apb", {}, Place(9, self.channels), "en", "3d/move"), seats)

    async def ask(self, live: LiveGame, user_id: int = ANA, what: str = "draw") -> str:
        """Makes an offer, and returns the key and the number of its refusal, or nothing."""
        try:
            assert (await self.games.offer(live.id, user_id, what)).offer is not None
        except Refused as refused:
            assert (await self.games.newest(live.id)).offer is None
            return f"{refused.key} {refused.params['n']}"
        return ""


@pytest.fixture
def make(database: Database, clock: Clock) -> Callable[..., Players]:
    """The games as one more process has them."""

    def made(prefix: str = "g", *, limited: bool = True) -> Players:
        hooks = [OfferQuotas(limited=limited)]
        return Players(GameService(GameRepository(database), SeededLuck(1), clock, new_id=Names(prefix), hooks=hooks))

    return made


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that are met at once."""
    monkeypatch.setattr("bot.games.running.offer_quotas.OFFERS_OF_PAIR", Quota(3, OFFERS_OF_PAIR.period))
    monkeypatch.setattr("bot.games.running.offer_quotas.OFFERS_OF_USER", Quota(5, OFFERS_OF_USER.period))


@pytest.mark.usefixtures("few")
async def test_one_person_is_asked_only_so_often_in_all_games(make: Callable[..., Players], clock: Clock) -> None:
    players = make()
    games = [await players.begin() for _ in range(5)]
    assert [await players.ask(live) for live in games[:3]] == ["", "", ""]
    clock.at += MINUTE
    assert await players.ask(games[3]) == "table.quota.pair 9"
    assert await players.ask(games[3], BEN) == ""  # the opponent is free to ask
    assert await players.ask(await players.begin(opponent=13)) == ""
    clock.at += OFFERS_OF_PAIR.period - MINUTE - 1
    assert await players.ask(games[4]) == "table.quota.pair 1"
    clock.at += 1
    assert await players.ask(games[4]) == ""


@pytest.mark.both_databases
@pytest.mark.usefixtures("few")
async def test_a_user_makes_only_so_many_offers_in_all_games(make: Callable[..., Players], clock: Clock) -> None:
    players = make()
    games = [await players.begin(opponent=100 + number) for number in range(6)]
    assert [await players.ask(live) for live in games[:5]] == [""] * 5
    assert await players.ask(games[5]) == "table.quota.user 10"
    clock.at += OFFERS_OF_USER.period
    assert await players.ask(games[5]) == ""


@pytest.mark.usefixtures("few")
async def test_requests_to_go_on_are_counted(make: Callable[..., Players]) -> None:
    players = make()
    games = [await players.begin() for _ in range(4)]
    for live in games[:3]:
        await players.ask(live, BEN, "pause")
        await players.games.answer(live.id, ANA, accept=True)
        await players.games.resume(live.id, ANA)
    assert (await players.ask(games[3])).startswith("table.quota.pair")


@pytest.mark.both_databases
@pytest.mark.usefixtures("few")
async def test_offers_at_once_over_two_processes_are_as_few(make: Callable[..., Players]) -> None:
    one, two = make("a"), make("b")
    games = [await one.begin() for _ in range(12)]
    found = await asyncio.gather(*((one, two)[number % 2].ask(live) for number, live in enumerate(games)))
    assert sorted(found) == ["", "", "", *["table.quota.pair 10"] * 9]


@pytest.mark.usefixtures("few")
async def test_the_limits_can_be_switched_off(make: Callable[..., Players]) -> None:
    players = make(limited=False)
    assert [await players.ask(await players.begin()) for _ in range(7)] == [""] * 7


async def test_a_double_is_a_turn_and_no_offer(make: Callable[..., Players], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.games.running.offer_quotas.OFFERS_OF_PAIR", Quota(0, MINUTE))
    games = make().games
    live = await games.open(NewGame("backgammon", {"cube": "on"}, Place(9, 5), "en"), (ANA, BEN))
    assert live.awaited is not None
    _, text = next(iter(live.game.written_turns(live.state)))
    live = await games.play(live.id, live.awaited, live.seq, text)
    assert live.awaited is not None
    live = await games.play(live.id, live.awaited, live.seq, "double")
    assert live.entries[-1].body == "double"
