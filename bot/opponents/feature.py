"""The machine as an opponent."""

from collections.abc import Iterable

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.clocks.heartbeats import shard_liveness
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.games.service import GameService
from bot.opponents import views
from bot.opponents.pool import Workers
from bot.opponents.service import OpponentService
from bot.opponents.worker import OpponentWorker


def services(services: Services) -> None:
    settings = services.settings
    thinkers = services.add(Workers(settings.machine_workers, settings.machine_level))
    services.add(OpponentService(services[GameService], thinkers))


def workers(context: Context) -> Iterable[BackgroundTask]:
    services, client = context.services, context.client
    yield services.add(
        OpponentWorker(
            client,
            services[OpponentService],
            services[GameService],
            services[Workers],
            (services[BoardPublisher], services[BoardDelivery]),
            shard_liveness.of(client),
            lambda: client.shard_count or 1,
        )
    )


FEATURE = Feature(services, handlers=(views.handlers,), workers=workers)
