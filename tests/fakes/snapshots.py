"""Tournaments made by hand: a ``TournamentSnapshot`` played so far, without games and without a database."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bot.tournaments.tournament import (
    PairingState,
    Plan,
    Player,
    PlayerStatus,
    Status,
    StoredPairing,
    StoredRound,
    Tournament,
    TournamentSnapshot,
)
from engine.core.hours import DAY
from engine.tournament import director
from engine.tournament.formats import arena, sections
from engine.tournament.model import IN_ROUNDS, Format, Pairing, Result, Stage
from engine.tournament.ranking import ranking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.tournament.formats.pairer import Pairer

START: Final = 1_800_014_400_000
GUILD: Final = 800
CHANNEL: Final = 900
FIRST_USER: Final = 10_000
PLAYED: Final = (Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW)
ODDS: Final = (5, 4, 2)
SWISS: Final = (Stage(Format.SWISS, rounds=5),)
LIGHT: Final = 40
"""Up to so many players a Swiss is paired by the Dutch system; above by a quicker one that does not part colours."""


class Neighbours:
    """A quick pairer for large fields: neighbours in the standings who have not met."""

    def pair(
        self, entrants: Sequence[object], pairings: Sequence[Pairing], round_number: int, rounds: int
    ) -> list[tuple[int, int | None]]:
        del round_number, rounds
        points: dict[int, float] = {one.id: 0.0 for one in entrants}  # type: ignore[attr-defined]
        met: set[frozenset[int]] = set()
        for pairing in pairings:
            met.add(frozenset(pairing.players))
            assert pairing.result is not None
            for player, value in zip(pairing.players, pairing.result.points, strict=False):
                points[player] = points.get(player, 0.0) + value
        left = sorted((one.id for one in entrants), key=lambda one: (-points[one], one))  # type: ignore[attr-defined]
        found: list[tuple[int, int | None]] = []
        while len(left) > 1:
            first = left.pop(0)
            place = next((at for at, one in enumerate(left) if frozenset({first, one}) not in met), 0)
            found.append((first, left.pop(place)))
        return found + [(one, None) for one in left]


@dataclass
class Made:
    """A tournament in the making; ``snapshot`` is it so far."""

    stages: tuple[Stage, ...]
    players: int
    name: str = "Spring Cup"
    id: str = "t1"
    game: str = "abalone"
    seed: int = 1
    locale: str = "en"
    guild_id: int = GUILD
    channel_id: int = CHANNEL
    owner: int = 1
    users: Mapping[int, int] = field(default_factory=dict)
    """User ids of certain entrants by number."""
    snapshot: TournamentSnapshot = field(init=False)
    rounds: list[StoredRound] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        plan = Plan(self.game, self.stages, capacity=max(2, self.players), round_length=7 * DAY)
        tournament = Tournament(
            self.id,
            self.guild_id,
            self.channel_id,
            self.owner,
            self.name,
            self.locale,
            plan,
            Status.RUNNING,
            START - DAY,
            started=START,
        )
        players = tuple(
            Player(
                number,
                self.users.get(number, FIRST_USER + number),
                PlayerStatus.IN,
                2000 - 7 * number,
                START - DAY,
                number,
                ladder_place=number if plan.format is Format.LADDER else None,
            )
            for number in range(1, self.players + 1)
        )
        dealt = sections.assigned(self.stages[0], [player.entrant for player in players])
        players = tuple(replace(player, section=dealt[player.number]) for player in players)
        self.snapshot = TournamentSnapshot(tournament, players, ())
        self.luck = random.Random(self.seed)

    def set(self, **values: object) -> None:
        """Changes the tournament."""
        self.snapshot = replace(self.snapshot, tournament=replace(self.snapshot.tournament, **values))  # type: ignore[arg-type]

    def player(self, number: int, **values: object) -> None:
        """Changes a player."""
        changed = replace(self.snapshot.player(number), **values)  # type: ignore[arg-type]
        players = tuple(changed if one.number == number else one for one in self.snapshot.players)
        self.snapshot = replace(self.snapshot, players=players)

    def withdraw(self, number: int) -> None:
        """Lets the player leave after the last round that was paired."""
        self.player(number, status=PlayerStatus.WITHDRAWN, reason="withdrew", last_round=self.snapshot.tournament.round)

    def pair(self) -> bool:
        """Pairs the next round. Returns whether there was one."""
        pairer: Pairer | None = Neighbours() if self.players > LIGHT else None  # type: ignore[assignment]
        made = director.next_round(self.stages, self.snapshot.entrants, self.snapshot.engine_pairings, pairer)
        if made is None:
            return False
        started = START + (made.number - 1) * 7 * DAY
        self.rounds.append(StoredRound(made.number, made.stage, started, started + 7 * DAY))
        self.set(round=made.number)
        for pairing in made.pairings:
            self.add(pairing, started)
        return True

    def add(self, pairing: Pairing, opened: int) -> None:
        """Adds a pairing: done if it has a result, else running."""
        number = len(self.snapshot.pairings) + 1
        is_done = pairing.result is not None
        stored = StoredPairing(
            number,
            pairing,
            PairingState.DONE if is_done else PairingState.RUNNING,
            "bye" if pairing.second is None else "forfeit" if is_done else "",
            contest_id=None if is_done else f"{self.id}c{number}",
            game_id=None if is_done else f"{self.id}g{number}",
            channel_id=None if is_done else self.channel_id + number,
            opened=opened,
            deadline=opened + 7 * DAY,
        )
        self.snapshot = replace(self.snapshot, pairings=(*self.snapshot.pairings, stored))

    def settle(self, stored: StoredPairing, result: Result, decided_by: str = "game") -> None:
        assert stored.opened is not None
        done = replace(
            stored,
            pairing=replace(stored.pairing, result=result),
            state=PairingState.DONE,
            decided_by=decided_by,
            ended=stored.opened + DAY,
        )
        pairings = tuple(done if one.id == stored.id else one for one in self.snapshot.pairings)
        self.snapshot = replace(self.snapshot, pairings=pairings)

    @property
    def running(self) -> tuple[StoredPairing, ...]:
        return tuple(one for one in self.snapshot.pairings if one.result is None)

    def play(self, *, leave: int = 0) -> None:
        """Ends the running games but for so many of them; the stronger ones win more often."""
        running = self.running
        for stored in running[: len(running) - leave]:
            self.settle(stored, self.luck.choices(PLAYED, ODDS)[0])

    def rounds_of(self, count: int, *, leave: int = 0) -> Made:
        """Plays so many rounds; of the last one some games may go on."""
        for number in range(count):
            if not self.pair():
                break
            self.play(leave=leave if number == count - 1 else 0)
        return self

    def finish(self) -> Made:
        """Plays to the end, and stores the places."""
        while self.stages[0].format in IN_ROUNDS and self.pair():
            self.play()
        self.set(status=Status.OVER, ended=START + 60 * DAY)
        for place in ranking(self.stages, self.snapshot.entrants, self.snapshot.engine_pairings):
            self.player(place.entrant, first_place=place.first, last_place=place.last)
        return self

    def meet(self, first: int, second: int, result: Result | None = None) -> None:
        """Adds a game of an arena or a ladder."""
        board = len(self.snapshot.pairings) + 1
        self.add(Pairing(1, 0, board, first, second), START + board)
        if result is not None:
            self.settle(self.snapshot.pairings[-1], result)


def an_arena(players: int = 6, games: int = 14) -> Made:
    """Returns an arena in which some games have been played, and one goes on."""
    made = Made((Stage(Format.ARENA),), players)
    while len(made.snapshot.pairings) < games:
        free = [arena.Waiting(number, number) for number in range(1, players + 1)]
        for first, second in arena.pair_free(free, made.snapshot.engine_pairings):
            made.meet(first, second, made.luck.choices(PLAYED, ODDS)[0])
    made.meet(1, 2)
    return made


def a_ladder(players: int = 8) -> Made:
    """Returns a ladder with two games played and one that goes on."""
    made = Made((Stage(Format.LADDER),), players)
    made.meet(3, 2, Result.FIRST_WINS)
    made.meet(5, 4, Result.DRAW)
    made.meet(6, 4)
    made.player(2, ladder_place=3)
    made.player(3, ladder_place=2)
    return made


NAMES: Final = ("Ana", "Bruno", "Carla", "Dan", "Elena", "Félix", "Greta", "Hugo", "Inés", "Jon", "Karin", "Luis")


def names_of(snapshot: TournamentSnapshot) -> dict[int, str]:
    """Returns a name for each player by number: of several rounds of NAMES."""
    return {
        one.number: NAMES[(one.number - 1) % len(NAMES)]
        + ("" if one.number <= len(NAMES) else f" {(one.number - 1) // len(NAMES) + 1}")
        for one in snapshot.players
    }
