"""The services of the whole bot over a fresh database, and a tournament whose registration is open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck

from bot.app import assemble
from bot.core.services import Services, Sources
from bot.settings import Settings
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.templates import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.core.storage.database import Database
    from bot.tournaments.tournament import Tournament

STARTED = 1_800_014_400_000
"""15 January 2027, 12:00 UTC, a Friday."""
OWNER, GUILD, CHANNEL = 900, 7, 70


@pytest.fixture
def clock() -> Clock:
    return Clock(STARTED)


@pytest.fixture
def services(database: Database, clock: Clock) -> Services:
    settings = Settings.load(discord_token="x", database_url=str(database.url))
    return assemble(database, Sources(SeededLuck(1), lambda: 0, clock), settings)


@pytest.fixture
def registration(services: Services) -> RegistrationService:
    return services[RegistrationService]


@pytest.fixture
def opened(registration: RegistrationService) -> Callable[..., Awaitable[Tournament]]:
    """Opens a tournament from a template with a changed plan, without breaks between its rounds."""

    async def open_one(template: str = "long_swiss", **plan: Any) -> Tournament:
        changed = replace(TEMPLATES[template], **{"round_break": 0} | plan)
        draft = await registration.draft(GUILD, CHANNEL, OWNER, "Cup", "en", changed)
        return await registration.open(draft.id, OWNER)

    return open_one
