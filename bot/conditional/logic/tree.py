"""A player's conditional moves as a tree, and its course through a game. Pure: no database, no Discord.

Turns are compared by the positions they lead to, whatever their notation or order of steps.
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
"""The reply that resigns the game instead of playing a turn."""
OTHER: Final = "other"
ILLEGAL: Final = "illegal"
BREAKS: Final[Mapping[str, str]] = {TAKEBACK: "takeback", ADJOURN: "clock"}
"""The agreements that drop all conditional moves, and the reason that a notification gives for each."""


def whole_turn(game: Game[Any, Any], state: Any, turn: str | Sequence[Any]) -> tuple[tuple[Any, ...], Any]:
    """Returns the steps of a whole turn, given as steps or as text, and the position after it. Raises RuleError."""
    steps, after = game.parse(state, turn) if isinstance(turn, str) else tuple(turn), state
    for step in steps:
        after = game.apply(after, step)
    if game.to_act(after) == game.to_act(state):
        raise IllegalMove("table.unfinished", played=turn if isinstance(turn, str) else game.format(state, steps))
    return steps, after


def position_after(game: Game[Any, Any], state: Any, text: str) -> Any:
    return whole_turn(game, state, text)[1]


def position_if_legal(game: Game[Any, Any], state: Any, text: str) -> Any:
    """Returns the position after a whole turn; None if it cannot be played."""
    try:
        return position_after(game, state, text)
    except RuleError:
        return None


@dataclass(frozen=True, slots=True)
class Tree:
    """The conditional moves of ``seat`` from the position ``state``, in which the opponent is to act."""

    game: Game[Any, Any]
    state: Any
    seat: Seat
    moves: tuple[ConditionalMove, ...]

    def get(self, move_id: int) -> ConditionalMove:
        """Returns the move with this id. Raises Refused if it is gone or not this player's."""
        for move in self.moves:
            if move.id == move_id:
                return move
        raise Refused("conditional.gone")

    def below(self, after: int | None) -> tuple[ConditionalMove, ...]:
        """Returns the moves whose condition comes after the reply of the move ``after``; None for those of the next
        turn.
        """
        return below(self.moves, after)

    def branch(self, move: ConditionalMove) -> frozenset[int]:
        """Returns the ids of a move and of all moves after it."""
        return branches(self.moves, [move])

    def line(self, move_id: int) -> tuple[ConditionalMove, ...]:
        """Returns the moves from the next turn to this one. Raises Refused."""
        found = [self.get(move_id)]
        while (parent_id := found[0].parent_id) is not None:
            found.insert(0, self.get(parent_id))
        return tuple(found)

    def before_condition(self, move: ConditionalMove) -> Any:
        """Returns the position in which the opponent plays the condition. Raises RuleError."""
        return self.state if move.parent_id is None else self.after_reply(self.get(move.parent_id))

    def after_condition(self, move: ConditionalMove) -> Any:
        """Returns the position in which the reply is played. Raises RuleError."""
        return position_after(self.game, self.before_condition(move), move.condition)

    def after_reply(self, move: ConditionalMove) -> Any:
        """Returns the position after the reply, with the opponent to act. Raises RuleError."""
        if move.reply is None or move.reply == RESIGN:
            raise Refused("conditional.gone")
        return position_after(self.game, self.after_condition(move), move.reply)


def below(moves: Iterable[ConditionalMove], after: int | None) -> tuple[ConditionalMove, ...]:
    return tuple(move for move in moves if move.parent_id == after)


def branches(moves: Sequence[ConditionalMove], roots: Iterable[ConditionalMove]) -> frozenset[int]:
    """Returns the ids of some moves and of all moves after them."""
    found = {move.id for move in roots}
    for move in moves:  # in the order of creation: parents first
        if move.parent_id in found:
            found.add(move.id)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Followed:
    """A player's conditional moves after new entries of the game."""

    pending: ConditionalMove | None = None
    """The move whose condition was played, while its reply is still to be played."""
    upcoming: tuple[ConditionalMove, ...] = ()
    """The moves for the opponent's next turn."""
    reason: str = ""
    """The reason why the moves were dropped, as a key of the notification; empty if the player's own turn left the
    tree.
    """
    move: str = ""
    """The opponent's turn that met no condition."""
    consistent: bool = True
    """Whether each conditional turn or resignation in the new entries agrees with the tree."""

    @property
    def roots(self) -> tuple[ConditionalMove, ...]:
        pending = (self.pending,) if self.pending and self.pending.reply is not None else ()
        return pending or self.upcoming


def follow(moves: Sequence[ConditionalMove], seat: Seat, before: Table[Any, Any], after: Table[Any, Any]) -> Followed:
    """Returns the conditional moves of ``seat`` after the entries between the tables ``before`` and ``after``."""
    roots = below(moves, None)
    pending: ConditionalMove | None = roots[0] if roots and before.to_act == seat else None
    upcoming: tuple[ConditionalMove, ...] = () if pending else roots
    game, state = before.game, before.state
    reason, move, consistent, commanded = "", "", True, False
    for entry in after.record.entries[before.seq :]:
        if entry.kind in SYSTEM_KINDS:
            continue
        own, word = entry.seat == seat, entry.body.partition(" ")[0]
        # the first entry is the command's own; a resignation after it is a conditional one
        conditional = own and (entry.kind is Kind.CONDITIONAL or (entry.kind is Kind.RESIGN and commanded))
        commanded = True
        if pending is None and not upcoming:
            consistent = consistent and not conditional
        elif entry.kind is Kind.ACCEPT and word in BREAKS:
            reason, pending, upcoming = BREAKS[word], None, ()
        elif entry.kind is Kind.RESIGN:
            consistent = consistent and (not conditional or (pending is not None and pending.reply == RESIGN))
        elif entry.kind in TURN_KINDS:
            then = position_after(game, state, entry.body)
            if own:
                fits = pending is not None and _replies(game, state, pending) == then
                consistent = consistent and (fits or not conditional)
                upcoming = below(moves, pending.id) if pending is not None and fits else ()
                pending = None
            else:
                pending = next(
                    (move for move in upcoming if position_if_legal(game, state, move.condition) == then), None
                )
                reason, move = ("", "") if pending else (OTHER, entry.body)
                upcoming = ()
            state = then
    return Followed(pending, upcoming, reason, move, consistent)


def _replies(game: Game[Any, Any], state: Any, move: ConditionalMove) -> Any:
    """Returns the position after the reply of a move whose condition was played; None for RESIGN or an illegal turn."""
    return None if move.reply in {None, RESIGN} else position_if_legal(game, state, str(move.reply))
