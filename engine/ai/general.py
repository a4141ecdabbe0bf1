"""The player of any game that has none of its own: it tries turns by playing games at random to their end."""

import random
from collections.abc import Sequence
from typing import ClassVar, Final, Generic

from engine.ai.contract import Candidate, Limit, Player, no_limit
from engine.core.game import CHANCE, A, Game, S, Seat

WIDEST: Final = 40
"""The most turns that are tried."""
LONGEST: Final = 400
"""The most steps of a game that is played at random. A longer one counts as drawn."""


class General(Player[S, A]):
    """Values a turn by the mean result of its random games. The better half of the turns gets as many games again,
    until one turn is left.
    """

    temperatures: ClassVar[tuple[float, ...]] = (0.4, 0.25, 0.15, 0.05, 0.0)
    playouts: ClassVar[tuple[int, ...]] = (60, 120, 240, 480, 960)
    """The random games that are played in each choice, by level."""

    def candidates(self, state: S, limit: Limit = no_limit, earlier: frozenset[S] = frozenset()) -> list[Candidate[A]]:
        game = self.game
        luck = random.Random(game.encode(state))  # noqa: S311 — no secret
        tried = [_Tried(game, steps, after, game.to_act(state)) for steps, after in some_turns(game, state, luck)]
        left = tried
        rounds = max(1, (len(tried) - 1).bit_length())
        while True:
            each = max(1, self.playouts[self.level - 1] // (rounds * len(left)))
            for turn in left:
                for _ in range(each):
                    turn.play(luck, limit)
            left = sorted(left, key=lambda turn: -turn.value)[: (len(left) + 1) // 2]
            if len(left) == 1 or limit():
                break
        known = [turn for turn in tried if turn.games] or tried
        found = sorted((Candidate(turn.steps, turn.value) for turn in known), key=lambda one: -one.value)
        return self.less_repeated(state, found, earlier)


class _Tried(Generic[S, A]):
    """A turn, and the results of the games that were played after it."""

    def __init__(self, game: Game[S, A], steps: tuple[A, ...], after: S, seat: Seat | None) -> None:
        self.steps = steps
        self._game, self._after = game, after
        self._sign = -1 if seat else 1
        self.games = 0
        self._points = 0

    @property
    def value(self) -> float:
        return self._points / max(1, self.games)

    def play(self, luck: random.Random, limit: Limit) -> None:
        """Plays one more game, or counts none if time is up before its end."""
        state = self._after
        for _ in range(LONGEST):
            if self._game.to_act(state) is None:
                outcome = self._game.outcome(state)
                self._points += 0 if outcome is None else self._sign * outcome.points[0]
                break
            if limit():
                return
            state = self._game.apply(state, random_step(self._game, state, luck))
        self.games += 1


def random_step(game: Game[S, A], state: S, luck: random.Random) -> A:
    """Returns a legal step, drawn evenly; an outcome of CHANCE is drawn by its weight."""
    steps = game.legal(state)
    if game.to_act(state) != CHANCE:
        return luck.choice(steps)
    return luck.choices(steps, [game.weight(state, step) for step in steps])[0]


def some_turns(game: Game[S, A], state: S, luck: random.Random) -> Sequence[tuple[tuple[A, ...], S]]:
    """Returns at most WIDEST whole turns that lead to different positions; random ones where there are more."""
    if game.enumerates_turns:
        turns = list(game.turns(state))
        return turns if len(turns) <= WIDEST else luck.sample(turns, WIDEST)
    found: dict[S, tuple[A, ...]] = {}
    actor = game.to_act(state)
    for _ in range(2 * WIDEST):
        steps: list[A] = []
        after = state
        while game.to_act(after) == actor:
            steps.append(luck.choice(game.legal(after)))
            after = game.apply(after, steps[-1])
        found.setdefault(after, tuple(steps))
        if len(found) == WIDEST:
            break
    return [(steps, after) for after, steps in found.items()]
