"""Random tournaments of every format with rounds to their end, with what must hold in each: 2 to 200 players,
withdrawals, expulsions, late entries, byes, forfeits and draws.

``TOURNAMENTS=500`` plays as many of them; the usual number is small.
"""

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from engine.tournament.director import next_round, rounds_expected
from engine.tournament.field import field, finished
from engine.tournament.formats import bracket
from engine.tournament.formats.round_robin import counted
from engine.tournament.model import KNOCKOUTS, Entrant, Format, Pairing, Result, Round, Stage, Ties
from engine.tournament.ranking import ranking
from engine.tournament.standings import standings

TOURNAMENTS = int(os.environ.get("TOURNAMENTS", "14"))
LARGE = 25
"""Every so many tournaments one is large."""
PLAYED = (Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW)
FORFEITS = (Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT, Result.BOTH_FORFEIT)
Luck = random.Random
Stages = tuple[Stage, ...]


def swiss(luck: Luck) -> Stages:
    return (Stage(Format.SWISS, rounds=luck.choice([0, 0, 3, 5, 7])),)


def round_robin(luck: Luck) -> Stages:
    return (Stage(Format.ROUND_ROBIN, sections=luck.choice([1, 1, 2, 3]), legs=luck.choice([1, 1, 2])),)


def at_once(luck: Luck) -> Stages:
    """Draws round robins whose games all begin at once, alone or before a knockout."""
    stage = replace(round_robin(luck)[0], at_once=True)
    return luck.choice([(stage,), (replace(stage, qualifiers=luck.randint(1, 3)), *single(luck))])


def single(luck: Luck) -> Stages:
    return (Stage(Format.SINGLE_ELIMINATION, third_place=luck.random() < 0.5),)


def double(luck: Luck) -> Stages:
    return (Stage(Format.DOUBLE_ELIMINATION, reset=luck.random() < 0.5),)


def staged(luck: Luck) -> Stages:
    groups = Stage(Format.ROUND_ROBIN, sections=luck.randint(1, 6), qualifiers=luck.randint(1, 3))
    first = luck.choice([groups, Stage(Format.SWISS, rounds=luck.randint(2, 5), qualifiers=luck.randint(2, 9))])
    return (first, luck.choice([single, double])(luck)[0])


def three_stages(luck: Luck) -> Stages:
    first = Stage(Format.SWISS, rounds=3, qualifiers=12)
    return (first, Stage(Format.ROUND_ROBIN, sections=3, qualifiers=2), single(luck)[0])


KINDS: dict[str, tuple[Callable[[Luck], Stages], int, int]] = {
    "swiss": (swiss, 26, 200),
    "round_robin": (round_robin, 24, 100),
    "at_once": (at_once, 24, 36),
    "single": (single, 64, 200),
    "double": (double, 64, 200),
    "staged": (staged, 24, 70),
    "three": (three_stages, 20, 40),
}
"""By kind: the stages, the most players usually, and those of a large one."""


@pytest.mark.parametrize("number", range(TOURNAMENTS))
def test_random_tournament(number: int) -> None:
    turn, kind = divmod(number, len(KINDS))
    luck = random.Random(9 * turn + kind)  # by nines, so that the tournaments stay the same if a kind is added
    stages, most, large = list(KINDS.values())[kind]
    players = large if turn % LARGE == LARGE - 1 else luck.choice([2, 3, luck.randint(2, most)])
    players = luck.randint(2, most) if luck.random() < 0.7 and players != large else players
    ties = luck.choice(list(Ties))
    Tournament(luck, tuple(replace(stage, ties=ties) for stage in stages(luck)), players).run()


