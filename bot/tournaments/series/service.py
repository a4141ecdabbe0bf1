"""Announces the next tournament of a series, and computes the standings of its season."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import structlog

from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.series.dates import following, next_name
from bot.tournaments.series.repository import SeriesRepository
from bot.tournaments.service import Change, TournamentService
from bot.tournaments.tournament import LogEntry, Repeat, Status, Tournament, TournamentSnapshot
from engine.tournament.season import SeasonLine, table

__all__ = ["Season", "SeriesService"]

BATCH: Final = 20
REPEATED: Final = "repeated"
"""The name of the first entry in the log of a repeated tournament."""
STOPPED: Final = "series_stopped"

log = structlog.get_logger()


class Season(NamedTuple):
    """The standings of a season at one of its tournaments."""

    part: int
    """The number of the tournament in the season, from 1."""
    length: int
    table: Sequence[SeasonLine[int]]
    """The standings by user id, from finished tournaments."""
    former: bool = False
    """Whether the table is that of the former season, as this one has just begun."""


class SeriesService:
    """``now`` returns ms since 1970."""

    def __init__(self, repository: SeriesRepository, tournaments: TournamentService) -> None:
        self.repository = repository
        self.tournaments = tournaments
        self.now = tournaments.now

    async def announce_due(self) -> None:
        """Announces all due tournaments. It may be repeated, also after a crash, as it finds existing ones."""
        for tournament_id in await self.repository.due(self.now(), BATCH):
            try:
                await self.announce_next(tournament_id)
            except UnreadableTournament:  # logged already
                continue
            except Exception:  # one failure must not delay the others; it is tried again later
                log.exception("next_of_series_not_announced", tournament=tournament_id)

    async def announce_next(self, tournament_id: str) -> Tournament | None:
        """Announces the next tournament of a series. Returns None if none follows."""
        async with self.tournaments.changing(tournament_id) as change:
            tournament = change.tournament
            if tournament.repeat_at is None or tournament.repeat_at > change.now:
                return None
            made = await self._made(change)
            await change.set(replace(change.tournament, repeat_at=None))
            return made

    async def _made(self, change: Change) -> Tournament | None:
        tournament, connection = change.tournament, change.connection
        series, edition = tournament.series_id, tournament.edition
        plan = tournament.plan
        if not plan.repeats or tournament.owner <= 0 or await self.repository.has(connection, series, edition + 1):
            return None
        is_played = edition == 1 or _is_played(change.snapshot)
        if not is_played and not await self.repository.was_played(connection, series, edition - 1):
            await change.log_entry(LogEntry(0, change.now, None, STOPPED, tournament.round, {}), to_finish=True)
            return None
        made = await self.tournaments.create_next(change, next_name(tournament), following(plan, change.now))
        await self.repository.copy_organisers(connection, tournament.id, made.id)
        await change.repository.log(connection, made, LogEntry(0, change.now, None, REPEATED, 0, {}))
        return made

    async def season(self, tournament: Tournament) -> Season | None:
        length, edition = tournament.plan.season, tournament.edition
        if not length or (tournament.plan.repeat is Repeat.NONE and edition == 1):
            return None
        first = (edition - 1) // length * length + 1
        former = edition == first > 1 and tournament.status is not Status.OVER
        begin, end = (first - length, first - 1) if former else (first, edition)
        places = await self.repository.places(tournament.series_id, begin, end)
        return Season(edition - first + 1, length, table(places), former)


def _is_played(snapshot: TournamentSnapshot) -> bool:
    """Returns whether the tournament goes on, or has ended with places."""
    ended = snapshot.tournament.status in {Status.OVER, Status.CANCELLED}
    return not ended or any(player.first_place is not None for player in snapshot.players)
