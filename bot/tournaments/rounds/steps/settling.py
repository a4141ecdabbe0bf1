"""Results of pairings: what the end of a contest means for its pairing, and what follows from a result.

- Who wins or draws does so in the tournament, too.
- Who is absent (late, has left the game, forfeits a game) before the first turn of their own loses by forfeit: the game
  counts as not played, as FIDE counts it. After a turn of theirs, it is a game that was played and lost.
- A game without a result, because somebody was absent: they lose by forfeit.
- A game without a result for which nobody is to blame: both forfeit. An organiser may decide otherwise.
- What an organiser has decided is never replaced by the end of a game.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from bot.matches.contests import FinishedContest
from bot.tournaments.schedule import RESTING
from bot.tournaments.service import Change
from bot.tournaments.tournament import PairingState, Player, StoredPairing, Tournament, TournamentSnapshot
from engine.tournament.formats import ladder
from engine.tournament.model import Format, Result

BY_GAME: Final = "game"
BY_BYE: Final = "bye"
BY_FORFEIT: Final = "forfeit"
BY_ORGANISER: Final = "organiser"

WINS: Final = (Result.FIRST_WINS, Result.SECOND_WINS)
FORFEITS: Final = (Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT)
"""By the winner."""


def result_of(contest: FinishedContest) -> Result:
    """The result of the pairing of a contest: its first player is the contest's first."""
    if contest.drawn:
        return Result.DRAW
    winner = contest.winner
    unplayed = contest.unplayed
    if winner is None:
        if contest.absent is None:
            return Result.BOTH_FORFEIT
        winner, unplayed = 1 - contest.absent, True
    return (FORFEITS if unplayed else WINS)[winner]


def done(stored: StoredPairing, result: Result, decided_by: str, now: int) -> StoredPairing:
    """The pairing with its result."""
    return replace(
        stored,
        pairing=replace(stored.pairing, result=result),
        state=PairingState.DONE,
        decided_by=decided_by,
        ended=now if stored.ended is None else stored.ended,
    )


def has_follow_up(tournament: Tournament | None, stored: StoredPairing) -> bool:
    """Whether a result changes more than its pairing, as in an arena or a ladder."""
    return tournament is not None and tournament.plan.stages[stored.pairing.stage - 1].format in FOLLOW_UPS


async def settle(change: Change, stored: StoredPairing, result: Result, decided_by: str) -> bool:
    """Writes the result of a pairing. False if an organiser has decided it, and this is the end of a game."""
    if stored.state is PairingState.DONE and decided_by != BY_ORGANISER:
        return False
    finished = done(stored, result, decided_by, change.now)
    await change.set_pairing(finished)
    follow = FOLLOW_UPS.get(change.tournament.plan.stages[stored.pairing.stage - 1].format)
    if follow is not None:
        await follow(change, finished)
    return True


async def _free_again(change: Change, stored: StoredPairing) -> None:
    """In an arena, both wait for the next opponent; but not who has forfeited: they press "I'm back"."""
    result = stored.result
    there = {number for number, points in _points(stored) if result is None or result.played or points}
    freed = [
        replace(player, free_since=change.now if player.number in there else RESTING)
        for player in _players(change, stored.pairing.players)
        if player.free_since is None
    ]
    if freed:
        await change.set_players(*freed)


async def _reorder(change: Change, stored: StoredPairing) -> None:
    """In a ladder, a winner from below takes the loser's place."""
    active = [replace(player, free_since=change.now) for player in _players(change, stored.pairing.players)]
    if active:
        await change.set_players(*active)
    await set_order(change, ladder.after(order_of(change.snapshot), stored.pairing))


def order_of(snapshot: TournamentSnapshot) -> tuple[int, ...]:
    """The numbers of the players of a ladder, the best first."""
    places = {player.ladder_place: player.number for player in snapshot.players if player.ladder_place is not None}
    return tuple(places[place] for place in sorted(places))


async def set_order(change: Change, order: tuple[int, ...]) -> None:
    """Writes the order of a ladder."""
    places = {number: place for place, number in enumerate(order, 1)}
    moved = [
        replace(player, ladder_place=places.get(player.number))
        for player in change.snapshot.players
        if player.ladder_place != places.get(player.number)
    ]
    if moved:
        await change.set_players(*moved)


FOLLOW_UPS: Final = {Format.ARENA: _free_again, Format.LADDER: _reorder}


def _points(stored: StoredPairing) -> list[tuple[int, float]]:
    points = stored.result.points if stored.result else (0.0, 0.0)
    return list(zip(stored.pairing.players, points, strict=False))


def _players(change: Change, numbers: Collection[int]) -> list[Player]:
    return [player for player in change.snapshot.players if player.number in numbers and player.is_in]
