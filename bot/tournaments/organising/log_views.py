"""The public log of a tournament, page by page, the newest entries first."""

from typing import Final

from bot.board.message import CONTENT
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import MOST_ROW, Press
from bot.core.interactions.routing import Handlers
from bot.tournaments.organising import words
from bot.tournaments.organising.service import OrganiserService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament
from engine.core.errors import Refused

handlers: Final = Handlers()
MOST: Final = 10
"""The most entries of a page. Long reasons make it shorter."""
NEWEST, OLDER = "newest", "older"


@handlers.on("tournament_log")
async def turn_page(answer: Answer, press: Press) -> None:
    """Shows the log in a message of its own, or turns its page. ``seq``: the oldest entry of the page before."""
    tournament = await answer.service(TournamentService).get(press.subject)
    if tournament.guild_id != answer.interaction.guild_id or tournament.is_draft:
        raise Refused("tournament.unknown")
    before = min(press.seq, MOST_ROW) if press.rest == OLDER else None
    await show_log(answer, tournament, before, fresh=not press.rest)


async def show_log(answer: Answer, tournament: Tournament, before: int | None = None, *, fresh: bool = True) -> None:
    say = answer.say
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    entries = await answer.service(OrganiserService).log(tournament.id, MOST + 1, before)
    users = words.users_of(snapshot)
    lines = [say("tournament.log.title", text=tournament.name)]
    shown = 0
    for entry in entries[:MOST]:
        line = words.numbered(entry, users, say)
        if len("\n".join([*lines, line])) > CONTENT:
            break
        lines.append(line)
        shown += 1
    if not entries:
        lines.append(say("tournament.log.empty"))
    items = []
    if before is not None:
        items.append(PressButton(Press("tournament_log", tournament.id, 0, NEWEST), say("button.log_newest")))
    if shown < len(entries):
        last = entries[shown - 1].seq
        items.append(PressButton(Press("tournament_log", tournament.id, last, OLDER), say("button.log_older")))
    await answer.show("\n".join(lines), view=view_of(*items) if items else None, fresh=fresh or not answer.on_message)
