"""Running tournaments: starts them, pairs rounds, takes results, ends them.

``advance`` does all due steps, so a tournament goes on from any state that a crash can leave. Every step is one
transaction that locks the tournament first, and checks the data read before.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeAlias

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.heartbeats.service import HeartbeatService
from bot.core.storage.database import after_commit
from bot.games.service import GameService
from bot.matches.contests import ContestHook, FinishedContest
from bot.matches.service import MatchService
from bot.notifications.service import NotificationService
from bot.ratings.pace import pace_of
from bot.ratings.service import RatingService
from bot.tournaments.results.standing import uncounted_opponents
from bot.tournaments.rounds.grouped_notices import GroupedNotices
from bot.tournaments.rounds.lateness import Lateness
from bot.tournaments.rounds.notices import STUCK, RoundNotices
from bot.tournaments.rounds.opening.service import Opening
from bot.tournaments.rounds.pairing_process import PairingProcess
from bot.tournaments.rounds.repository import Closing, RoundRepository, UnshownRound
from bot.tournaments.rounds.steps import (
    arena,
    breaks,
    byes,
    deadlines,
    ladder,
    pairing,
    settling,
    starting,
)
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.schedule import arena_end, break_end, last_call, next_look
from bot.tournaments.service import Change, TournamentService
from bot.tournaments.tournament import PairingState, Player, Status, StoredPairing, Tournament, TournamentSnapshot
from engine.core.errors import Refused
from engine.tournament.model import IN_ROUNDS, Format, Result

__all__ = ["Closing", "RoundService", "UnshownRound"]

STEPS: Final = 200
"""The most steps of one ``advance``. A tournament of byes and forfeits alone needs fewer."""
SOON: Final = 1_000
"""The least time between two looks at a tournament, in ms."""

Missing: TypeAlias = Callable[[int, Sequence[int]], Awaitable[Collection[int]]]
"""Returns the users who have left the server."""

ChannelGone: TypeAlias = Callable[[int], Awaitable[None]]

log = structlog.get_logger()


async def ignored(channel_id: int) -> None:
    """Does nothing about a channel that is gone."""
    del channel_id


async def nobody(guild_id: int, user_ids: Sequence[int]) -> Collection[int]:
    """Reports nobody as missing."""
    del guild_id, user_ids
    return ()


class RoundService(ContestHook):
    """The use cases of running tournaments."""

    def __init__(
        self,
        repository: RoundRepository,
        tournaments: TournamentService,
        games: GameService,
        matches: MatchService,
        ratings: RatingService,
        notifications: NotificationService,
        notices: RoundNotices,
        grouped: GroupedNotices,
        heartbeats: HeartbeatService,
        process: PairingProcess,
    ) -> None:
        self.repository = repository
        self.tournaments = tournaments
        self.games = games
        self.process = process
        self.now = tournaments.now
        self.missing: Missing = nobody
        self.channel_gone: ChannelGone = ignored
        """Called with a channel of tournaments that Discord does not know any more."""
        self._matches = matches
        self._ratings = ratings
        self._notifications = notifications
        self._notices = notices
        self._grouped = grouped
        self._heartbeats = heartbeats
        self._lateness = Lateness(tournaments, games, matches, notifications, notices, grouped, heartbeats)

    # --- start ---------------------------------------------------------------------------------------------------

    async def start(self, tournament_id: str, actor: int | None) -> None:
        """Starts a tournament. ``actor``: the organiser; None for a start at its time.

        Its first round is paired afterwards. Raises Refused if it cannot start.
        """
        snapshot = await self.tournaments.snapshot(tournament_id)
        starting.require_open(snapshot.tournament)
        ratings = await self._ratings_of(snapshot)
        async with self.tournaments.changing(tournament_id) as change:
            if actor is None and not _is_as_read(snapshot.tournament, change.tournament):
                return
            before = change.snapshot
            await starting.start(change, ratings, actor)
            await self._notifications.write(change.connection, *self._notices.of_start(before, change.snapshot))

    async def _ratings_of(self, snapshot: TournamentSnapshot) -> dict[int, int]:
        """Returns the present rating of each player, rounded."""
        plan = snapshot.tournament.plan
        users = [player.user_id for player in snapshot.players]
        found = await self._ratings.of_all(users, plan.game, pace_of(plan.clock))
        return {user: round(rating.rating) for user, rating in zip(users, found, strict=True)}

    # --- going on ------------------------------------------------------------------------------------------------

    async def advance(self, tournament_id: str) -> None:
        """Does all due steps. Safe to call at any time, and by several processes."""
        for _ in range(STEPS):
            if not await self._step(tournament_id):
                break
        async with self.repository.database.writing() as connection:
            found = await self.tournaments.repository.locked(connection, tournament_id)
            if found is not None:
                snapshot = await self.tournaments.repository.load(connection, found)
                now = self.now()
                at = max(next_look(snapshot, now), now + SOON)
                await self.repository.plan_exactly(connection, tournament_id, at)

    async def _step(self, tournament_id: str) -> bool:
        """Does one due step. Returns False if there is none."""
        snapshot = await self.tournaments.snapshot(tournament_id)
        tournament = snapshot.tournament
        if tournament.paused is not None:
            return False
        if tournament.status in {Status.REGISTRATION, Status.CHECK_IN}:
            return await self._begin(tournament)
        if tournament.status is not Status.RUNNING:
            return False
        if (
            await self._lateness.forfeit_absent(snapshot)
            or await self._lateness.credit(snapshot)
            or await self._at_deadlines(snapshot)
        ):
            return True
        if tournament.plan.format in IN_ROUNDS:
            return await self._next_round(snapshot)
        if tournament.plan.format is Format.ARENA:
            return await self._arena(snapshot)
        return await self._ladder(snapshot)

    async def _begin(self, tournament: Tournament) -> bool:
        """Opens the check-in and pings the players, or starts the tournament, if it is time."""
        plan = tournament.plan
        if plan.starts is None or self.now() < plan.starts - plan.check_in:
            return False
        if self.now() >= plan.starts:
            try:
                await self.start(tournament.id, None)
            except Refused:  # started or cancelled meanwhile
                return False
            return True
        call = last_call(plan)
        is_last = call is not None and self.now() >= call
        if tournament.status is Status.CHECK_IN and not is_last:
            return False
        async with self.tournaments.changing(tournament.id) as change:
            if not _is_as_read(tournament, change.tournament):
                return True  # reads again
            opens = change.tournament.status is Status.REGISTRATION
            if opens:
                await change.set(replace(change.tournament, status=Status.CHECK_IN))
                await change.log("check_in")
            opened = change.now if opens and not is_last else None
            called = self._notices.check_in(change.tournament, change.snapshot.players, opened)
            await self._notifications.write(change.connection, *called)
        return tournament.status is not Status.CHECK_IN

    async def _at_deadlines(self, snapshot: TournamentSnapshot) -> bool:
        """Applies due deadlines. Returns False if there are none, or if the bot may have been away until now."""
        due = deadlines.due(snapshot, self.now())
        if due == deadlines.NOTHING or not await self._heartbeats.is_known(snapshot.tournament.guild_id):
            return False
        if not due.changes:
            return await self._lateness.forfeit_late(snapshot)
        await self._lateness.tell(snapshot.tournament.id, await self.organisers(snapshot.tournament))
        return True

    async def organisers(self, tournament: Tournament) -> list[int]:
        """Returns the owner and the assistants, without deleted users."""
        found = dict.fromkeys([tournament.owner, *await self.tournaments.organisers(tournament.id)])
        return [user_id for user_id in found if user_id > 0]

    # --- rounds --------------------------------------------------------------------------------------------------

    async def _next_round(self, snapshot: TournamentSnapshot) -> bool:
        """Pairs the next round or ends the tournament, perhaps after a break, once all pairings are done."""
        if any(stored.state is not PairingState.DONE for stored in snapshot.pairings):
            return False
        if (until := break_end(snapshot)) is not None and not await self._lateness.is_past(snapshot.tournament, until):
            return False
        if await self._without_missing(snapshot):
            return True
        tournament = snapshot.tournament
        made = await self.process.next_round(tournament.plan.stages, snapshot.entrants, snapshot.engine_pairings)
        async with self.tournaments.changing(tournament.id) as change:
            if not pairing.is_unchanged(snapshot, change.snapshot):
                return True  # reads again
            await self._notifications.write(change.connection, *self._notices.drawn(change.snapshot))
            if breaks.is_due(change.snapshot, is_last=made is None):
                await breaks.begin(change, is_last=made is None)
            elif made is None:
                await pairing.end(change)
            else:
                await pairing.add_round(change, made)
                told = [
                    *self._notices.byes(change.snapshot),
                    *self._notices.walkovers(change.snapshot),
                    *self._grouped.begun(change.snapshot, change.now),
                ]
                await self._notifications.write(change.connection, *told)
        return True

    async def _arena(self, snapshot: TournamentSnapshot) -> bool:
        """Pairs the free players of an arena. Ends it after its time and the last game."""
        now = self.now()
        if now >= arena_end(snapshot):
            if any(stored.state is not PairingState.DONE for stored in snapshot.pairings):
                return False
            async with self.tournaments.changing(snapshot.tournament.id) as change:
                if _goes_on(change):
                    await pairing.end(change)
            return True
        if not arena.is_pairing_due(snapshot, now):
            return False
        async with self.tournaments.changing(snapshot.tournament.id) as change:
            return _goes_on(change) and await arena.pair(change)

    async def _ladder(self, snapshot: TournamentSnapshot) -> bool:
        """Moves the idle players of a ladder down."""
        if not ladder.idle_ones(snapshot, self.now()):
            return False
        async with self.tournaments.changing(snapshot.tournament.id) as change:
            if _goes_on(change):
                await ladder.sink(change)
        return True

    # --- arenas and ladders --------------------------------------------------------------------------------------

    async def rest(self, tournament_id: str, user_id: int) -> None:
        """Stops pairing a player of an arena. Raises Refused."""
        async with self.tournaments.changing(tournament_id) as change:
            await arena.rest(change, user_id)

    async def come_back(self, tournament_id: str, user_id: int) -> None:
        """Resumes pairing a player of an arena. Raises Refused."""
        async with self.tournaments.changing(tournament_id) as change:
            await arena.come_back(change, user_id)

    async def challenge(self, tournament_id: str, user_id: int, opponent_id: int) -> None:
        """Challenges a player above in a ladder; their game opens at once. Raises Refused."""
        async with self.tournaments.changing(tournament_id) as change:
            await ladder.challenge(change, user_id, opponent_id)

    async def _without_missing(self, snapshot: TournamentSnapshot) -> bool:
        """Withdraws the people who have left the server. Returns False if all are there."""
        users = [player.user_id for player in snapshot.players if player.is_in and not player.is_machine]
        gone = await self.missing(snapshot.tournament.guild_id, users)
        for user_id in gone:
            await self.withdraw(snapshot.tournament.id, user_id, "left_server")
        return bool(gone)

    # --- leaving -------------------------------------------------------------------------------------------------

    async def withdraw(self, tournament_id: str, user_id: int, why: str = "withdrew", pseudonym: int = 0) -> None:
        """Takes a player out. Before the start, their place goes to the waiting list.

        ``why``: as in ``Player.reason``. A running game is forfeited. ``pseudonym``: the new user id of a DELETED
        player, whose game is ended by the deletion. Raises Refused if they are not in.
        """
        organisers = await self.organisers(await self.tournaments.get(tournament_id))
        async with self.tournaments.changing(tournament_id) as change:
            tournament = change.tournament
            if tournament.status in {Status.OVER, Status.CANCELLED}:
                raise Refused("tournament.rounds.over")
            player = change.snapshot.of_user(user_id)
            if player is None or player.reason:
                raise Refused("tournament.rounds.not_in")
            last = tournament.round if tournament.status is Status.RUNNING else 0
            known_as = pseudonym or user_id
            await change.set_players(replace(starting.withdrawn(player, why, last), user_id=known_as))
            if player.ladder_place is not None:
                await settling.set_order(change, settling.order_of(change.snapshot))
            actor = None if why == "left_server" else known_as
            seq = await change.log("withdrew", actor, player=player.number, why=why)
            if tournament.status is Status.RUNNING and tournament.plan.format in IN_ROUNDS:
                await self._tell_of_withdrawal(change, player, seq, organisers)
            if tournament.status.is_open:
                await starting.move_up(change)
        if tournament.status is Status.RUNNING:
            await self._lateness.forfeit_absent(await self.tournaments.snapshot(tournament_id))

    async def _tell_of_withdrawal(self, change: Change, player: Player, seq: int, organisers: Sequence[int]) -> None:
        """Notifies the organisers, and the opponents whose results against the player do not count any more."""
        snapshot = change.snapshot
        met = {snapshot.player(one).user_id for one in uncounted_opponents(snapshot, player.number)}
        told = self._notices.withdrew(change.tournament, seq, {*organisers, *met} - {player.user_id})
        await self._notifications.write(change.connection, *told)
        await change.repository.touch_round(change.connection, change.tournament.id, change.tournament.round)

    async def ask_bye(self, tournament_id: str, user_id: int, number: int, *, withdraw: bool = False) -> None:
        """Stores or withdraws a player's wish for a half-point bye in that round. Raises Refused."""
        async with self.tournaments.changing(tournament_id) as change:
            await (byes.withdraw if withdraw else byes.ask)(change, user_id, number)

    async def cannot_open(self, opening: Opening) -> None:
        """Notifies the organisers, once a round, that the bot may not open games in their channel."""
        organisers = await self.organisers(opening.tournament)
        made = self._notices.to_organisers(opening.tournament, STUCK, organisers, opening.stored.pairing.round)
        async with self.repository.database.writing() as connection:
            await self._notifications.write(connection, *made)

    # --- results -------------------------------------------------------------------------------------------------

    async def settle(self, change: Change, stored: StoredPairing, result: Result, decided_by: str) -> None:
        """Writes a result in an open change. The tournament then goes on by itself."""
        await settling.settle(change, stored, result, decided_by)

    async def on_end(self, connection: AsyncConnection, contest: FinishedContest) -> None:
        """Takes the result of a contest of a tournament, in the transaction in which the contest ends.

        If only the pairing changes, nothing else is read, as a large tournament has thousands of pairings.
        """
        if contest.guild_id is None:
            return
        if (found := await self.tournaments.repository.of_contest(connection, contest.id)) is None:
            return
        tournament_id, stored = found
        result = settling.result_of(contest)
        with suppress(UnreadableTournament):  # the game still ends, and its result counts
            if settling.has_follow_up(await self.tournaments.repository.locked(connection, tournament_id), stored):
                async with self.tournaments.changing(tournament_id, connection) as change:
                    now = change.snapshot.pairing(stored.id)
                    if now is not None and now.contest_id == contest.id:  # otherwise the pairing was just taken back
                        await self.settle(change, now, result, settling.BY_GAME)
                        await self.repository.try_now(connection, tournament_id)
                return
        done = settling.done(stored, result, settling.BY_GAME, self.now())
        await self.repository.take_result(connection, tournament_id, done)
        after_commit(connection, lambda: self.tournaments.changed(tournament_id))


def _goes_on(change: Change) -> bool:
    return change.tournament.status is Status.RUNNING and change.tournament.paused is None


def _is_as_read(read: Tournament, now: Tournament) -> bool:
    """Returns whether the start is still due, as organisers may have moved it, or paused the tournament."""
    return (read.plan.starts, read.plan.check_in, read.paused) == (now.plan.starts, now.plan.check_in, now.paused)
