"""Challenges that wait for an answer: their lines in a user's list of games, and the notifications about them."""

from typing import Final

from bot.board import message as board
from bot.challenges.notices.service import CHALLENGED, REMINDER
from bot.challenges.service import Challenge, ChallengeService
from bot.clocks import words as clock_words
from bot.core.services import Services
from bot.core.translations import Language
from bot.notifications.service import NoticeKind, Notification, NotificationService
from bot.players.mentions import mention
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.registry import find

LISTED: Final = 6
"""The most challenges that are listed. The rest are only counted."""
NO_REMINDERS: Final = "none"
"""The value of the preference ``reminders`` for none."""


async def lines(services: Services, user_id: int, say: Language) -> list[str]:
    """Returns the open challenges that a user has made or was sent, the next to expire first."""
    found = await services[ChallengeService].pending_of(user_id)
    if not found:
        return []
    shown = [line(challenge, user_id, say) for challenge in found[:LISTED]]
    more = [say("pending.more", n=len(found) - LISTED)] if len(found) > LISTED else []
    return [say("pending.some", n=len(found)), *shown, *more]


def line(challenge: Challenge, user_id: int, say: Language) -> str:
    """Writes a line such as ``**@Ben challenges you** · Abalone · expires in 3 hours``; the game links to
    the message.
    """
    if challenge.challenger != user_id:
        who = say("pending.to_you", player=mention(challenge.challenger, say))
    elif challenge.opponent is None:
        who = say("pending.open")
    else:
        who = say("pending.yours", player=mention(challenge.opponent, say))
    game = f"[{find(challenge.game).name}]({board.link(challenge)})"
    return " · ".join([who, game, say("pending.expires", relative=clock_words.stamp(challenge.expires, "R"))])


def add_notices(services: Services) -> None:
    """Adds the kinds of notifications about a challenge: to the challenged user, and before it expires."""
    challenges = services[ChallengeService]

    async def challenge_of(notice: Notification) -> Challenge | None:
        try:
            return await challenges.get(notice.subject)
        except Refused:  # it has been deleted
            return None

    async def text(notice: Notification, say: Language) -> str:
        challenge = await challenge_of(notice)
        if challenge is None:
            raise ValueError("a notice that is current has a challenge")
        given = {
            "game": find(challenge.game).name,
            "when": clock_words.stamp(challenge.expires, "R"),
            "link": board.link(challenge),
        }
        if notice.kind == CHALLENGED:
            return say("pending.challenged", player=mention(challenge.challenger, say), **given)
        if notice.user_id == challenge.challenger:
            return say("pending.reminder_open", **given)
        return say("pending.reminder", player=mention(challenge.challenger, say), **given)

    async def is_open(notice: Notification) -> bool:
        challenge = await challenge_of(notice)
        if challenge is None or challenge.message_id is None:  # without a message it cannot be accepted
            return False
        return challenge.status == "open" and challenges.now() < challenge.expires

    async def is_wanted(notice: Notification) -> bool:
        wanted = (await services[PreferenceService].of_user(notice.user_id))["reminders"] != NO_REMINDERS
        return wanted and await is_open(notice)

    services[NotificationService].kinds |= {
        CHALLENGED: NoticeKind(text, is_open),
        REMINDER: NoticeKind(text, is_wanted, in_digest=False),
    }
