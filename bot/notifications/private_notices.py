"""Private notices beside the answer to a command: missing boards, permission issues, undelivered notifications."""

from typing import Final

from bot.board import message as board
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.permission_issues import PermissionIssue, PermissionIssues
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery, UndeliveredBoard
from bot.core.interactions.answer import Answer
from bot.notifications.dispatcher import BESIDE_ANSWER, undelivered
from bot.notifications.service import NotificationService
from engine.registry import find

FIXER_PERMISSIONS: Final = ("administrator", "manage_guild", "manage_channels")
"""A user with one of these permissions can grant the bot a permission."""
WAIT: Final = 1.5
"""Seconds to wait for a board that is being posted, so that the user who has just moved hears of a failure at once."""


class PendingNotices:
    """Shows pending notices, each once for each user who needs it."""

    def __init__(self) -> None:
        self._showing: set[tuple[int, str]] = set()

    async def show(self, answer: Answer) -> None:
        """Shows the pending notices of the user who has just been answered, if there are any."""
        await answer.service(BoardPublisher).wait_until_posted(answer.user_id, WAIT)
        lines: list[str] = []
        permission_issues = await self._permission_issues(answer)
        games = await answer.service(BoardDelivery).not_informed(answer.user_id)
        keys = {(0, str(permission_issue.id)) for permission_issue in permission_issues} | {(answer.user_id, "")}
        if keys & self._showing:  # another press is showing them
            return
        self._showing |= keys
        try:
            lines += [permission_issue_line(answer, permission_issue) for permission_issue in permission_issues]
            missed = await undelivered(answer.context, answer.user_id, answer.say)
            known = {permission_issue.channel_id for permission_issue in permission_issues}
            lines += [game_line(answer, game) for game in games if game.place.channel_id not in known]
            lines += [text for _, text in missed]
            if lines:
                await answer.private("\n".join(board.fitted(lines[0], lines[1:], [])))
            for permission_issue in permission_issues:
                await answer.service(PermissionIssues).mark_informed(permission_issue.id)
            for game in games:
                await answer.service(BoardDelivery).mark_informed(game, answer.user_id)
            for notification, _ in missed:
                await answer.service(NotificationService).sent(notification, BESIDE_ANSWER)
        finally:
            self._showing -= keys

    async def _permission_issues(self, answer: Answer) -> list[PermissionIssue]:
        """The permission issues of this server, if the user can fix them."""
        interaction = answer.interaction
        if interaction.guild_id is None or not any(
            getattr(interaction.permissions, name) for name in FIXER_PERMISSIONS
        ):
            return []
        return await answer.service(PermissionIssues).not_informed(interaction.guild_id)


def permission_issue_line(answer: Answer, permission_issue: PermissionIssue) -> str:
    channel = f"<#{permission_issue.channel_id}>"
    if permission_issue.permission == delivery_errors.LOCKED:
        return answer.say("permission_issue.locked", channel=channel)
    return answer.say(
        "permission_issue.permission", channel=channel, permission=f"@permission.{permission_issue.permission}"
    )


def game_line(answer: Answer, game: UndeliveredBoard) -> str:
    """Why the board of a game is missing, for one of its players."""
    name, channel = find(game.game).name, f"<#{game.place.channel_id}>"
    if game.delivery_error == delivery_errors.GONE:
        return answer.say("undelivered.gone", game=name)
    if game.delivery_error == delivery_errors.LOCKED:
        return answer.say("undelivered.locked", game=name, channel=channel)
    return answer.say(
        "undelivered.permission", game=name, channel=channel, permission=f"@permission.{game.delivery_error}"
    )
