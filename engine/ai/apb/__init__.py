"""The machine that plays APB."""

from math import tanh
from typing import ClassVar, Final, NamedTuple

from engine.ai.apb.clearing import winning_turn, wins
from engine.ai.apb.turns import Turn, first_turn, promising
from engine.ai.contract import Candidate, Limit, Player, no_limit
from engine.games.apb.board import State, Step
from engine.games.apb.moves import legal

SCALE: Final = 500
"""The worth that makes a game rather sure."""
SURE: Final = 0.9
"""The value that a worth comes near, but does not reach."""
EXPOSED: Final = -0.95
"""The value of a turn after which the other side can win at once."""
COMPARED: Final = 10
"""How many turns are compared; each leaves the other side no win in one turn."""


class Skill(NamedTuple):
    width: int
    """How many beginnings of each length are continued."""
    longest: int
    """The most steps of secondaries in a turn, if it neither wins nor is the only safe one."""
    looks_ahead: bool = False
    """Whether it judges turns by the other side's best reply."""


REPLY: Final = Skill(2, 2)


class ApbPlayer(Player[State, Step]):
    """Wins in one turn if it can, and leaves no win in one turn if it can help it, at every level.

    A weak level tries fewer and shorter turns, and is less exact about their worth.
    """

    temperatures: ClassVar[tuple[float, ...]] = (0.28, 0.06, 0.2, 0.16, 0.19)
    skills: ClassVar[tuple[Skill, ...]] = (Skill(1, 1), Skill(1, 1), Skill(1, 2), Skill(2, 3), Skill(4, 8, True))

    def candidates(
        self, state: State, limit: Limit = no_limit, earlier: frozenset[State] = frozenset()
    ) -> list[Candidate[Step]]:
        skill = self.skills[self.level - 1]
        win = winning_turn(state)
        if win is not None:
            return [Candidate(win, 1.0)]
        safe: list[Turn] = []
        exposed: list[Turn] = []
        for turn in promising(state, skill.width, skill.longest, limit):
            (exposed if wins(turn.after) else safe).append(turn)
            if len(safe) == COMPARED or limit():
                break
        if not safe:
            safe = first_turn(state, lambda after: not wins(after), limit)
        if not safe and not exposed:
            exposed = first_turn(state, lambda _: True, limit)
        if safe:
            found = self._looked_ahead(safe, limit) if skill.looks_ahead else [_by_worth(turn) for turn in safe]
            return self.less_repeated(state, found, earlier)
        return [Candidate(turn.steps, EXPOSED) for turn in exposed] or [Candidate((legal(state)[-1],), -1.0)]

    def _looked_ahead(self, turns: list[Turn], limit: Limit) -> list[Candidate[Step]]:
        found: list[Candidate[Step]] = []
        for turn in turns:
            if found and limit():
                break
            found.append(Candidate(turn.steps, -_best_reply(turn.after, limit)))
        return sorted(found, key=lambda candidate: -candidate.value)


def _by_worth(turn: Turn) -> Candidate[Step]:
    return Candidate(turn.steps, value_of(turn.worth))


def _best_reply(state: State, limit: Limit) -> float:
    for turn in promising(state, REPLY.width, REPLY.longest, limit):
        if not wins(turn.after):
            return value_of(turn.worth)
    return EXPOSED


def value_of(worth: int) -> float:
    return SURE * tanh(worth / SCALE)
