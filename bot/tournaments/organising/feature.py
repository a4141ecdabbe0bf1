"""The services and workers of this part of tournaments."""

from collections.abc import Iterable

from bot.core.feature import BackgroundTask
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.notifications.service import NotificationService
from bot.tournaments.organising.departures import DepartureService
from bot.tournaments.organising.notices import OrganiserNotices
from bot.tournaments.organising.repository import OrganiserRepository
from bot.tournaments.organising.service import OrganiserService
from bot.tournaments.organising.worker import OrganisingWorker
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService


def services(services: Services) -> None:
    notifications = services[NotificationService]
    notices = OrganiserNotices(notifications, services[TournamentService])
    repository, tournaments = OrganiserRepository(services.database), services[TournamentService]
    organisers = services.add(
        OrganiserService(
            repository,
            tournaments,
            services[GameService],
            services[MatchService],
            notices.tell,
            notifications.skip_result,
        )
    )
    services.add(DepartureService(tournaments, services[RoundService], organisers, notices.tell))


def workers(context: Context) -> Iterable[BackgroundTask]:
    yield context.services.add(OrganisingWorker(context.client, context.services))
