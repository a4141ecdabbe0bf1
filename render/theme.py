"""The colours of the pictures, as data. Tests check that colour-blind people can tell them apart."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

Colour = str
"""``#rrggbb``, or ``#rrggbbaa`` for a transparent colour."""


@dataclass(frozen=True, slots=True)
class Side:
    """The colours of one side's stones."""

    face: Colour
    shine: Colour
    """The highlight."""
    edge: Colour
    """The rim, which also tells the sides apart by shape: White's is thin, Black's is a light double line."""
    groove: Colour
    ink: Colour
    """Numbers and symbols on a stone."""


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """A theme: the colours of all boards. Themes are compared by identity; each exists once."""

    name: str
    frame: Colour
    frame_light: Colour
    frame_dark: Colour
    ink: Colour
    """Text on the frame."""
    faint: Colour
    """Secondary text on the frame, such as coordinates."""
    active: Colour
    """The strip of the side to move."""
    field: Colour
    even: Colour
    """Points and cells with even numbers; light cells."""
    odd: Colour
    """Points and cells with odd numbers; dark cells."""
    well: Colour
    """Hollows: the bar, the tray, empty cells of a hexagon."""
    white: Side
    black: Side
    last: Colour
    """The last play: amber in every theme, and the only amber one."""
    chosen: Colour
    """The draft: a light green, as the targets are a dark one."""
    target: Colour
    """The possible choices: squares with letters, and the dark line around the white glow of movable pieces."""
    target_ink: Colour
    hit: Colour
    award: Colour
    """The gold of winners and of the reader, in pictures of tournaments and players."""
    chart: Colour
    """Lines and bars of charts."""
    classes: tuple[tuple[Colour, Colour], ...]
    """The colours of guard, general, druid, even wounded and odd wounded: each on a white and on a black stone."""

    def sides(self) -> tuple[Side, Side]:
        return self.white, self.black

    def colours(self, classes: Sequence[int] = range(5)) -> tuple[Colour, ...]:
        """Lists every colour once; of the classes' colours only those of ``classes``."""
        flat = (self.frame, self.frame_light, self.frame_dark, self.ink, self.faint, self.active)
        board = (self.field, self.even, self.odd, self.well)
        stones = tuple(colour for side in self.sides() for colour in astuple(side))
        signs = (
            self.last,
            self.chosen,
            self.target,
            self.target_ink,
            self.hit,
            self.award,
            self.chart,
            *(colour for number in classes for colour in self.classes[number]),
        )
        return tuple(dict.fromkeys((*flat, *board, *stones, *signs)))


RESULTS: Final = ("#74d090", "#78808a", "#951a26")
"""The colours of won, drawn and lost in every theme: unlike those of the sides, and of different lightness."""
RESULT_INKS: Final = ("#12161a", "#12161a", "#ffffff")
"""The colours of texts on them."""

_IVORY = Side(face="#efe3c8", shine="#fffaf0", edge="#8d7650", groove="#cbb88f", ink="#33261a")
_EBONY = Side(face="#2a2421", shine="#564b44", edge="#8b7968", groove="#857668", ink="#f6ecd9")

WOOD: Final = Theme(
    name="wood",
    frame="#5a3a26",
    frame_light="#7d5738",
    frame_dark="#3c2517",
    ink="#fbf1de",
    faint="#e6cda6",
    active="#7f4f2c",
    field="#bf935f",
    even="#e3c799",
    odd="#8f5d3a",
    well="#6b452c",
    white=_IVORY,
    black=_EBONY,
    last="#ff9d00",
    chosen="#4dff88",
    target="#005457",
    target_ink="#ffffff",
    hit="#d1263a",
    award="#ffd83d",
    chart="#1f6fc4",
    classes=(
        ("#1c5d99", "#7db8ea"),
        ("#a8690a", "#f5c344"),
        ("#2f7d3b", "#8fd08a"),
        ("#b3262e", "#ff8f80"),
        ("#75389c", "#d5a3f2"),
    ),
)

SLATE: Final = Theme(
    name="slate",
    frame="#232a33",
    frame_light="#3a4551",
    frame_dark="#181d24",
    ink="#f1f4f7",
    faint="#b9c6d3",
    active="#34495e",
    field="#5d6e7e",
    even="#8c9dac",
    odd="#465461",
    well="#2d3843",
    white=Side(face="#e9edf0", shine="#ffffff", edge="#75828e", groove="#bcc7d0", ink="#181d24"),
    black=Side(face="#15191e", shine="#3d4853", edge="#71808e", groove="#7f8e9c", ink="#f1f4f7"),
    last="#ff9d00",
    chosen="#4dff88",
    target="#005a66",
    target_ink="#ffffff",
    hit="#ff5a4f",
    award="#ffcf33",
    chart="#45b3ff",
    classes=(
        ("#1c5d99", "#7db8ea"),
        ("#9a6400", "#f5c344"),
        ("#21743a", "#8fd08a"),
        ("#b3262e", "#ff8f80"),
        ("#75389c", "#d5a3f2"),
    ),
)

CONTRAST: Final = Theme(
    name="contrast",
    frame="#ffffff",
    frame_light="#d9dcdf",
    frame_dark="#000000",
    ink="#000000",
    faint="#000000",
    active="#ffe680",
    field="#c3c7cb",
    even="#e4e6e8",
    odd="#83898f",
    well="#a3a8ad",
    white=Side(face="#ffffff", shine="#ffffff", edge="#000000", groove="#ffffff", ink="#000000"),
    black=Side(face="#000000", shine="#000000", edge="#ffffff", groove="#ffffff", ink="#ffffff"),
    last="#ff9d00",
    chosen="#4dff88",
    target="#004848",
    target_ink="#ffffff",
    hit="#c4006a",
    award="#ffd400",
    chart="#0057d9",
    classes=(
        ("#0048b5", "#8cc4ff"),
        ("#8a5800", "#ffd400"),
        ("#006b2d", "#7fe09a"),
        ("#b00020", "#ff9a8f"),
        ("#6a1b9a", "#e3b0ff"),
    ),
)

THEMES: Final = {theme.name: theme for theme in (WOOD, SLATE, CONTRAST)}
"""Every theme by its name, in the order of the settings menu."""
