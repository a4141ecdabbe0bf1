"""Splits a bracket into pages that are legible on a phone.

A page has at most three columns and eight pairings in a column. The columns of a large bracket are dealt to several
pages. If the first of them has more than eight pairings, these are dealt, too: each page holds a few pairings and the
next ones of their winners. A bracket of 64 takes five pages: four with three rounds of 16 players each, and one from
the round of the last eight to the final.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from render.tournaments.views import BracketSlot, BracketView

MOST_COLUMNS: Final = 3
MOST_ROWS: Final = 8
TOGETHER: Final = 9.0
"""The greatest height, in rows, of both sides of a double elimination on one page."""
_CHAIN: Final = 1.12
"""The distance from one pairing of a chain to the next, in rows."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a pairing."""

    slot: BracketSlot
    column: int
    """The number of the column within the part, from 0."""
    middle: float
    """The distance from the top of the part, in rows."""
    head: str = ""
    """The text above the pairing, if the head of the column does not say it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Columns of one side of a bracket."""

    head: str
    heads: tuple[str, ...]
    """The heads of the columns."""
    places: tuple[Place, ...]
    rows: float
    """The height, in rows."""


@dataclass(frozen=True, slots=True)
class Page:
    parts: tuple[Part, ...]

    @property
    def slots(self) -> tuple[BracketSlot, ...]:
        return tuple(place.slot for part in self.parts for place in part.places)


@lru_cache(maxsize=32)
def pages(view: BracketView) -> tuple[Page, ...]:
    """Lists all pages, at least one.

    Those of the winners' side come first, then those of the losers' side and the grand final.
    """
    view = replace(view, slots=_shown(view.slots))
    upper = [_trimmed(part) for part in _upper(view)]
    lower = [_trimmed(part) for part in _lower(view)]
    if len(upper) == len(lower) == 1 and upper[0].rows + lower[0].rows <= TOGETHER:
        return (Page((*upper, *lower)),)
    return tuple(Page((part,)) for part in (*upper, *lower)) or (Page(()),)


def page_of(view: BracketView, slot: str) -> int:
    """Finds the first page with a slot, from 1; 1 if there is no such slot."""
    found = (number for number, page in enumerate(pages(view), 1) if any(each.id == slot for each in page.slots))
    return next(found, 1)


def _shown(slots: Sequence[BracketSlot]) -> tuple[BracketSlot, ...]:
    """Returns the slots that are not hidden. Their winners go on to the next visible one."""
    onward = {slot.id: slot.winner_to for slot in slots if slot.hidden}
    shown = []
    for slot in slots:
        to = slot.winner_to
        while to in onward:
            to = onward[to]
        if not slot.hidden:
            shown.append(replace(slot, winner_to=to))
    return tuple(shown)


def _trimmed(part: Part) -> Part:
    """Removes the room that byes left above the part's first and below its last pairing."""
    first, last = (choose(place.middle for place in part.places) for choose in (min, max))
    places = tuple(replace(place, middle=place.middle - first + 0.5) for place in part.places)
    return replace(part, places=places, rows=last - first + 1)


def _upper(view: BracketView) -> list[Part]:
    """Makes the parts of the winners' side, or of a single elimination. The last has the match for third place, too."""
    slots = [slot for slot in view.slots if slot.side == "W"]
    last = max((slot.column for slot in slots), default=0)
    parts = _parts(view, slots, {column: 2 ** (last - column) for column in range(1, last + 1)}, folds=True)
    third = [slot for slot in view.slots if slot.side == "T"]
    if third and parts:
        part = parts[-1]
        lowest = max((place.middle for place in part.places if place.column == len(part.heads) - 1), default=0.0)
        middle = max(part.rows - 0.5, lowest + _CHAIN)
        place = Place(third[0], len(part.heads) - 1, middle, dict(view.heads).get("T1", ""))
        parts[-1] = replace(part, places=(*part.places, place), rows=max(part.rows, middle + 0.5))
    return parts


