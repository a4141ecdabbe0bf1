"""Server tournaments."""

from collections.abc import Iterable

from discord import app_commands

from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.heartbeats.service import HeartbeatService
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.interactions.command_texts import IN_SERVERS, group
from bot.core.interactions.refused_forms import RefusedForms
from bot.core.services import Services
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.notifications.service import NotificationService
from bot.players.service import PlayerNames, PreferenceService
from bot.ratings.service import RatingService
from bot.tournaments import notice_links
from bot.tournaments.notices import ACT
from bot.tournaments.organising import commands as organising
from bot.tournaments.organising import feature as organising_feature
from bot.tournaments.organising import views as organising_views
from bot.tournaments.registration import commands as registration
from bot.tournaments.registration import organiser as registration_organiser
from bot.tournaments.registration import views as registration_views
from bot.tournaments.registration.notices import ENTERED, MOVED_UP, RegistrationNotices
from bot.tournaments.registration.panel import opening as registration_opening
from bot.tournaments.registration.panel import views as registration_panel
from bot.tournaments.registration.repository import RegistrationRepository
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.reopening.notices import ReopeningNotices
from bot.tournaments.reopening.repository import ReopeningRepository
from bot.tournaments.reopening.service import ReopeningService
from bot.tournaments.reopening.worker import GameReopener
from bot.tournaments.repository import TournamentRepository
from bot.tournaments.results import commands as results
from bot.tournaments.results import history as results_history
from bot.tournaments.results import pairings as results_pairings
from bot.tournaments.results import season as results_season
from bot.tournaments.results import views as results_views
from bot.tournaments.results.repository import ResultRepository
from bot.tournaments.results.service import ResultService
from bot.tournaments.rounds import commands as rounds
from bot.tournaments.rounds import views as rounds_views
from bot.tournaments.rounds.delivery.ended_threads import EndedThreads
from bot.tournaments.rounds.delivery.messages import RoundMessages
from bot.tournaments.rounds.delivery.opening import PairingOpener
from bot.tournaments.rounds.grouped_notices import GroupedNotices
from bot.tournaments.rounds.notices import RoundNotices
from bot.tournaments.rounds.opening.repository import OpeningRepository
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.rounds.pairing_process import PairingProcess
from bot.tournaments.rounds.repository import RoundRepository
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.rounds.worker import TournamentWorker
from bot.tournaments.series.repository import SeriesRepository
from bot.tournaments.series.service import SeriesService
from bot.tournaments.series.worker import SeriesWorker
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import PERSONAL_DATA

PARTS = (registration, rounds, results, organising)


def services(services: Services) -> None:
    tournaments = services.add(TournamentService(TournamentRepository(services.database), services.now))
    services.add(RefusedForms())
    services.add(ResultService(ResultRepository(services.database), tournaments))
    services.add(SeriesService(SeriesRepository(services.database), tournaments))
    rounds = RoundRepository(services.database)
    notifications = services[NotificationService]
    notices = RoundNotices(rounds.noticed, rounds.expects, notifications, services[PlayerNames])
    round_service = services.add(
        RoundService(
            rounds,
            tournaments,
            services[GameService],
            services[MatchService],
            services[RatingService],
            notifications,
            notices,
            GroupedNotices(tournaments.repository.snapshot, notifications, services[PlayerNames]),
            services[HeartbeatService],
            PairingProcess(),
        )
    )
    services.add(
        OpeningService(
            OpeningRepository(services.database),
            tournaments,
            services[MatchService],
            services[RatingService],
            notifications,
            notices,
            services[PreferenceService],
        )
    )
    rounds_views.add_buttons(notifications)
    games, matches, names = services[GameService], services[MatchService], services[PlayerNames]
    reopening = services.add(
        ReopeningService(
            ReopeningRepository(services.database),
            round_service,
            games,
            services[DisplacedGames],
            notifications,
            notices,
            ReopeningNotices(notifications, tournaments, games, matches, names),
        )
    )
    round_service.channel_gone = reopening.channel_gone
    services.add(
        RegistrationService(
            RegistrationRepository(services.database),
            tournaments,
            services[RoundService],
            services[RatingService],
            RegistrationNotices(tournaments, notifications),
        )
    )
    organising_feature.services(services)
    notice_links.add(notifications, "button.to_tournament", (ENTERED, MOVED_UP, ACT))


def groups(context: Context) -> list[app_commands.Group]:
    tournament = group("command.tournament", "command.tournament.about", contexts=IN_SERVERS)
    for part in PARTS:
        for command in part.commands(context):
            tournament.add_command(command)
    return [tournament] if tournament.commands else []


def workers(context: Context) -> Iterable[BackgroundTask]:
    services, client = context.services, context.client
    worker = TournamentWorker(client, services[RoundService])
    services[HeartbeatService].subscribe(worker.back)
    yield worker
    yield services.add(PairingOpener(client, services))
    yield services.add(GameReopener(client, services))
    yield services.add(RoundMessages(client, services))
    yield EndedThreads(client, services)
    yield services.add(AnnouncementWorker(context))
    yield SeriesWorker(services[SeriesService])
    yield from organising_feature.workers(context)


FEATURE = Feature(
    services,
    handlers=(
        registration_views.handlers,
        registration_panel.handlers,
        registration_opening.handlers,
        registration_organiser.handlers,
        rounds_views.handlers,
        results_views.handlers,
        results_pairings.handlers,
        results_history.handlers,
        results_season.handlers,
        organising_views.handlers,
    ),
    groups=groups,
    workers=workers,
    personal_data=PERSONAL_DATA,
)
