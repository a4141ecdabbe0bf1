"""The explorer: the moves played from a position on a server, and their results."""

from collections.abc import Iterable

from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.explorer import views
from bot.explorer.commands import commands
from bot.explorer.repository import ExplorerRepository
from bot.explorer.service import ExplorerService
from bot.explorer.tables import PERSONAL_DATA
from bot.explorer.worker import MoveCounter
from bot.games.service import GameService


def services(services: Services) -> None:
    services.add(ExplorerService(ExplorerRepository(services.database), services[GameService]))


def workers(context: Context) -> Iterable[BackgroundTask]:
    services = context.services
    yield services.add(MoveCounter(services[ExplorerService], services[GameService]))


FEATURE = Feature(services, handlers=(views.handlers,), commands=commands, workers=workers, personal_data=PERSONAL_DATA)
