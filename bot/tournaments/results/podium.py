"""The final announcement of a tournament: the podium as a picture, the places in words."""

import asyncio
import io
from collections.abc import Mapping
from typing import Final, NamedTuple

import discord

from bot.core import render_queue
from bot.core.services import Services
from bot.core.translations import Language
from bot.players.mentions import mention
from bot.tournaments.results.pages.page import marked
from bot.tournaments.results.standing import Line, final_order
from bot.tournaments.results.words import ALT_LENGTH, day, fitting, names_of, points_text, rank_text
from bot.tournaments.tournament import TournamentSnapshot
from engine.registry import find
from render.tournaments import pictures
from render.tournaments.views import PODIUM_OTHERS, PodiumPlace, PodiumView
from render.view import DEFAULT_THEME

STEPS: Final = 3
"""The number of places with a step."""
NAMED: Final = STEPS + PODIUM_OTHERS
"""The most players in the picture. The words name more only if more share the first places."""


class Podium(NamedTuple):
    """The content of the last message of a tournament. Its sender must forbid pings by its mentions."""

    places: tuple[str, ...]
    """A line for each player, the best first."""
    file: discord.File
    """The picture, with the same in words."""


async def podium(services: Services, snapshot: TournamentSnapshot, say: Language, theme: str = DEFAULT_THEME) -> Podium:
    """Makes the podium of a finished tournament, in the server's language and theme."""
    lines = await asyncio.to_thread(shown, snapshot)  # it takes a second with 1,024 players
    names = await names_of(services, snapshot, say, [line.player.number for line in lines])
    view = picture(snapshot, lines, names, say, theme)
    data = await render_queue.pictures.draw(pictures.podium, view)
    mentions = {line.player.number: mention(line.player.user_id, say) for line in lines}
    alt = fitting([in_words(snapshot, lines, names, say), [view.title]], ALT_LENGTH)
    file = discord.File(io.BytesIO(data), filename="podium.png", description=alt)
    return Podium(tuple(in_words(snapshot, lines, mentions, say)[1:]), file)


def shown(snapshot: TournamentSnapshot) -> tuple[Line, ...]:
    """Returns all players on the steps, and a few more if there is room."""
    found = final_order(snapshot)
    on_steps = [line for line in found if line.rank <= STEPS]
    others = [line for line in found if line.rank > STEPS]
    return tuple(on_steps + others[: max(0, NAMED - len(on_steps))])


def picture(
    snapshot: TournamentSnapshot, lines: tuple[Line, ...], names: Mapping[int, str], say: Language, theme: str
) -> PodiumView:
    tournament = snapshot.tournament
    places = tuple(PodiumPlace(line.rank, names[line.player.number], _points(line, say)) for line in lines[:NAMED])
    format_name = say(f"tournament.results.format.{tournament.plan.format}")
    games = sum(stored.pairing.second is not None for stored in snapshot.pairings)
    facts = (
        say("tournament.results.players", n=len(snapshot.entrants)),
        say("tournament.results.games", n=games),
        *([day(tournament.ended, say)] if tournament.ended is not None else []),
    )
    return PodiumView(tournament.name, f"{find(tournament.plan.game).name} · {format_name}", places, facts, theme)


def in_words(
    snapshot: TournamentSnapshot, lines: tuple[Line, ...], names: Mapping[int, str], say: Language
) -> list[str]:
    """Returns the podium as lines: the title, then a line for each player."""
    found = [f"{snapshot.tournament.name} · {say('tournament.results.podium')}"]
    for line in lines:
        points = _points(line, say)
        name = marked(line.player, names[line.player.number], say)
        found.append(f"{rank_text(line.rank, line.last)}. {name}" + (f" · {points}" if points else ""))
    return found


def _points(line: Line, say: Language) -> str:
    return "" if line.points is None else points_text(line.points, say)
