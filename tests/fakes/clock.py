"""A clock that moves when it is told to, and names in order."""

from itertools import count

START = 1_800_000_000_000


class Clock:
    """Milliseconds since 1970."""

    def __init__(self, at: int = START) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at

    def pass_seconds(self, seconds: float) -> None:
        self.at += int(seconds * 1000)


class Names:
    """Names in order: ``g1``, ``g2`` and so on."""

    def __init__(self, prefix: str = "g") -> None:
        self._prefix = prefix
        self._numbers = count(1)

    def __call__(self) -> str:
        return f"{self._prefix}{next(self._numbers)}"
