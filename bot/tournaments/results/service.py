"""The results of a server's tournaments."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.tournaments.results.repository import ResultRepository, Title
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status, StoredRound, Tournament, TournamentSnapshot
from engine.core.errors import Refused

PER_PAGE: Final = 10
CHAMPIONS: Final = 5
"""The number of named players with the most titles."""


class Hall(NamedTuple):
    """A page of the hall of fame."""

    tournaments: Sequence[Tournament]
    """Finished tournaments, the latest first."""
    winners: dict[str, tuple[int, ...]]
    """The ids of the winners, by tournament."""
    titles: Sequence[Title]
    more: bool


class ResultService:
    """Reads the data of result pages that a ``TournamentSnapshot`` lacks."""

    def __init__(self, repository: ResultRepository, tournaments: TournamentService) -> None:
        self.repository = repository
        self._tournaments = tournaments

    async def visible(self, tournament_id: str, guild_id: int | None, user_id: int) -> TournamentSnapshot:
        """Returns a tournament for a user who asks in that server (None: in direct messages).

        Raises Refused if there is none, or if the user may not see it, as it belongs to another server or is another
        user's draft. In direct messages a user sees the tournaments that they play or run.
        """
        found = await self._tournaments.snapshot(tournament_id)
        tournament = found.tournament
        is_own = tournament.owner == user_id
        is_near = tournament.guild_id == guild_id
        if guild_id is None:
            is_near = is_own or found.of_user(user_id) is not None
        if not is_near or (tournament.status is Status.DRAFT and not is_own):
            raise Refused("tournament.unknown")
        return found

    async def rounds(self, tournament_id: str) -> tuple[StoredRound, ...]:
        async with self.repository.database.reading() as connection:
            return await self._tournaments.repository.rounds(connection, tournament_id)

    async def hall(self, guild_id: int, page: int) -> Hall:
        shown = await self._tournaments.of_server(guild_id, {Status.OVER}, PER_PAGE, page * PER_PAGE)
        return Hall(
            shown,
            await self.repository.winners([one.id for one in shown]),
            await self.repository.titles(guild_id, CHAMPIONS),
            await self.repository.finished(guild_id) > (page + 1) * PER_PAGE,
        )
