"""Use cases: they know no Discord and no pictures."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.service import BoardDelivery
from bot.challenges.service import ChallengeService
from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import VacationService
from bot.conditional.service import ConditionalMoveService
from bot.games.service import GameService
from bot.learn.service import LearningService
from bot.notifications.service import NotificationService
from bot.players.names import PlayerNames
from bot.players.preferences import PreferenceService


@dataclass(frozen=True, slots=True)
class Services:
    """What commands, buttons and the publisher call."""

    games: GameService
    challenges: ChallengeService
    preferences: PreferenceService
    names: PlayerNames
    learning: LearningService
    permission_issues: PermissionIssues
    notifications: NotificationService
    boards: BoardDelivery
    vacations: VacationService
    deadlines: DeadlineService
    plans: ConditionalMoveService
    now: Callable[[], int]
    """The time in ms since 1970."""
