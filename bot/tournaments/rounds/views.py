"""The buttons of an arena, to rest and come back, and the organisers' button to decide a late game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.notifications.service import Notification, NotificationService
from bot.tournaments import notice_links
from bot.tournaments.rounds.grouped_notices import BEGUN, DEADLINES, LATES
from bot.tournaments.rounds.notices import BYE, CHECK_IN, DEADLINE, DRAWN, LATE, NO_SHOW, PAIRED, WALKOVER
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.tournament import Status, Tournament
from engine.tournament.model import Format

handlers: Final = Handlers()


def add_buttons(notifications: NotificationService) -> None:
    """Adds buttons to notices: to decide late games in the organisers' panel, and to the game or the tournament."""
    for kind in (LATE, LATES):
        notifications.kinds[kind] = replace(notifications.kinds[kind], buttons=_decide)
    notice_links.add(notifications, "button.to_game", (PAIRED, DEADLINE))
    notice_links.add(notifications, "button.to_tournament", (BYE, WALKOVER, DRAWN, CHECK_IN, NO_SHOW, BEGUN, DEADLINES))


async def _decide(notification: Notification, say: Language) -> Sequence[Any]:
    return [PressButton(Press("tournament_organise", notification.subject, 0), say("button.decide_late"), "good")]


def arena_view(tournament: Tournament, say: Language) -> discord.ui.View | None:
    """Returns the buttons below the games of a running arena; None if there are none."""
    if tournament.plan.format is not Format.ARENA or tournament.status is not Status.RUNNING:
        return None
    return view_of(
        PressButton(Press("arena_rest", tournament.id, 0), say("button.arena_rest")),
        PressButton(Press("arena_back", tournament.id, 0), say("button.arena_back"), "good"),
    )


@handlers.on("arena_rest")
async def arena_rest(answer: Answer, press: Press) -> None:
    await answer.service(RoundService).rest(press.subject, answer.user_id)
    await answer.private(answer.say("tournament.rounds.resting"))


@handlers.on("arena_back")
async def arena_back(answer: Answer, press: Press) -> None:
    await answer.service(RoundService).come_back(press.subject, answer.user_id)
    await answer.private(answer.say("tournament.rounds.back"))
