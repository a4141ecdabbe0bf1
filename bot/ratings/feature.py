"""Ratings of players."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.ratings.repository import RatingRepository
from bot.ratings.service import RatingService
from bot.ratings.tables import PERSONAL_DATA


def services(services: Services) -> None:
    repository = RatingRepository(services.database)
    services.add(RatingService(repository, services.now, services.settings.rated_a_day))


FEATURE = Feature(services, personal_data=PERSONAL_DATA)
