"""Challenges and rematches."""

from collections.abc import Iterable

from bot.challenges import form, pending, views
from bot.challenges.commands import commands, menus
from bot.challenges.repository import ChallengeRepository
from bot.challenges.service import ChallengeService
from bot.challenges.tables import PERSONAL_DATA
from bot.challenges.worker import ChallengeExpiry
from bot.clocks.service import CatchUp
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.notifications.service import NotificationService
from bot.ratings.service import RatingService


def services(services: Services) -> None:
    services.add(
        ChallengeService(
            ChallengeRepository(services.database),
            services[GameService],
            services.now,
            services.settings.challenge_expiry,
            services.sources.coin,
            services[MatchService],
            ratings=services[RatingService],
            notifications=services[NotificationService],
            limited=services.settings.rate_limits,
        )
    )
    pending.add_notices(services)


def workers(context: Context) -> Iterable[BackgroundTask]:
    services = context.services
    yield services.add(ChallengeExpiry(context.client, services[ChallengeService], services[CatchUp]))


FEATURE = Feature(
    services,
    handlers=(views.handlers, form.handlers),
    commands=commands,
    menus=menus,
    workers=workers,
    personal_data=PERSONAL_DATA,
)
