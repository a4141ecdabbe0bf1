"""The answer to the next double, laid down ahead: for the other's coming turn alone, or until a double comes. Pure."""

from collections.abc import Sequence
from typing import Any, Final

from bot.conditional.logic.move import ConditionalMove
from bot.conditional.logic.tree import Followed, below, played
from engine.core.errors import Refused
from engine.core.game import Seat
from engine.core.record import TURN_KINDS, Kind
from engine.core.table import Table
from engine.core.timekeeping import SYSTEM_KINDS
from engine.kits.cube import ON, Call, barred

ANSWERS: Final = (Call.TAKE, Call.PASS)


def has_cube(table: Table[Any, Any]) -> bool:
    """Whether there is a cube in the game."""
    return bool(table.options.get("cube") == ON)


def is_asked(table: Table[Any, Any], seat: Seat) -> bool:
    """Whether ``seat`` has been offered a double and is to answer."""
    return table.to_act == seat and _is_offered(table.game.legal(table.state))


def may_be_doubled(table: Table[Any, Any], seat: Seat) -> bool:
    """Whether the other side could offer a double at its next turn, as the cube lies now."""
    return has_cube(table) and barred(table.state.fields, 1 - seat) is None


def why_no_answer(table: Table[Any, Any], seat: Seat) -> Refused | None:
    """Why no answer can be laid down in a game that goes on; None if one can."""
    if not has_cube(table):
        return Refused("conditional.no_cube", game=table.game.name)
    return Refused("conditional.answer_now") if is_asked(table, seat) else None


def follow_doubles(
    moves: Sequence[ConditionalMove], seat: Seat, before: Table[Any, Any], after: Table[Any, Any]
) -> Followed:
    """The standing answer of ``seat`` at the table ``before``, once its record has grown to ``after``.

    One for the coming turn alone has missed its case when dice fall for the other side. A turn that is taken back
    brings no answer back.
    """
    move = next(iter(below(moves, None)), None)
    asked: ConditionalMove | None = None
    coming: ConditionalMove | None = move
    if is_asked(before, seat):
        asked, coming = move, None
    game, state, sound, lost = before.game, before.state, True, False
    for entry in after.record.entries[before.seq :]:
        if entry.kind in SYSTEM_KINDS or lost:
            continue
        ahead = entry.seat == seat and entry.kind is Kind.CONDITIONAL
        if entry.kind is Kind.ACCEPT and entry.body == "takeback":
            lost = True  # the position is another: nothing is compared with it
            coming, asked = asked or coming, None
        elif entry.kind is Kind.CHANCE:
            (roll,) = game.parse(state, entry.body.split(" ")[0])
            state = game.apply(state, roll)
            if game.to_act(state) != seat and coming is not None and not coming.persistent:
                coming = None
        elif entry.kind in TURN_KINDS:
            answers = entry.seat == seat and _is_offered(game.legal(state))
            state = played(game, state, entry.body)
            if ahead:
                sound = sound and answers and asked is not None and entry.body == asked.reply
            if answers:
                asked = None
            elif _is_offered(game.legal(state)) and game.to_act(state) == seat:
                asked, coming = coming, None
    return Followed(asked, () if coming is None else (coming,), sound=sound)


def _is_offered(legal: Sequence[Any]) -> bool:
    return Call.TAKE in legal
