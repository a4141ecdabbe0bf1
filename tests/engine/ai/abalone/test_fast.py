"""The compiled search is the plain one: the same moves, the same worth, the same answers."""

import os
import random
import subprocess
import sys
import weakref
from itertools import islice

import pytest
from harness.abalone import calls_until, positions

from engine.ai.abalone import AbalonePlayer
from engine.ai.abalone.evaluation import evaluate
from engine.ai.abalone.search import Search
from engine.ai.contract import no_limit
from engine.games.abalone import GAME, State
from engine.games.abalone.moves import after, plays

np = pytest.importorskip("numpy")
pytest.importorskip("numba", reason="numba is an extra: pip install -e '.[fast]'")

from engine.ai.abalone import fast, fastest  # noqa: E402 — needs numba

POSITIONS = int(os.environ.get("POSITIONS", "1000"))
"""How many are compared; ``scripts/thorough`` compares 100,000."""


def sides(state: State) -> tuple[int, int]:
    """Returns the cells of the side to move and of the other one, as the compiled search has them."""
    black, white = fast.fast(state.black), fast.fast(state.white)
    return (white, black) if state.turn else (black, white)


@pytest.mark.timeout(3600)
def test_moves_and_worths_are_those_of_the_plain_search() -> None:
    cuts = np.zeros(fast.LAST_RANK + 1, np.int64)
    found = np.empty((fast.MOVES, 3), np.int64)
    luck = random.Random(1)
    for state in islice(positions(1, games=POSITIONS), POSITIONS):
        mine, theirs = sides(state)
        those = found[: fast.moves(mine, theirs, -1, cuts, found)]
        ours = plays(state)
        assert {(int(key) >> fast.MERIT, int(own), int(other)) for key, own, other in those} == {
            (4 * play.ejects + len(play.pushed), fast.fast(play.own), fast.fast(play.other)) for play in ours
        }, GAME.encode(state)
        assert sorted(fast.LAST_RANK - int(key) % (1 << fast.RANK_BITS) for key in those[:, 0]) == [
            play.rank for play in ours
        ]
        assert fast.can_eject(mine, theirs) == any(play.ejects for play in ours)
        then = after(state, luck.choice(ours))
        mine, theirs = sides(then)
        black, white, turn, ejected, _ = then
        plain = (white, black) if turn else (black, white)
        counts = ejected[turn], ejected[1 - turn]
        assert fast.evaluate(mine, theirs, *counts) == evaluate(*plain, *counts), GAME.encode(then)


@pytest.mark.parametrize(("depth", "margin", "count"), [(2, 60, 40), (3, 0, 20), (3, 60, 15), (4, 0, 5), (5, 0, 1)])
def test_a_search_finds_what_the_plain_one_finds(depth: int, margin: int, count: int) -> None:
    for state in random.Random(depth).sample([*positions(depth, games=40)], count):
        earlier = frozenset(after(state, play) for play in plays(state)[:5])
        plain = Search(state, no_limit, earlier, -30).ranked(depth, margin)
        assert fast.FastSearch(state, no_limit, earlier, -30).ranked(depth, margin) == plain, GAME.encode(state)


def test_levels_play_alike_with_the_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    some = random.Random(6).sample([*positions(6, games=20)], 5)
    levels = range(1, len(AbalonePlayer.temperatures))
    assert fastest() is fast.FastSearch
    compiled = [AbalonePlayer(GAME, level).candidates(state) for level in levels for state in some]
    monkeypatch.setattr("engine.ai.abalone.fastest", lambda: Search)
    assert [AbalonePlayer(GAME, level).candidates(state) for level in levels for state in some] == compiled


@pytest.mark.parametrize("calls", [0, 1, 5])
def test_the_search_ends_soon_after_its_limit_with_all_moves(calls: int) -> None:
    state = next(positions(7, games=1))
    limit, asked = calls_until(calls)
    search = fast.FastSearch(state, limit)
    found = search.ranked(50, 0)
    assert asked[0] == calls + 1
    assert search.nodes[0] <= max(calls * calls, 1) * fast.OFTEN
    assert {play.step for _, play in found} == {*GAME.legal(state)}


def test_a_search_goes_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(positions(8, games=1))
    whole = fast.FastSearch(state, no_limit).ranked(5, 0)
    monkeypatch.setattr(fast, "OFTEN", 100)
    interrupted = fast.FastSearch(state, no_limit).ranked(5, 0)
    assert interrupted[0][0] == whole[0][0]


def test_an_interrupted_search_gives_back_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "OFTEN", 100)
    state = next(positions(10, games=1))
    tables = []
    for _ in range(3):
        search = fast.FastSearch(state, calls_until(5)[0])
        search.ranked(9, 0)
        assert search.nodes[0] == search.nodes[1]
        tables.append(weakref.ref(search.tools[0].base))
        del search
    assert [table() for table in tables] == [None] * 3


def test_compiled_code_is_loaded_from_disk() -> None:
    """Numba cannot load functions that call each other; see ``fast.negamax``."""
    state = next(positions(9, games=1))
    found = fast.FastSearch(state, no_limit).ranked(4, 0)
    code = f"""
from engine.ai.abalone import fast
from engine.games.abalone import GAME
state = GAME.decode({GAME.encode(state)!r})
found = fast.FastSearch(state, lambda: False).ranked(4, 0)
assert not fast.negamax.stats.cache_misses
print(found[0][0], *found[0][1].step)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == [str(found[0][0]), *filter(None, found[0][1].step)]
    assert len(fast.negamax.signatures) == 1
