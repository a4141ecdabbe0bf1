"""Private notices beside the answer to a command: missing boards, permission issues, undelivered notifications."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from bot.board import message as board
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.permission_issues import PermissionIssue, PermissionIssues
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery, UndeliveredBoard
from bot.core.interactions.answer import Answer
from bot.notifications.dispatcher import undelivered
from bot.notifications.model import BESIDE_ANSWER
from bot.notifications.notice_repository import NoticeRepository
from bot.notifications.outbox.service import Outbox
from engine.core.errors import Translated
from engine.registry import GAMES

Mark: TypeAlias = Callable[[], Awaitable[Any]]
"""Records that a notice was shown."""
FIXER_PERMISSIONS: Final = ("administrator", "manage_guild", "manage_channels")
"""The permissions any of which lets a user grant the bot a permission."""
WAIT: Final = 1.5
"""Seconds to wait for a board that is being posted, so that the user who has just moved learns of a failure at once."""


class PendingNotices:
    """Shows pending notices: each once to each user who needs it."""

    def __init__(self, store: NoticeRepository) -> None:
        self._store = store
        self._showing: set[tuple[int, str]] = set()

    async def show(self, answer: Answer) -> None:
        """Shows the pending notices of the user who has just been answered, if there are any."""
        await answer.service(BoardPublisher).wait_until_posted(answer.user_id, WAIT)
        server_id = answer.interaction.guild_id if _can_grant(answer) else None
        if not await self._store.waiting(answer.user_id, server_id):
            return
        permission_issues = await answer.service(PermissionIssues).not_informed(server_id) if server_id else []
        games = await answer.service(BoardDelivery).not_informed(answer.user_id)
        keys = {(0, str(permission_issue.id)) for permission_issue in permission_issues} | {(answer.user_id, "")}
        if keys & self._showing:  # another press is showing them
            return
        self._showing |= keys
        try:
            issues, boards = answer.service(PermissionIssues), answer.service(BoardDelivery)
            outbox = answer.service(Outbox)
            known = {permission_issue.channel_id for permission_issue in permission_issues}
            notices = [
                *((permission_issue_line(answer, x), partial(issues.mark_informed, x.id)) for x in permission_issues),
                *(
                    (
                        "" if game.place.channel_id in known else game_line(answer, game),
                        partial(boards.mark_informed, game, answer.user_id),
                    )
                    for game in games
                ),
                *(
                    (text, partial(outbox.sent, notification, BESIDE_ANSWER))
                    for notification, text in await undelivered(answer.context, answer.user_id, answer.say)
                ),
            ]
            shown = first_that_fit(notices)
            if lines := [text for text, _ in shown if text]:
                await answer.private("\n".join(lines))
            for _, mark in shown:
                await mark()
        finally:
            self._showing -= keys


def _can_grant(answer: Answer) -> bool:
    granted = answer.interaction.permissions
    return any(getattr(granted, name) for name in FIXER_PERMISSIONS)


def first_that_fit(notices: Sequence[tuple[str, Mark]]) -> Sequence[tuple[str, Mark]]:
    """Returns as many of the first notices as one message can hold. The user sees the rest with the next command."""
    length = 0
    for number, (text, _) in enumerate(notices):
        length += len(text) + 1
        if length > board.CONTENT and number:
            return notices[:number]
    return notices


def permission_issue_line(answer: Answer, permission_issue: PermissionIssue) -> str:
    channel = f"<#{permission_issue.channel_id}>"
    if permission_issue.permission == delivery_errors.LOCKED:
        return answer.say("permission_issue.locked", channel=channel)
    return answer.say(
        "permission_issue.permission",
        channel=channel,
        permission=Translated(f"@permission.{permission_issue.permission}"),
    )


def game_line(answer: Answer, game: UndeliveredBoard) -> str:
    """Says why the board of a game is missing, to one of its players."""
    known = GAMES.get(game.game)  # None: a kind of a newer version
    name, channel = game.game if known is None else known.name, f"<#{game.place.channel_id}>"
    if game.delivery_error == delivery_errors.GONE:
        return answer.say("undelivered.gone", game=name)
    if game.delivery_error == delivery_errors.CLOSED:
        return answer.say("undelivered.closed", game=name)
    if game.delivery_error == delivery_errors.LOCKED:
        return answer.say("undelivered.locked", game=name, channel=channel)
    return answer.say(
        "undelivered.permission",
        game=name,
        channel=channel,
        permission=Translated(f"@permission.{game.delivery_error}"),
    )
