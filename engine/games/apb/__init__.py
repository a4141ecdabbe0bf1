"""APB: two rings of secondary pieces, each around a principal that must stay on the board (docs/rules/apb.md)."""

import re
from collections.abc import Sequence
from typing import ClassVar, Final

from engine.core.game import DRAW_POINTS, Game, Mark, Note, Options, Outcome, Seat
from engine.core.lesson import Lesson, Topic
from engine.games.apb import board, moves, notation
from engine.games.apb.board import PASS, State, Step

__all__ = ["GAME", "PASS", "Apb", "State", "Step"]

QUIET_TURNS: Final = 50
"""The game is drawn after this many turns of both sides together without a piece leaving the board (apb.md, End)."""

_TOLD: Final = frozenset({"apb.does.falls"})
"""The effects that the public message tells. The picture shows the others, and the result tells of a principal."""


class Apb(Game[State, Step]):
    key: ClassVar[str] = "apb"
    name: ClassVar[str] = "APB"
    seats: ClassVar[tuple[str, str]] = ("white", "black")
    repetition: ClassVar[int] = 3
    keeps_history: ClassVar[bool] = True
    enumerates_turns: ClassVar[bool] = False
    pass_text: ClassVar[str] = str(PASS)

    def start(self, options: Options) -> State:
        del options
        return board.decode(board.START)

    def to_act(self, state: State) -> Seat | None:
        return None if moves.is_over(state) else state.turn

    def legal(self, state: State) -> Sequence[Step]:
        return moves.legal(state)

    def apply(self, state: State, action: Step) -> State:
        fault = moves.refusal(state, action)
        if fault is not None:
            raise fault
        return moves.advance(state, action)

    def outcome(self, state: State) -> Outcome | None:
        return moves.outcome(state)

    def encode(self, state: State) -> str:
        return board.encode(state)

    def decode(self, text: str, options: Options | None = None) -> State:
        del options
        return board.decode(text)

    def format(self, state: State, steps: Sequence[Step]) -> str:
        return notation.write_turn(state, steps)

    def parse(self, state: State, text: str) -> tuple[Step, ...]:
        return notation.read_turn(state, text)

    def replay_turn(self, state: State, text: str) -> tuple[tuple[Step, ...], State]:
        return notation.recorded(state, text) or super().replay_turn(state, text)

    def path(self, state: State, action: Step) -> tuple[str, ...]:
        """Returns the piece's cell, then the neighbouring one: at most 9 pieces and ``pass``, then at most 8 cells."""
        del state
        if action == PASS:
            return (str(PASS),)
        return board.NAMES[action.origin], board.NAMES[action.target]

    def notes(self, state: State, action: Step) -> tuple[Note, ...]:
        """Returns the events of a step in order: the principal's stop, pushed pieces, pieces that leave the board."""
        if action == PASS:
            return ()
        mover, *struck = moves.shifts(state, action)
        found = []
        if mover.gone:
            found.append(Note("apb.does.loses"))
        elif state.principals[state.turn] == mover.origin:
            found.append(Note("apb.does.stops", {"cell": board.name_of(mover.end)}))
        went = [(board.name_of(shift.origin), board.name_of(shift.end)) for shift in struck if not shift.gone]
        pushed = ", ".join(f"{cell}→{to}" for cell, to in went)
        if pushed:
            found.append(Note("apb.does.pushes", {"cells": pushed}))
        for shift in struck:
            if shift.gone:
                cell, piece = board.name_of(shift.origin), board.letter_at(state, shift.origin)
                wins = piece in {"P", "p"}
                found.append(
                    Note("apb.does.wins") if wins else Note("apb.does.falls", {"cell": cell, "piece": piece}),
                )
        return tuple(found)

    def loses_piece(self, state: State, action: Step) -> bool:
        own = state.secondaries[state.turn] | state.principals[state.turn]
        return action != PASS and any(shift.gone and shift.origin & own for shift in moves.shifts(state, action))

    def told(self, text: str, notes: Sequence[Note]) -> tuple[Note, ...]:
        """Returns the notes on pieces that left the board."""
        del text
        return tuple(note for note in notes if note.key in _TOLD)

    def score(self, state: State, seat: Seat) -> Note | None:
        """Returns the number of principals on the board, if one has left it."""
        left = [int(bool(principal)) for principal in state.principals]
        return None if all(left) else Note("apb.score", {"own": left[seat], "other": left[1 - seat]})

    def changes_board(self, state: State, action: Step) -> bool:
        del state
        return action != PASS

    def cells_in(self, seat: Seat, text: str) -> tuple[str, ...]:
        del seat
        return tuple(cell for cell in re.findall(r"[a-z]\d{1,2}", text.casefold()) if cell in board.NAMES)

    def marks(self, state: State, action: Step) -> tuple[Mark, ...]:
        """Marks the mover's ``from`` and ``to``; each ``push``; an ``out`` from a piece's cell to its last one."""
        if action == PASS:
            return ()
        found = []
        for place, shift in enumerate(moves.shifts(state, action)):
            cell, end = board.name_of(shift.origin), board.name_of(shift.end)
            if place == 0:
                found.append(Mark("from", cell, end))
                if not shift.gone:
                    found.append(Mark("to", end))
            elif not shift.gone:
                found.append(Mark("push", cell, end))
            if shift.gone:
                found.append(Mark("out", cell, end))
        return tuple(found)

    def outcome_by_history(self, history: Sequence[State], options: Options) -> Outcome | None:
        """Returns a draw by repetition, or because no piece has left the board for too long.

        Pieces never come back, so an equal number of pieces means that none has left in between.
        """
        drawn = super().outcome_by_history(history, options)
        if drawn is None and len(history) > QUIET_TURNS and _pieces(history[-1]) == _pieces(history[-1 - QUIET_TURNS]):
            return Outcome(DRAW_POINTS, "apb.end.quiet")
        return drawn

    @property
    def topics(self) -> tuple[Topic, ...]:
        from engine.games.apb.lessons import TOPICS

        return TOPICS

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        from engine.games.apb.lessons import LESSONS

        return LESSONS


def _pieces(state: State) -> int:
    return moves.occupied(state).bit_count()


GAME: Final = Apb()
