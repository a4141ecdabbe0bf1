"""The use cases. They know no Discord."""

from dataclasses import dataclass

from bot.services.challenges import Challenges
from bot.services.people import Learning, People
from bot.services.preferences import Preferences
from bot.services.tables import Tables


@dataclass(frozen=True, slots=True)
class Services:
    """What commands, buttons and the presenter call."""

    tables: Tables
    challenges: Challenges
    preferences: Preferences
    people: People
    learning: Learning
