"""Making a move."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.moves import picker, refusal
from bot.moves.commands import commands
from bot.moves.open_pickers import OpenPickers


def services(services: Services) -> None:
    services.add(OpenPickers())


FEATURE = Feature(services, handlers=(picker.handlers, refusal.handlers), commands=commands)
