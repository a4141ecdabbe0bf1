"""What has become of a server's tournaments."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.tournaments.results.repository import ResultRepository, Title
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status, StoredRound, Tournament, TournamentSnapshot
from engine.core.errors import Refused

PER_PAGE: Final = 10
CHAMPIONS: Final = 5
"""How many players with most titles are named."""


class Hall(NamedTuple):
    """A page of the hall of fame."""

    tournaments: Sequence[Tournament]
    """Finished ones, the latest first."""
    winners: dict[str, tuple[int, ...]]
    """User ids by tournament."""
    titles: Sequence[Title]
    more: bool


class ResultService:
    """Reads what the pages of results need beside a ``TournamentSnapshot``."""

    def __init__(self, repository: ResultRepository, tournaments: TournamentService) -> None:
        self.repository = repository
        self._tournaments = tournaments

    async def visible(self, tournament_id: str, guild_id: int | None, user_id: int) -> TournamentSnapshot:
        """A tournament with all that belongs to it, for a user who asks in that server (None: in direct messages).

        Raises Refused if there is none, or if it is not theirs to see: one of another server, or somebody's draft. In
        direct messages a user sees the tournaments that they play or run.
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
        """The rounds that have been paired, by number."""
        async with self.repository.database.reading() as connection:
            return await self._tournaments.repository.rounds(connection, tournament_id)

    async def hall(self, guild_id: int, page: int) -> Hall:
        """A page of the hall of fame, from 0."""
        shown = await self._tournaments.of_server(guild_id, {Status.OVER}, PER_PAGE, page * PER_PAGE)
        return Hall(
            shown,
            await self.repository.winners([one.id for one in shown]),
            await self.repository.titles(guild_id, CHAMPIONS),
            await self.repository.finished(guild_id) > (page + 1) * PER_PAGE,
        )
