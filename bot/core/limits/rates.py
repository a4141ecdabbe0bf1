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
    """At most ``burst`` at once, and one more every ``every`` seconds."""

    burst: int
    every: float


@dataclass(frozen=True, slots=True)
class Quota:
    """At most ``most`` in any ``period`` (ms)."""

    most: int
    period: int


PRESSES: Final = Rate(30, 0.5)
"""Commands, buttons, menus and forms of a user."""
KEYSTROKES: Final = Rate(30, 0.25)
"""Suggestions for a user. Discord asks for them when somebody stops typing for a moment."""
IN_SERVER: Final = Rate(600, 0.025)
"""Presses of all in one server, and in the same way suggestions: 40 a second in the long run.

That bounds what a server costs the others. A round of a large tournament begins with some hundred at once.
"""
POSTS: Final = Rate(10, 20)
"""Messages that a user has the bot show to everybody, such as profiles and results."""
WORK: Final = Rate(10, 6)
"""What takes the bot a second or more of a processor: files that are read or written, films."""
QUESTIONS: Final = Rate(3, 600)
"""Questions of a user that ping somebody beside a challenge or a game: whether it goes on in another server."""

OPEN_OF_PAIR: Final = 5
"""Challenges of one user to another that are open at once."""
CHALLENGES_OF_USER: Final = Quota(20, 10 * MINUTE)
CHALLENGES_OF_PAIR: Final = Quota(10, 10 * MINUTE)
"""Challenges of one user to another, whatever has become of them."""
CHALLENGES_TO_USER: Final = Quota(15, 10 * MINUTE)
"""Challenges that ping one user, whoever makes them."""
CHALLENGES_IN_SERVER: Final = Quota(200, 10 * MINUTE)
OFFERS_IN_GAME: Final = Quota(6, 10 * MINUTE)
"""Offers of one player in one game: draw, takeback, pause, time control, resignation; and requests to go on."""
OFFERS_OF_PAIR: Final = Quota(20, 10 * MINUTE)
"""Offers of one player to another, in all their games."""
OFFERS_OF_USER: Final = Quota(60, 10 * MINUTE)

REMEMBERED: Final = 20_000
"""How many users or servers are remembered at once; the one that asked longest ago is forgotten first."""


class Buckets:
    """Counts the requests of each user or server against a Rate (the generic cell rate algorithm: one number each)."""

    def __init__(self, rate: Rate, clock: Callable[[], float], size: int = REMEMBERED) -> None:
        """``clock`` gives seconds."""
        self._rate = rate
        self._clock = clock
        self._size = size
        self._full_until: OrderedDict[int, float] = OrderedDict()
        """When each one's bucket will be empty again."""

    def __len__(self) -> int:
        return len(self._full_until)

    def take(self, asker: int) -> int:
        """Counts one request. Returns 0 if it is allowed, else after how many seconds the user or server may try
        again.
        """
        now, rate = self._clock(), self._rate
        while self._full_until and next(iter(self._full_until.values())) <= now:  # it is as if they had never asked
            self._full_until.popitem(last=False)
        until = max(self._full_until.get(asker, now), now) + rate.every
        wait = until - now - rate.burst * rate.every
        if wait > 1e-9:  # of rounding
            return ceil(wait)
        self._full_until[asker] = until
        self._full_until.move_to_end(asker)
        if len(self._full_until) > self._size:
            self._full_until.popitem(last=False)
        return 0