class Tournament:
    """A tournament in rounds and its random life."""

    def __init__(self, luck: Luck, stages: Stages, players: int) -> None:
        self.luck = luck
        self.stages = stages
        self.is_swiss = stages[0].format is Format.SWISS
        self.unrest = luck.choice([0.0, 0.02, 0.1])
        """How often somebody leaves, is late, or forfeits."""
        self.entrants = [self._entrant(number) for number in range(1, players + 1)]
        self.pairings: list[Pairing] = []

    def _entrant(self, number: int, first_round: int = 1) -> Entrant:
        asks = self.is_swiss and self.luck.random() < self.unrest
        byes = frozenset({self.luck.randint(first_round, 4)}) if asks and first_round < 4 else frozenset[int]()
        gone = 0 if first_round == 1 and self.luck.random() < self.unrest / 5 else None
        return Entrant(number, number, 2500 - 3 * number, first_round, gone, byes, lot=self.luck.getrandbits(64))

    def run(self) -> None:
        while made := self._next():
            self.check_round(made)
            self.pairings += [replace(pairing, result=self._result(pairing)) for pairing in made.pairings]
            self._life(made.number)
            assert made.number <= 300
        self.check_whole()

    def _next(self) -> Round | None:
        made = next_round(self.stages, self.entrants, self.pairings)
        if self.luck.random() < 0.2:
            shuffled = self.luck.sample(self.pairings, len(self.pairings))
            assert next_round(self.stages, self.luck.sample(self.entrants, len(self.entrants)), shuffled) == made
        return made

    def _result(self, pairing: Pairing) -> Result:
        if pairing.result is not None:
            return pairing.result
        return self.luck.choice(FORFEITS if self.luck.random() < self.unrest / 2 else PLAYED)

    def _life(self, number: int) -> None:
        """Lets some entrants leave and some come before the next round is paired."""
        for place, entrant in enumerate(self.entrants):
            if entrant.last_round is None and self.luck.random() < self.unrest / 3:
                self.entrants[place] = replace(entrant, last_round=number, expelled=self.luck.random() < 0.3)
        rounds = self.stages[0].rounds or 3
        if self.is_swiss and number < rounds and self.pairings[-1].stage == 1 and self.luck.random() < 3 * self.unrest:
            self.entrants.append(self._entrant(len(self.entrants) + 1, number + 1))

    def check_round(self, made: Round) -> None:
        rounds = [pairing.round for pairing in self.pairings]
        assert made.number == max(rounds, default=0) + 1
        assert made.stage >= max((pairing.stage for pairing in self.pairings), default=1)
        assert all((pairing.stage, pairing.round) == (made.stage, made.number) for pairing in made.pairings)
        seated = Counter(player for pairing in made.pairings for player in pairing.players)
        is_table = self.stages[made.stage - 1].at_once and not made.pairings[0].slot
        assert is_table or set(seated.values()) == {1}
        boards = [(pairing.section, pairing.board) for pairing in made.pairings]
        assert len(boards) == len(set(boards))
        left = {entrant.id for entrant in self.entrants if (entrant.last_round or made.number) < made.number}
        left |= {entrant.id for entrant in self.entrants if entrant.last_round == 0}
        for pairing in made.pairings:
            assert pairing.reason is not None
            assert pairing.result is not None or not left.intersection(pairing.players)
        stage = self.stages[made.stage - 1]
        here = field(self.stages, made.stage, self.entrants, self.pairings)
        if made.pairings[0].slot and stage.format not in KNOCKOUTS:
            assert stage.ties is Ties.PLAY_OFF
        elif stage.format is Format.SWISS:
            ended = self._ended_sections(made)
            due = {one.id for one in here if one.id not in left and one.first_round <= made.number}
            assert set(seated) == {one for one in due if {e.id: e.section for e in here}[one] not in ended}

    def _ended_sections(self, made: Round) -> set[int]:
        here = field(self.stages, made.stage, self.entrants, self.pairings)
        return {entrant.section for entrant in here} - {pairing.section for pairing in made.pairings}

    def check_whole(self) -> None:
        for number, stage in enumerate(self.stages, start=1):
            rows = [pairing for pairing in self.pairings if pairing.stage == number]
            if rows:
                check = {Format.SWISS: self.check_swiss, Format.ROUND_ROBIN: self.check_round_robin}
                scored = [pairing for pairing in rows if stage.format in KNOCKOUTS or not pairing.slot]
                check.get(stage.format, self.check_knockout)(number, stage, scored)
                self.check_ties(number, stage, rows)
            if rows and number > 1:
                self.check_qualified(number, rows)
        self.check_ranking()
        replays = sum(pairing.attempt > 1 for pairing in self.pairings)
        # somebody may have left before a stage, and then there may be fewer groups, which are larger
        shared = {Ties.SHARED, Ties.PLAY_OFF}  # then more may go on
        stages = tuple(replace(one, qualifiers=0) if one.ties in shared else one for one in self.stages)
        expected = max(rounds_expected(stages, players) for players in range(2, len(self.entrants) + 1))
        play_offs = {p.round for p in self.pairings if p.slot and self.stages[p.stage - 1].format not in KNOCKOUTS}
        assert max((pairing.round for pairing in self.pairings), default=0) <= expected + replays + len(play_offs)

    def check_ties(self, number: int, stage: Stage, rows: list[Pairing]) -> None:
        """Places are shared by equals alone, and only as the stage says."""
        here = field(self.stages, number, self.entrants, self.pairings)
        lines = [] if stage.format in KNOCKOUTS else standings(self.stages, number, here, rows)
        expelled = {entrant.id for entrant in here if entrant.expelled}
        for section in {line.section for line in lines}:
            in_section = [line for line in lines if line.section == section]
            for place, line in enumerate(in_section, start=1):
                assert line.rank <= place <= line.last
                assert line.entrant in expelled or not expelled.intersection(one.entrant for one in in_section[:place])
                sharing = {one.entrant for one in in_section if one.rank == line.rank} - {line.entrant}
                assert sharing <= {*line.equals, *expelled}
                if line.entrant not in expelled and stage.ties in {Ties.SHARED, Ties.SEED, Ties.LOTS}:
                    assert sharing == (set(line.equals) if stage.ties is Ties.SHARED else set())
            first = in_section[0]
            if stage.ties is Ties.PLAY_OFF and number == len(self.stages) and first.last > 1:  # nobody to play it
                last = max(pairing.round for pairing in self.pairings)
                sharing = {line.entrant for line in in_section if line.rank == 1}
                there = [e for e in here if e.id in sharing and (e.last_round is None or e.last_round > last)]
                both_out = any(row.slot and row.result is Result.BOTH_FORFEIT for row in rows)
                assert len(there) < 2 or both_out

    def check_swiss(self, number: int, stage: Stage, rows: list[Pairing]) -> None:
        met = Counter(frozenset(p.players) for p in rows if p.result in PLAYED)
        assert max(met.values(), default=1) == 1
        byes = Counter(pairing.first for pairing in rows if pairing.result is Result.PAIRING_BYE)
        assert max(byes.values(), default=0) <= 1
        last = max(pairing.round for pairing in rows)
        difference: Counter[int] = Counter()
        for pairing in sorted(rows, key=lambda pairing: pairing.round):
            if pairing.result in PLAYED and pairing.second is not None:
                difference[pairing.first] += 1
                difference[pairing.second] -= 1
                limit = 3 if pairing.round == last else 2
                assert max(abs(difference[player]) for player in pairing.players) <= limit
        here = field(self.stages, number, self.entrants, self.pairings)
        lines = standings(self.stages, number, here, self.pairings)
        assert sum(line.points for line in lines) == sum(sum(p.result.points) for p in rows if p.result)
        assert sorted(line.entrant for line in lines) == sorted(entrant.id for entrant in here)
        assert stage.rounds == 0 or last - min(pairing.round for pairing in rows) < stage.rounds

    def check_round_robin(self, number: int, stage: Stage, rows: list[Pairing]) -> None:
        sections: dict[int, set[int]] = {}
        for pairing in rows:
            sections.setdefault(pairing.section, set()).update(pairing.players)
        assert max(map(len, sections.values())) - min(map(len, sections.values())) <= 1
        meetings = Counter(frozenset(pairing.players) for pairing in rows if pairing.second is not None)
        pairs = {frozenset(two) for players in sections.values() for two in combinations(players, 2)}
        assert meetings == dict.fromkeys(pairs, stage.legs)
        first_seats = Counter(pairing.first for pairing in rows if pairing.second is not None)
        for players in sections.values():
            games = (len(players) - 1) * stage.legs
            assert all(abs(2 * first_seats[player] - games) <= 1 for player in players)
        left_over = Counter(pairing.first for pairing in rows if pairing.second is None)
        assert all(pairing.result is Result.ZERO_BYE for pairing in rows if pairing.second is None)
        assert max(left_over.values(), default=0) <= stage.legs
        lines = standings(self.stages, number, field(self.stages, number, self.entrants, self.pairings), self.pairings)
        points = sum(sum(p.result.points) for p in counted(number, stage, self.entrants, rows) if p.result)
        assert sum(line.points for line in lines) == points

    def check_knockout(self, number: int, stage: Stage, rows: list[Pairing]) -> None:
        seeds = [entrant.id for entrant in field(self.stages, number, self.entrants, self.pairings)]
        slots = bracket.slots(number, stage, seeds, rows)
        assert all(slot.decided for slot in slots)
        assert {slot.id for slot in slots if slot.pairing} == {slot.id for slot in slots if slot.needed}
        assert {pairing.slot for pairing in rows} == {slot.id for slot in slots if slot.needed}
        allowed = 2 if stage.format is Format.DOUBLE_ELIMINATION else 1
        losses: Counter[int] = Counter()
        out_together: set[int] = set()
        ways: dict[int, list[int]] = {}
        for slot in sorted(slots, key=lambda slot: slot.pairing.round if slot.pairing else 0):
            for player in slot.players:
                if player is not None and slot.side != "T":
                    assert losses[player] < allowed, "somebody who is out plays on"
                    assert player not in out_together
                    ways.setdefault(player, []).append(slot.pairing.round if slot.pairing else 0)
            if slot.side == "T":
                continue
            if slot.loser is not None:
                losses[slot.loser] += 1
            elif slot.winner is None:
                out_together.update(player for player in slot.players if player is not None)
        assert all(before < after for way in ways.values() for before, after in pairwise(way))
        alive = [one for one in seeds if losses[one] < allowed and one not in out_together]
        last = next(slot for slot in reversed(slots) if slot.needed and slot.side != "T")
        if stage.format is Format.DOUBLE_ELIMINATION and last.loser is not None and losses[last.loser] < 2:
            assert not stage.reset  # the one final counts
            alive.remove(last.loser)
        assert alive == ([last.winner] if last.winner is not None else [])
        if last.winner is None:
            assert last.pairing is not None
            assert last.pairing.result in {Result.BOTH_FORFEIT, Result.ZERO_BYE}

    def check_qualified(self, number: int, rows: list[Pairing]) -> None:
        most = self.stages[number - 2].qualifiers
        members = {player for pairing in rows for player in pairing.players}
        start = min(pairing.round for pairing in rows)
        left = {e.id for e in self.entrants if e.last_round is not None and e.last_round < start}
        assert not members & left
        then = [entrant if entrant.id in left else replace(entrant, expelled=False) for entrant in self.entrants]
        for parts in finished(self.stages, number - 1, then, self.pairings).values():
            ready = [[one for one in part if one not in left] for part in parts]
            ranked = [one for part in ready for one in part]
            cut = next((part for part in ready if ranked[most - 1 : most] and ranked[most - 1] in part), [])
            assert members.intersection(ranked) == {*ranked[:most], *cut}

    def check_ranking(self) -> None:
        found = ranking(self.stages, self.entrants, self.pairings)
        assert sorted(placing.entrant for placing in found) == sorted(entrant.id for entrant in self.entrants)
        for place, placing in enumerate(found, start=1):
            assert placing.first <= place <= placing.last
            sharing = [other for other in found if other.first == placing.first]
            assert len(sharing) == placing.last - placing.first + 1
        stage = max((pairing.stage for pairing in self.pairings), default=1)
        if self.stages[stage - 1].format in KNOCKOUTS and self.pairings:
            last = [p for p in self.pairings if p.slot[:1] in {"F", "W"}][-1]
            shared = last.result in {Result.BOTH_FORFEIT, Result.ZERO_BYE}
            assert shared or found[0].last == 1
