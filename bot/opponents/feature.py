"""The machine as an opponent."""

from collections.abc import Iterable

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.challenges.service import ChallengeService
from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.heartbeats import shard_liveness
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services
from bot.games.service import GameService
from bot.notifications.service import NotificationService
from bot.opponents import views
from bot.opponents.pool import Workers
from bot.opponents.seeks.service import SeekService
from bot.opponents.seeks.views import add_note, add_notice
from bot.opponents.seeks.worker import SeekWorker
from bot.opponents.service import OpponentService
from bot.opponents.worker import OpponentWorker
from bot.players.machines import Machines
from bot.players.panel_hooks import PanelHooks
from bot.players.service import PreferenceService


def services(services: Services) -> None:
    settings = services.settings
    thinkers = services.add(Workers(settings.machine_workers, settings.machine_level))
    opponents = services.add(OpponentService(services[GameService], thinkers, services.now))
    opponents.is_displaced = services[DisplacedGames].is_displaced
    asked = services[PreferenceService], services[NotificationService], services[Machines]
    services.add(SeekService(services[ChallengeService], *asked))
    add_notice(services)
    add_note(services[PanelHooks])


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
    yield services.add(SeekWorker(context, services[SeekService]))


FEATURE = Feature(services, handlers=(views.handlers,), workers=workers)
