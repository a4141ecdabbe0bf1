"""Random arenas and ladders, with what must hold in each: 2 to 200 players who come and go, forfeits and draws.

``TOURNAMENTS=500`` plays more of them; the usual number is small.
"""

import os
import random
from dataclasses import replace
from itertools import combinations

import pytest

from engine.tournament.formats import arena, ladder
from engine.tournament.formats.arena import Waiting
from engine.tournament.model import Entrant, Format, Pairing, Result, Stage
from engine.tournament.ranking import ranking

RUNS = max(1, int(os.environ.get("TOURNAMENTS", "14")) // 14)
"""How many there are of each."""
PLAYED = (Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW)
FORFEITS = (Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT, Result.BOTH_FORFEIT)


def check_scores(entrants: list[Entrant], pairings: list[Pairing]) -> None:
    scores = arena.scores(entrants, pairings)
    assert sorted(score.entrant for score in scores) == [entrant.id for entrant in entrants]
    assert [score.points for score in scores] == sorted((score.points for score in scores), reverse=True)
    for score in scores:
        own = sorted((p for p in pairings if score.entrant in p.players), key=lambda p: p.board)
        worth = ""
        for pairing in own:
            assert pairing.result is not None
            worth += "0DW"[int(2 * pairing.result.points[pairing.players.index(score.entrant)])]
        doubled = [worth[max(0, at - 2) : at] == "WW" for at in range(len(worth))]
        sheet = [
            {"W": 2, "D": 1, "0": 0}[how] * (2 if double else 1) for how, double in zip(worth, doubled, strict=True)
        ]
        assert list(score.sheet) == sheet
        assert score.points == sum(sheet)
        assert score.streak == worth.endswith("WW")
        assert (score.wins, score.draws, score.losses) == (worth.count("W"), worth.count("D"), worth.count("0"))


@pytest.mark.parametrize("number", range(RUNS))
def test_random_arena(number: int) -> None:
    """An hour of it, minute by minute."""
    luck = random.Random(number)
    players = luck.randint(2, 200 if number % 3 == 0 else 12)
    entrants = [Entrant(one, one) for one in range(1, players + 1)]
    since = {entrant.id: 0 for entrant in entrants if luck.random() < 0.9}
    pairings: list[Pairing] = []
    running: list[Pairing] = []
    last: dict[int, int] = {}
    for minute in range(1, 60):
        free = [Waiting(one, when) for one, when in since.items()]
        pairs = arena.pair_free(luck.sample(free, len(free)), pairings + running)
        assert len({one for pair in pairs for one in pair}) == 2 * len(pairs)
        left = [one.entrant for one in free if not any(one.entrant in pair for pair in pairs)]
        for one, other in combinations(left, 2):
            assert last.get(one) == other or last.get(other) == one
        for first, second in pairs:
            assert len(free) == 2 or (last.get(first) != second and last.get(second) != first)
            last[first], last[second] = second, first
            del since[first], since[second]
            running.append(Pairing(1, 0, len(pairings) + len(running) + 1, first, second))
        for pairing in luck.sample(running, len(running) // 2 + 1) if running else ():
            running.remove(pairing)
            result = luck.choice(PLAYED if luck.random() < 0.95 else FORFEITS)
            pairings.append(replace(pairing, result=result))
            since.update((player, minute) for player in pairing.players if luck.random() < 0.97)
        absent = [e.id for e in entrants if e.id not in since and not any(e.id in p.players for p in running)]
        since.update((one, minute) for one in absent if luck.random() < 0.3)
    check_scores(entrants, pairings)
    found = ranking((Stage(Format.ARENA),), entrants, pairings)
    assert [placing.first for placing in found] == [score.rank for score in arena.scores(entrants, pairings)]
    assert [placing.entrant for placing in found] == [score.entrant for score in arena.scores(entrants, pairings)]


@pytest.mark.parametrize("number", range(RUNS))
def test_random_ladder(number: int) -> None:
    """Some months of it, day by day."""
    luck = random.Random(number)
    players = luck.randint(2, 200 if number % 3 == 0 else 12)
    rules = ladder.LadderRules(luck.randint(1, 4), luck.choice([0, 7]), luck.choice([0, 20]))
    entrants = [Entrant(one, one) for one in range(1, players + 1)]
    order = ladder.order(entrants, [])
    members = set(order)
    played = dict.fromkeys(order, 0)
    met: dict[frozenset[int], int] = {}
    for day in range(1, 120):
        now = day * ladder.DAY
        for _ in range(3):
            one, other = luck.choice(order), luck.choice(order)
            why = ladder.may_challenge(order, rules, (), met.get(frozenset({one, other})), one, other, now)
            above = order.index(one) - order.index(other)
            assert bool(why) != (
                1 <= above <= rules.reach
                and now >= met.get(frozenset({one, other}), -(10**12)) + rules.again_days * ladder.DAY
            )
            if why:
                continue
            pairing = Pairing(1, 0, 1, one, other, result=luck.choice(PLAYED + FORFEITS))
            before, order = order, ladder.after(order, pairing)
            moved = pairing.result is not None and pairing.result.winner == 0
            assert order.index(one) == before.index(other if moved else one)
            rest = [player for player in before if player != one]
            assert [player for player in order if player != one] == rest
            played[one] = played[other] = met[frozenset({one, other})] = now
        idle = ladder.idle_ones(order, played, rules, now)
        before, order = order, ladder.idle(order, played, rules, now)
        assert all(order.index(player) <= before.index(player) + 1 for player in order)
        played.update(dict.fromkeys(idle, now))
        if luck.random() < 0.1:
            members.add(max(members) + 1)
            order = ladder.join(order, max(members))
            played[max(members)] = now
            assert order[-1] == max(members)
        if luck.random() < 0.05 and len(order) > 2:
            gone = luck.choice(order[:-1])
            members.remove(gone)
            order = ladder.leave(order, gone)
        assert set(order) == members
        assert len(order) == len(members)
