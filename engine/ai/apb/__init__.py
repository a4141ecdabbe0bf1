"""The machine that plays APB."""

from math import tanh
from typing import ClassVar, Final, NamedTuple

from engine.ai.apb import evaluation, experience
from engine.ai.apb.clearing import EFFORT, winning_turn, wins
from engine.ai.apb.turns import Evaluation, Turn, first_turn, promising
from engine.ai.contract import Candidate, Limit, Player, no_limit
from engine.games.apb.board import State, Step
from engine.games.apb.moves import legal

SCALE: Final = 500
"""The worth at which a side is rather sure to win."""
SURE: Final = 0.9
"""The limit of the values of positions in which nobody wins at once."""
EXPOSED: Final = -0.95
"""The value of a turn that lets the other side win at once."""


class Reply(NamedTuple):
    """How a level looks for the other side's best reply; ``width`` and ``longest`` are those of ``Skill``."""

    width: int
    longest: int
    effort: int
    """The number of positions that are searched for a win after a reply."""


class Skill(NamedTuple):
    """How a level looks for turns."""

    width: int
    """The number of beginnings of each length that are continued."""
    longest: int
    """The most steps of secondaries in a turn, unless it wins or is the only safe one."""
    evaluate: Evaluation = evaluation.evaluate
    reply: Reply | None = None
    """How it looks for the best reply to a turn, if it looks ahead."""
    compared: int = 10
    """The number of turns that it compares, after none of which the other side can win at once."""


class ApbPlayer(Player[State, Step]):
    """Wins in one turn if it can, and prevents a win in one turn if it can, at every level.

    A lower level tries fewer and shorter turns, and judges them less exactly.
    """

    temperatures: ClassVar[tuple[float, ...]] = (0.28, 0.06, 0.2, 0.16, 0.19, 0.3, 0.1, 0.15)
    skills: ClassVar[tuple[Skill, ...]] = (
        Skill(1, 1),
        Skill(1, 1),
        Skill(1, 2),
        Skill(2, 3),
        Skill(4, 8, reply=Reply(2, 2, EFFORT)),
        Skill(2, 3, experience.evaluate),
        Skill(3, 5, experience.evaluate),
        Skill(3, 5, experience.evaluate, Reply(1, 2, 100), 6),
    )

    def candidates(
        self, state: State, limit: Limit = no_limit, earlier: frozenset[State] = frozenset()
    ) -> list[Candidate[Step]]:
        skill = self.skills[self.level - 1]
        win = winning_turn(state)
        if win is not None:
            return [Candidate(win, 1.0)]
        safe: list[Turn] = []
        exposed: list[Turn] = []
        for turn in promising(state, skill.width, skill.longest, limit, skill.evaluate):
            (exposed if wins(turn.after) else safe).append(turn)
            if len(safe) == skill.compared or limit():
                break
        if not safe:
            safe = first_turn(state, lambda after: not wins(after), limit, skill.evaluate)
        if not safe and not exposed:
            exposed = first_turn(state, lambda _: True, limit, skill.evaluate)
        if safe:
            found = _looked_ahead(safe, limit, skill.reply, skill.evaluate) if skill.reply else [*map(_by_worth, safe)]
            return self.less_repeated(state, found, earlier)
        return [Candidate(turn.steps, EXPOSED) for turn in exposed] or [Candidate((legal(state)[-1],), -1.0)]


def _looked_ahead(turns: list[Turn], limit: Limit, how: Reply, evaluate: Evaluation) -> list[Candidate[Step]]:
    found: list[Candidate[Step]] = []
    for turn in turns:
        if found and limit():
            break
        found.append(Candidate(turn.steps, -_best_reply(turn.after, limit, how, evaluate)))
    return sorted(found, key=lambda candidate: -candidate.value)


def _by_worth(turn: Turn) -> Candidate[Step]:
    return Candidate(turn.steps, value_of(turn.worth))


def _best_reply(state: State, limit: Limit, how: Reply, evaluate: Evaluation) -> float:
    for turn in promising(state, how.width, how.longest, limit, evaluate):
        if winning_turn(turn.after, how.effort) is None:
            return value_of(turn.worth)
    return EXPOSED


def value_of(worth: int) -> float:
    return SURE * tanh(worth / SCALE)
