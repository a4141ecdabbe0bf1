"""Alpha-beta search over the moves of Abalone, one ply deeper at a time."""

from operator import itemgetter
from typing import Final

from engine.ai.abalone.evaluation import (
    EJECTED,
    LAST,
    OTHER,
    OWN,
    PAIR,
    WON,
    can_eject,
    cohesion,
    ejections,
    near_centre,
)
from engine.ai.contract import Limit
from engine.games.abalone.board import State
from engine.games.abalone.moves import after, plays
from engine.games.abalone.tables import Play

INFINITE: Final = 2 * WON
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = -1
SCORE: Final = itemgetter(0)


class TimeUpError(Exception):
    """Time is up before all moves are searched to the same depth."""


class Search:
    """One search from one position. Scores are for the side to move, in units of the evaluation.

    The evaluation favours attacks of the side that searches, so it is not symmetric.
    """

    def __init__(self, state: State, limit: Limit, earlier: frozenset[State] = frozenset(), repeated: int = 0) -> None:
        """Takes ``earlier`` positions; a move to one of them scores ``repeated`` at most."""
        self.state = state
        self.limit = limit
        self.earlier = earlier
        self.repeated = repeated
        self.known: dict[tuple[int, int, int], tuple[int, int, int, Play | None]] = {}
        """For each position: the depth of its search, the score, the kind of bound that it is, and the best move."""
        self.cuts: dict[int, int] = {}
        """For each rank of a move: how often, and how deep, such a move was too good for the other side to allow."""

    def ranked(self, depth: int, margin: int) -> list[tuple[int, Play]]:
        """Returns every move with its score, the best first, after ``depth`` plies or as many as time allows.

        A score that is more than ``margin`` below the best is an upper bound.
        """
        found = self._iteration([(0, play) for play in plays(self.state)], 1, margin)
        for plies in range(2, depth + 1):
            if self.limit() or abs(found[0][0]) > WON // 2:
                break
            try:
                found = self._iteration(found, plies, margin)
            except TimeUpError:
                break
        return found

    def _iteration(self, moves: list[tuple[int, Play]], depth: int, margin: int) -> list[tuple[int, Play]]:
        found: list[tuple[int, Play]] = []
        best = -INFINITE
        for _, play in moves:
            then = after(self.state, play)
            if then.target in then.ejected:
                score = WON - 1
            elif depth == 1:
                score = self._evaluate(then, -INFINITE)
            else:
                score = -self._negamax(then, depth - 1, 1, -INFINITE, margin - best)
            if then in self.earlier:
                score = min(score, self.repeated)
            best = max(best, score)
            found.append((score, play))
        return sorted(found, key=SCORE, reverse=True)

    def _evaluate(self, state: State, alpha: int) -> int:
        """Returns the worth for the side that has just moved. It is an upper bound if it is not above ``alpha``."""
        black, white, turn, ejected, _ = state
        mine, theirs = (black, white) if turn else (white, black)
        by_me, by_them = ejected if turn else (ejected[1], ejected[0])
        own, other = (OTHER, OWN) if turn == self.state.turn else (OWN, OTHER)
        worth = (
            near_centre(mine, own)
            - near_centre(theirs, other)
            + PAIR * (cohesion(mine) - cohesion(theirs))
            + ejections(by_me)
            - ejections(by_them)
        )
        if worth > alpha and can_eject(theirs, mine):
            worth -= EJECTED + LAST * by_them
        return worth

    def _negamax(self, state: State, depth: int, ply: int, alpha: int, beta: int, *, passed: bool = False) -> int:
        """Returns the score for the side to move, within the bounds. ``passed`` says that the other side
        made no move.
        """
        if self.limit():
            raise TimeUpError
        key = state[:3]
        entry = self.known.get(key)
        hint = None
        if entry is not None:
            plies, score, bound, hint = entry
            if plies >= depth and (bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha)):
                return score
        if not passed and beta < WON // 2:
            # Null move: a position that is too good without a move is hardly ever less so with one.
            other = state._replace(turn=1 - state.turn)
            score = self._evaluate(other, beta - 1)
            if score >= beta and depth > 2:
                score = -self._negamax(other, depth - 2, ply + 1, -beta, 1 - beta, passed=True)
            if score >= beta:
                return score
        moves = plays(state)
        if not moves:
            return ply - WON
        cuts = self.cuts
        moves.sort(key=lambda play: (play.ejects, len(play.pushed), cuts.get(play.rank, 0)), reverse=True)
        if hint is not None:
            moves.remove(hint)
            moves.insert(0, hint)
        floor, best, chosen = alpha, -INFINITE, None
        for play in moves:
            then = after(state, play)
            if play.ejects and then.target in then.ejected:
                score = WON - ply - 1
            elif depth == 1:
                score = self._evaluate(then, alpha)
            else:
                score = -self._negamax(then, depth - 1, ply + 1, -beta, -alpha)
            if score > best:
                best, chosen = score, play
                alpha = max(alpha, best)
                if best >= beta:
                    cuts[play.rank] = cuts.get(play.rank, 0) + depth * depth
                    break
        self.known[key] = (depth, best, AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST, chosen)
        return best
