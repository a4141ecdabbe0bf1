"""Profiles of players, and leaderboards."""

from bot.core.feature import Feature
from bot.core.services import Services
from bot.players.service import PreferenceService
from bot.profiles import leaderboards, machines, views
from bot.profiles.commands import commands
from bot.profiles.repository import ProfileRepository
from bot.profiles.service import ProfileService
from bot.profiles.tables import PERSONAL_DATA


def services(services: Services) -> None:
    services.add(ProfileService(ProfileRepository(services.database), services[PreferenceService]))


FEATURE = Feature(
    services,
    handlers=(views.handlers, machines.handlers, leaderboards.handlers),
    commands=commands,
    personal_data=PERSONAL_DATA,
)
