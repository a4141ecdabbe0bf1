"""Backgammon (docs/rules/backgammon.md): four layouts, two dice, XGID."""

from collections.abc import Sequence
from typing import ClassVar, Final

from engine.core.game import Game, Mark, Note, Option, Options, Outcome, Seat
from engine.core.lesson import Lesson, Topic
from engine.games.backgammon import board, gnubg, notation, reading, recorded, turns
from engine.games.backgammon.board import BAR, OFF, State, pips
from engine.games.backgammon.masks import Move
from engine.games.backgammon.moves import PASS, Action, advance, hits, legal_moves, moved
from engine.games.backgammon.refusals import refusal
from engine.kits import cube, dice, points, scoring
from engine.kits.cube import CubeAction
from engine.kits.dice import OPENINGS, ROLLS, Roll, dice_of, starter

__all__ = ["GAME", "PASS", "Action", "Backgammon", "Move", "State", "pips"]

_FAR: Final = 19
"""The lowest own point in the opponent's home board."""


class Backgammon(Game[State, Action]):
    """Steps are rolls, cube actions, moves with one die in the mover's numbers, and the forced pass."""

    key: ClassVar[str] = "backgammon"
    name: ClassVar[str] = "Backgammon"
    seats: ClassVar[tuple[str, str]] = ("white", "black")
    options: ClassVar[tuple[Option, ...]] = (Option("layout", "standard", tuple(board.LAYOUTS)), *cube.OPTIONS)
    usual_match: ClassVar[int] = 3
    pass_text: ClassVar[str] = notation.NO_PLAY

    def start(self, options: Options) -> State:
        return board.start(str(options["layout"]), cube.fields_of(options))

    def to_act(self, state: State) -> Seat | None:
        if state.white < 16 or state.black < 16:  # all borne off: inlined from board.over, for speed
            return None
        if state.roll is not None:
            return state.turn
        return None if cube.is_passed(state.fields) else cube.actor(state)

    def legal(self, state: State) -> Sequence[Action]:
        if board.over(state):
            return ()
        if state.roll is None:
            return cube.choices(state) or (OPENINGS if state.opening else ROLLS)
        return [*legal_moves(*board.sides(state), state.dice)] or [PASS]

    def apply(self, state: State, action: Action) -> State:
        refused = refusal(state, action)
        if refused is not None:
            raise refused
        if isinstance(action, Move):
            return advance(state, action)
        return _after_cube_action_or_roll(state, action)

    def outcome(self, state: State) -> Outcome | None:
        if not board.over(state):
            return None
        if cube.is_passed(state.fields):
            return cube.outcome(state)
        winner = int(not board.all_off(state.white))
        loser = state.black if winner == 0 else state.white
        far = board.farthest(loser) >= _FAR
        return scoring.outcome(winner, scoring.level(borne_off=bool(loser & 15), far=far), state.fields)

    def encode(self, state: State) -> str:
        return board.write(state)

    def decode(self, text: str, options: Options | None = None) -> State:
        """Reads the state of an XGID, or of GNU Backgammon's IDs.

        The options give the number of checkers of a side, and whether the cube is in play.
        """
        size = board.checkers(str((options or {}).get("layout", "standard")))
        state = gnubg.read(text, size) if gnubg.looks_like(text) else board.read(text, size)
        return state._replace(fields=cube.complete_fields(state.fields, options))

    def format(self, state: State, steps: Sequence[Action]) -> str:
        return notation.write(state, steps)

    def parse(self, state: State, text: str) -> tuple[Action, ...]:
        return reading.parse(state, text)

    def replay_turn(self, state: State, text: str) -> tuple[tuple[Action, ...], State]:
        if state.roll is not None:
            return recorded.turn(state, text) or super().replay_turn(state, text)
        said = None if self.to_act(state) is None else cube.parse_recorded(state, text)
        return super().replay_turn(state, text) if said is None else ((said,), _after_cube_action_or_roll(state, said))

    def path(self, state: State, action: Action) -> tuple[str, ...]:
        del state
        if isinstance(action, Roll):
            return str(action.first), str(action.second)
        if isinstance(action, CubeAction):
            return (str(action),)
        if action == PASS:
            return (notation.NO_PLAY,)
        return notation.place(action.source), notation.place(action.target)

    def notes(self, state: State, action: Action) -> tuple[Note, ...]:
        if isinstance(action, Roll):
            return (dice.roll_note(action, state.turn, opening=state.opening),)
        if isinstance(action, CubeAction):
            return cube.notes(state, action)
        if action == PASS:
            return (Note("backgammon.does.passes"),)
        own, other = board.sides(state)
        source, target = action
        notes: list[Note] = []
        if source == BAR:
            notes.append(Note("backgammon.does.enters", {"point": target}))
        if hits(other, action):
            notes.append(Note("backgammon.does.hits", {"point": target}))
        if target == OFF:
            won = board.all_off(moved(own, other, action)[0])
            notes.append(Note("backgammon.does.wins" if won else "backgammon.does.bears_off"))
        elif own >> 4 * target & 15 == 1:
            notes.append(Note("backgammon.does.makes_point", {"point": target}))
        return tuple(notes)

    def score(self, state: State, seat: Seat) -> Note | None:
        return scoring.borne_off_note(state.off[seat], state.off[1 - seat])

    def cells_in(self, seat: Seat, text: str) -> tuple[str, ...]:
        return points.cells_in(seat, text)

    def marks(self, state: State, action: Action) -> tuple[Mark, ...]:
        if isinstance(action, Roll | CubeAction) or action == PASS:
            return ()
        source, target = (board.cell(state.turn, point) for point in action)
        marks = (Mark("from", source, target), Mark("to", target))
        if not hits(board.sides(state)[1], action):
            return marks
        return (*marks, Mark("hit", target, board.cell(1 - state.turn, BAR)))

    def changes_board(self, state: State, action: Action) -> bool:
        del state
        return isinstance(action, Move) and action != PASS

    def weight(self, state: State, action: Action) -> int:
        return dice.weight(action, opening=state.opening) if isinstance(action, Roll) else 1

    def turns(self, state: State) -> Sequence[tuple[tuple[Action, ...], State]]:
        if state.roll is None:
            return super().turns(state)
        return turns.whole_turns(state)

    def resign_values(self, state: State, seat: Seat) -> tuple[int, ...]:
        own, other = (state.white, state.black) if seat == 0 else (state.black, state.white)
        apart = board.farthest(own) + board.farthest(other) < 25
        stuck = board.farthest(own) >= _FAR
        most = scoring.level(borne_off=bool(own & 15), far=stuck or not apart)
        return scoring.resign_values(most, state.fields, seat=seat, turn=state.turn)

    def without_score(self, state: State) -> State:
        return state._replace(fields=cube.without_score(state.fields))

    def automatic_action(self, state: State) -> Action | None:
        return None if board.over(state) else cube.automatic_action(state)

    @property
    def topics(self) -> tuple[Topic, ...]:
        from engine.games.backgammon.lessons import TOPICS

        return TOPICS

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        from engine.games.backgammon.lessons import LESSONS

        return LESSONS


def _after_cube_action_or_roll(state: State, action: CubeAction | Roll) -> State:
    """Returns the state after a legal cube action or roll. Equal dice in the opening are rolled again."""
    if isinstance(action, CubeAction):
        return state._replace(fields=cube.after_cube_action(state.fields, state.turn, action))
    if not state.opening:
        fields = cube.after_roll(state.fields)
        return State(state.white, state.black, state.turn, action, dice_of(action), fields=fields)
    seat = starter(action)
    if seat is None:
        return state
    roll = Roll(max(action), min(action))
    return State(state.white, state.black, seat, roll, dice_of(roll), fields=state.fields)


GAME: Final = Backgammon()
