"""Words for all pages of results: points, names, sections and rounds."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime

from bot.core.services import Services
from bot.core.texts import quoting
from bot.core.translations import Language
from bot.players.service import PlayerNames
from bot.tournaments.results import round_names
from bot.tournaments.results.standing import (
    Section,
    current_stage,
    early,
    has_sections,
    in_rounds,
    progress,
    stage_of,
)
from bot.tournaments.tournament import Status, TournamentSnapshot
from engine.tournament.model import Format

CONTENT: Final = 2000
"""The most characters of a message."""
ALT_LENGTH: Final = 1024
DASH: Final = "\u2013"
TIMES: Final = "\u00d7"
QUARTERS: Final = ("", "¼", "½", "¾")


def halves(value: float) -> str:
    """Formats points: ``3½``, ``0``, ``2¼``."""
    whole, quarter = divmod(round(value * 4), 4)
    return f"{whole or ''}{QUARTERS[quarter]}" if quarter else str(whole)


def points_text(value: float, say: Language) -> str:
    """Formats points with the word: ``½ point``, ``1 point``, ``2½ points``."""
    return say("tournament.results.points", n=1 if 0 < value <= 1 else 2, points=halves(value))


async def names_of(
    services: Services, snapshot: TournamentSnapshot, say: Language, numbers: Iterable[int] | None = None
) -> dict[int, str]:
    """Returns the names of entrants by their numbers; of all for None."""
    wanted = None if numbers is None else set(numbers)
    players = [player for player in snapshot.players if wanted is None or player.number in wanted]
    known = await services[PlayerNames].names((player.user_id for player in players), say)
    return {
        player.number: known[player.user_id] or say("tournament.results.nameless", number=player.number)
        for player in players
    }


def escaped(names: Mapping[int, str]) -> dict[int, str]:
    """Escapes names for a message, in which some signs would be markup or change a link."""
    return {number: quoting.escaped(name) for number, name in names.items()}


def section_name(snapshot: TournamentSnapshot, section: Section, say: Language) -> str:
    """Returns ``Group 2`` or ``Section 1``; empty if the stage has only one."""
    if not has_sections(snapshot, section.stage):
        return ""
    kind = "group" if stage_of(snapshot, section.stage).format is Format.ROUND_ROBIN else "section"
    return say(f"tournament.results.{kind}", number=section.section)


def stage_name(snapshot: TournamentSnapshot, stage: int, say: Language) -> str:
    """Returns ``Stage 2: knockout``; with a single stage only the format."""
    name = say(f"tournament.results.format.{stage_of(snapshot, stage).format}")
    return (
        name if len(snapshot.tournament.plan.stages) < 2 else say("tournament.results.stage", number=stage, name=name)
    )


def place_name(snapshot: TournamentSnapshot, section: Section, say: Language) -> str:
    """Returns the stage and the section: ``Stage 1: round robin · Group 2``."""
    return " · ".join(filter(None, (stage_name(snapshot, section.stage, say), section_name(snapshot, section, say))))


def live_line(snapshot: TournamentSnapshot, say: Language) -> str:
    """Returns the progress of the tournament: ``Round 3: 14 of 20 finished``."""
    tournament = snapshot.tournament
    if tournament.status is Status.OVER:
        if found := early(snapshot):
            return say("tournament.results.over_early", round=found.done, n=found.total)
        return say("tournament.results.over")
    if tournament.status is Status.CANCELLED:
        return say("tournament.results.cancelled")
    if tournament.status is not Status.RUNNING:
        return say("tournament.results.not_begun")
    line = _running(snapshot, say)
    return say("tournament.results.paused", line=line) if tournament.paused is not None else line


def _running(snapshot: TournamentSnapshot, say: Language) -> str:
    if in_rounds(snapshot):
        if not snapshot.tournament.round:
            return say("tournament.results.begins")
        done, total = progress(snapshot)
        name = round_names.of_round(snapshot, snapshot.tournament.round, say)
        return say("tournament.results.live", round=name, done=done, n=total)
    kind = stage_of(snapshot, current_stage(snapshot)).format
    done, total = progress(snapshot, 0)
    played, going_on = (f"tournament.results.live.{kind}", done), (f"tournament.results.live.{kind}.open", total - done)
    return ", ".join(say(key, n=count) for key, count in (played, going_on))


def rank_text(first: int, last: int) -> str:
    """Returns ``3``, or ``5-8`` for shared places."""
    return str(first) if first == last else f"{first}{DASH}{last}"


def fitting(variants: Iterable[Sequence[str]], most: int) -> str:
    """Returns the first of these texts, given as lines, with at most so many characters; or else the last one, cut."""
    text = ""
    for variant in variants:
        text = "\n".join(variant)
        if len(text) <= most:
            return text
    return text[: most - 1] + "…"


def zone_of(preference: str) -> tzinfo:
    """Returns the reader's time zone; UTC without a choice."""
    return ZoneInfo(preference or "UTC")


def day(milliseconds: int, say: Language) -> str:
    """Formats a date in UTC for a picture: ``22 November 2026``."""
    return format_date(datetime.fromtimestamp(milliseconds / 1000, ZoneInfo("UTC")), "long", locale=say.code)


def moment(milliseconds: int, zone: tzinfo, say: Language) -> str:
    """Formats a date with its time for a picture."""
    return format_datetime(datetime.fromtimestamp(milliseconds / 1000, zone), "d MMM HH:mm", locale=say.code)
