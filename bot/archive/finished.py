"""Finished games as the list of them shows them, and the filters of the list."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.games.stored import Place
from engine.core.game import Outcome

RESULTS: Final = ("won", "lost", "drawn")


class Cursor(NamedTuple):
    """The game at the end of a page: the game before or after that page."""

    ended: int
    game_id: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of finished games: those of ``user_id`` that ``viewer_id`` may see.

    Other users see the games that were played in the server ``guild_id``, where they ask, and those that they played
    against the user.
    """

    user_id: int
    viewer_id: int
    guild_id: int | None
    game: str = ""
    opponent_id: int | None = None
    """The opponent; ANY_LEVEL for the machine at all its levels."""
    result: str = ""
    """One of RESULTS; empty for all."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A finished game in the list. ``ended`` in ms since 1970."""

    id: str
    game: str
    players: tuple[int, int]
    place: Place
    message_id: int | None
    outcome: Outcome
    ended: int
    rated: bool
    match_id: str
    match_game: int
    to_points: bool
    """Whether the match is played to points; a series counts won games."""
    counts_points: bool
    """Whether the number of points of the game matters."""
    turns: int = 0
