"""What a page is, and how the result of a game is shown on all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.translations import Language
from bot.tournaments.results.standing import ABSENT, RUNNING, Line, Turn
from bot.tournaments.results.words import DASH, halves
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
}
NO_VALUE: Final = DASH


@dataclass(frozen=True, slots=True)
class Page:
    """A picture, and the same in words."""

    draw: Callable[[], bytes]
    """The PNG: call it in a thread."""
    name: str
    """Of the file, without its ending."""
    title: str
    about: str
    lines: tuple[str, ...]
    """The words for a message, without the title."""
    short: tuple[str, ...]
    """The same with less detail, where the words would be too long."""
    plain: tuple[str, ...] | None = None
    """The words without what only a message can show; None: they are the same."""
    abbreviated: tuple[str, ...] | None = None
    """The words with abbreviations, as ``short`` has them; None: there are none."""
    key: tuple[str, ...] = ()
    """A line that explains the abbreviations; empty if there are none."""

    def alt(self) -> list[Sequence[str]]:
        """The words for an alt text, the longest first: its room is small, so details come before explanations."""
        head = f"{self.title} · {self.about}"
        found = [self.lines if self.plain is None else self.plain, *self.shorter]
        if self.abbreviated is not None:
            found.insert(2, self.abbreviated)
        return [[head, *lines] for lines in found]

    @property
    def shorter(self) -> list[tuple[str, ...]]:
        """What may stand in place of ``lines`` where they would be too long, the longest first."""
        short = (*self.short, *self.key)
        return [short] if self.abbreviated is None else [(*self.abbreviated, *self.key), short]


def cell_of(turn: Turn, say: Language) -> Cell:
    """A result as a tile with its letter."""
    return Cell(say(f"tournament.results.letter.{turn.note}"), OUTCOMES[turn.note])


def tie_break_text(tie_break: TieBreak, value: float) -> str:
    """The value; a dash for a direct encounter that decides nothing."""
    return NO_VALUE if tie_break is TieBreak.DIRECT_ENCOUNTER and not value else halves(value)


def marked(line: Line, name: str, say: Language) -> str:
    """The name in words; that a player has left is said behind it."""
    return say("tournament.results.withdrawn", name=name) if line.withdrawn else name


def count_text(number: int, count: int) -> str:
    """``2 / 5``; empty if there is one page. ``number`` counts from 0."""
    return f"{number + 1} / {count}" if count > 1 else ""
