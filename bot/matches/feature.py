"""Matches and series."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.games.service import GameService
from bot.matches.repository import MatchRepository
from bot.matches.service import MatchService
from bot.matches.tables import PERSONAL_DATA
from bot.matches.tournament_names import TournamentNames


def services(services: Services) -> None:
    services.add(MatchService(MatchRepository(services.database), services[GameService]))
    services.add(TournamentNames())


FEATURE = Feature(services, personal_data=PERSONAL_DATA)
"""The hook of games is connected in ``bot/app.py``."""
