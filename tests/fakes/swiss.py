"""Swiss tournaments played by chance: byes, absences, late entries, withdrawals and forfeits come as they may."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine.tournament.formats.pairer import Pairer, histories
from engine.tournament.formats.swiss import next_round
from engine.tournament.model import Entrant, Format, NoPairing, Pairing, Result, Stage


@dataclass(frozen=True)
class Luck:
    """The probabilities of all events: of an entrant (late, leaves), of an entrant and a round (bye), of a pairing."""

    late: float = 0.1
    leaves: float = 0.15
    bye: float = 0.05
    forfeit: float = 0.07
    nobody_comes: float = 0.01
    draw: float = 0.3


@dataclass
class Tournament:
    """A field and its rounds so far."""

    random: Random
    size: int
    rounds: int
    luck: Luck = field(default_factory=Luck)
    pairer: Pairer | None = None
    pairings: list[Pairing] = field(default_factory=list)
    played: int = 0

    def __post_init__(self) -> None:
        ratings = sorted((self.random.randint(1000, 2600) for _ in range(self.size)), reverse=True)
        self.entrants = [self._entrant(seed, rating) for seed, rating in enumerate(ratings, start=1)]

    def _entrant(self, seed: int, rating: int) -> Entrant:
        chance, luck = self.random, self.luck
        first = chance.randint(2, max(2, self.rounds // 2)) if chance.random() < luck.late else 1
        last = chance.randint(0, self.rounds) if chance.random() < luck.leaves else None
        byes = frozenset(number for number in range(first, self.rounds + 1) if chance.random() < luck.bye)
        return Entrant(seed, seed, rating, first, last, byes)

    @property
    def stage(self) -> Stage:
        return Stage(Format.SWISS, rounds=self.rounds)

    def play(self, rounds: int) -> bool:
        """Plays so many rounds more. False: no pairing was possible."""
        try:
            for _ in range(rounds):
                number = self.played + 1
                made = next_round(1, self.stage, self.entrants, self.pairings, number, 1, pairer=self.pairer)
                self.pairings += [replace(pairing, result=self._result(pairing)) for pairing in made]
                self.played = number
        except NoPairing:
            return False
        return True

    def _result(self, pairing: Pairing) -> Result:
        if pairing.result:
            return pairing.result
        chance = self.random.random()
        if chance < self.luck.nobody_comes:
            return Result.BOTH_FORFEIT
        if chance < self.luck.forfeit:
            return self.random.choice((Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT))
        if self.random.random() < self.luck.draw:
            return Result.DRAW
        return self.random.choice((Result.FIRST_WINS, Result.FIRST_WINS, Result.SECOND_WINS))

    def away(self, number: int) -> Iterator[Entrant]:
        """Yields the entrants who do not play the round."""
        for entrant in self.entrants:
            has_left = entrant.last_round is not None and entrant.last_round < number
            if entrant.first_round > number or has_left or number in entrant.byes:
                yield entrant


@dataclass
class AnyPairer:
    """Pairs by chance, quickly: those who have not met as far as that is easy."""

    random: Random

    def pair(
        self, entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
    ) -> list[tuple[int, int | None]]:
        if not entrants:
            raise NoPairing("Nobody is there.")
        known = histories([entrant.id for entrant in entrants], pairings)
        left = [entrant.id for entrant in entrants]
        self.random.shuffle(left)
        left.sort(key=lambda player: known[player].points)
        pairs: list[tuple[int, int | None]] = []
        if len(left) % 2:
            bye = next((player for player in left if known[player].may_have_bye), None)
            if bye is None:
                raise NoPairing("Everybody has had the bye.")
            left.remove(bye)
            pairs.append((bye, None))
        while left:
            first = left.pop()
            second = next((player for player in reversed(left) if player not in known[first].met), None)
            if second is None:
                raise NoPairing(f"{first} has met everybody who is left in round {round_number} of {rounds}.")
            left.remove(second)
            pairs.append((first, second) if self.random.random() < 0.5 else (second, first))
        return pairs
