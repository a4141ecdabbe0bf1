"""The rule that forbids a step. Every refusal of the rule book has its own key. Points have the mover's numbers."""

from typing import NamedTuple, TypeAlias

from engine.core.errors import IllegalMove
from engine.games.abak.board import BACKWARD, BAR, CLASSES, FORWARD, OFF, State, over
from engine.games.abak.keys import named
from engine.games.abak.moves import (
    BLOCK,
    EVEN,
    FULL,
    FULL_GUARD,
    GENERAL,
    GUARD,
    HALF,
    LANDS,
    LONE_GUARD,
    NONE,
    PARITY,
    PASS,
    SIDES,
    Step,
    View,
    general_after,
    node_of,
    play,
)
from engine.games.abak.turns import reaches, steps, tree
from engine.kits import cube
from engine.kits.cube import CubeAction
from engine.kits.dice import OPENINGS, ROLLS, Roll

Choice: TypeAlias = Step | CubeAction | Roll


class Hop(NamedTuple):
    """A typed move of one stone: from, to, and its class if the text names it."""

    source: int
    point: int
    stone: str = ""

    def __str__(self) -> str:
        source = f"bar:{self.stone}".rstrip(":") if self.source == BAR else str(self.source)
        return f"{source}/{self.point or 'off'}"


def refusal(state: State, action: Choice) -> IllegalMove | None:
    """Returns the refusal of an illegal step; None if the step is legal."""
    if over(state):
        return IllegalMove("abak.over")
    if isinstance(action, CubeAction):
        return cube.refusal(state, action)
    if state.roll is None and (due := cube.missing_cube_action(state)) is not None:
        return due
    if isinstance(action, Roll):
        if state.roll is not None:
            return IllegalMove("abak.rolled_already", roll=state.roll.told)
        known = action in (OPENINGS if state.opening else ROLLS)
        return None if known else IllegalMove("abak.no_such_roll", roll=action.told)
    if state.roll is None:
        return IllegalMove("abak.roll_first")
    legal = steps(state)
    if action in legal or (action == PASS and not legal):
        return None
    if action == PASS:
        return IllegalMove("abak.may_not_pass", play=example(state))
    first = Hop(action.source, action.point, action.stone)
    if action.second:
        return _pair_refused(state, first, Hop(action.second_source, action.point, action.second), action)
    return _single_refused(state, first, action.die)


def hop_refused(state: State, hop: Hop) -> IllegalMove:
    """Explains why one stone may not make a hop that no legal step makes."""
    return _single_refused(state, hop, None)


def pair_refused(state: State, first: Hop, second: Hop) -> IllegalMove:
    """Explains why two stones may not capture a guard together."""
    return _pair_refused(state, first, second, None)


def example(state: State) -> str:
    return min(line[0] for line in tree(state).ends.values())


def _view(state: State) -> View:
    return View(SIDES[state.turn], node_of(state), state.general)


def _single_refused(state: State, hop: Hop, given_die: int | None) -> IllegalMove:
    """Explains why one stone may not make a hop; ``given_die`` is the die if the step gives it."""
    view = _view(state)
    die = _die_for(hop, state.dice) if given_die is None else given_die
    if die not in state.dice:
        return _source_refused(view, hop) or _direction_refused(view, hop) or _no_die(state, str(hop))
    refused = _hop_refused(view, hop, die)
    if refused is not None:
        return refused
    stone = _stone(view, hop)
    if LANDS[stone][hop.point][view.faces[hop.point]] == HALF:
        return IllegalMove("abak.guard_blocks", point=hop.point)
    return _wasted(state, [(stone, hop.source, hop.point, die)])


def _pair_refused(state: State, first: Hop, second: Hop, given: Step | None) -> IllegalMove:
    if first.point != second.point:
        return IllegalMove("abak.pair_points", first=first.point, second=second.point)
    view = _view(state)
    point = first.point
    if not OFF < point < BAR or view.faces[point] not in {LONE_GUARD, FULL_GUARD}:
        return IllegalMove("abak.pair_no_guard", point=point)
    if view.faces[point] == FULL_GUARD:
        return IllegalMove("abak.pair_full", point=point)
    dice = (given.die, given.second_die) if given else (_die_for(first, state.dice), abs(second.source - point))
    left = list(state.dice)
    for hop, die in ((first, dice[0]), (second, dice[1])):
        if die not in left:
            return _source_refused(view, hop) or (
                IllegalMove("abak.pair_dice", point=point) if die in state.dice else _no_die(state, str(hop))
            )
        left.remove(die)
    refused = _hop_refused(view, first, dice[0])
    if refused is not None:
        return refused
    stone = _stone(view, first)
    if LANDS[stone][point][LONE_GUARD] != HALF:
        return _no_half(stone, point)
    half = (stone, first.source, point, dice[0], HALF)
    node = play(view.side, node_of(state), half)
    halfway = View(view.side, node, general_after(state.general, (half,)))
    refused = _hop_refused(halfway, second, dice[1])
    if refused is not None:
        return refused
    other = _stone(halfway, second)
    if LANDS[other][point][LONE_GUARD] != HALF:
        return _no_half(other, point)
    return _wasted(state, [half[:4], (other, second.source, point, dice[1])])


