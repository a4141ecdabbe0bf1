"""Contests, each won or lost as a whole: a single game or a match; and the hook at their end."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.live import LiveGame
from engine.core.game import Seat
from engine.core.record import TURN_KINDS, Kind


@dataclass(frozen=True, slots=True)
class FinishedContest:
    """A single game or a match that has just ended. Times in ms since 1970."""

    id: str
    """The id of the game or the match."""
    is_match: bool
    game: str
    players: tuple[int, int]
    winner: int | None
    """0 or 1, as in ``players``; None if nobody won."""
    rated: bool
    """Whether the players agreed that it is rated."""
    counts: bool
    """Whether the result may change ratings. False if it was aborted or declared void, or if time ended it
    uncounted.
    """
    clock: str
    points: int
    """The length of a match to points; 1 for a single game or a series."""
    started: int
    ended: int
    guild_id: int | None
    drawn: bool = False
    """Whether it was a draw. Without winner and draw, it was aborted or declared void."""
    reason: str = ""
    """The message key of the reason: ``Outcome.reason`` of a game, ``MatchResult.reason`` of a match."""

    absent: int | None = None
    """0 or 1, as in ``players``: the player who was late, has left or forfeits; None for nobody."""
    unplayed: bool = False
    """Whether the player who is ``absent`` has made no turn in the whole contest."""


def absent_seat(live: LiveGame) -> Seat | None:
    """Returns the seat whose absence ended a game: it was late or stayed away, its player has left, or it forfeits."""
    last = live.entries[-1] if live.entries else None
    outcome = live.outcome
    if last is None or outcome is None:
        return None
    if last.kind in {Kind.TIMEOUT, Kind.LEAVE}:
        return last.seat
    if last.kind is Kind.CLAIM:
        return 1 - last.seat
    if outcome.reason == "end.forfeited":
        return None if outcome.winner is None else 1 - outcome.winner
    return None


def has_moved(live: LiveGame, seat: Seat) -> bool:
    """Returns whether a seat has made a turn that was not taken back."""
    return any(entry.seat == seat for entry in live.table.effective_entries if entry.kind in TURN_KINDS)


class ContestHook:
    """Called by ``MatchService``. By default, its methods do nothing."""

    async def on_end(self, connection: AsyncConnection, contest: FinishedContest) -> None:
        """Writes the hook's own data in the transaction in which a contest ends."""
        del connection, contest
