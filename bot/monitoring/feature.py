"""Metrics for Prometheus, which ``bot/health.py`` serves, and the process's memory."""

from collections.abc import Iterable

from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.monitoring.page import Monitoring
from bot.monitoring.repository import MonitoringRepository
from bot.monitoring.service import MonitoringService
from bot.monitoring.worker import MemoryWorker


def services(services: Services) -> None:
    services.add(MonitoringService(MonitoringRepository(services.database), services))


def workers(context: Context) -> Iterable[BackgroundTask]:
    yield context.services.add(Monitoring(context.client, context.services[MonitoringService]))
    yield MemoryWorker(context.client)


FEATURE = Feature(services, workers=workers)
