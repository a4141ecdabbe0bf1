"""The greeting of a server."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.welcome import views
from bot.welcome.repository import GreetingRepository
from bot.welcome.service import GreetingService
from bot.welcome.tables import PERSONAL_DATA


def services(services: Services) -> None:
    services.add(GreetingService(GreetingRepository(services.database), services.now))


FEATURE = Feature(services, handlers=(views.handlers,), personal_data=PERSONAL_DATA)
