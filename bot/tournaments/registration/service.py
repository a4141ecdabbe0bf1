"""Sets up tournaments, and lets players join and leave. Each change is one transaction with the tournament locked."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.storage.writing.locks import lock_user
from bot.players.machines import is_machine
from bot.ratings.pace import pace_of
from bot.ratings.service import RatingService, Standing
from bot.tournaments.registration import entering
from bot.tournaments.registration.entering import players_in, waiting_list
from bot.tournaments.registration.notices import RegistrationNotices
from bot.tournaments.registration.repository import RegistrationRepository, UnshownAnnouncement
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.schedule import next_look
from bot.tournaments.service import Change, TournamentService
from bot.tournaments.tournament import Plan, Player, PlayerStatus, Seeding, Status, Tournament
from engine.core.errors import Refused
from engine.core.hours import DAY

__all__ = ["Joined", "RegistrationService", "UnshownAnnouncement"]

DRAFTS_KEPT: Final = 7 * DAY
EDIT_MS: Final = 4_000
"""The least time between two edits of one announcement, in ms."""
LEASE_MS: Final = 60_000
BATCH: Final = 20
MOST_ATTEMPTS: Final = 60
"""The most attempts at an announcement, over about two weeks. A change of it or in its server allows new ones."""
MOST_POSTED: Final = 2
"""The most times that an announcement is posted: the second time if its message was deleted."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The result of joining."""

    tournament: Tournament
    waiting: int = 0
    """The place on the waiting list; 0 if the player is in."""
    checked_in: bool = False
    first_round: int = 1
    """The round from which a late entrant plays."""
    ladder_place: int = 0
    """The place in a running ladder; 0: it is no ladder, or has not begun."""


@dataclass(frozen=True, slots=True)
class Left:
    """The result of leaving."""

    tournament: Tournament
    """The tournament's state before."""
    was_waiting: bool


