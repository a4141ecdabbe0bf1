"""Nim as a game of ours: the two take turns from a heap, whoever takes the last one wins. With a die or without.

The die (1 to 3, the small ones likelier) says how many may be taken at most, so a 1 is a forced turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.errors import BadNotation, IllegalMove
from engine.core.game import CHANCE, Game, Mark, Option, Options, Outcome, Seat, win

WEIGHTS = {1: 3, 2: 2, 3: 1}


@dataclass(frozen=True, slots=True)
class Heap:
    left: int
    turn: Seat = 0
    dice: bool = True
    die: int = 0
    """0: not rolled."""

    @property
    def most(self) -> int:
        return min(self.die if self.dice else 3, self.left)


class Nim(Game[Heap, int]):
    key = "nim"
    name = "Nim"
    seats = ("first", "second")
    options = (Option("heap", 21, low=1, high=99), Option("dice", "yes", choices=("yes", "no")))

    def start(self, options: Options) -> Heap:
        return Heap(int(options["heap"]), dice=options["dice"] == "yes")

    def to_act(self, state: Heap) -> Seat | None:
        if state.left == 0:
            return None
        return CHANCE if state.dice and not state.die else state.turn

    def legal(self, state: Heap) -> Sequence[int]:
        actor = self.to_act(state)
        if actor is None:
            return ()
        return (1, 2, 3) if actor == CHANCE else tuple(range(1, state.most + 1))

    def apply(self, state: Heap, action: int) -> Heap:
        if action not in self.legal(state):
            raise IllegalMove("nim.too_many", most=state.most)
        if self.to_act(state) == CHANCE:
            return replace(state, die=action)
        return replace(state, left=state.left - action, turn=1 - state.turn, die=0)

    def weight(self, state: Heap, action: int) -> int:
        del state
        return WEIGHTS[action]

    def outcome(self, state: Heap) -> Outcome | None:
        return win(1 - state.turn, 1, "nim.last_taken") if state.left == 0 else None

    def encode(self, state: Heap) -> str:
        return f"{state.left}:{state.turn}:{int(state.dice)}:{state.die}"

    def decode(self, text: str, options: Options | None = None) -> Heap:
        del options
        try:
            left, turn, dice, die = map(int, text.split(":"))
        except ValueError as error:
            raise BadNotation("nim.unreadable", text=text) from error
        return Heap(left, turn, bool(dice), die)

    def format(self, state: Heap, steps: Sequence[int]) -> str:
        del state
        return " ".join(map(str, steps))

    def parse(self, state: Heap, text: str) -> tuple[int, ...]:
        if not text.strip().isdecimal():
            raise BadNotation("nim.unreadable", text=text)
        taken = int(text)
        if taken not in self.legal(state):
            raise IllegalMove("nim.too_many", most=state.most)
        return (taken,)

    def path(self, state: Heap, action: int) -> tuple[str, ...]:
        del state
        return (str(action),)

    def cells_in(self, seat: Seat, text: str) -> tuple[str, ...]:
        del seat, text
        return ()

    def marks(self, state: Heap, action: int) -> tuple[Mark, ...]:
        del state, action
        return (Mark("from", "heap"),)

    def resign_values(self, state: Heap, seat: Seat) -> tuple[int, ...]:
        del state, seat
        return (1, 2)
