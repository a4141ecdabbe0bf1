"""Two dice: the rolls as CHANCE outcomes, and the dice to play in a turn (backgammon.md, Opening, Turn)."""

from typing import Final, NamedTuple

from engine.core.errors import BadNotation, Translated
from engine.core.game import Note, Seat


class Roll(NamedTuple):
    """A CHANCE outcome. In play the higher die comes first; in the opening White's die, then Black's."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}{self.second}"

    @property
    def told(self) -> str:
        """The text in a sentence for players: ``3-1``; notation has ``31``."""
        return f"{self.first}-{self.second}"


SEATS: Final = (Translated("@seat.white"), Translated("@seat.black"))
"""The sides' names, as keys of messages."""
SIDES: Final = (Translated("@side.white"), Translated("@side.black"))
"""The sides' names within a sentence, as keys of messages."""
ROLLS: Final = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls; a double has weight 1, the others 2."""
OPENINGS: Final = tuple(Roll(white, black) for white in range(1, 7) for black in range(1, 7))
"""The 36 opening rolls of one die per side, each of weight 1. Equal dice stay in the record and are rolled again."""

ROLL_TEXTS: Final = {str(roll): roll for roll in ROLLS}
OPENING_TEXTS: Final = {str(roll): roll for roll in OPENINGS}
"""The rolls by their canonical texts."""


def weight(roll: Roll, *, opening: bool) -> int:
    """Returns how often a roll comes up in 36 rolls."""
    return 1 if opening or roll.first == roll.second else 2


def starter(opening: Roll) -> Seat | None:
    """Returns the seat that starts after the opening roll; None if the dice are equal."""
    return None if opening.first == opening.second else int(opening.second > opening.first)


def dice_of(roll: Roll) -> tuple[int, ...]:
    """Lists the dice to play: both, the higher first; a double four times."""
    if roll.first == roll.second:
        return (roll.first,) * 4
    return (max(roll), min(roll))


def read_roll(text: str) -> Roll:
    """Reads a roll such as ``31``, in the order written. Raises BadNotation."""
    if len(text) != 2 or not all(die in "123456" for die in text):
        raise BadNotation("dice.unreadable", text=text)
    return Roll(int(text[0]), int(text[1]))


def roll_note(roll: Roll, turn: Seat, *, opening: bool) -> Note:
    """Writes the note on a roll of the seat ``turn``, or on the opening roll of both."""
    if not opening:
        return Note("dice.rolled", {"seat": SIDES[turn], "first": max(roll), "second": min(roll)})
    first = starter(roll)
    if first is None:
        return Note("dice.opening_equal", {"die": roll.first})
    return Note("dice.opening", {"white": roll.first, "black": roll.second, "seat": SIDES[first]})
