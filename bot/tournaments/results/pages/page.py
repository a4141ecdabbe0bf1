"""A page of results, and the signs of results on all pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.translations import Language
from bot.tournaments.results.standing import ABSENT, RUNNING, UNCOUNTED, Turn
from bot.tournaments.results.words import DASH, halves
from bot.tournaments.tournament import Player, PlayerStatus
from engine.tournament.model import TieBreak
from render.tournaments.views import Cell, Outcome

OUTCOMES: Final = {
    "won": Outcome.WON,
    "drawn": Outcome.DRAWN,
    "lost": Outcome.LOST,
    "forfeit_won": Outcome.FORFEIT_WON,
    "forfeit_lost": Outcome.FORFEIT_LOST,
    "bye": Outcome.BYE,
    "half_bye": Outcome.BYE,
    ABSENT: Outcome.ABSENT,
    RUNNING: Outcome.RUNNING,
    UNCOUNTED: Outcome.ABSENT,
}
NO_VALUE: Final = DASH


@dataclass(frozen=True, slots=True)
class Page:
    """A picture, and the same in words."""

    draw: Callable[[], bytes]
    """Draws the PNG. Call it in a thread."""
    name: str
    """The name of the file, without its ending."""
    title: str
    about: str
    lines: tuple[str, ...]
    """The words for a message, without the title."""
    short: tuple[str, ...]
    """The words with less detail, for long pages."""
    plain: tuple[str, ...] | None = None
    """The words without parts for messages alone; None if they are the same."""
    abbreviated: tuple[str, ...] | None = None
    """The words with the abbreviations of ``short``; None without any."""
    key: tuple[str, ...] = ()
    """A line that explains the abbreviations; empty if there are none."""

    def alt(self) -> list[Sequence[str]]:
        """Returns words for an alt text, the longest first. Explanations are dropped before details."""
        head = f"{self.title} · {self.about}"
        found = [self.lines if self.plain is None else self.plain, *self.shorter]
        if self.abbreviated is not None:
            found.insert(2, self.abbreviated)
        return [[head, *lines] for lines in found]

    @property
    def shorter(self) -> list[tuple[str, ...]]:
        """Shorter substitutes for ``lines``, the longest first."""
        short = (*self.short, *self.key)
        return [short] if self.abbreviated is None else [(*self.abbreviated, *self.key), short]


def cell_of(turn: Turn, say: Language) -> Cell:
    """Returns a result as a tile with its letter."""
    return Cell(say(f"tournament.results.letter.{turn.note}"), OUTCOMES[turn.note])


def tie_break_text(tie_break: TieBreak, value: float) -> str:
    """Writes the value; a dash for a direct encounter that decides nothing."""
    return NO_VALUE if tie_break is TieBreak.DIRECT_ENCOUNTER and not value else halves(value)


def marked(player: Player, name: str, say: Language) -> str:
    """Returns the name, with a note if the player has left or was expelled."""
    if player.is_in:
        return name
    expelled = player.status is PlayerStatus.EXPELLED
    return say("tournament.results.expelled" if expelled else "tournament.results.withdrawn", name=name)


def count_text(number: int, count: int) -> str:
    """Returns a text such as ``2 / 5``; empty for a single page. ``number`` counts from 0."""
    return f"{number + 1} / {count}" if count > 1 else ""
