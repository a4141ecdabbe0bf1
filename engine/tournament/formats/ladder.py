"""Ladders: who may challenge whom, and how the order changes.

A ladder is an order of entrants, the best one first. One challenges upwards; who wins from below takes the other's
place, and all between go down by one. A draw changes nothing. Who does not answer a challenge in time loses by
forfeit. Who does not play for long sinks by one place. New players join at the bottom.

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
    """What may be chosen of a ladder. Raises ValueError for numbers below the least ones."""

    reach: int = 3
    """How many places upwards one may challenge; at least 1."""
    again_days: int = 7
    """How long two wait after their game before they may meet again; 0: not at all."""
    answer_days: int = 3
    """How long the challenged player may take to answer; at least 1."""
    idle_days: int = 30
    """Who has not played for so long sinks by one place, and again after as long; 0: never."""

    def __post_init__(self) -> None:
        if self.reach < 1 or self.answer_days < 1 or self.again_days < 0 or self.idle_days < 0:
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
    """Why the challenger may not challenge the opponent: a message key, or nothing if they may.

    ``running`` are the entrants with an open challenge or a game of this ladder, ``last_met`` is when the last game of
    these two ended (None: never).
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


def answer_overdue(challenged_at: int, rules: LadderRules, now: int) -> bool:
    """Whether the time to answer is over: the challenged player then loses by forfeit."""
    return now >= challenged_at + rules.answer_days * DAY


def after(order: Sequence[int], pairing: Pairing) -> tuple[int, ...]:
    """The order after a result. Who is no longer on the ladder changes nothing."""
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
    """Who has been idle for the time of the rules. ``last_played``: when each last played, joined, or sank."""
    if not rules.idle_days:
        return ()
    limit = now - rules.idle_days * DAY
    return tuple(one for one in order if one in last_played and last_played[one] <= limit)


def idle(order: Sequence[int], last_played: Mapping[int, int], rules: LadderRules, now: int) -> tuple[int, ...]:
    """The order after the idle ones have sunk by one place each; nobody sinks below another idle one.

    The caller counts the time of all ``idle_ones`` from now on again.
    """
    sinking = set(idle_ones(order, last_played, rules, now))
    found = list(order)
    for at in range(len(found) - 2, -1, -1):
        if found[at] in sinking and found[at + 1] not in sinking:
            found[at], found[at + 1] = found[at + 1], found[at]
    return tuple(found)


def join(order: Sequence[int], entrant: int) -> tuple[int, ...]:
    """The order with a new player at the bottom. Raises ValueError if they are on it."""
    if entrant in order:
        raise ValueError(f"already on the ladder: {entrant}")
    return (*order, entrant)


def leave(order: Sequence[int], entrant: int) -> tuple[int, ...]:
    """The order without a player; all below go up by one."""
    return tuple(one for one in order if one != entrant)


def order(entrants: Sequence[Entrant], pairings: Sequence[Pairing]) -> tuple[int, ...]:
    """The order by seeds and results alone, in which nobody has sunk by being idle."""
    found = tuple(entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed))
    for pairing in sorted(pairings, key=lambda pairing: pairing.board):
        found = after(found, pairing)
    return found
