"""Random matches: legal turns drawn at random, cube decisions, and resignations so that no game is long."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field
from typing import Any, Final

from fakes.worth import worth

from engine.core.chance import new_chain, next_secret, promise, without_next
from engine.core.game import Game, Seat
from engine.core.record import Entry, Header, Kind
from engine.core.rolls import drawn
from engine.core.table import Table
from engine.kits.cube import CubeAction
from engine.match.match import Match, MatchHeader, Terms
from engine.match.record import MatchRecord

STARTED: Final = 1_774_224_000_000
SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
CUBE_WEIGHTS: Final = {
    CubeAction.ROLL: 4,
    CubeAction.DOUBLE: 2,
    CubeAction.TAKE: 3,
    CubeAction.PASS: 1,
    CubeAction.BEAVER: 1,
}


@dataclass
class Player:
    """Plays both sides of a match, at random by the seed. Rates are chances at each decision."""

    seed: int
    provable: bool = False
    """Whether each roll comes with its proof, as in the bot; this takes longer."""
    resigns: float = 0.12
    draws: float = 0.01
    candidates: int = 1
    """Of so many turns drawn, the best is played."""
    pace: int = 5 * SECOND
    """The most time that a turn takes, in ms."""
    patience: int = 0
    """No resignation before so many entries, and no turn then loses at once if that can be helped."""
    luck: random.Random = field(init=False)
    pending: str | None = field(init=False)
    """The chain of secrets of the rolls to come, which goes on from game to game."""

    def __post_init__(self) -> None:
        self.luck = random.Random(self.seed)
        self.pending = new_chain(hashlib.sha256(str(self.seed).encode()).hexdigest())

    def match(self, game: Game[Any, Any], header: MatchHeader, names: tuple[str, str] = ("", "")) -> MatchRecord:
        """Plays a whole match."""
        match, games, at = Match(header), [], header.started
        while match.result is None:
            number = len(games) + 1
            options = tuple(game.settle_options(match.next_options).items())
            table = self.game(
                game,
                Header(
                    game=header.game,
                    version=header.version,
                    id=f"{header.id}{number:02d}",
                    started=at,
                    options=options,
                    commitment=self.promise(game, options),
                    clock=match.next_clock,
                    timeout_policy=header.timeout_policy,
                    match=header.id,
                    match_game=number,
                    rated=header.rated,
                    banks=match.next_banks,
                ),
            )
            games.append(table.record)
            match = match.add(table)
            at += table.record.entries[-1].at
        return MatchRecord(header, tuple(games), names)

    def game(self, game: Game[Any, Any], header: Header) -> Table[Any, Any]:
        """Plays a whole game."""
        table, at = Table.open(game, header), 0
        while True:
            table = table.settle(at, self._roll)
            if table.to_act is None:
                return table
            at += self.luck.randrange(self.pace)
            table = self._act(table, at)

    def promise(self, game: Game[Any, Any], options: Any) -> str:
        """Returns the commitment to the first roll of the next game."""
        has_luck = game.begins_with_luck(dict(options))
        return promise(self.pending) if self.provable and has_luck and self.pending else ""

    def _roll(self, table: Table[Any, Any]) -> str:
        game = table.game
        if self.provable:
            assert self.pending
            secret = next_secret(self.pending)
            self.pending = without_next(self.pending)
            assert self.pending, "the chain is too short for so many rolls"
            return f"{drawn(table, secret)} {secret} {promise(self.pending)}"
        outcomes = game.legal(table.state)
        weights = [game.weight(table.state, outcome) for outcome in outcomes]
        return game.format(table.state, self.luck.choices(outcomes, weights))

    def _act(self, table: Table[Any, Any], at: int) -> Table[Any, Any]:
        """Plays a turn for the seat to act, or resigns, or agrees to a draw."""
        seat, game = table.to_act, table.game
        assert seat in {0, 1}
        if table.clock is not None and table.clock.expired(at):
            return table.time_out(at)
        hurried = table.seq >= self.patience
        if hurried and self.luck.random() < self.draws:
            return table.make_offer(seat, "draw", at).answer(1 - seat, at, accept=True)
        if hurried and self.luck.random() < self.resigns:
            table = self._resign(table, self.luck.choice((0, 1)), at)
            if table.outcome is not None:
                return table
        steps = self._turn(game, table.state, seat, careful=not hurried)
        return table.append(Entry(at, Kind.PLAY, seat, game.format(table.state, steps)))

    def _resign(self, table: Table[Any, Any], seat: Seat, at: int) -> Table[Any, Any]:
        """Resigns for any amount; the other seat accepts half of the offers."""
        asked = table.resign(seat, self.luck.choice(table.game.resign_values(table.state, seat)), at)
        return asked if asked.offer is None else asked.answer(1 - seat, at, accept=self.luck.random() < 0.5)

    def _turn(self, game: Game[Any, Any], state: Any, seat: Seat, *, careful: bool) -> list[Any]:
        found = []
        for _ in range(30):
            steps, after = [], state
            while game.to_act(after) == seat:
                legal = game.legal(after)
                if isinstance(legal[0], CubeAction):
                    steps.append(self.luck.choices(legal, [CUBE_WEIGHTS[step] for step in legal])[0])
                else:
                    steps.append(self.luck.choice(legal))
                after = game.apply(after, steps[-1])
            outcome = game.outcome(after)
            lost = outcome is not None and outcome.points[seat] < 0
            if not (lost and careful):
                found.append((_quality(game.key, after, seat), len(found), steps))
            if len(found) == self.candidates:
                break
        return max(found)[2] if found else steps


def _quality(key: str, state: Any, seat: Seat) -> float:
    """Returns the worth of a position, less the likely losses by blots of backgammon: otherwise no game would end."""
    if key != "backgammon":
        return worth(key, state, seat)
    own = state.white if seat == 0 else state.black
    blots = (point for point in range(1, 25) if own >> 4 * point & 15 == 1)
    return worth(key, state, seat) - sum(0.3 * (25 - point) / 100 for point in blots)


def random_match(game: Game[Any, Any], seed: int) -> MatchRecord:
    """Returns a match to 1 to 7 points, or a series; with and without cube and clock, one bank or one for each game."""
    luck = random.Random(f"{game.key}{seed}")
    clocked = luck.random() < 0.3
    bank = luck.choice(("game", "match")) if clocked else "game"
    points = any(option.key == "points" for option in game.options) and luck.random() < 0.9
    terms = Terms(points=luck.randint(1, 7), bank=bank) if points else Terms(best_of=luck.randint(2, 5), bank=bank)
    options = (("cube", luck.choice(("on", "on", "off"))),) if points else ()
    header = MatchHeader(
        id=f"m{seed}",
        game=game.key,
        version=game.version,
        started=STARTED,
        terms=terms,
        options=options,
        clock=luck.choice(("2m+1s", "1m", "30s 2s/move")) if clocked else "",
        timeout_policy="loss" if clocked else "",
        rated=luck.random() < 0.5,
    )
    return Player(seed, resigns=luck.choice((0.05, 0.15, 0.3))).match(game, header, ("Ana", luck.choice(("", "Ben"))))
