"""Opens the games of pairings."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.matches.service import MatchService
from bot.notifications.model import Notification
from bot.notifications.service import NotificationService
from bot.players.service import PreferenceService
from bot.ratings.service import RatingService
from bot.tournaments.rounds.notices import RoundNotices
from bot.tournaments.rounds.opening.repository import Opening, OpeningRepository
from bot.tournaments.rounds.steps import casual
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status
from engine.core.errors import Refused

__all__ = ["Opening", "OpeningService"]


class OpeningService:
    """Opens games in the places that the delivery of a round has found for them."""

    def __init__(
        self,
        repository: OpeningRepository,
        tournaments: TournamentService,
        matches: MatchService,
        ratings: RatingService,
        notifications: NotificationService,
        notices: RoundNotices,
        preferences: PreferenceService,
    ) -> None:
        self.repository = repository
        self._tournaments = tournaments
        self._now = tournaments.now
        self._matches = matches
        self._ratings = ratings
        self._notifications = notifications
        self._notices = notices
        self._preferences = preferences

    async def open(self, opening: Opening, place: Place) -> LiveGame:
        """Opens the game or match of a pairing. Raises RuleError; Refused if ``place`` is taken or no game is due."""
        tournament, stored = opening.tournament, opening.stored
        plan = tournament.plan
        players = await self._tournaments.users_of(tournament.id, stored)
        server = await self._preferences.of_server(tournament.guild_id)
        why_casual = await casual.why(players, server, self._ratings) if plan.rated else ""

        async def note(connection: AsyncConnection, live: LiveGame) -> None:
            await self._notifications.mark_pinged(connection, live)
            found = await self._tournaments.repository.locked(connection, tournament.id)
            if found is None or found.status is not Status.RUNNING or found.paused is not None:
                raise Refused("tournament.rounds.opened")
            in_channel = place.channel_id == tournament.channel_id
            if in_channel and await self.repository.awaits_channel(connection, tournament.id):
                raise Refused("place.taken")  # a game that has lost its channel comes first
            contest = live.record.header.match or live.id
            this = (connection, tournament.id, stored.id)
            if not await self.repository.mark_opened(*this, contest, live.id, place.channel_id, self._now()):
                raise Refused("tournament.rounds.opened")
            await self._tournaments.repository.touch_round(connection, tournament.id, stored.pairing.round)
            told = self._notices.paired(tournament, stored, live, casual=why_casual)
            if plan.begins_at_once(stored.pairing):
                told = await self._told_apart(connection, opening, told)
            await self._notifications.write(connection, *told)

        new = NewGame(
            plan.game,
            plan.options,
            place,
            tournament.locale,
            plan.clock,
            plan.timeout_policy if plan.clock else "",
            rated=plan.rated and not why_casual,
        )
        return await self._matches.open(plan.terms, new, players, note)

    async def _told_apart(
        self, connection: AsyncConnection, opening: Opening, made: Sequence[Notification]
    ) -> list[Notification]:
        """Returns which notices of an opened game are sent if all games of its table begin at once.

        The first games have one together. Of those opened anew, a player hears of the last one.
        """
        if not opening.stored.was_opened:
            return []
        waiting = await self.repository.waiting(connection, opening.tournament.id)
        return [one for one in made if one.user_id not in waiting]
