"""Making a move."""

from bot.core.feature import Feature
from bot.core.interactions.open_messages import OpenMessages
from bot.core.services import Services
from bot.moves import picker, refusal
from bot.moves.commands import commands


def services(services: Services) -> None:
    services.add(OpenMessages())


FEATURE = Feature(services, handlers=(picker.handlers, refusal.handlers), commands=commands)
