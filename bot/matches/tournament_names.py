"""The tournament of a game or match. Rooms below tournaments use it in texts of boards and lists."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.games.live import LiveGame
from bot.games.stored import RunningGame
from bot.matches.contests import absent_seat
from engine.match.match import ABORTED

Find: TypeAlias = Callable[[Collection[str]], Awaitable[Mapping[str, str]]]
"""Returns the names of tournaments for ids of games and matches. Ids of other games are left out."""


@dataclass(frozen=True, slots=True)
class Walkover:
    """An aborted game of a tournament: a player was absent, and the other wins by forfeit."""

    tournament: str
    """Its name."""
    winner: int
    """The user who wins."""


async def none(contest_ids: Collection[str]) -> Mapping[str, str]:
    """Returns no names: no game belongs to a tournament."""
    del contest_ids
    return {}


class TournamentNames:
    def __init__(self) -> None:
        self.find: Find = none

    async def of(self, live: LiveGame) -> str:
        """Returns the name of a game's tournament; empty if it belongs to none."""
        contest_id = live.record.header.match or live.id
        return (await self.find([contest_id])).get(contest_id, "")

    async def several(self, games: Collection[RunningGame]) -> dict[str, str]:
        """Returns the name of each game's tournament, by the id of the game; empty if it belongs to none."""
        found = await self.find([game.match_id or game.id for game in games]) if games else {}
        return {game.id: found.get(game.match_id or game.id, "") for game in games}

    async def walkover(self, live: LiveGame) -> Walkover | None:
        """Returns the winner by forfeit of an aborted tournament game; None for any other game. Only an aborted game
        costs a query.
        """
        if live.outcome is None or live.outcome.reason != ABORTED or (absent := absent_seat(live)) is None:
            return None
        name = await self.of(live)
        return Walkover(name, live.players[1 - absent]) if name else None