class RegistrationService:
    """``now`` returns ms since 1970."""

    def __init__(
        self,
        repository: RegistrationRepository,
        tournaments: TournamentService,
        rounds: RoundService,
        ratings: RatingService,
        notices: RegistrationNotices,
    ) -> None:
        self.repository = repository
        self.tournaments = tournaments
        self.now = tournaments.now
        self.notices = notices
        self._rounds = rounds
        self._ratings = ratings

    # --- drafts --------------------------------------------------------------------------------------------------

    async def draft(self, guild_id: int, channel_id: int, owner: int, name: str, locale: str, plan: Plan) -> Tournament:
        return await self.tournaments.create(guild_id, channel_id, owner, name, locale, plan, Status.DRAFT)

    async def drafts(self, guild_id: int, owner: int) -> Sequence[Tournament]:
        """Returns a user's drafts in a server, the newest first."""
        return await self.repository.drafts(guild_id, owner)

    async def draft_of(self, tournament_id: str, user_id: int) -> Tournament:
        """Returns the user's own draft. Raises Refused if there is none, or if it is announced or damaged."""
        try:
            found = await self.tournaments.get(tournament_id)
        except UnreadableTournament:
            raise
        except Refused as error:
            raise Refused("tournament.draft.gone") from error
        return _own_draft(found, user_id)

    async def edit(self, tournament_id: str, user_id: int, change: Callable[[Tournament], Tournament]) -> Tournament:
        """Changes the user's own draft. Raises Refused if there is none. An error in ``change`` changes nothing."""
        await self.draft_of(tournament_id, user_id)
        async with self.tournaments.changing(tournament_id) as changing:
            await changing.set(change(_own_draft(changing.tournament, user_id)))
            return changing.tournament

    async def discard(self, tournament_id: str, user_id: int) -> None:
        """Deletes the user's own draft. Raises Refused if there is none."""
        await self.draft_of(tournament_id, user_id)
        async with self.tournaments.changing(tournament_id) as change:
            _own_draft(change.tournament, user_id)
            await self.repository.delete_draft(change.connection, tournament_id)

    async def forget_drafts(self, limit: int) -> int:
        """Deletes up to ``limit`` drafts that are older than a week. Returns their number."""
        return await self.repository.forget_drafts(self.now() - DRAFTS_KEPT, limit)

    # --- announcing ----------------------------------------------------------------------------------------------

    async def open(self, tournament_id: str, user_id: int) -> Tournament:
        """Opens the registration of the user's own draft; the announcement follows. Raises Refused."""
        await self.draft_of(tournament_id, user_id)
        async with self.tournaments.changing(tournament_id) as change:
            draft = _own_draft(change.tournament, user_id)
            opened = replace(draft, status=Status.REGISTRATION, created=change.now)
            look = next_look(replace(change.snapshot, tournament=opened), change.now)
            await change.set(replace(opened, next_at=look))
            await change.log("announced", user_id)
            return change.tournament

    async def announce(self, tournament_id: str) -> None:
        """Announces the tournament by a new message. Raises Refused if there is no such tournament."""
        async with self.tournaments.changing(tournament_id) as change:
            await self.repository.post_again(change.connection, tournament_id)
            await change.set(change.tournament)

    async def unshown(self) -> list[UnshownAnnouncement]:
        """Leases at most BATCH announcements that are behind, for this process."""
        now = self.now()
        return await self.repository.unshown(now, now + LEASE_MS, BATCH)

    async def next_unshown(self) -> int | None:
        """Returns the time at which the next announcement is due, in ms since 1970; None if none is behind."""
        return await self.repository.next_unshown()

    async def shown(self, tournament_id: str, version: int, message_id: int | None, posted: int) -> None:
        """Stores the shown version of the announcement. Its next edit waits for EDIT_MS."""
        await self.repository.shown(tournament_id, version, message_id, posted, self.now() + EDIT_MS)

    async def lost(self, tournament_id: str) -> None:
        """Marks the message of the announcement as gone, so that it is posted again."""
        await self.repository.lost(tournament_id)

    async def failed(self, unshown: UnshownAnnouncement, attempts: int, pause: int | None) -> None:
        """Stores a failure of the announcement. It is tried again after ``pause`` ms, or given up for None."""
        at, given_up = (self.now() + EDIT_MS, unshown.version) if pause is None else (self.now() + pause, None)
        await self.repository.failed(unshown.tournament_id, attempts, at, given_up)

    # --- joining and leaving -------------------------------------------------------------------------------------

    async def join(
        self, tournament_id: str, user_id: int, roles: Collection[int], organiser: int | None = None
    ) -> Joined:
        """Enters a user, or puts them on the waiting list if the tournament is full. During check-in, checks them in.

        ``roles``: the ids of the member's roles. ``organiser``: who adds the player, regardless of the eligibility and
        the registration times; None if the user enters. Players whom others add have to check in themselves. Raises
        Refused, with the reason.
        """
        tournament = await self.tournaments.get(tournament_id)
        rating, games = await self._standing(user_id, tournament.plan)
        async with self.tournaments.repository.database.writing() as connection:
            await lock_user(connection, user_id)
            async with self.tournaments.changing(tournament_id, connection) as change:
                entering.check_exists(change.tournament)
                known = change.snapshot.of_user(user_id)
                itself = organiser in {None, user_id}
                if known is not None and itself and entering.can_check_in(change.tournament, known):
                    return await self._check_in(change, known)
                entering.check_known(change, known)
                entering.check_late(change.tournament)
                if organiser is None:
                    entering.check_times(change.tournament, change.now)
                    entering.check_eligible(change.tournament.plan, roles, rating, games)
                return await self._enter(change, known, user_id, rating, organiser)

    async def joinable(self, among: Sequence[Tournament], user_id: int, roles: Collection[int]) -> Sequence[Tournament]:
        """Returns the tournaments that the user may join or check in for. ``roles``: the ids of the member's roles."""
        known, inside = await self.repository.entries([one.id for one in among], user_id)
        standings = await self._ratings.standings_of(user_id)
        found, now = [], self.now()
        for one in among:
            standing = standings.get((one.plan.game, pace_of(one.plan.clock)), Standing())
            rating, games = round(standing.rating.rating), standing.contests
            if entering.can_join(one, known.get(one.id), inside.get(one.id, 0), roles, rating, games, now):
                found.append(one)
        return found

    async def add_machine(self, tournament_id: str, level: int) -> Joined:
        """Enters a machine for an organiser. It never waits for a place, and need not check in.

        Raises Refused, with the reason.
        """
        rating, _ = await self._standing(level, (await self.tournaments.get(tournament_id)).plan)
        async with self.tournaments.changing(tournament_id) as change:
            entering.check_exists(change.tournament)
            entering.check_late(change.tournament)
            known = change.snapshot.of_user(level)
            entering.check_machine(change, known)
            return await self._enter(change, known, level, rating)

    async def check_in(self, tournament_id: str, user_id: int) -> Joined:
        """Checks a player in. Raises Refused if the user is not in, or outside the check-in."""
        async with self.tournaments.changing(tournament_id) as change:
            known = change.snapshot.of_user(user_id)
            if known is None or known.status not in {PlayerStatus.IN, PlayerStatus.WAITING}:
                raise Refused("tournament.leave.not_in")
            if change.tournament.status is not Status.CHECK_IN:
                raise Refused("tournament.check_in.not_now")
            return await self._check_in(change, known)

    async def leave(self, tournament_id: str, user_id: int) -> Left:
        """Takes a user out of the tournament or its waiting list, whose first player moves up.

        Leaving a running tournament is a withdrawal, which forfeits an unfinished game. Raises Refused for other users.
        """
        snapshot = await self.tournaments.snapshot(tournament_id)
        known = snapshot.of_user(user_id)
        if known is None or known.status not in {PlayerStatus.IN, PlayerStatus.WAITING}:
            raise Refused("tournament.leave.not_in")
        await self._rounds.withdraw(tournament_id, user_id)
        return Left(snapshot.tournament, known.status is PlayerStatus.WAITING)

    async def seed(self, tournament_id: str, user_id: int, place: int) -> Sequence[Player]:
        """Puts a player at a place of the organiser's order. Returns that order, the first player first.

        Raises Refused if the tournament has begun, or if the user is not in it.
        """
        async with self.tournaments.changing(tournament_id) as change:
            if not change.tournament.status.is_open:
                raise Refused("tournament.seed.started")
            seeded = sorted((one for one in players_in(change.snapshot.players) if one.seed), key=lambda one: one.seed)
            order = [one for one in seeded if one.user_id != user_id]
            player = next((one for one in players_in(change.snapshot.players) if one.user_id == user_id), None)
            if player is None:
                raise Refused("tournament.seed.unknown", player=user_id)
            order.insert(place - 1, player)
            numbered = [replace(one, seed=number) for number, one in enumerate(order, 1)]
            await change.set_players(*numbered)
            plan = replace(change.tournament.plan, seeding=Seeding.HAND)
            await change.set(replace(change.tournament, plan=plan))
            return numbered

    async def _standing(self, user_id: int, plan: Plan) -> tuple[int, int]:
        """Returns a user's rounded rating in the tournament's game, and the number of its rated contests."""
        (standing,) = await self._ratings.standings([user_id], plan.game, pace_of(plan.clock))
        return round(standing.rating.rating), standing.contests

    async def _check_in(self, change: Change, player: Player) -> Joined:
        if player.checked_in:
            raise Refused("tournament.check_in.done")
        await change.set_players(replace(player, checked_in=True))
        waiting = waiting_list(change.snapshot.players)
        place = next((number for number, one in enumerate(waiting, 1) if one.number == player.number), 0)
        return Joined(change.tournament, place, checked_in=True)

    async def _enter(
        self, change: Change, known: Player | None, user_id: int, rating: int, organiser: int | None = None
    ) -> Joined:
        snapshot, tournament = change.snapshot, change.tournament
        is_full = len(players_in(snapshot.players)) >= tournament.plan.capacity
        is_late = tournament.status is Status.RUNNING
        if is_full and is_late:
            raise Refused("tournament.join.full")
        number = max((player.number for player in snapshot.players), default=0) + 1 if known is None else known.number
        itself = organiser in {None, user_id}  # nobody else says that a player is there
        checks_in = tournament.status is Status.CHECK_IN and itself and not is_machine(user_id)
        player = Player(
            number,
            user_id,
            PlayerStatus.WAITING if is_full else PlayerStatus.IN,
            rating,
            change.now,
            checked_in=checks_in,
        )
        if is_late:
            player, moved = entering.late_entry(change, player)
            await change.set_players(*moved)
        await (change.add_player(player) if known is None else change.set_players(player))
        if organiser is not None and not itself:
            await self.notices.entered(change, player, organiser)
        elif is_late:
            await change.log("late_entry", user_id, first_round=player.first_round)
        if is_late:
            await change.repository.plan_next(change.connection, tournament.id, change.now)
        place = len(waiting_list(change.snapshot.players)) if is_full else 0
        return Joined(change.tournament, place, checks_in, player.first_round, player.ladder_place or 0)


def _own_draft(tournament: Tournament, user_id: int) -> Tournament:
    if not tournament.is_draft or tournament.owner != user_id:
        raise Refused("tournament.draft.gone")
    return tournament
