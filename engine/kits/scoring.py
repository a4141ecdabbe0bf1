"""The points of a game of the backgammon family (backgammon.md, Score, Cube and matches)."""

from typing import Final

from engine.core.game import Note, Outcome, Seat, win
from engine.kits.cube import CubeAction, after_cube_action, beaver_refusal
from engine.kits.xgid import Doubling, MatchFields, number_of

SINGLE: Final = 1
GAMMON: Final = 2
BACKGAMMON: Final = 3
REASONS: Final = {SINGLE: "end.single", GAMMON: "end.gammon", BACKGAMMON: "end.backgammon"}


def jacoby(fields: MatchFields) -> bool:
    """Returns whether gammons count single: unlimited play, Jacoby flag set (odd ``rules``), cube not turned yet."""
    return fields.length == "0" and fields.cube == "0" and number_of(fields.rules) % 2 == 1


def level(*, borne_off: bool, far: bool) -> int:
    """Returns SINGLE, GAMMON or BACKGAMMON, by the loser's checkers.

    ``borne_off``: at least one is borne off. ``far``: at least one is on the bar or in the winner's home board.
    """
    if borne_off:
        return SINGLE
    return BACKGAMMON if far else GAMMON


def outcome(seat: Seat, lost: int, fields: MatchFields) -> Outcome:
    """Makes the outcome in which ``seat`` wins a game of the level ``lost`` (SINGLE to BACKGAMMON), times the cube."""
    counted = SINGLE if jacoby(fields) else lost
    return win(seat, counted * fields.cube_value, REASONS[counted])


def borne_off_note(own: int, other: int) -> Note | None:
    """Writes the score in checkers borne off (``Game.score``); None before any is."""
    return None if own == other == 0 else Note("score.borne_off", {"own": own, "other": other})


def resign_values(most: int, fields: MatchFields, *, seat: Seat, turn: Seat) -> tuple[int, ...]:
    """Lists the points that ``seat`` may resign for, ascending.

    ``most`` (SINGLE to BACKGAMMON) is the worst possible loss, ``turn`` the seat to roll. While its double is not
    answered, the other seat loses at most the price of a pass. It may itself lose the value of the cube after a take
    or, if allowed, a beaver.
    """
    if fields.doubling is not Doubling.OFFERED:
        return _sizes(most, fields)
    if seat != turn:
        return (fields.cube_value,)
    answers = (CubeAction.TAKE,) if beaver_refusal(fields) else (CubeAction.TAKE, CubeAction.BEAVER)
    turned = (after_cube_action(fields, turn, answer) for answer in answers)
    return tuple(sorted({points for after in turned for points in _sizes(most, after)}))


def _sizes(most: int, fields: MatchFields) -> tuple[int, ...]:
    counted = SINGLE if jacoby(fields) else most
    return tuple(size * fields.cube_value for size in range(SINGLE, counted + 1))
