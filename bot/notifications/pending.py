"""What somebody is told privately beside the answer they asked for: why a board is not shown, and who can mend it."""

from typing import Any, Final

from bot.board import message as board
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.permission_issues import Trouble
from bot.board.delivery.service import Hindered
from bot.core.interactions.answer import Answer
from bot.notifications.dispatcher import TOLD, unreached
from engine.registry import find

MENDERS: Final = ("administrator", "manage_guild", "manage_channels")
"""Whoever has one of these can give the bot a permission."""
WAIT: Final = 1.5
"""Seconds that a board under way has to fail, so that who has just moved hears of it at once."""


class Asides:
    """Tells everybody once."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._telling: set[tuple[int, str]] = set()

    async def tell(self, answer: Answer) -> None:
        """A private line or two, if there is anything to say to who has just been answered."""
        await self._client.presenter.settled(answer.user_id, WAIT)
        services, lines = self._client.services, []
        troubles = await self._troubles(answer)
        games = await services.boards.untold(answer.user_id)
        keys = {(0, str(trouble.id)) for trouble in troubles} | {(answer.user_id, "")}
        if keys & self._telling:  # two presses at once
            return
        self._telling |= keys
        try:
            lines += [trouble_line(answer, trouble) for trouble in troubles]
            missed = await unreached(self._client, answer.user_id, answer.say)
            known = {trouble.channel_id for trouble in troubles}
            lines += [game_line(answer, game) for game in games if game.place.channel_id not in known]
            lines += [text for _, text in missed]
            if lines:
                await answer.private("\n".join(board.fitted(lines[0], lines[1:], [])))
            for trouble in troubles:
                await services.troubles.told(trouble.id)
            for game in games:
                await services.boards.told(game, answer.user_id)
            for notice, _ in missed:
                await services.notices.sent(notice, TOLD)
        finally:
            self._telling -= keys

    async def _troubles(self, answer: Answer) -> list[Trouble]:
        """What the asker can mend here."""
        interaction = answer.interaction
        if interaction.guild_id is None or not any(getattr(interaction.permissions, name) for name in MENDERS):
            return []
        found: list[Trouble] = await self._client.services.troubles.untold(interaction.guild_id)
        return found


def trouble_line(answer: Answer, trouble: Trouble) -> str:
    channel = f"<#{trouble.channel_id}>"
    if trouble.permission == delivery_errors.LOCKED:
        return answer.say("trouble.locked", channel=channel)
    return answer.say("trouble.permission", channel=channel, permission=f"@permission.{trouble.permission}")


def game_line(answer: Answer, game: Hindered) -> str:
    """Why a game's board is not there, for one of its players."""
    name, channel = find(game.game).name, f"<#{game.place.channel_id}>"
    if game.hindrance == delivery_errors.GONE:
        return answer.say("hindered.gone", game=name)
    if game.hindrance == delivery_errors.LOCKED:
        return answer.say("hindered.locked", game=name, channel=channel)
    return answer.say("hindered.permission", game=name, channel=channel, permission=f"@permission.{game.hindrance}")
