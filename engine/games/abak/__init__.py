"""Abak Evolution Backgammon (docs/rules/abak.md): backgammon with six classes of checkers, on columns that stack."""

from collections.abc import Sequence
from typing import ClassVar, Final

from engine.core.errors import BadNotation, IllegalMove
from engine.core.game import Game, Mark, Note, Option, Options, Outcome, Seat
from engine.core.lesson import Lesson, Topic
from engine.games.abak import board, notation, recorded, showing, turns
from engine.games.abak.board import BAR, MIDFIELD, State, letters, over, pips, seen_from, winner
from engine.games.abak.keys import NAMES
from engine.games.abak.moves import PASS, Step
from engine.games.abak.refusals import Choice, refusal
from engine.kits import cube, dice, points, scoring
from engine.kits.cube import CubeAction
from engine.kits.dice import OPENINGS, ROLLS, Roll, dice_of, read_roll, starter
from engine.kits.dice import weight as roll_weight

__all__ = ["GAME", "MIDFIELD", "PASS", "Abak", "Choice", "State", "Step", "pips"]

SOLDIER: Final = "S"


class Abak(Game[State, Choice]):
    """A step is a stone's move with one die, a pair capture with two, a pass, or a cube action; CHANCE rolls."""

    key: ClassVar[str] = "abak"
    name: ClassVar[str] = "Abak Evolution Backgammon"
    seats: ClassVar[tuple[str, str]] = ("white", "black")
    options: ClassVar[tuple[Option, ...]] = cube.OPTIONS
    pass_text: ClassVar[str] = notation.PASS_TEXT
    builds_on: ClassVar[str] = "backgammon"

    # --- the rules -------------------------------------------------------------------------------------------------

    def start(self, options: Options) -> State:
        return board.start(cube.fields_of(options))

    def to_act(self, state: State) -> Seat | None:
        if state.dice:
            return state.turn
        return None if over(state) else cube.actor(state)

    def legal(self, state: State) -> Sequence[Choice]:
        if state.dice:
            return list(turns.steps(state)) or [PASS]
        if over(state):
            return []
        return cube.choices(state) or (OPENINGS if state.opening else ROLLS)

    def apply(self, state: State, action: Choice) -> State:
        refused = refusal(state, action)
        if refused is not None:
            raise refused
        return turns.advance(state, action) if isinstance(action, Step) else _after_cube_action_or_roll(state, action)

    def outcome(self, state: State) -> Outcome | None:
        """Returns the outcome as in backgammon: single, gammon or backgammon, times the cube.

        After a passed double, the side that passed loses.
        """
        if cube.is_passed(state.fields):
            return cube.outcome(state)
        seat = winner(state)
        if seat is None:
            return None
        loser = 1 - seat
        own = letters(loser)
        away = any(stone in own for column in seen_from(state.columns, loser)[19:] for stone in column)
        lost = scoring.level(borne_off=bool(state.off[loser]), far=bool(state.bar[loser]) or away)
        return scoring.outcome(seat, lost, state.fields)

    def weight(self, state: State, action: Choice) -> int:
        return roll_weight(action, opening=state.opening) if isinstance(action, Roll) else 1

    def turns(self, state: State) -> Sequence[tuple[tuple[Choice, ...], State]]:
        return [*turns.whole_turns(state)] if state.dice else super().turns(state)

    def written_turns(self, state: State) -> Sequence[tuple[tuple[Choice, ...], str]]:
        return ([*turns.written_turns(state)] if state.dice else []) or super().written_turns(state)

    # --- its texts -------------------------------------------------------------------------------------------------

    def encode(self, state: State) -> str:
        return board.encode(state)

    def decode(self, text: str, options: Options | None = None) -> State:
        """Reads the state of an ABAKID. The options say whether the cube is in play."""
        state = board.decode(text)
        return state._replace(fields=cube.complete_fields(state.fields, options))

    def format(self, state: State, steps: Sequence[Choice]) -> str:
        return notation.write(state, steps)

    def parse(self, state: State, text: str) -> tuple[Choice, ...]:
        if over(state):
            raise IllegalMove("abak.over")
        call = cube.read(state, text)
        if call is not None:
            if refused := cube.refusal(state, call):
                raise refused
            return (call,)
        if not state.dice:
            return (_read_roll(state, text),)
        played = notation.read(state, text)
        if played == (PASS,) and (refused := refusal(state, PASS)):
            raise refused
        return played

    def replay_turn(self, state: State, text: str) -> tuple[tuple[Choice, ...], State]:
        if state.dice:
            return recorded.turn(state, text) or super().replay_turn(state, text)
        said = None if self.to_act(state) is None else cube.parse_recorded(state, text)
        return super().replay_turn(state, text) if said is None else ((said,), _after_cube_action_or_roll(state, said))

    # --- what a player is shown ------------------------------------------------------------------------------------

    def path(self, state: State, action: Choice) -> tuple[str, ...]:
        """Returns ``("13", "10")``, ``("bar:G", "21")``, ``("6", "off")``; of a pair capture ``("14", "10", "12")``."""
        del state
        if isinstance(action, Roll):
            return (str(action.first), str(action.second))
        if isinstance(action, CubeAction):
            return (str(action),)
        if action == PASS:
            return (notation.PASS_TEXT,)
        first = (_source(action.stone, action.source), str(action.point or "off"))
        return (*first, _source(action.second, action.second_source)) if action.second else first

    def notes(self, state: State, action: Choice) -> tuple[Note, ...]:
        if isinstance(action, Roll):
            return (dice.roll_note(action, state.turn, opening=state.opening),)
        if isinstance(action, CubeAction):
            return cube.notes(state, action)
        return tuple(showing.notes(state, action))

    def score(self, state: State, seat: Seat) -> Note | None:
        return scoring.borne_off_note(len(state.off[seat]), len(state.off[1 - seat]))

    def piece(self, state: State, action: Choice) -> Note | None:
        """Returns the class of a stone that is no soldier. A path from the bar names it itself."""
        del state
        if not isinstance(action, Step) or action.source == BAR or action.second or action.stone in {"", SOLDIER}:
            return None
        return Note(NAMES[action.stone])

    def cells_in(self, seat: Seat, text: str) -> tuple[str, ...]:
        return points.cells_in(seat, text)

    def marks(self, state: State, action: Choice) -> tuple[Mark, ...]:
        return tuple(showing.marks(state, action)) if isinstance(action, Step) else ()

    def changes_board(self, state: State, action: Choice) -> bool:
        del state
        return isinstance(action, Step) and action != PASS

    # --- with defaults ---------------------------------------------------------------------------------------------

    def resign_values(self, state: State, seat: Seat) -> tuple[int, ...]:
        most = scoring.level(borne_off=bool(state.off[seat]), far=True)
        return scoring.resign_values(most, state.fields, seat=seat, turn=state.turn)

    def without_score(self, state: State) -> State:
        return state._replace(fields=cube.without_score(state.fields))

    def automatic_action(self, state: State) -> Choice | None:
        return None if over(state) else cube.automatic_action(state)

    @property
    def topics(self) -> tuple[Topic, ...]:
        from engine.games.abak.lessons import TOPICS

        return TOPICS

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        from engine.games.abak.lessons import LESSONS

        return LESSONS


def _source(stone: str, source: int) -> str:
    return f"bar:{stone}" if source == BAR else str(source)


def _after_cube_action_or_roll(state: State, action: CubeAction | Roll) -> State:
    """Returns the state after a legal cube action or roll. Equal dice in the opening are rolled again."""
    if isinstance(action, CubeAction):
        return state._replace(fields=cube.after_cube_action(state.fields, state.turn, action))
    roll = action
    seat = starter(roll) if state.opening else state.turn
    if seat is None:
        return state
    high = Roll(max(roll), min(roll))
    return state._replace(turn=seat, roll=high, dice=dice_of(high), opening=False, fields=cube.after_roll(state.fields))


def _read_roll(state: State, text: str) -> Roll:
    """Reads a roll. Raises BadNotation, or IllegalMove for a move or roll before its time."""
    typed = text.strip()
    due = cube.missing_cube_action(state)
    if due is not None:
        raise due if any(map(str.isdigit, typed)) else BadNotation("cube.unreadable", text=typed)
    if len(typed) > len("31"):
        raise IllegalMove("abak.roll_first")
    roll = read_roll(typed)
    return roll if state.opening else Roll(max(roll), min(roll))


GAME: Final = Abak()
