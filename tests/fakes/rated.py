"""Rated games of Nim, as one process plays them: the results change ratings."""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import exp

from fakes.clock import START, Clock
from fakes.luck import SeededLuck
from fakes.toy import Nim

from bot.core.storage.database import Database
from bot.games.live import LiveGame, live_game, stored
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place, StoredGame
from bot.matches.repository import MatchRepository
from bot.matches.service import MatchService
from bot.ratings.repository import RatingRepository
from bot.ratings.service import RatingService
from engine.core.hours import HOUR
from engine.core.record import Header
from engine.core.table import Table

ANN, BOB, EVE = 11, 22, 33
LIMIT = 10
NIM = Nim()


class RatedGames:
    """A process that plays games, each in a channel of its own."""

    def __init__(
        self, database: Database, clock: Clock, new_id: Callable[[], str], *, limit: int = LIMIT, channel: int = 1000
    ) -> None:
        self.database = database
        self.clock = clock
        self.ratings = RatingService(RatingRepository(database), clock, limit)
        self.games = GameService(GameRepository(database), SeededLuck(1), clock, new_id=new_id)
        self.matches = MatchService(MatchRepository(database), self.games, new_id=new_id)
        self.matches.hooks.append(self.ratings)
        self.games.hooks = [self.matches]
        self._channel = channel

    async def open(
        self, players: tuple[int, int] = (ANN, BOB), *, rated: bool = True, clock: str = "", heap: int = 9
    ) -> LiveGame:
        self._channel += 1
        options = {"heap": heap, "dice": "no"}
        return await self.games.open(
            NewGame("nim", options, Place(1, self._channel), "en", clock, rated=rated), players
        )

    async def end(self, live: LiveGame, winner: int | None) -> LiveGame:
        """Ends a game: by resigning, or by a draw that both agree on. ``winner``: 0 or 1."""
        if winner is not None:
            return await self.games.resign(live.id, live.players[1 - winner], 2)
        offered = await self.games.offer(live.id, live.players[0], "draw")
        return await self.games.answer(live.id, live.players[1], accept=True, seq=offered.seq)

    async def play(
        self,
        players: tuple[int, int] = (ANN, BOB),
        winner: int | None = 0,
        *,
        rated: bool = True,
        clock: str = "",
        after: int = 1000,
    ) -> LiveGame:
        """Plays a whole game that lasts ``after`` ms."""
        live = await self.open(players, rated=rated, clock=clock)
        self.clock.at += after
        return await self.end(live, winner)


def finished(game_id: str, players: tuple[int, int], winner: int | None, started: int, length: int) -> LiveGame:
    """Returns a finished rated game of Nim that nothing has stored yet."""
    table = Table.open(NIM, Header("nim", 1, game_id, started, (("heap", 9), ("dice", "no")), rated=True))
    if winner is None:
        table = table.make_offer(0, "draw", length).answer(1, length, accept=True)
    else:
        table = table.resign(1 - winner, 2, length)
    return live_game(table, StoredGame(table.record, players, Place(1, 5), "en", "a-secret"))


def simulated(count: int, people: int, seed: int) -> Iterator[LiveGame]:
    """Finished games between people of different strength, in the order in which they are noticed.

    Their ends are not quite in that order. Two people may play more often than the daily limit.
    """
    luck, now = random.Random(seed), START
    strengths = [luck.gauss(0, 1) for _ in range(people)]
    for number in range(count):
        now += luck.randrange(HOUR)
        first, second = luck.sample(range(people), 2)
        ahead = 1 / (1 + exp(strengths[second] - strengths[first]))
        winner = luck.choices((0, 1, None), (ahead * 0.9, (1 - ahead) * 0.9, 0.1))[0]
        length = luck.randrange(10 * HOUR)
        started, lasts = now - length, length - luck.randrange(length // 2 + 1)
        yield finished(f"s{number:07}", (first + 1, second + 1), winner, started, lasts)


async def store(process: RatedGames, games: Iterable[LiveGame], at_once: int = 50) -> None:
    """Stores finished games as their commits do, many in a transaction."""
    left = iter(games)
    while page := list(islice(left, at_once)):
        async with process.database.writing() as connection:
            for live in page:
                await process.games.repository.create(connection, stored(live), live.table)
                await process.matches.on_commit(connection, None, live)
