"""Use cases: they know no Discord and no pictures."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.services.absence import Vacations
from bot.services.boards import Boards
from bot.services.challenges import Challenges
from bot.services.deadlines import Deadlines
from bot.services.learning import Learning
from bot.services.notices import Notices
from bot.services.people import People
from bot.services.plans import Plans
from bot.services.preferences import Preferences
from bot.services.tables import Tables
from bot.services.troubles import Troubles


@dataclass(frozen=True, slots=True)
class Services:
    """What commands, buttons and the presenter call."""

    tables: Tables
    challenges: Challenges
    preferences: Preferences
    people: People
    learning: Learning
    troubles: Troubles
    notices: Notices
    boards: Boards
    vacations: Vacations
    deadlines: Deadlines
    plans: Plans
    now: Callable[[], int]
    """The time in ms since 1970."""
