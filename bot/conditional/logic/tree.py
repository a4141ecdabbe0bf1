"""A player's moves as a tree, and how the course of a game is followed in it. Pure: no database, no Discord.

Turns are compared by the positions they lead to: other words, or steps in another order, are the same turn.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.conditional.logic.move import ConditionalMove
from engine.core.errors import IllegalMove, Refused, RuleError
from engine.core.game import Game, Seat
from engine.core.offers import ADJOURN
from engine.core.record import TURN_KINDS, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK
from engine.core.timekeeping import SYSTEM_KINDS

RESIGN: Final = "resign"
"""A reply that is no turn: the game is given up."""
OTHER: Final = "other"
ILLEGAL: Final = "illegal"
BREAKS: Final[Mapping[str, str]] = {TAKEBACK: "takeback", ADJOURN: "clock"}
"""What is agreed on that ends all moves, and how a notification calls it."""


def whole_turn(game: Game[Any, Any], state: Any, turn: str | Sequence[Any]) -> tuple[tuple[Any, ...], Any]:
    """The steps of a whole turn, given as such or as text, and the position after it. Raises RuleError."""
    steps, after = game.parse(state, turn) if isinstance(turn, str) else tuple(turn), state
    for step in steps:
        after = game.apply(after, step)
    if game.to_act(after) == game.to_act(state):
        raise IllegalMove("table.unfinished", played=turn if isinstance(turn, str) else game.format(state, steps))
    return steps, after


def played(game: Game[Any, Any], state: Any, text: str) -> Any:
    """The position after a whole turn. Raises RuleError."""
    return whole_turn(game, state, text)[1]


def reached(game: Game[Any, Any], state: Any, text: str) -> Any:
    """The same; None where it cannot be played."""
    try:
        return played(game, state, text)
    except RuleError:
        return None


@dataclass(frozen=True, slots=True)
class Tree:
    """The moves of ``seat`` from the position ``state``, in which the other side is to act."""

    game: Game[Any, Any]
    state: Any
    seat: Seat
    moves: tuple[ConditionalMove, ...]

    def get(self, move_id: int) -> ConditionalMove:
        """Raises Refused: it is gone, or was never this player's."""
        for move in self.moves:
            if move.id == move_id:
                return move
        raise Refused("conditional.gone")

    def below(self, after: int | None) -> tuple[ConditionalMove, ...]:
        """What is planned for the turn after a move, or for the very next one."""
        return below(self.moves, after)

    def branch(self, move: ConditionalMove) -> frozenset[int]:
        """The ids of a move and of all that come after it."""
        return branches(self.moves, [move])

    def line(self, move_id: int) -> tuple[ConditionalMove, ...]:
        """The moves from the next turn to this one. Raises Refused."""
        found = [self.get(move_id)]
        while (parent_id := found[0].parent_id) is not None:
            found.insert(0, self.get(parent_id))
        return tuple(found)

    def before(self, move: ConditionalMove) -> Any:
        """The position in which the other plays ``conditional.condition``. Raises RuleError."""
        return self.state if move.parent_id is None else self.after(self.get(move.parent_id))

    def asked(self, move: ConditionalMove) -> Any:
        """The position in which the reply is played. Raises RuleError."""
        return played(self.game, self.before(move), move.condition)

    def after(self, move: ConditionalMove) -> Any:
        """The position after the reply, the other side to act. Raises RuleError."""
        if move.reply is None or move.reply == RESIGN:
            raise Refused("conditional.gone")
        return played(self.game, self.asked(move), move.reply)


def below(moves: Iterable[ConditionalMove], after: int | None) -> tuple[ConditionalMove, ...]:
    return tuple(move for move in moves if move.parent_id == after)


def branches(moves: Sequence[ConditionalMove], tops: Iterable[ConditionalMove]) -> frozenset[int]:
    """The ids of some moves and of all that come after them."""
    found = {move.id for move in tops}
    for move in moves:  # in the order in which they were made: parents first
        if move.parent_id in found:
            found.add(move.id)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a tree stands after what has been added to a game."""

    asked: ConditionalMove | None = None
    """Its case has come; the reply is still to be played."""
    coming: tuple[ConditionalMove, ...] = ()
    """What is planned for the other's next turn."""
    left: str = ""
    """Why the moves are gone although the player did not go another way: a reason of the notification."""
    move: str = ""
    """The turn by which the other left them."""
    sound: bool = True
    """Whether each planned turn that was played is what the tree says."""

    @property
    def tops(self) -> tuple[ConditionalMove, ...]:
        """What stays of the tree."""
        asked = (self.asked,) if self.asked and self.asked.reply is not None else ()
        return asked or self.coming


def follow(moves: Sequence[ConditionalMove], seat: Seat, before: Table[Any, Any], after: Table[Any, Any]) -> Followed:
    """The moves of ``seat``, made at the table ``before``, once its record has grown to ``after``."""
    tops = below(moves, None)
    asked: ConditionalMove | None = tops[0] if tops and before.to_act == seat else None
    coming: tuple[ConditionalMove, ...] = () if asked else tops
    game, state = before.game, before.state
    left, move, sound, commanded = "", "", True, False
    for entry in after.record.entries[before.seq :]:
        if entry.kind in SYSTEM_KINDS:
            continue
        own, word = entry.seat == seat, entry.body.partition(" ")[0]
        # what a player does by command comes first in what is added at once: they resign later only by a plan
        ahead = own and (entry.kind is Kind.CONDITIONAL or (entry.kind is Kind.RESIGN and commanded))
        commanded = True
        if asked is None and not coming:
            sound = sound and not ahead
        elif entry.kind is Kind.ACCEPT and word in BREAKS:
            left, asked, coming = BREAKS[word], None, ()
        elif entry.kind is Kind.RESIGN:
            sound = sound and (not ahead or (asked is not None and asked.reply == RESIGN))
        elif entry.kind in TURN_KINDS:
            then = played(game, state, entry.body)
            if own:
                fits = asked is not None and _replies(game, state, asked) == then
                sound = sound and (fits or not ahead)
                coming = below(moves, asked.id) if asked is not None and fits else ()
                asked = None
            else:
                asked = next((move for move in coming if reached(game, state, move.condition) == then), None)
                left, move = ("", "") if asked else (OTHER, entry.body)
                coming = ()
            state = then
    return Followed(asked, coming, left, move, sound)


def _replies(game: Game[Any, Any], state: Any, move: ConditionalMove) -> Any:
    """The position after the reply of a move whose case has come; None if it is no turn, or cannot be played."""
    return None if move.reply in {None, RESIGN} else reached(game, state, str(move.reply))
