"""The public boards."""

from collections.abc import Iterable

from bot.board import views
from bot.board.buttons import GameMenu
from bot.board.commands import commands
from bot.board.delivery.permission_issue_repository import PermissionIssueRepository
from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.repository import BoardRepository
from bot.board.delivery.service import BoardDelivery
from bot.board.delivery.tables import PERSONAL_DATA
from bot.core.feature import BackgroundTask, Feature
from bot.core.interactions.answer import Context
from bot.core.services import Services


def services(services: Services) -> None:
    services.add(BoardDelivery(BoardRepository(services.database), services.now))
    services.add(PermissionIssues(PermissionIssueRepository(services.database), services.now))
    services.add(GameMenu())


def workers(context: Context) -> Iterable[BackgroundTask]:
    yield context.services.add(BoardPublisher(context.client, context.services))


FEATURE = Feature(services, handlers=(views.handlers,), commands=commands, workers=workers, personal_data=PERSONAL_DATA)
