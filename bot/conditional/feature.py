"""Conditional moves."""

from bot.conditional import double_views, picker, views
from bot.conditional.commands import commands
from bot.conditional.repository import ConditionalMoveRepository
from bot.conditional.service import ConditionalMoveService, notifier
from bot.conditional.tables import PERSONAL_DATA
from bot.core.feature import Feature
from bot.core.services import Services
from bot.games.service import GameService
from bot.notifications.service import NotificationService


def services(services: Services) -> None:
    notify = notifier(services[NotificationService])
    edited = services[GameService].forget
    services.add(ConditionalMoveService(ConditionalMoveRepository(services.database), services.now, notify, edited))


FEATURE = Feature(
    services,
    handlers=(views.handlers, picker.handlers, double_views.handlers),
    commands=commands,
    personal_data=PERSONAL_DATA,
)
