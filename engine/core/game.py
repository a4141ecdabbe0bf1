"""The contract that every game fulfils.

A **step** is the unit of the rules, a **turn** (a run of steps by one actor) the unit of the record. Luck is an actor
of its own, ``CHANCE``: a game lists its steps with integer weights, and the caller chooses one.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from engine.core.errors import Param, RuleError
from engine.core.lesson import Lesson, Topic

Seat: TypeAlias = int
"""0 or 1: the first and the second seat."""
CHANCE: Final[Seat] = -1

OptionValue: TypeAlias = str | int
Options: TypeAlias = Mapping[str, OptionValue]

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Note:
    """A message to a player as a message key with its parameters, in no language yet."""

    key: str
    params: Mapping[str, Param] = field(default_factory=dict, hash=False)


class Mark(NamedTuple):
    """A mark on a board. Cells have absolute names: ``b4``; a point's number for White; ``bar0``, ``off1``."""

    kind: str
    """The event at ``cell``: ``from``, ``to``, ``hit``, ``trap``, ``push``, ``out``."""
    cell: str
    to: str = ""
    """The cell to which the piece at ``cell`` went, if it moved."""
    level: int = -1
    """The number of pieces below the piece in its cell before its step; -1 if it is the outermost."""


WITHOUT_RESULT: Final = ("end.aborted", "end.voided")
"""The reasons of games that ended without a result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: points by seat (their sum is 0) and the message key of the reason."""

    points: tuple[int, int]
    reason: str

    @property
    def winner(self) -> Seat | None:
        return None if self.points[0] == 0 else int(self.points[1] > 0)

    @property
    def has_result(self) -> bool:
        """Whether the game was won or drawn. False if it was aborted or declared void."""
        return self.reason not in WITHOUT_RESULT


DRAW_POINTS: Final = (0, 0)


def win(seat: Seat, points: int, reason: str) -> Outcome:
    """Makes the outcome in which ``seat`` wins ``points``; the other seat loses as many."""
    return Outcome((points, -points) if seat == 0 else (-points, points), reason)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, set before it starts: one of ``choices``, or a whole number from ``low`` to ``high``."""

    key: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    by_match: bool = False
    """Whether the match around the game sets it, and not the players."""

    def read(self, value: OptionValue) -> OptionValue:
        """Converts the value to the option's type. Raises RuleError if it is not allowed."""
        if self.choices:
            if value in self.choices:
                return value
            raise RuleError("option.choice", option=self.key, value=value, choices=", ".join(self.choices))
        try:
            number = int(value)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise RuleError("option.range", option=self.key, value=value, low=self.low, high=self.high)
        return number


