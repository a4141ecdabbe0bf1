"""The picture of a page of a bracket: pairings as two lines each, joined by the ways of their winners."""

from typing import Final, NamedTuple

from PIL import Image

from render.canvas.card import BETWEEN
from render.canvas.marks import CHOSEN, casing
from render.canvas.pen import Box, Pen, mix
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, drawable, fitted, width
from render.theme import Theme
from render.tournaments.page import EMPTY, GAP, HEAD, LEAST, MARGIN, called, draw_empty, draw_head, draw_name, largest
from render.tournaments.paging import Page, Part, Place, pages
from render.tournaments.signs import state_sign, tick, tile
from render.tournaments.views import BracketLine, BracketSlot, BracketView, Outcome, State

_ROW: Final = 148
"""The height of a pairing with the room above it."""
_LINE: Final = 50
"""The height of a player's line."""
_TAG: Final = 36
"""The height of the tag above a pairing."""
_BETWEEN: Final = 44
"""The distance between two columns."""
_SIDE, _COLUMN = 56, 46
"""The heights of the heads of a side and of the columns."""
_NAMES: Final = (34, 32, 30)
_SCORE: Final = 34
_SEED: Final = 30
_INSET: Final = 12
_WAY: Final = 4
"""The thickness of the ways."""
_FROM_EDGE: Final = 30
"""The distance from the right edge of a column to a way up or down in it."""
_WIDEST: Final = 500
_TICK: Final = 40


class Frame(NamedTuple):
    """The place of a part of the page, and the width of its columns."""

    part: Part
    top: int
    """The top of its first row."""
    wide: int

    def box(self, place: Place) -> tuple[int, int, int, int]:
        left = MARGIN + place.column * (self.wide + _BETWEEN)
        top = self.top + round(place.middle * _ROW) - _LINE + _TAG // 2
        return left, top, left + self.wide, top + 2 * _LINE


def draw_bracket(theme: Theme, view: BracketView) -> Image.Image:
    """Draws the page in full colour (RGB)."""
    every = pages(view)
    number = min(max(view.page, 1), len(every))
    page = every[number - 1]
    frames, high = _frames(page)
    pen = Pen(WIDTH, high, theme.frame)
    for frame in frames:
        _draw_ways(pen, theme, frame)
        for place in frame.part.places:
            _draw_ground(pen, theme, place.slot, frame.box(place))
    sheet = Sheet(pen.finish())
    draw_head(sheet, theme, view.title, view.about, f"{number} / {len(every)}" if len(every) > 1 else "")
    if not frames:
        draw_empty(sheet, theme, view.empty, HEAD + EMPTY / 2)
    tags = {slot.id: slot.tag for slot in view.slots}
    for frame in frames:
        _write_heads(sheet, theme, frame)
        joined = {place.slot.id for place in frame.part.places}
        for place in frame.part.places:
            slot, box = place.slot, frame.box(place)
            _write_tag(sheet, theme, place, box, "" if slot.winner_to in joined else tags.get(slot.winner_to, ""))
            for line in (0, 1):
                _write_line(sheet, theme, slot, line, box)
    return sheet.image


