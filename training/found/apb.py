"""Findings from games of APB between strong levels: who wins, and what goes with a principal that lasts."""

import ast
import hashlib
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from engine.ai import apb
from engine.ai.apb import ApbPlayer
from engine.ai.apb.evaluation import LINES
from engine.ai.choice import choose
from engine.games.apb import GAME, State
from engine.games.apb.moves import NEAR, advance, is_over
from training.found.store import Job, Result

LEVEL: Final = 7
SOON: Final = 3
"""A principal that lasts leaves the board in none of so many turns of the other side."""
COUNTED: Final = ("lines", "ways", "own beside", "others beside", "secondaries", "lead", "distance")
"""Of the side that has just moved: the lines from its principal to the edge that are not empty; the steps after which
the principal would stop on the board as it stands; its own and the other side's pieces beside the principal; its
secondaries; how many it is ahead, plus ``EVEN``; and the distance of the principals.
"""
LEAD: Final = COUNTED.index("lead")
EVEN: Final = 4
"""The lead of a side that is not ahead, as it is counted."""
ROOM: Final = 12


def counts(state: State) -> tuple[int, ...]:
    turn = state.turn
    mine, theirs = state.secondaries[1 - turn], state.secondaries[turn]
    home, other = state.principals[1 - turn], state.principals[turn]
    held = mine | theirs | home | other
    braked = [line for line in LINES[home] if held & line]
    ways = sum(bool(not held & NEAR[home] & line) for line in braked)
    first, second = home.bit_length() - 1, other.bit_length() - 1
    far = max(abs(first % 9 - second % 9), abs(first // 9 - second // 9))
    lead = mine.bit_count() - theirs.bit_count()
    return (
        len(braked),
        ways,
        (mine & NEAR[home]).bit_count(),
        ((theirs | other) & NEAR[home]).bit_count(),
        mine.bit_count(),
        min(max(lead, -EVEN), EVEN) + EVEN,
        far,
    )


def games(level: int, seed: int, count: int) -> Result:
    """Plays games of a level against itself. Of each number of what is counted: positions, fallen soon, won; the same
    of the sides that are behind in secondaries.
    """
    player = ApbPlayer(GAME, level)
    options = GAME.settle_options({})
    wins, drawn, ran_off, turns = [0, 0], 0, 0, 0
    sums, behind = ([[[0, 0, 0] for _ in range(ROOM)] for _ in COUNTED] for _ in range(2))
    first_blood = [0, 0]
    """Games in which a secondary fell, and those won by the side that knocked the first one off."""
    for number in range(count):
        state = GAME.start(options)
        history: list[State] = []
        seen: list[tuple[tuple[int, ...], int]] = []
        blood = None
        while not is_over(state):
            history.append(state)
            if GAME.outcome_by_history(history, options) is not None:
                break
            mover = state.turn
            for step in choose(
                player, state, player.candidates(state, earlier=frozenset(history)), f"{seed} {number}"
            ).steps:
                state = advance(state, step)
            lost = [8 - state.secondaries[seat].bit_count() for seat in (0, 1)]
            if blood is None and lost[0] != lost[1]:
                blood = 0 if lost[1] > lost[0] else 1
            if not is_over(state):
                seen.append((counts(state), mover))
        turns += len(history)
        if not is_over(state):
            drawn += 1
            continue
        outcome = GAME.outcome(state)
        assert outcome is not None
        winner = outcome.winner
        assert winner is not None
        wins[winner] += 1
        ran_off += outcome.reason == "apb.end.ran_off"
        if blood is not None:
            first_blood[0] += 1
            first_blood[1] += blood == winner
        for at, (found, mover) in enumerate(seen):
            fallen = mover != winner and len(seen) - at <= 2 * SOON - 1
            for each in (sums, behind) if found[LEAD] < EVEN else (sums,):
                for sort, value in enumerate(found):
                    cell = each[sort][value]
                    cell[0] += 1
                    cell[1] += fallen
                    cell[2] += mover == winner
    return {
        "level": level,
        "count": count,
        "wins": wins,
        "drawn": drawn,
        "ran_off": ran_off,
        "turns": turns,
        "first_blood": first_blood,
        "counted": sums,
        "behind": behind,
    }


class Code(ast.NodeTransformer):
    """Takes from a module its docstrings and what the levels differ in."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign | None:
        return None if ast.unparse(node.target) in ("temperatures", "skills") else node


def digest(level: int, folder: Path = Path(apb.__file__).parent) -> str:
    """The SHA-256 of what a level plays by: the machine's code without comments, its temperature and its skill."""
    skill = ApbPlayer.skills[level - 1]
    told = [ast.dump(Code().visit(ast.parse(path.read_text(encoding="utf-8")))) for path in sorted(folder.glob("*.py"))]
    told += [repr(ApbPlayer.temperatures[level - 1]), repr(skill._asdict() | {"evaluate": skill.evaluate.__module__})]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def jobs(seed: int, *, quick: bool) -> Iterator[Job]:
    luck = random.Random(seed)
    count, rounds = (2, 4) if quick else (10, 40)
    weights = digest(LEVEL)
    for number in range(rounds):
        yield Job("games", f"games {number}", partial(games, LEVEL, luck.randrange(1 << 30), count), weights)