class Game(ABC, Generic[S, A]):
    """The rules of a game. Stateless: one instance serves every table. ``S`` and ``A`` are frozen and hashable."""

    key: ClassVar[str]
    """Lower-case letters only: it is part of file names, message keys and custom_ids."""
    name: ClassVar[str]
    """The game's proper name, the same in every language."""
    version: ClassVar[int] = 1
    """Incremented when the rules change, so that old records still replay under the old rules."""
    seats: ClassVar[tuple[str, str]]
    """The names of the first and the second seat: ``("white", "black")``."""
    options: ClassVar[tuple[Option, ...]] = ()
    repetition: ClassVar[int] = 0
    """The game is drawn when a position occurs for the n-th time at the start of a turn; 0 for never."""
    keeps_history: ClassVar[bool] = False
    """Whether the outcome may depend on earlier positions (see ``outcome_by_history``), so that they must be kept."""
    enumerates_turns: ClassVar[bool] = True
    """Whether whole turns are few enough for ``turns`` to list them; otherwise only steps are listed."""
    usual_match: ClassVar[int] = 0
    """The points of the match, with the cube, that is proposed by correspondence; 0: a single game is proposed."""
    pass_text: ClassVar[str] = ""
    """The record's text of a turn in which nothing can be played; empty if there is always a play."""
    builds_on: ClassVar[str] = ""
    """The key of a game whose rules this one presupposes, and whose tour is offered first; empty for none."""

    # --- the rules -------------------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, options: Options) -> S:
        """Returns the position before the first turn; ``options`` are complete (see ``settle_options``)."""

    @abstractmethod
    def to_act(self, state: S) -> Seat | None:
        """Returns the actor of the next step: a seat, CHANCE, or None when the game is over."""

    @abstractmethod
    def legal(self, state: S) -> Sequence[A]:
        """Lists every legal next step, in a fixed order, without duplicates. Empty only when the game is over."""

    @abstractmethod
    def apply(self, state: S, action: A) -> S:
        """Returns the state after a step. Raises IllegalMove, naming the rule, for a step that is not legal."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Returns the outcome by the position alone; None while the game goes on."""

    # --- its texts -------------------------------------------------------------------------------------------------

    @abstractmethod
    def encode(self, state: S) -> str:
        """Writes the position text of the rule book, for a state at the start of a turn (in APB also within a turn)."""

    @abstractmethod
    def decode(self, text: str, options: Options | None = None) -> S:
        """Reads the state of a position text. ``options`` supply the missing parts. Raises BadNotation."""

    @abstractmethod
    def format(self, state: S, steps: Sequence[A]) -> str:
        """Writes a whole or partial turn from ``state`` in canonical notation; for CHANCE the text of its outcome."""

    @abstractmethod
    def parse(self, state: S, text: str) -> tuple[A, ...]:
        """Reads the steps of a text from ``state``: a whole turn, or its beginning.

        Raises BadNotation, AmbiguousMove, or IllegalMove naming the rule that forbids it.
        """

    def replay_turn(self, state: S, text: str) -> tuple[tuple[A, ...], S]:
        """Returns the steps of a recorded turn or of a recorded CHANCE outcome, and the position after them.

        It returns and raises the same as ``parse`` and then ``apply``; a game overrides it to replay canonical texts
        fast.
        """
        steps = self.parse(state, text)
        for step in steps:
            state = self.apply(state, step)
        return steps, state

    # --- display ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def path(self, state: S, action: A) -> tuple[str, ...]:
        """Returns a step as successive menu choices, such as ``("13", "10")``; no path is a prefix of another.

        At most 25 different words may follow a prefix in any state; a word has at most 100 characters.
        """

    def notes(self, state: S, action: A) -> tuple[Note, ...]:
        """Returns the effects of a step besides its move: hits, pushes, … (keys ``<game>.does.*``), shown in menus."""
        del state, action
        return ()

    def loses_piece(self, state: S, action: A) -> bool:
        """Returns whether a step removes a piece of its own player from the game, to their harm."""
        del state, action
        return False

    def piece(self, state: S, action: A) -> Note | None:
        """Returns the name of the piece that a step moves.

        None if it is of the most common kind, or its place tells it.
        """
        del state, action
        return None

    @abstractmethod
    def marks(self, state: S, action: A) -> tuple[Mark, ...]:
        """Returns the cells that a step touches, for highlighting.

        The first has the kind ``from``, where the moving piece stood; a piece placed on the board has only ``to``. The
        picker shows the destination of a step: its ``to``, or else the last word of its ``path``, which is then a cell.
        A step that touches no cell has a ``path`` of one word.
        """

    def told(self, text: str, notes: Sequence[Note]) -> tuple[Note, ...]:
        """Returns the notes beside a recorded turn's ``text`` in the public message; none if the text says it all.

        ``notes``: those of the turn's steps.
        """
        del text, notes
        return ()

    def score(self, state: S, seat: Seat) -> Note | None:
        """Returns the score of a finished game in the game's own units, the ``seat``'s first; None if there is none.

        Its parameters are ``own`` and ``other``.
        """
        del state, seat
        return None

    def changes_board(self, state: S, action: A) -> bool:
        """Returns whether a seat's step moves anything on the board; a pass or a cube action does not."""
        return bool(self.marks(state, action))

    @abstractmethod
    def cells_in(self, seat: Seat, text: str) -> tuple[str, ...]:
        """Reads the cells that a text names, by their absolute names (see ``Mark``), in order.

        The text is a refused move or a parameter of its refusal, from the view of ``seat``. Other words are skipped.
        """

    # --- with defaults ---------------------------------------------------------------------------------------------

    def begins_with_luck(self, options: Options) -> bool:
        """Returns whether the game has dice, and so begins with a roll for the start. ``options`` are complete."""
        return self.to_act(self.start(options)) == CHANCE

    def weight(self, state: S, action: A) -> int:
        """Returns the odds of a CHANCE outcome, a positive whole number relative to the others."""
        del state, action
        return 1

    def turns(self, state: S) -> Sequence[tuple[tuple[A, ...], S]]:
        """Lists every whole turn from ``state``, one for each resulting position: its canonical steps, and that
        position.

        Only for games with ``enumerates_turns``. The default walks ``legal``; a game may override it with a faster way.
        """
        return walk_turns(self, state)

    def written_turns(self, state: S) -> Sequence[tuple[tuple[A, ...], str]]:
        """Lists the same turns, each with its text (``format``). A game may override it with a faster way."""
        return [(steps, self.format(state, steps)) for steps, _ in self.turns(state)]

    def outcome_by_history(self, history: Sequence[S], options: Options) -> Outcome | None:
        """Returns the outcome by rules about the whole game.

        ``history`` has the position at the start of each turn so far. Only for games with ``keeps_history``.
        """
        del options
        if self.repetition and history and history.count(history[-1]) >= self.repetition:
            return Outcome(DRAW_POINTS, "end.repetition")
        return None

    def resign_values(self, state: S, seat: Seat) -> tuple[int, ...]:
        """Returns the points that ``seat`` may resign for, in ascending order.

        The last is the most that it can still lose.
        """
        del state, seat
        return (1,)

    def without_score(self, state: S) -> S:
        """Returns the position without the score of the match, so that positions of all matches can be compared."""
        return state

    def automatic_action(self, state: S) -> A | None:
        """Returns the whole turn, of one step, of the actor's automatic play, such as rolling the dice.

        None if there is none.
        """
        del state
        return None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The rules by topic, each with an example; a game loads them on first use."""
        return ()

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The guided tour through the special rules of the game, from easy to hard; loaded on first use."""
        return ()

    def settle_options(self, given: Options) -> dict[str, OptionValue]:
        """Fills in defaults for the options not given. Raises RuleError for an unknown option or a bad value."""
        known = {option.key: option for option in self.options}
        for key in given:
            if key not in known:
                choosable = [option.key for option in self.options if not option.by_match]
                raise RuleError("option.unknown", option=key, options=", ".join(choosable))
        return {key: option.read(given.get(key, option.default)) for key, option in known.items()}


def walk_turns(game: Game[S, A], state: S) -> list[tuple[tuple[A, ...], S]]:
    """Lists every whole turn of the actor: the first one for each resulting position, in the order of ``legal``."""
    actor = game.to_act(state)
    if actor is None:
        return []
    found: dict[S, tuple[A, ...]] = {}
    seen: set[S] = set()

    def walk(at: S, steps: tuple[A, ...]) -> None:
        for step in game.legal(at):
            after = game.apply(at, step)
            if game.to_act(after) != actor:
                found.setdefault(after, (*steps, step))
            elif after not in seen:
                seen.add(after)
                walk(after, (*steps, step))

    walk(state, ())
    return [(steps, after) for after, steps in found.items()]
