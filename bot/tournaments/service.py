"""Finding and changing tournaments, for all use cases."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from sqlalchemy import or_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.randomness import fresh_id
from bot.core.storage.database import after_commit
from bot.games.live import LiveGame
from bot.tournaments.repository import TournamentRepository
from bot.tournaments.schedule import next_look
from bot.tournaments.tables import IS_ACTIVE, tournaments
from bot.tournaments.tournament import (
    NEVER,
    LogEntry,
    PairingState,
    Plan,
    Player,
    Status,
    StoredPairing,
    Tournament,
    TournamentSnapshot,
)
from engine.core.errors import Refused

__all__ = ["Change", "TournamentService"]

LISTED: Final = 25
"""The most tournaments that are listed at once."""


@dataclass(slots=True)
class Change:
    """A locked tournament in a transaction, and the changes that the transaction makes.

    Every method writes at once and keeps ``snapshot`` up to date.
    """

    repository: TournamentRepository
    connection: AsyncConnection
    snapshot: TournamentSnapshot
    now: int
    moved_up: "Sequence[MovedUp]" = ()
    """Called with the players who move up from the waiting list."""
    to_finish: Sequence[Callable[[], None]] = ()
    """Called after a commit that leaves an act to be finished."""

    @property
    def tournament(self) -> Tournament:
        return self.snapshot.tournament

    async def set(self, tournament: Tournament) -> None:
        """Writes the tournament, with the time of its next look.

        A break ends if a game of its round is open again. Another one follows at the end of the round.
        """
        if tournament.break_until is not None and self._is_open(tournament.round):
            tournament = replace(tournament, break_until=None)
        self.snapshot = replace(self.snapshot, tournament=tournament)
        planned = replace(tournament, next_at=next_look(self.snapshot, self.now))
        await self.repository.update(self.connection, planned)
        self.snapshot = replace(self.snapshot, tournament=planned)

    def _is_open(self, number: int) -> bool:
        """Returns whether a pairing of a round has no result yet."""
        of_round = (stored for stored in self.snapshot.pairings if stored.pairing.round == number)
        return any(stored.state is not PairingState.DONE for stored in of_round)

    async def set_players(self, *players: Player) -> None:
        await self.repository.update_players(self.connection, self.tournament.id, players)
        changed = {player.number: player for player in players}
        self.snapshot = replace(
            self.snapshot, players=tuple(changed.get(player.number, player) for player in self.snapshot.players)
        )
        await self.set(self.tournament)

    async def add_player(self, player: Player) -> None:
        await self.repository.add_player(self.connection, self.tournament.id, player)
        self.snapshot = replace(self.snapshot, players=(*self.snapshot.players, player))
        await self.set(self.tournament)

    async def set_pairing(self, pairing: StoredPairing) -> None:
        await self.repository.update_pairing(self.connection, self.tournament.id, pairing)
        self.snapshot = replace(
            self.snapshot, pairings=tuple(pairing if one.id == pairing.id else one for one in self.snapshot.pairings)
        )
        if pairing.state is PairingState.DONE:  # the announcement shows the number of finished games
            await self.set(self.tournament)
        else:
            await self.repository.plan_next(self.connection, self.tournament.id, next_look(self.snapshot, self.now))

    async def add_pairings(self, *pairings: StoredPairing) -> None:
        await self.repository.add_pairings(self.connection, self.tournament.id, pairings)
        self.snapshot = replace(self.snapshot, pairings=(*self.snapshot.pairings, *pairings))

    async def log(self, act: str, actor: int | None = None, reason: str = "", **detail: object) -> int:
        """Adds an entry to the tournament's log. Returns its seq. ``detail`` may hold no ids of users."""
        return await self.log_entry(LogEntry(0, self.now, actor, act, self.tournament.round, detail, reason))

    async def log_entry(self, entry: LogEntry, *, to_finish: bool = False) -> int:
        """Adds an entry to the tournament's log. Returns its seq; that of ``entry`` is ignored.

        ``to_finish``: its games are still to be ended, and its line is to be posted in the channel.
        """
        if to_finish:
            for listener in self.to_finish:
                after_commit(self.connection, listener)
        return await self.repository.log(self.connection, self.tournament, entry, to_finish=to_finish)


MovedUp: TypeAlias = Callable[[Change, Sequence[Player]], Awaitable[None]]


