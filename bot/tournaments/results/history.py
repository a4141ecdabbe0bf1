"""The server's hall of fame: finished tournaments with their winners, and the players with the most titles."""

from typing import Final

from bot.clocks.words import stamp
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.players.mentions import mention
from bot.tournaments.results.service import Hall, ResultService
from bot.tournaments.results.words import CONTENT, fitting
from bot.tournaments.tournament import Tournament
from engine.core.errors import Refused
from engine.registry import find

handlers: Final = Handlers()

NAMED: Final = 4
"""The most players that are named if they share the first place."""


async def show(answer: Answer, page: int, *, fresh: bool) -> None:
    """Shows a page, from 0. Raises Refused in direct messages."""
    guild_id = answer.interaction.guild_id
    if guild_id is None:
        raise Refused("tournament.no_server")
    hall = await answer.service(ResultService).hall(guild_id, page)
    say = answer.say
    buttons = [
        PressButton(Press("results_history", "me", max(0, page - 1), "back"), say("button.back"), disabled=not page),
        PressButton(Press("results_history", "me", page + 1, "forward"), say("button.forward"), disabled=not hall.more),
    ]
    view = view_of(*buttons) if page or hall.more else None
    await answer.show(fitting([text(hall, say)], CONTENT), view=view, fresh=fresh)


@handlers.on("results_history")
async def turn(answer: Answer, press: Press) -> None:
    await show(answer, min(press.seq, 10_000), fresh=False)


def text(hall: Hall, say: Language) -> list[str]:
    if not hall.tournaments:
        return [f"**{say('tournament.results.hall')}**", say("tournament.results.hall.empty")]
    found = [f"**{say('tournament.results.hall')}**"]
    found += [line(one, hall.winners.get(one.id, ()), say) for one in hall.tournaments]
    if hall.titles:
        found += ["", f"**{say('tournament.results.hall.most')}**"]
        found += [
            say("tournament.results.hall.titles", player=mention(one.user_id, say), n=one.titles) for one in hall.titles
        ]
    return found


def line(tournament: Tournament, winners: tuple[int, ...], say: Language) -> str:
    """Returns a line such as ``🏆 Spring Swiss · Abalone · <date> · @Ana``."""
    shown = [mention(user_id, say) for user_id in winners[:NAMED]]
    who = ", ".join(shown) + (f" +{len(winners) - NAMED}" if len(winners) > NAMED else "")
    parts = [f"**{tournament.name}**", find(tournament.plan.game).name]
    parts += [stamp(tournament.ended, "D")] if tournament.ended is not None else []
    return " · ".join([*parts, f"🏆 {who}" if who else say("tournament.results.hall.nobody")])