def _no_half(stone: int, point: int) -> IllegalMove:
    return IllegalMove("abak.pair_guard" if stone == GUARD else "abak.pair_druid", point=point)


def _stone(view: View, hop: Hop) -> int:
    """Returns the class that moves, if ``_source_refused`` allows it."""
    if hop.source != BAR:
        return view.faces[hop.source] % FULL
    return CLASSES.index(hop.stone) + 1 if hop.stone else view.side.number[view.bar[0]]


def _die_for(hop: Hop, dice: tuple[int, ...]) -> int:
    """Finds the die of a hop: its length, or the least of those that bear the stone off."""
    if hop.point != OFF or hop.source in dice:
        return abs(hop.source - hop.point)
    return min((die for die in dice if die > hop.source), default=hop.source)


def _no_die(state: State, step: str) -> IllegalMove:
    return IllegalMove("abak.no_die", step=step, dice=" ".join(map(str, state.dice)))


def _hop_refused(view: View, hop: Hop, die: int) -> IllegalMove | None:
    """Explains why a landing alone is impossible; None if it is not. A lone guard is no obstacle here."""
    return _source_refused(view, hop) or _direction_refused(view, hop) or _landing_refused(view, hop, die)


def _source_refused(view: View, hop: Hop) -> IllegalMove | None:
    if hop.source == BAR:
        if not view.bar:
            return IllegalMove("abak.bar_empty")
        waiting = hop.stone in view.bar.upper()
        return None if waiting else IllegalMove("abak.not_on_bar", stone=named(hop.stone))
    if hop.source > BAR:
        return IllegalMove("abak.no_point", point=hop.source)
    if view.bar:
        return IllegalMove("abak.bar_first", cell="bar")
    if not OFF < hop.source < BAR or not view.side.holds[view.columns[hop.source]]:
        return IllegalMove("abak.no_stone", point=hop.source)
    face = view.faces[hop.source]
    if face < 0:
        return IllegalMove("abak.covered", point=hop.source)
    if hop.stone not in {"", CLASSES[face % FULL - 1]}:
        return IllegalMove("abak.other_stone", point=hop.source, stone=named(CLASSES[face % FULL - 1]))
    return None


def _direction_refused(view: View, hop: Hop) -> IllegalMove | None:
    stone = _stone(view, hop)
    if stone == GENERAL and hop.source != BAR and view.general == BACKWARD:
        return IllegalMove("abak.general_went_back")
    if hop.point <= hop.source:
        return None
    if stone != GENERAL:
        if hop.point >= BAR:
            return IllegalMove("abak.no_point", point=hop.point)
        return IllegalMove("abak.only_general_back", stone=named(CLASSES[stone - 1]))
    if hop.point >= BAR:
        return IllegalMove("abak.general_past")
    if view.general == FORWARD:
        return IllegalMove("abak.general_went_forward")
    return None if view.comrades_out() else IllegalMove("abak.general_comrades_home")


def _landing_refused(view: View, hop: Hop, die: int) -> IllegalMove | None:
    stone = _stone(view, hop)
    if abs(hop.source - hop.point) != die and not (hop.point == OFF and die > hop.source):
        return IllegalMove("abak.no_die", step=str(hop), dice=str(die))
    if hop.point == OFF:
        return _bearing_off_refused(view, hop.source, die)
    if hop.source != BAR and not PARITY[stone][die]:
        return IllegalMove("abak.even_die" if stone == EVEN else "abak.odd_die", die=die)
    face = view.faces[hop.point]
    if LANDS[stone][hop.point][face] != NONE:
        return None
    key = {BLOCK: "abak.blocked", FULL_GUARD: "abak.pair_full"}.get(face, "abak.five_stones")
    return IllegalMove(key, point=hop.point)


def _bearing_off_refused(view: View, source: int, die: int) -> IllegalMove | None:
    if not view.at_home:
        out = next(point for point in range(24, 6, -1) if view.side.holds[view.columns[point]])
        prisoner = view.faces[out] < 0
        return IllegalMove("abak.prisoner_out" if prisoner else "abak.not_home", point=out)
    if die > source and view.higher_own(source):
        higher = max(point for point in range(1, 7) if view.side.holds[view.columns[point]])
        return IllegalMove("abak.higher_stone", point=source, higher=higher)
    return None


def _wasted(state: State, asked: list[tuple[int, int, int, int]]) -> IllegalMove:
    """Refuses moves that are possible but would leave dice unplayed (backgammon.md, Turn 4)."""
    found = reaches(state)
    most = max(reach.dice for reach in found)
    reach = next((reach for reach in found if [move[:4] for move in reach.action] == asked), None)
    if reach is None:
        return IllegalMove("abak.lower_die", die=min(state.dice))
    if reach.dice < most:
        return IllegalMove("abak.more_dice", dice=most, play=example(state))
    return IllegalMove("abak.higher_die", die=max(state.dice), play=example(state))
