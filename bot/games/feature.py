"""Games in play."""

from bot.core.feature import Feature
from bot.core.processes.changes import Changes
from bot.core.services import Services
from bot.games.repository import GameRepository
from bot.games.running.offer_quotas import OfferQuotas
from bot.games.service import GameService
from bot.games.tables import GAME, PERSONAL_DATA
from bot.players.service import PreferenceService


def services(services: Services) -> None:
    preferences = services[PreferenceService]
    games = services.add(
        GameService(
            GameRepository(services.database),
            services.sources.luck,
            services.now,
            plays_forced=preferences.plays_forced,
            rolls=preferences.rolls,
            limited=services.settings.rate_limits,
        )
    )
    services.add(OfferQuotas(limited=services.settings.rate_limits))
    services[Changes].subscribe(GAME, games.forget_changed)


FEATURE = Feature(services, personal_data=PERSONAL_DATA)
