"""Ratings of players."""

from bot.core.feature import Feature
from bot.core.processes.changes import Changes
from bot.core.services import Services
from bot.ratings.repository import RATING, RatingRepository
from bot.ratings.service import RatingService
from bot.ratings.tables import PERSONAL_DATA


def services(services: Services) -> None:
    repository = RatingRepository(services.database)
    ratings = services.add(RatingService(repository, services.now, services.settings.rated_a_day))
    services[Changes].subscribe(RATING, ratings.forget_changed)


FEATURE = Feature(services, personal_data=PERSONAL_DATA)