def _lower(view: BracketView) -> list[Part]:
    """Makes the parts of the losers' side.

    Its last columns of one pairing each, and the grand final, stand below one another: a chain.
    """
    slots = sorted((slot for slot in view.slots if slot.side == "L"), key=lambda slot: (slot.column, slot.row))
    last = max((slot.column for slot in slots), default=0)
    counts = {column: 2 ** ((last - column) // 2) for column in range(1, last + 1)}
    finals = sorted((slot for slot in view.slots if slot.side == "F"), key=lambda slot: slot.column)
    chain = [slot for slot in slots if counts[slot.column] == 1] + finals
    parts = _parts(view, [slot for slot in slots if counts[slot.column] > 1], counts, folds=False, spare=1)
    heads = dict(view.heads)
    if not chain:
        return parts
    side = chain[0].side
    if not parts:
        parts = [Part(dict(view.sides).get(side, ""), (), (), 0.0)]
    part = parts[-1]
    column = len(part.heads)
    middles = [0.5 + _CHAIN * number for number in range(len(chain))]
    places = tuple(
        Place(slot, column, middle, heads.get(f"{slot.side}{slot.column}", ""))
        for slot, middle in zip(chain, middles, strict=True)
    )
    rows = max(part.rows, middles[-1] + 0.5)
    parts[-1] = replace(part, heads=(*part.heads, ""), places=part.places + places, rows=rows)
    return parts


def _parts(
    view: BracketView, slots: Sequence[BracketSlot], counts: dict[int, int], *, folds: bool, spare: int = 0
) -> list[Part]:
    """Makes the parts of one side. ``counts``: pairings of each full column; ``spare``: columns that are added later.

    ``folds``: a final may stand between the semi-finals, in their column.
    """
    present = sorted({slot.column for slot in slots})
    found = []
    for columns in _dealt(present, spare=spare, folds=folds):
        rows = counts[columns[0]]
        for top in range(0, rows, MOST_ROWS):
            shown = [slot for slot in slots if slot.column in columns and _is_within(slot, counts, rows, top)]
            if shown:
                found.append(_part(view, shown, columns, counts, (rows, top)))
    return found


def _dealt(columns: Sequence[int], *, spare: int, folds: bool) -> list[list[int]]:
    """Deals the columns to groups of at most three, as equal as possible, the larger ones last.

    With ``folds`` the last group has four if its last column, the final, can stand in the one before it.
    """
    if not columns:
        return []
    count = len(columns) + spare
    groups = max(1, -(-(count - folds) // MOST_COLUMNS))
    size, more = divmod(count, groups)
    sizes = [size + (number >= groups - more) for number in range(groups)]
    sizes[-1] -= spare
    found, begin = [], 0
    for size in filter(None, sizes):
        found.append(list(columns[begin : begin + size]))
        begin += size
    return found


def _is_within(slot: BracketSlot, counts: dict[int, int], rows: int, top: int) -> bool:
    middle = (slot.row - 0.5) * rows / counts[slot.column]
    return top < middle < top + MOST_ROWS


def _part(
    view: BracketView,
    slots: Iterable[BracketSlot],
    columns: Sequence[int],
    counts: dict[int, int],
    span: tuple[int, int],
) -> Part:
    (rows, top), heads = span, dict(view.heads)
    side = next(iter(slots)).side
    folded = len(columns) > MOST_COLUMNS
    places = tuple(
        Place(
            slot,
            min(columns.index(slot.column), MOST_COLUMNS - 1),
            (slot.row - 0.5) * rows / counts[slot.column] - top,
            heads.get(f"{side}{slot.column}", "") if folded and slot.column == columns[-1] else "",
        )
        for slot in slots
    )
    shown = tuple(heads.get(f"{side}{column}", "") for column in columns[:MOST_COLUMNS])
    return Part(dict(view.sides).get(side, ""), shown, places, float(min(rows, MOST_ROWS)))
