"""Names and preferences."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.players import views
from bot.players.commands import commands
from bot.players.panel_hooks import PanelHooks
from bot.players.repository import PlayerNameRepository, PreferenceRepository
from bot.players.service import PlayerNames, PreferenceService
from bot.players.tables import PERSONAL_DATA


def services(services: Services) -> None:
    services.add(PreferenceService(PreferenceRepository(services.database)))
    services.add(PlayerNames(PlayerNameRepository(services.database), services.now))
    services.add(PanelHooks())


FEATURE = Feature(services, handlers=(views.handlers,), commands=commands, personal_data=PERSONAL_DATA)