def _frames(page: Page) -> tuple[list[Frame], int]:
    """Places the parts of a page; returns them and the page's height."""
    frames, top = [], HEAD
    columns = max([1, *(len(part.heads) for part in page.parts)])
    wide = min(_WIDEST, (WIDTH - 2 * MARGIN - (columns - 1) * _BETWEEN) // columns)
    for part in page.parts:
        top += _SIDE * bool(part.head) + _COLUMN * any(part.heads)
        frames.append(Frame(part, top, wide))
        top += round(part.rows * _ROW) + GAP // 2
    return frames, (top if frames else HEAD + EMPTY) + GAP // 2


def _draw_ground(pen: Pen, theme: Theme, slot: BracketSlot, box: Box) -> None:
    left, top, right, _ = box
    pen.panel(box, 12, theme.active)
    pen.panel((left, top + _LINE - 1, right, top + _LINE + 1), 0, theme.frame)
    for number, line in enumerate(slot.lines):
        if line.is_reader:
            above = top + number * _LINE
            around = (left, above, right, above + _LINE)
            for inset, colour in ((-2, casing(theme, CHOSEN)), (0, theme.award), (4, theme.active)):
                shape = (around[0] + inset, around[1] + inset, around[2] - inset, around[3] - inset)
                pen.panel(shape, max(3, 12 - inset), colour)


def _draw_ways(pen: Pen, theme: Theme, frame: Frame) -> None:
    """Draws the ways of the winners: to the next column, or up or down to a pairing in the same one.

    The way of a known winner is bright.
    """
    at = {place.slot.id: place for place in frame.part.places}
    dim = mix(theme.faint, theme.frame, 0.55)
    for is_done in (False, True):
        for place in frame.part.places:
            to = at.get(place.slot.winner_to)
            if to is None or is_done is not (place.slot.state is State.DONE):
                continue
            colour = theme.faint if is_done else dim
            for way in _way(frame.box(place), frame.box(to), same=place.column == to.column):
                pen.panel(way, 0, colour)


def _way(start: Box, end: Box, *, same: bool) -> list[Box]:
    """Computes the straight parts of a way between two pairings."""
    half = _WAY // 2
    if same:
        x = start[2] - _FROM_EDGE
        top, bottom = (start[3], end[1]) if start[1] < end[1] else (end[3], start[1])
        return [(x - half, top, x + half, bottom)]
    y, to = (round((box[1] + box[3]) / 2) for box in (start, end))
    x = round(end[0] - _BETWEEN / 2)
    ways: list[Box] = [(start[2], y - half, x + half, y + half), (x - half, to - half, end[0], to + half)]
    if y != to:
        ways.append((x - half, min(y, to) - half, x + half, max(y, to) + half))
    return ways


def _write_heads(sheet: Sheet, theme: Theme, frame: Frame) -> None:
    part, edge = frame.part, MARGIN + 4
    middle = frame.top - _COLUMN * any(part.heads) - _SIDE / 2
    sheet.text(edge, middle, fitted(part.head, 36, WIDTH - 2 * edge, BOLD), 36, theme.ink, anchor="l", weight=BOLD)
    for number, head in enumerate(part.heads):
        left = MARGIN + number * (frame.wide + _BETWEEN)
        shown = fitted(head, LEAST, frame.wide, BOLD)
        sheet.text(left + 4, frame.top - _COLUMN / 2, shown, LEAST, theme.faint, anchor="l", weight=BOLD)


def _write_tag(sheet: Sheet, theme: Theme, place: Place, box: Box, to: str) -> None:
    """Writes the tag and the note above a pairing.

    At the right stands the tag of the winner's next pairing, if that is elsewhere. A final between the semi-finals has
    this tag below it, since a way comes down at the right.
    """
    left, top, right, bottom = box
    middle = top - _TAG / 2 + 2
    left += 4
    onward = f"→ {to}" if to else ""
    if place.head:
        sheet.text(left, bottom + _TAG / 2, onward, LEAST, theme.faint, anchor="l")
        onward = ""
    sheet.text(right - 4, middle, onward, LEAST, theme.faint, anchor="r")
    if place.slot.state is State.RUNNING:
        sheet.put(state_sign(theme, State.RUNNING, 26), left + 13, middle)
        left += 36
    room = round(right - left) - (width(onward, LEAST) + GAP if onward else _FROM_EDGE + 10)
    texts = [text for text in (place.head, place.slot.tag, place.slot.note) if text]
    while len(texts) > 1 and width(drawable(BETWEEN.join(texts)), LEAST) > room:
        texts.pop()
    sheet.text(left, middle, fitted(BETWEEN.join(texts), LEAST, room), LEAST, theme.faint, anchor="l")


def _write_line(sheet: Sheet, theme: Theme, slot: BracketSlot, number: int, box: Box) -> None:
    line: BracketLine = slot.lines[number]
    left, top, right, _ = box
    middle = top + (number + 0.5) * _LINE
    is_decided = any(each.won for each in slot.lines)
    is_pale = not line.known or (is_decided and not line.won)
    weight = BOLD if line.won else MEDIUM
    seeds = max(width(each.seed, _SEED) for each in slot.lines)
    begin = left + _INSET
    if seeds:
        sheet.text(begin + seeds, middle, line.seed, _SEED, theme.faint, anchor="r")
        begin += seeds + 12
    end = right - _INSET
    if line.won and not line.score:
        sheet.put(tick(theme, _TICK), end - _TICK / 2, middle)
        end -= _TICK + 4
    elif line.score:
        wide = max(_TICK, width(line.score, _SCORE, BOLD) + 20)
        ink = theme.faint if is_pale else theme.ink
        if line.won:
            sheet.put(tile(theme, Outcome.WON, wide, _TICK), end - wide / 2, middle)
            ink = theme.white.ink
        sheet.text(end - wide / 2, middle, line.score, _SCORE, ink, weight=weight)
        end -= wide + 8
    room = end - begin
    name = called(line.name, line.seed) if line.known and line.name else line.name
    size = largest([name], _NAMES, room, weight) if line.known else _NAMES[-1]
    if line.withdrawn:
        draw_name(sheet, theme, begin, middle, name, size, room, weight=weight, struck=True)
        return
    ink = theme.faint if is_pale else theme.ink
    sheet.text(begin, middle, fitted(name, size, round(room), weight), size, ink, anchor="l", weight=weight)
