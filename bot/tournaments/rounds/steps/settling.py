"""Results of pairings: from the end of a contest to the result, and from the result to its effects.

- Wins and draws count as such in the tournament.
- A player who is absent (late, has left the game, forfeits a game) before their first turn loses by forfeit: the game
  counts as not played, as in FIDE's rules. After their first turn, the game counts as played and lost.
- In a game without a result because a player was absent, that player loses by forfeit.
- In a game without a result for which nobody is to blame, both forfeit. An organiser may decide otherwise.
- The end of a game never replaces a decision of an organiser.
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
"""The results of forfeits, by the winner."""


def result_of(contest: FinishedContest) -> Result:
    """Returns the result of a contest's pairing, which has the same first player."""
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
    return replace(
        stored,
        pairing=replace(stored.pairing, result=result),
        state=PairingState.DONE,
        decided_by=decided_by,
        ended=now if stored.ended is None else stored.ended,
    )


def has_follow_up(tournament: Tournament | None, stored: StoredPairing) -> bool:
    """Returns whether a result changes more than its pairing, as in an arena or a ladder."""
    return tournament is not None and tournament.plan.stages[stored.pairing.stage - 1].format in FOLLOW_UPS


async def settle(change: Change, stored: StoredPairing, result: Result, decided_by: str) -> bool:
    """Writes the result of a pairing. Returns False for the end of a game that an organiser has decided."""
    if stored.state is PairingState.DONE and decided_by != BY_ORGANISER:
        return False
    finished = done(stored, result, decided_by, change.now)
    await change.set_pairing(finished)
    follow = FOLLOW_UPS.get(change.tournament.plan.stages[stored.pairing.stage - 1].format)
    if follow is not None:
        await follow(change, finished)
    return True


async def _free_again(change: Change, stored: StoredPairing) -> None:
    """Frees both players in an arena for the next opponent. Forfeiters stay out until they press "I'm back"."""
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
    """Moves a winner from below to the loser's place in a ladder."""
    active = [replace(player, free_since=change.now) for player in _players(change, stored.pairing.players)]
    if active:
        await change.set_players(*active)
    await set_order(change, ladder.after(order_of(change.snapshot), stored.pairing))


def order_of(snapshot: TournamentSnapshot) -> tuple[int, ...]:
    """Returns the numbers of the players of a ladder, the best first."""
    places = {player.ladder_place: player.number for player in snapshot.players if player.ladder_place is not None}
    return tuple(places[place] for place in sorted(places))


async def set_order(change: Change, order: tuple[int, ...]) -> None:
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
