"""Games, matches and positions in the formats of other programs: export, import, the analysis board."""

from collections.abc import Iterable

from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.exchange import export, views
from bot.exchange.commands import commands
from bot.exchange.repository import AnalysisRepository
from bot.exchange.service import ExchangeService
from bot.exchange.tables import PERSONAL_DATA
from bot.exchange.worker import AnalysisCleaner
from bot.games.service import GameService
from bot.matches.service import MatchService


def services(services: Services) -> None:
    repository = AnalysisRepository(services.database)
    services.add(ExchangeService(repository, services[GameService], services[MatchService], services.now))


def workers(context: Context) -> Iterable[BackgroundTask]:
    yield AnalysisCleaner(context.services[ExchangeService])


FEATURE = Feature(
    services,
    handlers=(export.handlers, views.handlers),
    commands=commands,
    workers=workers,
    personal_data=PERSONAL_DATA,
)
