"""Time: deadlines, heartbeats, vacations."""

from collections.abc import Iterable
from functools import partial

from bot.clocks.displaced.repository import DisplacedGameRepository
from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.displaced.tables import PERSONAL_DATA as DISPLACED
from bot.clocks.heartbeats import shard_liveness
from bot.clocks.heartbeats.repository import HeartbeatRepository
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.heartbeats.tables import PERSONAL_DATA as HEARTBEATS
from bot.clocks.removed_servers.repository import RemovedServerRepository
from bot.clocks.removed_servers.service import RemovedServers
from bot.clocks.removed_servers.worker import RemovedServerWorker
from bot.clocks.service import CatchUp, CorrectionService, DeadlineService
from bot.clocks.time_off import TimeOffHook
from bot.clocks.vacations import views
from bot.clocks.vacations.commands import commands
from bot.clocks.vacations.repository import VACATION, VacationRepository
from bot.clocks.vacations.service import VacationService
from bot.clocks.vacations.tables import PERSONAL_DATA as VACATIONS
from bot.clocks.worker import CorrectionWorker, DeadlineWorker
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.processes.changes import Changes
from bot.core.processes.servers import sharers_of
from bot.core.services import Services
from bot.games.service import GameService
from bot.players.service import PreferenceService


def services(services: Services) -> None:
    heartbeats = services.add(HeartbeatService(HeartbeatRepository(services.database), services.now))
    vacations = services.add(VacationService(VacationRepository(services.database), services.now))
    services[Changes].subscribe(VACATION, vacations.forget_changed)
    services.add(TimeOffHook(vacations, services[PreferenceService], heartbeats))
    pace = services.add(CatchUp())
    services.add(DeadlineService(services[GameService], heartbeats, services.now, pace))
    services.add(CorrectionService(services[GameService], heartbeats, pace))
    services.add(DisplacedGames(DisplacedGameRepository(services.database), services[GameService], services.now))
    removed = RemovedServerRepository(services.database)
    services.add(RemovedServers(removed, services[GameService], services.now, services.settings.end_removed))


def workers(context: Context) -> Iterable[BackgroundTask]:
    live_shards = shard_liveness.of(context.client)
    deadlines = context.services[DeadlineService]
    shard_count, now = (lambda: context.client.shard_count or 1), context.services.now
    deadlines.heartbeats.held = shard_liveness.held_by(context.client)
    yield context.services.add(DeadlineWorker(deadlines, live_shards, shard_count, now))
    context.services[CatchUp].sharers = sharers = partial(sharers_of, context.client)
    corrections = CorrectionWorker(context.services[CorrectionService], sharers)
    deadlines.heartbeats.subscribe(lambda _: corrections.wake())
    yield context.services.add(corrections)
    yield context.services.add(RemovedServerWorker(context.client, context.services[RemovedServers]))


FEATURE = Feature(
    services,
    handlers=(views.handlers,),
    commands=commands,
    workers=workers,
    personal_data=(*HEARTBEATS, *DISPLACED, *VACATIONS),
)
