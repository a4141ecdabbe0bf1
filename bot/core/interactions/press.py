"""What a custom_id carries: everything that a button, a menu or a form needs to work after a restart.

A custom_id is ``b:verb:subject:seq:rest`` (``m:`` for a menu, ``c:`` for a menu of channels, ``f:`` for a form): what
to do, the game or challenge it is about, the version of the game that the presser saw, and whatever the verb needs.
"""

import re
from dataclasses import dataclass
from typing import Final

PATTERN: Final = re.compile(r"[bmcf]:(?P<verb>[a-z_]+):(?P<subject>[0-9A-Za-z]+):(?P<seq>[0-9]+):(?P<rest>.*)")


@dataclass(frozen=True, slots=True)
class Press:
    """What was pressed; for a menu, with the values chosen; for a form, with what was filled in."""

    verb: str
    subject: str
    seq: int
    rest: str = ""
    values: tuple[str, ...] = ()
    filled: tuple[tuple[str, str], ...] = ()
    """A form's fields by key, with their texts."""

    def __str__(self) -> str:
        return f"{self.verb}:{self.subject}:{self.seq}:{self.rest}"


def read_press(custom_id: str) -> Press | None:
    """The press of a custom_id; None if it is none of ours."""
    match = PATTERN.fullmatch(custom_id)
    return None if match is None else Press(match["verb"], match["subject"], int(match["seq"]), match["rest"])
