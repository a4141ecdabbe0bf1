"""Makes texts that users have typed safe to store, and to show to others.

``quoted`` is the only function that puts a user's text into a message on Discord. The catalogues call it for every
parameter that holds such a text (``Language`` in ``bot/core/translations.py``); ``escaped`` is for names.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

QUOTE_LENGTH: Final = 100
"""The most characters of a text that a message quotes."""
UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")
"""NUL, which PostgreSQL accepts in no text, and halves of characters, which no encoding has."""
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of characters without a shape: control, format (bidi marks, zero-width), ends of lines."""
MARKUP: Final = re.compile(r"[\\`*_~|<>\[\]()#]")
"""The characters of Discord's markdown: styles, code, spoilers, links, headings; and ``<``, which begins mentions."""
EVERYBODY: Final = re.compile(r"@(?=everyone|here)")
ADDRESS: Final = re.compile(r":(?=//)|\.(?=gg/)|(?<=discord)(?:app)?\.(?=com/)", re.IGNORECASE)
"""The places at which an address is broken, so that Discord makes no link or invitation of it."""

NUMBERED: Final = re.compile(r"([0-9]+)\. ")
"""The beginning of a line that Discord takes for an item of a list."""


def storable(text: str) -> str:
    """Removes characters that no database accepts."""
    return UNSTORABLE.sub("", text)


def visible(text: str) -> str:
    """Puts the text on one line and removes invisible characters, such as those that change its direction."""
    return " ".join("".join(" " if sign.isspace() else sign for sign in text if not _unseen(sign)).split())


def _unseen(sign: str) -> bool:
    return not sign.isspace() and unicodedata.category(sign) in UNSEEN


def escaped(text: str) -> str:
    """Escapes a text for a message, so that it contains no markdown, mention or link."""
    plain = MARKUP.sub(r"\\\g<0>", visible(text))
    for broken in (EVERYBODY, ADDRESS):
        plain = broken.sub("\\g<0>\N{ZERO WIDTH SPACE}", plain)
    return plain


def quoted(text: str) -> str:
    """Returns at most the first QUOTE_LENGTH characters of a user's text, escaped."""
    seen = visible(text[: 10 * QUOTE_LENGTH])
    return escaped(seen if len(seen) <= QUOTE_LENGTH else f"{seen[: QUOTE_LENGTH - 1]}…")


def with_own_numbers(lines: Sequence[str]) -> list[str]:
    """Keeps the numbers at the beginning of lines. Discord shows the items of a list with numbers in a row, from the
    first one on, whatever the others are; so unless they are in a row, their dots are escaped.
    """
    found = [NUMBERED.match(line) for line in lines if line]  # an empty line ends no list
    numbers = [int(match[1]) if match else None for match in found]
    if all(one is None or following in {None, one + 1} for one, following in pairwise(numbers)):
        return list(lines)
    return [f"{match[1]}\\. {line[match.end() :]}" if (match := NUMBERED.match(line)) else line for line in lines]
