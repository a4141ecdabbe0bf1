"""The list of finished games; replay, animation and written record of a game."""

from bot.archive import history, views
from bot.archive.commands import commands
from bot.archive.repository import HistoryRepository
from bot.archive.service import HistoryService
from bot.core.feature import Feature
from bot.core.services import Services


def services(services: Services) -> None:
    services.add(HistoryService(HistoryRepository(services.database)))


FEATURE = Feature(services, handlers=(views.handlers, history.handlers), commands=commands)
