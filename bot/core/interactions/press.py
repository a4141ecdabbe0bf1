"""The content of a custom_id: everything that a button, a menu or a form needs to work after a restart.

A custom_id is ``b:verb:subject:seq:rest`` (``m:`` for a menu, ``c:`` for a menu of channels, ``u:`` for one of users,
``r:`` for one of roles, ``f:`` for a form). The verb names the action, the subject is the id of a game or challenge,
``seq`` is the number of entries that the user saw, and ``rest`` is for anything else.

A user with a client of their own can send any custom_id and any value. So handlers read both by the methods of Press.
These raise InvalidPress for anything that no button of ours carries, and the answer says that the button is no longer
valid.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from bot.core.metrics.interactions import command_name
from engine.core.errors import Refused

LONGEST: Final = 100
"""The most characters of a custom_id and of a value of a menu."""
MOST: Final = 10**14 - 1
"""The largest number in a press. As a time in ms since 1970 it is in the year 5138, so every number is a valid date."""
MOST_ROW: Final = 2**31 - 1
"""The largest number of a row that every database can hold."""
MOST_ID: Final = 2**63 - 1
"""The largest id of Discord's that the database can hold."""
PLAIN: Final = r"[^\x00-\x1f\x7f\ud800-\udfff]*"
"""One line without control characters, and without halves of characters, as no database accepts these."""
PATTERN: Final = re.compile(
    rf"[bmcurf]:(?P<verb>[a-z_]+):(?P<subject>[0-9A-Za-z]+):(?P<seq>[0-9]{{1,14}}):(?P<rest>{PLAIN})"
)
VALUE: Final = re.compile(PLAIN)
DIGITS: Final = re.compile(r"[0-9]{1,19}")


class InvalidPress(Refused):
    """No button, menu or form of this release carries such a press."""

    def __init__(self) -> None:
        super().__init__("error.press")


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

    @property
    def value(self) -> str:
        """The value that was chosen in a menu. Raises InvalidPress if there is none."""
        if not self.values:
            raise InvalidPress
        return self.values[0]

    @property
    def value_or_none(self) -> str | None:
        """The chosen value; None for a menu that was emptied, and for a button."""
        return self.values[0] if self.values else None

    @property
    def chosen(self) -> str:
        """The chosen value of a menu, or the rest of a button with the same verb."""
        return self.values[0] if self.values else self.rest

    @property
    def number(self) -> int:
        """The rest as a number. Raises InvalidPress."""
        return read_number(self.rest)

    def parts(self, count: int, separator: str = "|") -> list[str]:
        """Splits the rest into exactly ``count`` parts. Raises InvalidPress."""
        return split(self.rest, count, separator)

    def field(self, key: str) -> str:
        """Returns the text of a field of the form. Raises InvalidPress for a form without it."""
        for name, text in self.filled:
            if name == key:
                return text
        raise InvalidPress


def split(text: str, count: int, separator: str = "|") -> list[str]:
    """Splits the text into exactly ``count`` parts. Raises InvalidPress."""
    found = text.split(separator)
    if len(found) != count:
        raise InvalidPress
    return found


def read_number(text: str, most: int = MOST) -> int:
    """Reads a number from 0 to ``most``, as our buttons write it. Raises InvalidPress."""
    if not DIGITS.fullmatch(text) or int(text) > most:
        raise InvalidPress
    return int(text)


def read_id(text: str) -> int:
    """Reads one of Discord's ids. Raises InvalidPress."""
    return read_number(text, MOST_ID)


def read_press(custom_id: object) -> Press | None:
    """Reads the press in a custom_id; None if the custom_id is not one of ours."""
    if not isinstance(custom_id, str) or len(custom_id) > LONGEST:
        return None
    match = PATTERN.fullmatch(custom_id)
    return None if match is None else Press(match["verb"], match["subject"], int(match["seq"]), match["rest"])


def read_values(values: object) -> tuple[str, ...]:
    """Reads the values of a menu. Raises InvalidPress for values that no menu holds."""
    if not isinstance(values, list | tuple):
        raise InvalidPress
    for value in values:
        if not isinstance(value, str) or len(value) > LONGEST or not VALUE.fullmatch(value):
            raise InvalidPress
    return tuple(values)


def asked_by(data: Any) -> str:
    """Returns the pressed component or the used command, for the log, without chosen or typed values.

    ``data``: that of the interaction.
    """
    if custom_id := (data or {}).get("custom_id"):
        press = read_press(custom_id)
        return "an unknown component" if press is None else f"{press.verb}:{press.subject}:{press.seq}"
    return f"/{command_name(data or {})}"