class TournamentService:
    """Finds and changes tournaments. ``now`` returns ms since 1970."""

    def __init__(
        self, repository: TournamentRepository, now: Callable[[], int], *, new_id: Callable[[], str] = fresh_id
    ) -> None:
        self.repository = repository
        self.now = now
        self._new_id = new_id
        self.moved_up: list[MovedUp] = []
        """Called in the transaction in which players move up from the waiting list."""
        self.to_finish: list[Callable[[], None]] = []
        """Called after each commit that leaves an act to be finished."""
        self._listeners: list[Callable[[str], None]] = []

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Calls ``listener`` with a tournament's id after each commit that has changed it."""
        self._listeners.append(listener)

    def changed(self, tournament_id: str) -> None:
        for listener in self._listeners:
            listener(tournament_id)

    # --- finding -------------------------------------------------------------------------------------------------

    async def get(self, tournament_id: str) -> Tournament:
        """Reads a tournament. Raises Refused if there is none; UnreadableTournament (a Refused) if it is damaged."""
        found = await self.repository.get(tournament_id)
        if found is None:
            raise Refused("tournament.unknown")
        return found

    async def snapshot(self, tournament_id: str) -> TournamentSnapshot:
        """Reads a tournament with its players and pairings. Raises what ``get`` raises."""
        found = await self.repository.snapshot(tournament_id)
        if found is None:
            raise Refused("tournament.unknown")
        return found

    async def of_server(
        self, guild_id: int, statuses: Collection[Status], limit: int = LISTED, offset: int = 0
    ) -> Sequence[Tournament]:
        """Returns the tournaments of a server, the newest first. Unreadable ones are left out."""
        wanted = tournaments.c.status.in_([status.value for status in statuses])
        return await self.repository.listed(tournaments.c.guild_id == guild_id, wanted, limit=limit, offset=offset)

    async def unreadable(self, guild_id: int, statuses: Collection[Status], limit: int) -> Sequence[tuple[str, str]]:
        """Returns the ids and names of a server's unreadable tournaments, the newest first."""
        wanted = tournaments.c.status.in_([status.value for status in statuses])
        return await self.repository.unreadable(tournaments.c.guild_id == guild_id, wanted, limit=limit)

    async def called(self, guild_id: int, given: str, statuses: Collection[Status]) -> Sequence[Tournament]:
        """Returns the tournaments of a server with this id or exactly this name, at most two."""
        wanted = tournaments.c.status.in_([status.value for status in statuses])
        this = or_(tournaments.c.id == given, tournaments.c.name == given)
        return await self.repository.listed(tournaments.c.guild_id == guild_id, wanted, this, limit=2)

    async def active(self, guild_id: int) -> Sequence[Tournament]:
        """Returns the active tournaments of a server, at most two."""
        return await self.repository.listed(tournaments.c.guild_id == guild_id, IS_ACTIVE, limit=2)

    async def of_user(self, user_id: int, limit: int = LISTED) -> Sequence[Tournament]:
        return await self.repository.of_user(user_id, limit=limit)

    async def organisers(self, tournament_id: str) -> Sequence[int]:
        """Returns the ids of the assistants, without the owner."""
        return await self.repository.organisers(tournament_id)

    async def users_of(self, tournament_id: str, stored: StoredPairing) -> tuple[int, int]:
        """Returns the users of a pairing, the one in the first seat first."""
        async with self.repository.database.reading() as connection:
            players = await self.repository.players(connection, tournament_id)
        users = {player.number: player.user_id for player in players}
        first, second = stored.pairing.players
        return users[first], users[second]

    async def has_game(self, live: LiveGame) -> bool:
        async with self.repository.database.reading() as connection:
            return await self.repository.of_contest(connection, live.record.header.match or live.id) is not None

    async def names_of(self, contest_ids: Collection[str]) -> dict[str, str]:
        """Returns the names of the tournaments of games and matches, by contest id. Other contests are left out."""
        return await self.repository.names_of(contest_ids)

    # --- changing ------------------------------------------------------------------------------------------------

    async def create(
        self, guild_id: int, channel_id: int, owner: int, name: str, locale: str, plan: Plan, status: Status
    ) -> Tournament:
        now = self.now()
        made = Tournament(self._new_id(), guild_id, channel_id, owner, name, locale, plan, status, now, next_at=NEVER)
        made = replace(made, next_at=next_look(TournamentSnapshot(made, (), ()), now))
        async with self.repository.database.writing() as connection:
            await self.repository.create(connection, made)
            after_commit(connection, lambda: self.changed(made.id))
        return made

    async def create_next(self, change: Change, name: str, plan: Plan) -> Tournament:
        """Stores the next tournament of a series in the transaction that has locked the one before it."""
        last, now = change.tournament, change.now
        place = (last.guild_id, last.channel_id, last.owner, name, last.locale, plan, Status.REGISTRATION, now)
        made = Tournament(self._new_id(), *place, series=last.series_id, edition=last.edition + 1)
        made = replace(made, next_at=next_look(TournamentSnapshot(made, (), ()), now))
        await self.repository.create(change.connection, made)
        after_commit(change.connection, lambda: self.changed(made.id))
        return made

    @asynccontextmanager
    async def changing(self, tournament_id: str, connection: AsyncConnection | None = None) -> AsyncIterator[Change]:
        """Locks a tournament for a change, in a transaction of its own or in that of ``connection``.

        A transaction that also locks users or a game locks those first. Raises what ``get`` raises.
        """
        if connection is None:
            async with self.repository.database.writing() as own, self.changing(tournament_id, own) as change:
                yield change
            return
        found = await self.repository.locked(connection, tournament_id)
        if found is None:
            raise Refused("tournament.unknown")
        snapshot = await self.repository.load(connection, found)
        yield Change(self.repository, connection, snapshot, self.now(), self.moved_up, self.to_finish)
        after_commit(connection, lambda: self.changed(tournament_id))
