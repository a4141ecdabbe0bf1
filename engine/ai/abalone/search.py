"""Alpha-beta search over the moves of Abalone, one ply deeper at a time."""

from operator import itemgetter
from typing import Final

from engine.ai.abalone.evaluation import WON, can_eject, evaluate
from engine.ai.contract import Limit
from engine.games.abalone.board import State
from engine.games.abalone.moves import after, plays
from engine.games.abalone.tables import Play

INFINITE: Final = 2 * WON
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = -1
GAIN: Final = 120
"""More than a move without a push is likely to gain."""
PROMISING: Final = 4
"""The number of moves of a position that are searched to the full depth at once."""
SCORE: Final = itemgetter(0)


class TimeUpError(Exception):
    """Time is up before all moves are searched to the same depth."""


class Search:
    """One search from one position. Scores are for the side to move, in units of the evaluation."""

    def __init__(self, state: State, limit: Limit, earlier: frozenset[State] = frozenset(), repeated: int = 0) -> None:
        """Takes ``earlier`` positions; a move to one of them scores ``repeated`` at most."""
        self.state = state
        self.limit = limit
        self.earlier = earlier
        self.repeated = repeated
        self.known: dict[tuple[int, int], tuple[int, int, int, Play | None]] = {}
        """For each position, the cells of the side to move first: the depth of its search, the score, the kind of bound
        that it is, and the best move.
        """
        self.cuts: dict[int, int] = {}
        """For each rank of a move: how often, and how deep, such a move was too good for the other side to allow."""

    def ranked(self, depth: int, margin: int) -> list[tuple[int, Play]]:
        """Returns every move with its score, the best first, after ``depth`` plies or as many as time allows.

        A score that is ``margin`` or more below the best may be an upper bound.
        """
        found = [(0, play) for play in plays(self.state)]
        for plies in range(1, depth + 1):
            found, done = self._iteration(found, plies, margin)
            if not done or self.limit() or abs(found[0][0]) > WON // 2:
                break
        return found

    def _iteration(self, moves: list[tuple[int, Play]], depth: int, margin: int) -> tuple[list[tuple[int, Play]], bool]:
        """Returns the moves with their scores, the best first, and whether time sufficed for all.

        If not, the others follow those that were searched.
        """
        found: list[tuple[int, Play]] = []
        best = -INFINITE
        for number, (_, play) in enumerate(moves):
            then = after(self.state, play)
            try:
                score = WON - 1 if then.target in then.ejected else self._reply(then, depth - 1, best - margin)
            except TimeUpError:
                worst = min(found, key=SCORE)[0] if found else INFINITE
                rest = [(min(score, worst), play) for score, play in moves[number:]]
                return sorted(found, key=SCORE, reverse=True) + rest, False
            if then in self.earlier:
                score = min(score, self.repeated)
            best = max(best, score)
            found.append((score, play))
        return sorted(found, key=SCORE, reverse=True), True

    def _reply(self, then: State, depth: int, low: int) -> int:
        """Returns the score of a move to a position. If it is not above ``low``, it is an upper bound."""
        if low > -INFINITE:
            score = -self._negamax(then, depth, 1, -low - 1, -low)
            if score <= low:
                return score
        return -self._negamax(then, depth, 1, -INFINITE, INFINITE)

    def _negamax(self, state: State, depth: int, ply: int, alpha: int, beta: int) -> int:
        """Returns the score for the side to move, within the bounds.

        This is a principal variation search: the first move is expected to be the best, so the others are only compared
        with the best score so far, and searched again if they are better than that. Late moves are first compared at a
        lower depth. At depth 0 and below, only ejections are searched.
        """
        if depth > 0 and self.limit():
            raise TimeUpError
        black, white, turn, ejected, _ = state
        mine, theirs = (white, black) if turn else (black, white)
        worth = evaluate(mine, theirs, ejected[turn], ejected[1 - turn]) if depth <= 1 else 0
        best, hint, floor = -INFINITE, None, alpha
        if depth <= 0:
            if worth >= beta or not can_eject(mine, theirs):
                return worth
            best, alpha = worth, max(alpha, worth)
        else:
            entry = self.known.get((mine, theirs))
            if entry is not None:
                plies, score, bound, hint = entry
                if plies >= depth and (bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha)):
                    return score
        moves = plays(state)
        if not moves:
            return ply - WON
        cuts = self.cuts
        moves.sort(key=lambda play: (play.ejects, len(play.pushed), cuts.get(play.rank, 0)), reverse=True)
        if hint is not None:
            moves.remove(hint)
            moves.insert(0, hint)
        chosen = hint
        for number, play in enumerate(moves):
            if depth <= 0 and not play.ejects:
                break
            if depth == 1 and number > 0 and not play.pushed and worth + GAIN <= alpha:
                best = max(best, worth + GAIN)  # as for all moves that follow
                break
            then = after(state, play)
            if play.ejects and then.target in then.ejected:
                score = WON - ply - 1
            elif depth <= 0 or number == 0:
                score = -self._negamax(then, depth - 1, ply + 1, -beta, -alpha)
            else:
                score = alpha + 1
                if depth > 2 and number >= PROMISING and not play.pushed:
                    score = -self._negamax(then, depth - 2, ply + 1, -alpha - 1, -alpha)
                if score > alpha:
                    score = -self._negamax(then, depth - 1, ply + 1, -alpha - 1, -alpha)
                if alpha < score < beta:
                    score = -self._negamax(then, depth - 1, ply + 1, -beta, -alpha)
            if score > best:
                best, chosen = score, play
                alpha = max(alpha, best)
                if best >= beta:
                    if depth > 0:
                        cuts[play.rank] = cuts.get(play.rank, 0) + depth * depth
                    break
        if depth > 0:
            kind = AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST
            self.known[mine, theirs] = (depth, best, kind, chosen)
        return best
