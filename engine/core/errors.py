"""The errors of the engine.

RuleError                 a player asked for something that the rules do not allow
├── BadNotation           the text cannot be read at all
├── AmbiguousMove         the text can be read in more than one way; ``readings`` lists them
├── IllegalMove           the text or step is understood, but a named rule forbids it
└── Refused               not possible now: not your turn, stale, over, no such offer
CorruptRecord             a stored record does not replay: a fault of the program, never of a player

The text of an error is a message key and its parameters; the sentences are the caller's.
"""

from collections.abc import Sequence
from typing import TypeAlias

Param: TypeAlias = str | int


class Translated(str):
    """A parameter that is shown in the reader's words: ``@seat.white`` is a key, ``~3d12h`` a duration.

    No other text is translated, so that no name of a player's can pass for one of these.
    """

    __slots__ = ()


class RuleError(Exception):
    """A refusal that names the rule: ``key`` such as ``"abak.guard_blocks"`` and its parameters."""

    def __init__(self, key: str, /, **params: Param) -> None:
        super().__init__(key, params)
        self.key = key
        self.params: dict[str, Param] = params

    def __str__(self) -> str:
        params = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.key} ({params})" if params else self.key


class BadNotation(RuleError):
    """The text is not in the game's notation, or not a position."""


class AmbiguousMove(RuleError):
    """The text fits several different turns. ``readings`` holds each in canonical notation."""

    def __init__(self, key: str, /, *, readings: Sequence[str], **params: Param) -> None:
        super().__init__(key, **params, readings=", ".join(readings))
        self.readings = tuple(readings)


class IllegalMove(RuleError):
    """A rule forbids this step; the key names the rule."""


class Refused(RuleError):
    """The table does not accept this now."""


class CorruptRecord(Exception):
    """A stored record cannot be read or does not replay."""
