"""Ladders: the rules of challenges, and of changes in the order.

A ladder is an order of entrants, the best one first. Challenges go upwards. A challenger who wins takes the other's
place, and all between go down by one. A draw changes nothing. A player who does not answer a challenge in time loses by
forfeit. A player who does not play for long sinks by one place. New players join at the bottom.

Times are whole milliseconds from any common start.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.tournament.model import Entrant, Pairing

DAY: Final = 86_400_000
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class LadderRules:
    """The settings of a ladder. Raises ValueError for numbers that are too low."""

    reach: int = 3
    """The most places upwards of a challenge; at least 1."""
    again_days: int = 7
    """The days after a game before the same two may meet again; 0: no wait."""
    idle_days: int = 30
    """The days without play after which a player sinks by one place, and again after as many; 0: never."""

    def __post_init__(self) -> None:
        if self.reach < 1 or self.again_days < 0 or self.idle_days < 0:
            raise ValueError(f"no rules of a ladder: {self}")


def may_challenge(
    order: Sequence[int],
    rules: LadderRules,
    running: Collection[int],
    last_met: int | None,
    challenger: int,
    opponent: int,
    now: int,
) -> str:
    """Explains by a message key why the challenger may not challenge the opponent; "" if they may.

    ``running`` are the entrants with an open challenge or a game of this ladder. ``last_met`` is the end of the last
    game of these two (None: never).
    """
    if challenger == opponent:
        return "ladder.yourself"
    if challenger not in order:
        return "ladder.not_on_it"
    if opponent not in order:
        return "ladder.opponent_not_on_it"
    above = order.index(challenger) - order.index(opponent)
    if above < 1:
        return "ladder.not_above"
    if above > rules.reach:
        return "ladder.too_far"
    if challenger in running:
        return "ladder.busy"
    if opponent in running:
        return "ladder.opponent_busy"
    if last_met is not None and now < last_met + rules.again_days * DAY:
        return "ladder.met_lately"
    return ""


def after(order: Sequence[int], pairing: Pairing) -> tuple[int, ...]:
    """Returns the order after a result. Players who have left the ladder change nothing."""
    result = pairing.result
    if result is None or result.winner is None or pairing.second is None:
        return tuple(order)
    winner, loser = pairing.players if result.winner == 0 else pairing.players[::-1]
    if winner not in order or loser not in order or order.index(winner) < order.index(loser):
        return tuple(order)
    rest = [one for one in order if one != winner]
    at = rest.index(loser)
    return (*rest[:at], winner, *rest[at:])


def idle_ones(order: Sequence[int], last_played: Mapping[int, int], rules: LadderRules, now: int) -> tuple[int, ...]:
    """Lists the players who have been idle for ``rules.idle_days``.

    ``last_played``: the moment at which each last played, joined or sank.
    """
    if not rules.idle_days:
        return ()
    limit = now - rules.idle_days * DAY
    return tuple(one for one in order if one in last_played and last_played[one] <= limit)


def idle(order: Sequence[int], last_played: Mapping[int, int], rules: LadderRules, now: int) -> tuple[int, ...]:
    """Returns the order after each idle player has sunk by one place. None sinks below another idle one.

    The caller restarts the idle time of all ``idle_ones``.
    """
    sinking = set(idle_ones(order, last_played, rules, now))
    found = list(order)
    for at in range(len(found) - 2, -1, -1):
        if found[at] in sinking and found[at + 1] not in sinking:
            found[at], found[at + 1] = found[at + 1], found[at]
    return tuple(found)


def join(order: Sequence[int], entrant: int) -> tuple[int, ...]:
    """Adds a new player at the bottom. Raises ValueError if they are on the ladder."""
    if entrant in order:
        raise ValueError(f"already on the ladder: {entrant}")
    return (*order, entrant)


def leave(order: Sequence[int], entrant: int) -> tuple[int, ...]:
    """Removes a player; all below go up by one."""
    return tuple(one for one in order if one != entrant)


def order(entrants: Sequence[Entrant], pairings: Sequence[Pairing]) -> tuple[int, ...]:
    """Computes the order by seeds and results alone, as if nobody had sunk by being idle."""
    found = tuple(entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed))
    for pairing in sorted(pairings, key=lambda pairing: pairing.board):
        found = after(found, pairing)
    return found
