"""Ratings of players."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.ratings.repository import RatingRepository
from bot.ratings.service import RatingService


def services(services: Services) -> None:
    repository = RatingRepository(services.database)
    services.add(RatingService(repository, services.now, services.settings.rated_a_day))


FEATURE = Feature(services)
