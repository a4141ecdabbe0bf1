"""Use cases: they know no Discord and no pictures."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.board.delivery.permission_issues import Troubles
from bot.board.delivery.service import Boards
from bot.challenges.service import Challenges
from bot.clocks.service import Deadlines
from bot.clocks.vacations.service import Vacations
from bot.conditional.service import Plans
from bot.games.service import Tables
from bot.learn.service import Learning
from bot.notifications.service import Notices
from bot.players.names import People
from bot.players.preferences import Preferences


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
