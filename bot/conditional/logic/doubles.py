"""The conditional answer to the next double: for the opponent's next turn only, or until a double comes. Pure."""

from collections.abc import Sequence
from typing import Any, Final

from bot.conditional.logic.move import ConditionalMove
from bot.conditional.logic.tree import Followed, below, position_after
from engine.core.errors import Refused
from engine.core.game import Seat
from engine.core.record import TURN_KINDS, Kind
from engine.core.table import Table
from engine.core.timekeeping import SYSTEM_KINDS
from engine.kits.cube import ON, CubeAction, double_refusal

ANSWERS: Final = (CubeAction.TAKE, CubeAction.PASS)


def has_cube(table: Table[Any, Any]) -> bool:
    return bool(table.options.get("cube") == ON)


def must_answer_double(table: Table[Any, Any], seat: Seat) -> bool:
    """Returns whether ``seat`` has been offered a double and is to answer."""
    return table.to_act == seat and _is_offered(table.game.legal(table.state))


def may_be_doubled(table: Table[Any, Any], seat: Seat) -> bool:
    """Returns whether the opponent may double at their next turn, by the present state of the cube."""
    return has_cube(table) and double_refusal(table.state.fields, 1 - seat) is None


def why_no_answer(table: Table[Any, Any], seat: Seat) -> Refused | None:
    """Returns the refusal if no answer to a double can be set in a running game, else None."""
    if not has_cube(table):
        return Refused("conditional.no_cube", game=table.game.name)
    return Refused("conditional.answer_now") if must_answer_double(table, seat) else None


def follow_doubles(
    moves: Sequence[ConditionalMove], seat: Seat, before: Table[Any, Any], after: Table[Any, Any]
) -> Followed:
    """Returns the conditional answer of ``seat`` after the entries between the tables ``before`` and ``after``.

    An answer for the next turn only lapses when the opponent rolls without doubling. A takeback does not restore an
    answer that was used or has lapsed.
    """
    move = next(iter(below(moves, None)), None)
    pending: ConditionalMove | None = None
    upcoming: ConditionalMove | None = move
    if must_answer_double(before, seat):
        pending, upcoming = move, None
    game, state, consistent, lost = before.game, before.state, True, False
    for entry in after.record.entries[before.seq :]:
        if entry.kind in SYSTEM_KINDS or lost:
            continue
        conditional = entry.seat == seat and entry.kind is Kind.CONDITIONAL
        if entry.kind is Kind.ACCEPT and entry.body == "takeback":
            lost = True  # the position differs, so later entries cannot be followed
            upcoming, pending = pending or upcoming, None
        elif entry.kind is Kind.CHANCE:
            (roll,) = game.parse(state, entry.body.split(" ")[0])
            state = game.apply(state, roll)
            if game.to_act(state) != seat and upcoming is not None and not upcoming.persistent:
                upcoming = None
        elif entry.kind in TURN_KINDS:
            answers = entry.seat == seat and _is_offered(game.legal(state))
            state = position_after(game, state, entry.body)
            if conditional:
                consistent = consistent and answers and pending is not None and entry.body == pending.reply
            if answers:
                pending = None
            elif _is_offered(game.legal(state)) and game.to_act(state) == seat:
                pending, upcoming = upcoming, None
    return Followed(pending, () if upcoming is None else (upcoming,), consistent=consistent)


def _is_offered(legal: Sequence[Any]) -> bool:
    return CubeAction.TAKE in legal
