"""Nobody is asked again and again: a player makes only so many offers in a game in a while, told by its record."""

import pytest
from fakes.clock import Clock, Names
from fakes.luck import SeededLuck

from bot.core.limits import OFFERS_IN_GAME
from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import Refused

ANA, BEN = 1, 2


async def test_a_player_makes_only_so_many_offers_in_a_while(database: Database, clock: Clock) -> None:
    def process() -> GameService:
        return GameService(GameRepository(database), SeededLuck(1), clock, new_id=Names("g"), limited=True)

    games = process()
    live = await games.open("apb", {}, (ANA, BEN), Place(9, 5), "en", "3d/move")
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
