"""Every rate limit of the bot, for one person, one pair and one server, in one table.

Normal play stays below them. Requests that are stored are counted in the database, so their limits hold over all
processes; others are counted in memory, by each process for itself.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from engine.core.hours import MINUTE


@dataclass(frozen=True, slots=True)
class Rate:
    """Allows ``burst`` at once, and one more every ``every`` seconds."""

    burst: int
    every: float


@dataclass(frozen=True, slots=True)
class Quota:
    """Allows at most ``most`` in any ``period`` (ms)."""

    most: int
    period: int


PRESSES: Final = Rate(30, 0.5)
"""Commands, buttons, menus and forms of a user."""
KEYSTROKES: Final = Rate(30, 0.25)
"""Suggestions for a user. Discord asks for them when somebody stops typing for a moment."""
IN_SERVER: Final = Rate(600, 0.025)
"""All presses in one server, and likewise all suggestions: 40 a second in the long run.

It limits the load that one server causes. A round of a large tournament begins with some hundred at once.
"""
POSTS: Final = Rate(10, 20)
"""Messages of a user's that everybody sees, such as profiles and results."""
WORK: Final = Rate(10, 6)
"""Requests that cost a second or more of a processor: files to read or write, films."""
QUESTIONS: Final = Rate(3, 600)
"""Questions of a user that ping others, apart from challenges and games: whether a game goes on in another server."""

OPEN_OF_PAIR: Final = 5
"""Challenges of one user to another that are open at once."""
CHALLENGES_OF_USER: Final = Quota(20, 10 * MINUTE)
CHALLENGES_OF_PAIR: Final = Quota(10, 10 * MINUTE)
"""Challenges of one user to another, open or not."""
CHALLENGES_TO_USER: Final = Quota(15, 10 * MINUTE)
"""Challenges of all users that ping one user."""
CHALLENGES_IN_SERVER: Final = Quota(200, 10 * MINUTE)
OFFERS_IN_GAME: Final = Quota(6, 10 * MINUTE)
"""Offers of one player in one game: draw, takeback, pause, time control, resignation; and requests to go on."""
OFFERS_OF_PAIR: Final = Quota(20, 10 * MINUTE)
"""Offers of one player to another, in all their games."""
OFFERS_OF_USER: Final = Quota(60, 10 * MINUTE)

REMEMBERED: Final = 20_000
"""The most users or servers that are remembered at once. The one with the oldest request is forgotten first."""


class Buckets:
    """Counts the requests of each user or server against a Rate (generic cell rate algorithm: one number for each)."""

    def __init__(self, rate: Rate, clock: Callable[[], float], size: int = REMEMBERED) -> None:
        """``clock`` gives seconds."""
        self._rate = rate
        self._clock = clock
        self._size = size
        self._full_until: OrderedDict[int, float] = OrderedDict()
        """The moment at which each bucket will be empty again."""

    def __len__(self) -> int:
        return len(self._full_until)

    def take(self, asker: int) -> int:
        """Counts a request. Returns 0 if it is allowed, else the seconds after which the user or server may
        try again.
        """
        now, rate = self._clock(), self._rate
        while self._full_until and next(iter(self._full_until.values())) <= now:  # as if they had never asked
            self._full_until.popitem(last=False)
        until = max(self._full_until.get(asker, now), now) + rate.every
        wait = until - now - rate.burst * rate.every
        if wait > 1e-9:  # the result of rounding
            return ceil(wait)
        self._full_until[asker] = until
        self._full_until.move_to_end(asker)
        if len(self._full_until) > self._size:
            self._full_until.popitem(last=False)
        return 0
