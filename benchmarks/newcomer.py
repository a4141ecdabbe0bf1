"""Careful newcomers: simple rules of play for somebody who has just read the rules, as a yardstick for level 1."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.ai.apb.clearing import wins
from engine.core.game import CHANCE, Game, Seat
from engine.games.abak.board import BAR, letters, seen_from
from engine.games.abalone.board import BITS
from engine.games.abalone.moves import plays

BLOT, POINT, HIT, OFF, REAR = -2.0, 1.0, 1.5, 1.0, -0.05
EJECTED, CAN_BE_EJECTED, WON = 20.0, -15.0, 100.0


def own_counts(state: Any, seat: Seat) -> tuple[list[int], list[int]]:
    """Counts the checkers of the seat and of the other side by the seat's own points: 0 is the other's bar,
    25 its own.
    """
    points = state.points
    if seat:
        points = [-count for count in reversed(points)]
    return [max(count, 0) for count in points], [max(-count, 0) for count in points]


def safe_backgammon(state: Any, seat: Seat) -> float:
    own, other = own_counts(state, seat)
    blots = sum(count == 1 and any(other[: point + 1]) for point, count in enumerate(own) if point < BAR)
    held = sum(count > 1 for count in own[1:BAR])
    rear = max((point for point, count in enumerate(own) if count), default=0)
    return BLOT * blots + POINT * held + HIT * other[0] + OFF * state.off[seat] + REAR * rear


def safe_abak(state: Any, seat: Seat) -> float:
    own = letters(seat)
    columns = seen_from(state.columns, seat)
    mine = [point for point, column in enumerate(columns) if column and column[-1] in own]
    enemy = min((point for point, column in enumerate(columns) if column and column[-1] not in own), default=BAR)
    if state.bar[1 - seat]:
        enemy = 0
    held = [point for point in mine if len(columns[point]) > 1 and columns[point][-2] in own]
    blots = sum(point > enemy and columns[point][-1] not in "Gg" for point in mine if point not in held)
    rear = BAR if state.bar[seat] else max(mine, default=0)
    caught = len(state.bar[1 - seat]) + sum(stone not in own for point in mine for stone in columns[point])
    return BLOT * blots + POINT * len(held) + HIT * caught + OFF * len(state.off[seat]) + REAR * rear


def safe_abalone(state: Any, seat: Seat) -> float:
    own, other = (state.white, state.black) if seat else (state.black, state.white)
    far = [(bit, abs(ord(cell[0]) - ord("e")) + abs(int(cell[1:]) - 5)) for cell, bit in BITS.items()]
    outside = sum(steps * (bool(other & bit) - bool(own & bit)) for bit, steps in far)
    return EJECTED * state.ejected[seat] + CAN_BE_EJECTED * any(play.ejects for play in plays(state)) + outside


def safe_apb(state: Any, seat: Seat) -> float:
    """Values a position in which the other side cannot win in one turn. It sees its own wins only if they are short."""
    home, other = state.principals[seat], state.principals[1 - seat]
    if not home or not other:
        return WON if home else -WON
    return state.secondaries[seat].bit_count() - state.secondaries[1 - seat].bit_count() - WON / 2 * wins(state)


def short_turns(game: Game[Any, Any], state: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yields turns of one or two steps; longer ones only if there are none."""
    seat = game.to_act(state)
    begun: list[tuple[tuple[Any, ...], Any]] = [((), state)]
    found = 0
    while begun and (len(begun[0][0]) < 2 or not found):
        further = [((*steps, step), game.apply(at, step)) for steps, at in begun for step in game.legal(at)]
        for steps, after in further:
            if game.to_act(after) != seat:
                found += 1
                yield steps, after
        begun = [each for each in further if game.to_act(each[1]) == seat]


NEWCOMERS: Mapping[str, Callable[[Any, Seat], float]] = {
    "backgammon": safe_backgammon,
    "abak": safe_abak,
    "abalone": safe_abalone,
    "apb": safe_apb,
}
"""The newcomer's value of a position after its own turn, by game. It looks no further."""


def newcomer(game: Game[Any, Any]) -> Callable[[Any, frozenset[Any]], Any]:
    """Returns the newcomer as a player of turns, from a state to the one after its turn.

    It repeats no position, as it knows that this draws.
    """
    likes = NEWCOMERS[game.key]

    def turn(state: Any, earlier: frozenset[Any]) -> Any:
        seat = game.to_act(state)
        assert seat not in {None, CHANCE}
        turns = game.turns(state) if game.enumerates_turns else short_turns(game, state)
        return max(turns, key=lambda found: (found[1] not in earlier, likes(found[1], seat)))[1]

    return turn
