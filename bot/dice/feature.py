"""The proof of every roll, and the statistics of dice."""

from collections.abc import Iterable

from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.dice import views
from bot.dice.commands import commands
from bot.dice.repository import DiceRepository
from bot.dice.service import DiceService
from bot.dice.tables import PERSONAL_DATA
from bot.dice.worker import DiceCounter
from bot.games.service import GameService


def services(services: Services) -> None:
    games = services[GameService]
    dice = services.add(DiceService(DiceRepository(services.database), games.repository))
    games.subscribe(dice.committed)


def workers(context: Context) -> Iterable[BackgroundTask]:
    yield context.services.add(DiceCounter(context.services[DiceService]))


FEATURE = Feature(services, handlers=(views.handlers,), commands=commands, workers=workers, personal_data=PERSONAL_DATA)
