"""A game before it begins."""

from dataclasses import dataclass, field

from bot.games.stored import Place
from engine.core.game import Options


@dataclass(frozen=True, slots=True)
class NewGame:
    """The data with which a game begins, except for its players."""

    game: str
    """The key of the game."""
    options: Options
    place: Place
    locale: str
    clock: str = ""
    """The time control (``TimeControl``); empty for none."""
    timeout_policy: str = ""
    """The consequence when time is up (``Header.timeout_policy``); only with a clock."""
    rated: bool = False
    secret: str | None = field(default=None, repr=False)
    """The secrets of its rolls (``Luck.secret``), if their promise is already published: those of the challenge, or the
    rest from the game before in the match. None for new ones.
    """
    match: tuple[str, int] = ("", 0)
    """The id of the match that it is part of, and its number there."""
    banks: tuple[int, int] | None = None
    """Each seat's bank in ms; None for that of the clock."""
    version: int | None = None
    """The version of the rules; None for the newest."""
