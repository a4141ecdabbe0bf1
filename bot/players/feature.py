"""Names and preferences."""

from functools import partial

from bot.core.feature import Feature
from bot.core.processes.changes import Changes
from bot.core.processes.tables import PERSONAL_DATA as PROCESSES
from bot.core.services import Services
from bot.players import views
from bot.players.commands import commands
from bot.players.machines import Machines
from bot.players.panel_hooks import PanelHooks
from bot.players.preferences import SCOPES
from bot.players.repository import NAME, PlayerNameRepository, PreferenceRepository
from bot.players.service import PlayerNames, PreferenceService
from bot.players.tables import PERSONAL_DATA


def services(services: Services) -> None:
    preferences = services.add(PreferenceService(PreferenceRepository(services.database)))
    names = services.add(PlayerNames(PlayerNameRepository(services.database), services.now))
    changes = services[Changes]
    for scope in SCOPES:
        changes.subscribe(scope, partial(preferences.forget_changed, scope))
    changes.subscribe(NAME, lambda user_id: names.forget(None if user_id is None else int(user_id)))
    services.add(PanelHooks())
    settings = services.settings
    services.add(Machines(settings.machine_level if settings.machine_workers else 0))


FEATURE = Feature(services, handlers=(views.handlers,), commands=commands, personal_data=(*PROCESSES, *PERSONAL_DATA))
