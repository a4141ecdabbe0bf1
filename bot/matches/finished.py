"""The finished contests that count for ratings, read from the rows of their records to rebuild ratings.

A source is a SELECT with the columns of COLUMNS. It selects contests that were agreed to be rated, have ended, and
count.
"""

from typing import Any, Final, TypeAlias

from sqlalchemy import Row, Select, case, false, literal, null, select, true
from sqlalchemy.types import Integer

from bot.games.tables import IS_OVER, games
from bot.matches.contests import FinishedContest
from bot.matches.tables import IS_OVER as MATCH_IS_OVER
from bot.matches.tables import matches

ContestSource: TypeAlias = Select[Any]
COLUMNS: Final = (
    *("id", "is_match", "game", "player0", "player1", "winner", "clock", "points", "started", "ended", "guild_id"),
    "reason",
)
"""The fields of FinishedContest; ``winner`` is 0, 1 or NULL."""


def single_games() -> ContestSource:
    """Selects games that are contests of their own."""
    winner = case((games.c.points0 > 0, 0), (games.c.points0 < 0, 1), else_=null())
    return select(
        games.c.id,
        false().label("is_match"),
        games.c.game,
        games.c.seat0.label("player0"),
        games.c.seat1.label("player1"),
        winner.cast(Integer).label("winner"),
        games.c.clock,
        literal(1).label("points"),
        games.c.started,
        games.c.ended,
        games.c.guild_id,
        games.c.reason,
    ).where(IS_OVER, games.c.match_id.is_(None), games.c.rated == true(), games.c.counts == true())


def whole_matches() -> ContestSource:
    """Selects matches to points, and series."""
    return select(
        matches.c.id,
        true().label("is_match"),
        matches.c.game,
        matches.c.player0,
        matches.c.player1,
        matches.c.winner.cast(Integer).label("winner"),
        matches.c.clock,
        case((matches.c.points > 0, matches.c.points), else_=1).cast(Integer).label("points"),
        matches.c.started,
        matches.c.ended,
        matches.c.guild_id,
        matches.c.reason,
    ).where(MATCH_IS_OVER, matches.c.rated == true(), matches.c.counts == true())


SOURCES: Final = (single_games, whole_matches)
"""Every kind of contest."""


def contest_of(row: Row[Any]) -> FinishedContest:
    return FinishedContest(
        id=row.id,
        is_match=bool(row.is_match),
        game=row.game,
        players=(row.player0, row.player1),
        winner=row.winner,
        rated=True,
        counts=True,
        clock=row.clock,
        points=row.points,
        started=row.started,
        ended=row.ended,
        guild_id=row.guild_id,
        drawn=row.winner is None,  # aborted and void contests do not count
        reason=row.reason,
    )
