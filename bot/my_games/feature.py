"""The games of a player."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.my_games import relocate, views
from bot.my_games.commands import commands
from bot.my_games.sections import GameListSections


def services(services: Services) -> None:
    services.add(GameListSections())


FEATURE = Feature(services, handlers=(views.handlers, relocate.handlers), commands=commands)
