"""A page of standings: of a section with points, of a ladder, or of the whole tournament."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from bot.core.translations import Language
from bot.tournaments.results.pages.page import Page, cell_of, count_text, marked, tie_break_text
from bot.tournaments.results.standing import ABSENT, RUNNING, Line
from bot.tournaments.results.words import halves, points_text, rank_text
from bot.tournaments.tournament import PairingState, TournamentSnapshot
from engine.tournament.model import TieBreak
from render.tournaments import pictures
from render.tournaments.views import (
    STANDINGS_ROWS,
    LadderChallenge,
    LadderRow,
    LadderView,
    StandingsHeads,
    StandingsRow,
    StandingsView,
    State,
)

ROWS: Final = STANDINGS_ROWS
FORM: Final = 6
"""The number of latest results in a row."""


def standings_page(
    shown: Sequence[Line],
    names: Mapping[int, str],
    about: str,
    title: str,
    say: Language,
    theme: str,
    reader: int | None,
    page: tuple[int, int],
    qualified: int,
) -> Page:
    """Makes a page of standings. ``page``: its number from 0, and the number of pages. ``qualified``: as in
    the view.
    """
    tie_breaks = tuple(tie_break for tie_break, _ in shown[0].tie_breaks) if shown else ()
    has_points = any(line.points is not None for line in shown)
    rows = tuple(_row(line, names, say, reader) for line in shown)
    heads = {tie_break: say(f"tournament.results.tie_break.short.{tie_break}") for tie_break in tie_breaks}
    view = StandingsView(
        title,
        about,
        StandingsHeads(say("tournament.results.head.points") if has_points else "", tuple(heads.values())),
        rows,
        say("tournament.results.empty"),
        count_text(*page),
        qualified,
        theme,
    )
    draw = partial(pictures.standings, view)
    if not shown:
        return Page(draw, "standings", title, about, (view.empty,), (view.empty,))
    called = {tie_break: say(f"tournament.results.tie_break.{tie_break}") for tie_break in tie_breaks}
    key = (" · ".join(f"{heads[tie_break]}: {name}" for tie_break, name in called.items()),) if called else ()
    words = tuple(_words(line, names, called, say) for line in shown)
    abbreviated = tuple(_words(line, names, heads, say) for line in shown)
    short = tuple(_short(line, names, heads, say) for line in shown)
    return Page(draw, "standings", title, about, words, short, abbreviated=abbreviated, key=key)


def _row(line: Line, names: Mapping[int, str], say: Language, reader: int | None) -> StandingsRow:
    detail = str(line.player.rating)
    if line.streak:
        detail = f"{detail} · {say('tournament.results.streak')}"
    form = [turn for turn in line.turns if turn.note != ABSENT][-FORM:]
    return StandingsRow(
        rank_text(line.rank, line.last),
        names[line.player.number],
        "" if line.points is None else halves(line.points),
        tuple(tie_break_text(*pair) for pair in line.tie_breaks),
        detail,
        tuple(cell_of(turn, say) for turn in form),
        line.moved,
        line.player.number == reader,
        line.withdrawn,
    )


def _words(line: Line, names: Mapping[int, str], called: Mapping[TieBreak, str], say: Language) -> str:
    """Returns ``3. Ana · 2½ points · Buchholz 7½ · Sonneborn-Berger 5 · won 2, drawn 1, lost 0``."""
    parts = [f"{rank_text(line.rank, line.last)}. {marked(line.player, names[line.player.number], say)}"]
    if line.points is not None:
        parts.append(points_text(line.points, say))
    parts += [f"{called[key]} {tie_break_text(key, value)}" for key, value in line.tie_breaks]
    if line.turns:
        won, drawn, lost = (line.count(note) for note in ("won", "drawn", "lost"))
        parts.append(say("tournament.results.counts", won=won, drawn=drawn, lost=lost))
    if line.streak:
        parts.append(say("tournament.results.streak"))
    if line.count(RUNNING):
        parts.append(say("tournament.results.still_plays"))
    return " · ".join(parts)


def _short(line: Line, names: Mapping[int, str], called: Mapping[TieBreak, str], say: Language) -> str:
    """Returns the same in short: ``3. Ana 2½, BH 7½, SB 5``."""
    points = "" if line.points is None else f" {halves(line.points)}"
    values = [f", {called[tie_break]} {tie_break_text(tie_break, value)}" for tie_break, value in line.tie_breaks]
    name = marked(line.player, names[line.player.number], say)
    return f"{rank_text(line.rank, line.last)}. {name}{points}{''.join(values)}"


def ladder_page(
    snapshot: TournamentSnapshot,
    shown: Sequence[Line],
    names: Mapping[int, str],
    about: str,
    say: Language,
    theme: str,
    reader: int | None,
    page: tuple[int, int],
) -> Page:
    """Makes a page of a ladder, with the challenges among its players."""
    numbers = [line.player.number for line in shown]
    challenges = []
    for stored in snapshot.pairings:
        pairing = stored.pairing
        if pairing.result is None and pairing.second is not None and {pairing.first, pairing.second} <= set(numbers):
            upper, lower = sorted((numbers.index(pairing.first), numbers.index(pairing.second)))
            state = State.PLANNED if stored.state is PairingState.WAITING else State.RUNNING
            challenges.append(LadderChallenge(lower, upper, state))
    rows = tuple(
        LadderRow(
            str(line.rank),
            names[line.player.number],
            f"{line.player.rating} · {_counts(line, say)}",
            _plays(line, names, say),
            is_reader=line.player.number == reader,
            withdrawn=line.withdrawn,
        )
        for line in shown
    )
    title = snapshot.tournament.name
    empty = say("tournament.results.empty")
    view = LadderView(title, about, rows, tuple(challenges), empty, count_text(*page), theme)
    words = tuple(
        " · ".join(filter(None, (f"{row.rank}. {marked(line.player, row.name, say)}", row.detail, row.note)))
        for line, row in zip(shown, rows, strict=True)
    ) or (empty,)
    short = tuple(f"{row.rank}. {row.name}" for row in rows) or (empty,)
    return Page(partial(pictures.ladder, view), "ladder", title, about, words, short)


def _counts(line: Line, say: Language) -> str:
    won, drawn, lost = (line.count(note) for note in ("won", "drawn", "lost"))
    return say("tournament.results.counts", won=won, drawn=drawn, lost=lost)


def _plays(line: Line, names: Mapping[int, str], say: Language) -> str:
    """Returns the present opponent in words; empty if there is none."""
    opponents = [turn.opponent for turn in line.turns if turn.note == RUNNING and turn.opponent is not None]
    return say("tournament.results.plays", opponent=names[opponents[0]]) if opponents else ""


def opponents_of(shown: Sequence[Line]) -> set[int]:
    """Returns the players on the page and their present opponents, as their names are needed."""
    here = {line.player.number for line in shown}
    return here | {
        turn.opponent for line in shown for turn in line.turns if turn.note == RUNNING and turn.opponent is not None
    }
