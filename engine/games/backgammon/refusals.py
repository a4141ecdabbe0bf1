"""The rule that forbids a step. Every refusal of backgammon.md, Turn, has its own key."""

from typing import Final

from engine.core.errors import IllegalMove
from engine.games.backgammon.board import BAR, OFF, State, farthest, over, sides
from engine.games.backgammon.masks import Move
from engine.games.backgammon.moves import PASS, Action, dice_that_play, die_of, legal_moves, most_dice, moved, without
from engine.games.backgammon.notation import step_text, write
from engine.games.backgammon.turns import whole_turns
from engine.kits import cube
from engine.kits.cube import CubeAction
from engine.kits.dice import OPENINGS, ROLLS, Roll

_HOME: Final = 6


def refusal(state: State, action: Action) -> IllegalMove | None:
    """Returns the refusal of an illegal step; None if the step is legal."""
    if over(state):
        return IllegalMove("backgammon.over")
    if isinstance(action, CubeAction):
        return cube.refusal(state, action)
    if state.roll is None and (due := cube.missing_cube_action(state)) is not None:
        return due
    if isinstance(action, Roll):
        if state.roll is not None:
            return IllegalMove("backgammon.rolled_already", roll=state.roll.told)
        known = action in (OPENINGS if state.opening else ROLLS)
        return None if known else IllegalMove("backgammon.no_such_roll", roll=action.told)
    if state.roll is None:
        return IllegalMove("backgammon.roll_first")
    own, other = sides(state)
    legal = legal_moves(own, other, state.dice)
    if action in legal or (action == PASS and not legal):
        return None
    if action == PASS:
        return IllegalMove("backgammon.may_not_pass", play=_example(state))
    return obstacle(own, other, state.dice, action) or _wasted(state, action)


def obstacle(own: int, other: int, dice: tuple[int, ...], move: Move) -> IllegalMove | None:
    """Explains why a move alone is impossible, whatever the rest of the turn; None if it is possible."""
    source, target = move
    if (absent := no_checker(own, source)) is not None:
        return absent
    if not OFF <= target < source:
        return IllegalMove("backgammon.wrong_way", step=step_text(move))
    serving = dice_that_play(move, dice)
    if not serving:
        return no_die(move, dice)
    if target != OFF:
        blocked = other >> 4 * (25 - target) & 15 > 1
        return IllegalMove("backgammon.blocked", point=target) if blocked else None
    highest = farthest(own)
    if highest > _HOME:
        return IllegalMove("backgammon.not_home", point=highest)
    if source not in serving and highest > source:
        return IllegalMove("backgammon.higher_checker", point=source, higher=highest)
    return None


def no_checker(own: int, source: int) -> IllegalMove | None:
    """Explains why no checker can leave the point ``source`` (or the bar) now; None if one can."""
    waiting = own >> 4 * BAR & 15
    if source == BAR:
        return None if waiting else IllegalMove("backgammon.bar_empty")
    if waiting:
        return IllegalMove("backgammon.bar_first", cell="bar")
    if not OFF < source < BAR or not own >> 4 * source & 15:
        return IllegalMove("backgammon.no_checker", point=source)
    return None


def no_die(move: Move, dice: tuple[int, ...]) -> IllegalMove:
    return IllegalMove("backgammon.no_die", step=step_text(move), dice=" ".join(map(str, dice)))


def _wasted(state: State, move: Move) -> IllegalMove:
    """Refuses a move that is possible but would leave dice unplayed (Turn 4)."""
    own, other = sides(state)
    most = most_dice(own, other, state.dice)
    die = die_of(move, state.dice)
    if 1 + most_dice(*moved(own, other, move), without(state.dice, die)) < most:
        return IllegalMove("backgammon.more_dice", dice=most, play=_example(state))
    return IllegalMove("backgammon.higher_die", die=max(state.dice), play=_example(state))


def _example(state: State) -> str:
    return write(state, whole_turns(state)[0][0])
