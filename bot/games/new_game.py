"""A game before it begins."""

from dataclasses import dataclass, field

from bot.games.stored import Place
from engine.core.game import Options


@dataclass(frozen=True, slots=True)
class NewGame:
    """The data that a game begins with, except for its players."""

    game: str
    """Its key."""
    options: Options
    place: Place
    locale: str
    clock: str = ""
    """The time control (``TimeControl``); empty: none."""
    timeout_policy: str = ""
    """What happens when time is up (``Header.timeout_policy``); only with a clock."""
    rated: bool = False
    secret: str | None = field(default=None, repr=False)
    """The secrets of its rolls (``Luck.secret``) if their promise was already published: those of a challenge, or what
    is left of the game before in a match. None: new ones.
    """
    match: tuple[str, int] = ("", 0)
    """The id of the match that it is part of, and its number there."""
    banks: tuple[int, int] | None = None
    """Each seat's bank in ms; None: that of the clock."""
    version: int | None = None
    """Of the rules; None: the newest."""
