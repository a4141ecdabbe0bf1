"""Abalone (docs/rules/abalone.md): push six of the other side's marbles off a hexagonal board."""

import re
from collections.abc import Sequence
from typing import ClassVar, Final

from engine.core.errors import BadNotation
from engine.core.game import DRAW_POINTS, Game, Mark, Note, Option, Options, Outcome, Seat, win
from engine.core.lesson import Lesson, Topic
from engine.games.abalone import board, notation
from engine.games.abalone.board import NAMES, TARGET, State, cells
from engine.games.abalone.judge import judge, legal_plays, over
from engine.games.abalone.layouts import LAYOUTS, STANDARD
from engine.games.abalone.moves import after, can_move
from engine.games.abalone.tables import Step, shifted

__all__ = ["GAME", "LAYOUTS", "Abalone", "BadNotation", "State", "Step", "cells"]

LONGEST_LIMIT: Final = 10_000
"""The highest ply limit that players can choose."""


class Abalone(Game[State, Step]):
    """A turn is one step. Seat 0 is Black and begins; the winner gets one point."""

    key: ClassVar[str] = "abalone"
    name: ClassVar[str] = "Abalone"
    seats: ClassVar[tuple[str, str]] = ("black", "white")
    options: ClassVar[tuple[Option, ...]] = (
        Option("layout", STANDARD, choices=tuple(LAYOUTS)),
        Option("target", TARGET, low=1, high=TARGET),
        Option("ply_limit", 0, low=0, high=LONGEST_LIMIT),
    )
    repetition: ClassVar[int] = 3
    keeps_history: ClassVar[bool] = True

    # --- the rules -------------------------------------------------------------------------------------------------

    def start(self, options: Options) -> State:
        return board.decode(f"{LAYOUTS[str(options['layout'])]} b 0 0", int(options["target"]))

    def to_act(self, state: State) -> Seat | None:
        return None if over(state) else state.turn

    def legal(self, state: State) -> Sequence[Step]:
        return [*legal_plays(state)]

    def apply(self, state: State, action: Step) -> State:
        return after(state, judge(state, action))

    def outcome(self, state: State) -> Outcome | None:
        """Gives a point to the side that has ejected enough, or whose opponent has no legal move."""
        if state.target in state.ejected:
            return win(state.ejected.index(state.target), 1, "abalone.end.ejected")
        if not can_move(state):
            return win(1 - state.turn, 1, "abalone.end.stuck")
        return None

    def turns(self, state: State) -> Sequence[tuple[tuple[Step, ...], State]]:
        return [((step,), after(state, play)) for step, play in legal_plays(state).items()]

    def written_turns(self, state: State) -> Sequence[tuple[tuple[Step, ...], str]]:
        return [((step,), notation.write(play)) for step, play in legal_plays(state).items()]

    def outcome_by_history(self, history: Sequence[State], options: Options) -> Outcome | None:
        """Returns a draw by threefold repetition, or the end after ``ply_limit`` plies: more ejections win."""
        repeated = super().outcome_by_history(history, options)
        limit = int(options.get("ply_limit", 0))
        if repeated or not limit or len(history) <= limit:
            return repeated
        black, white = history[-1].ejected
        if black == white:
            return Outcome(DRAW_POINTS, "abalone.end.ply_limit_even")
        return win(int(white > black), 1, "abalone.end.ply_limit")

    # --- its texts -------------------------------------------------------------------------------------------------

    def encode(self, state: State) -> str:
        return board.encode(state)

    def decode(self, text: str, options: Options | None = None) -> State:
        return board.decode(text, int((options or {}).get("target", TARGET)))

    def format(self, state: State, steps: Sequence[Step]) -> str:
        written = []
        for step in steps:
            play = judge(state, step)
            written.append(notation.write(play))
            state = after(state, play)
        return " ".join(written)

    def parse(self, state: State, text: str) -> tuple[Step, ...]:
        return (notation.read(state, text),)

    def replay_turn(self, state: State, text: str) -> tuple[tuple[Step, ...], State]:
        play = notation.recorded(state, text)
        return super().replay_turn(state, text) if play is None else ((play.step,), after(state, play))

    # --- what a player is shown ------------------------------------------------------------------------------------

    def path(self, state: State, action: Step) -> tuple[str, ...]:
        """Returns ``("c3", "d4")`` in line, ``("c3", "c3-c5", "d3")`` broadside."""
        del state
        first, last, to = action
        return (first, f"{first}-{last}", to) if last else (first, to)

    def notes(self, state: State, action: Step) -> tuple[Note, ...]:
        play = judge(state, action)
        then = after(state, play)
        said = []
        if play.pushed:
            said.append(Note("abalone.does.pushes", {"own": len(play.moved), "other": len(play.pushed)}))
        if play.ejects:
            said.append(Note("abalone.does.ejects", {"ejected": then.ejected[state.turn], "target": state.target}))
        if over(then):
            said.append(Note("abalone.does.wins"))
        return tuple(said)

    def score(self, state: State, seat: Seat) -> Note:
        return Note("abalone.score", {"own": state.ejected[seat], "other": state.ejected[1 - seat]})

    def changes_board(self, state: State, action: Step) -> bool:
        del state, action
        return True

    def cells_in(self, seat: Seat, text: str) -> tuple[str, ...]:
        del seat
        return tuple(cell for cell in re.findall(r"[a-z]\d{1,2}", text.casefold()) if cell in board.CELLS)

    def marks(self, state: State, action: Step) -> tuple[Mark, ...]:
        """Marks ``from`` and ``to`` for each own marble, ``push`` for each pushed one, ``out`` for the ejected one."""
        play = judge(state, action)
        moved = [(NAMES[bit], NAMES[shifted(bit, play.shift)]) for bit in play.moved]
        marks = [Mark("from", cell, to) for cell, to in moved]
        marks += [Mark("to", to) for _, to in moved]
        for bit in play.pushed:
            to = NAMES.get(shifted(bit, play.shift), "")
            marks.append(Mark("push" if to else "out", NAMES[bit], to))
        return tuple(marks)

    # --- with defaults ---------------------------------------------------------------------------------------------

    @property
    def topics(self) -> tuple[Topic, ...]:
        from engine.games.abalone.lessons import TOPICS

        return TOPICS

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        from engine.games.abalone.lessons import LESSONS

        return LESSONS


GAME: Final = Abalone()
