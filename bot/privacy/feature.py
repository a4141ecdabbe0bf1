"""Export and deletion of the data stored about a user, and the time for which data are kept."""

from collections.abc import Iterable

from bot.challenges.service import ChallengeService
from bot.clocks.vacations.service import VacationService
from bot.conditional.service import ConditionalMoveService
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.interactions.refused_forms import RefusedForms
from bot.core.personal_data import PersonalDataCatalogue
from bot.core.processes.changes import Changes
from bot.core.services import Services
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.notifications.outbox.service import Outbox
from bot.players.service import PlayerNames, PreferenceService
from bot.privacy import views
from bot.privacy.commands import commands
from bot.privacy.deletion.repository import DELETION, DeletionRepository
from bot.privacy.deletion.service import DeletionService
from bot.privacy.export.repository import ExportRepository
from bot.privacy.export.service import ExportService
from bot.privacy.retention.repository import RetentionRepository
from bot.privacy.retention.service import RetentionService
from bot.privacy.tables import PERSONAL_DATA
from bot.privacy.worker import PrivacyWorker
from bot.ratings.service import RatingService
from bot.tournaments.organising.departures import DepartureService
from bot.tournaments.registration.service import RegistrationService


def services(services: Services) -> None:
    database, catalogue, now = services.database, services[PersonalDataCatalogue], services.now
    games, names, challenges = services[GameService], services[PlayerNames], services[ChallengeService]
    exports = services.add(
        ExportService(ExportRepository(database), catalogue, names, games, services[ConditionalMoveService], now)
    )
    deletions = services.add(
        DeletionService(
            DeletionRepository(database, catalogue.of_users),
            games,
            challenges,
            now,
            # caches of a user's data are emptied after a deletion
            caches=(
                names.forget,
                services[PreferenceService].forget,
                services[VacationService].forget,
                games.forget_player,
                services[MatchService].forget_player,
                services[RatingService].forget_player,
                exports.forget,
                services[RefusedForms].forget,
            ),
            leaving=(services[DepartureService].forget,),
        )
    )
    services[Changes].subscribe(DELETION, deletions.forget_changed)
    services.add(
        RetentionService(
            RetentionRepository(database),
            services[Outbox],
            challenges,
            deletions,
            services[RegistrationService],
            services.settings,
            now,
        )
    )


def workers(context: Context) -> Iterable[BackgroundTask]:
    services = context.services
    yield services.add(
        PrivacyWorker(context.client, services[DeletionService], services[RetentionService], services.now)
    )


FEATURE = Feature(services, handlers=(views.handlers,), commands=commands, workers=workers, personal_data=PERSONAL_DATA)
