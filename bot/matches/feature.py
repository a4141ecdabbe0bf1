"""Matches and series."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.matches.service import MatchService


def services(services: Services) -> None:
    services.add(MatchService())


FEATURE = Feature(services)
