"""Texts about challenges that the machine accepts: for the challenger, and for server settings."""

from collections.abc import Mapping

from bot.board import message as board
from bot.challenges.service import Challenge, ChallengeService
from bot.challenges.views import casual
from bot.core.services import Services
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.notifications.service import NoticeKind, Notification, NotificationService
from bot.opponents.seeks.service import NEVER, SETTING, TAKEN
from bot.players.machines import NOWHERE, is_machine
from bot.players.mentions import mention
from bot.players.panel_hooks import PanelHooks
from bot.players.tables import SERVER
from engine.core.errors import Refused


def add_notice(services: Services) -> None:
    async def about(notice: Notification) -> tuple[Challenge, LiveGame]:
        challenge = await services[ChallengeService].get(notice.subject)
        return challenge, await services[GameService].get(notice.game_id or "")

    async def text(notice: Notification, say: Language) -> str:
        challenge, live = await about(notice)
        machine = next(player for player in live.players if is_machine(player))
        told = say("seek.taken", opponent=mention(machine, say), game=live.game.name, link=board.link(live))
        return "\n".join([told, *casual(challenge, live, say)])

    async def is_current(notice: Notification) -> bool:
        try:
            _, live = await about(notice)
        except Refused:  # one of the two has been deleted
            return False
        return not live.is_over

    services[NotificationService].kinds[TAKEN] = NoticeKind(text, is_current)


def add_note(hooks: PanelHooks) -> None:
    hooks.notes.append(notes_of)


def notes_of(scope: str, _page: str, values: Mapping[str, str], _now: int, say: Language) -> list[str]:
    """Returns a note that the machine accepts no challenge, whatever is set, as it plays nowhere in the server."""
    if scope == SERVER and values["machine"] == NOWHERE and values[SETTING] != NEVER:
        return [say("seek.nowhere")]
    return []
