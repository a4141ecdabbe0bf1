"""The content of a custom_id: everything that a button, a menu or a form needs to work after a restart.

A custom_id is ``b:verb:subject:seq:rest`` (``m:`` for a menu, ``c:`` for a menu of channels, ``u:`` for one of users,
``r:`` for one of roles, ``f:`` for a form). The verb says what to do, the subject is the id of a game or challenge,
``seq`` is the number of entries that the user saw, and ``rest`` is whatever else the verb needs.
"""

import re
from dataclasses import dataclass
from typing import Final

PATTERN: Final = re.compile(r"[bmcurf]:(?P<verb>[a-z_]+):(?P<subject>[0-9A-Za-z]+):(?P<seq>[0-9]+):(?P<rest>.*)")


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button, a menu with its chosen ``values``, or a form with its ``filled`` fields."""

    verb: str
    subject: str
    seq: int
    rest: str = ""
    values: tuple[str, ...] = ()
    filled: tuple[tuple[str, str], ...] = ()
    """A form's fields as (key, text) pairs."""

    def __str__(self) -> str:
        return f"{self.verb}:{self.subject}:{self.seq}:{self.rest}"


def read_press(custom_id: str) -> Press | None:
    """The press in a custom_id; None if the custom_id is not one of ours."""
    match = PATTERN.fullmatch(custom_id)
    return None if match is None else Press(match["verb"], match["subject"], int(match["seq"]), match["rest"])
