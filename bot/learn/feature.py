"""Help, rules and tours."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.learn import help as help_views
from bot.learn import legend, rules, tour
from bot.learn.commands import commands
from bot.learn.repository import LessonRepository
from bot.learn.service import LearningService
from bot.learn.tables import PERSONAL_DATA


def services(services: Services) -> None:
    services.add(LearningService(LessonRepository(services.database), services.now))


FEATURE = Feature(
    services,
    handlers=(help_views.handlers, rules.handlers, tour.handlers, legend.handlers),
    commands=commands,
    personal_data=PERSONAL_DATA,
)
