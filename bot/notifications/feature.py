"""Notifications: written with the change that causes them, sent by the dispatcher."""

from collections.abc import Iterable

from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.notifications import views
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.notice_repository import NoticeRepository
from bot.notifications.private_notices import PendingNotices
from bot.notifications.repository import NotificationRepository
from bot.notifications.service import NotificationService
from bot.notifications.tables import PERSONAL_DATA
from bot.players.service import PreferenceService


def services(services: Services) -> None:
    store, preferences = NotificationRepository(services.database), services[PreferenceService]
    services.add(services.add(NotificationService(store, preferences, services.now)).outbox)
    services.add(PendingNotices(NoticeRepository(services.database)))


def workers(context: Context) -> Iterable[BackgroundTask]:
    yield context.services.add(NotificationDispatcher(context.client, context.services))


FEATURE = Feature(services, handlers=(views.handlers,), workers=workers, personal_data=PERSONAL_DATA)
