"""Translates message keys into the reader's language, with the gettext catalogues of ``locales/``.

A message's id is its key (``board.to_move``); its text has ``{name}`` placeholders. The parameter ``n`` selects the
plural form. Some parameter values are translated themselves:

- ``Translated("@seat.white")``: a key
- ``Translated("~3d12h")``: a duration, shown in words
- a value with a message ``<area>.<name>.<value>`` is shown as that message: in ``abak.does.hits``, the parameter
  ``stone`` with value G is shown as ``abak.stone.G``
"""

import gettext
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from bot.core.texts.quoting import quoted
from engine.core.clock import UNITS, read_duration
from engine.core.errors import Param, RuleError, Translated
from engine.core.game import Note

LOCALES: Final = Path(__file__).parents[1] / "locales"
CODES: Final = ("en", "es")
"""Every language; the first is the fallback."""
DISCORD: Final[Mapping[str, tuple[str, ...]]] = {"en": ("en-US", "en-GB"), "es": ("es-ES", "es-419")}
"""Discord's locales for each language."""
TYPED: Final = "text"
"""The parameter for a text that a user typed. It is never translated, and always ``quoted``."""
MARKUP: Final = "markup"
"""The parameter for a text of ours that is inserted as it is. It is never translated."""
OURS: Final = frozenset(
    {MARKUP, "channel", "fits", "names", "permission", "player", "readings", "role", "when", "why", "zones"}
)
"""Parameters of errors that hold words of ours. All others may repeat a user's words, so they are quoted."""
STAMP: Final = re.compile(r"<t:\d{1,15}:[a-zA-Z]>")
"""A moment, as Discord shows it in each reader's own time."""
LENGTHS: Final = {"d": "length.days", "h": "length.hours", "m": "length.minutes", "s": "length.seconds"}
"""The message key of each unit of time."""


class MissingMessage(Exception):
    """No catalogue has the key, or the text needs a parameter that was not given. A bug of ours."""


@dataclass(frozen=True)
class Language:
    code: str
    _texts: gettext.NullTranslations
    keys: frozenset[str] = frozenset()
    """The keys of all messages."""

    def __call__(self, key: str, /, **params: Param) -> str:
        """Returns the text of a key with its parameters. Raises MissingMessage."""
        area = key.partition(".")[0]
        shown = {name: self._shown(area, name, value) for name, value in params.items()}
        number = params.get("n")
        text = self._texts.ngettext(key, key, number) if isinstance(number, int) else key
        if text == key:
            text = self._texts.gettext(key)
        if text == key:
            raise MissingMessage(f"{self.code}: {key}")
        try:
            return text.format_map(shown)
        except KeyError as error:
            raise MissingMessage(f"{self.code}: {key} needs {error}") from error

    def has(self, key: str) -> bool:
        return key in self.keys

    def note(self, note: Note) -> str:
        return self(note.key, **note.params)

    def error(self, error: RuleError, /, **more: Param) -> str:
        """Returns the sentence of an error, with ``more`` parameters in place of its own. It quotes the
        user's words.
        """
        area = error.key.partition(".")[0]
        given = {name: self._safe(area, name, value) for name, value in error.params.items() if name not in more}
        return self(error.key, **given, **more)

    def _safe(self, area: str, name: str, value: Param) -> Param:
        """Returns a parameter of an error, quoted unless it is translated, ours or a moment."""
        if not isinstance(value, str) or name == TYPED or name in OURS or STAMP.fullmatch(value):
            return value
        if self._shown(area, name, value) != value:
            return value
        return quoted(value)

    def listed(self, items: Iterable[str]) -> str:
        """Joins the items: ``a, b and c``."""
        return format_list(list(items), locale=self.code)

    def length(self, milliseconds: int, *, parts: int = 2) -> str:
        """Formats a duration: ``3 days``, ``1 hour and 30 minutes``. Only the largest ``parts`` units are named."""
        counts = []
        for unit, size in UNITS:
            count, milliseconds = divmod(milliseconds, size)
            if count:
                counts.append(self(LENGTHS[unit], n=count))
        return self.listed(counts[:parts]) if counts else self("length.seconds", n=0)

    def _shown(self, area: str, name: str, value: Param) -> Param:
        if name == TYPED:
            return quoted(str(value))
        if name == MARKUP:
            return value
        if isinstance(value, Translated):
            return self(value[1:]) if value[0] == "@" else self.length(read_duration(value[1:]), parts=4)
        named = f"{area}.{name}.{value}"
        return self(named) if self.has(named) else value


def plain(text: str) -> str:
    """Normalises a text for searches: removes case, accents and extra spaces."""
    letters = unicodedata.normalize("NFD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def read_catalogues(code: str) -> dict[str, Catalog]:
    """Reads every catalogue of a language, by the stem of its file name."""
    return {path.stem: _read_catalogue(path, code) for path in _catalogue_paths(code)}


def _catalogue_paths(code: str) -> list[Path]:
    return sorted((LOCALES / code).glob("*.po"))


def _read_catalogue(path: Path, code: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


@cache
def language(code: str) -> Language:
    """Returns the language of a code. Its catalogues are compiled at first use, one after the other."""
    texts, keys = Translations(), set[str]()
    for path in _catalogue_paths(code):
        catalogue = _read_catalogue(path, code)
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        texts.merge(Translations(compiled))
        keys |= {message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id}
    return Language(code, texts, frozenset(keys))


def language_for_locale(discord_locale: str | None, default: str = CODES[0]) -> Language:
    """Returns the language for one of Discord's locales; ``default`` if we have no catalogue for it."""
    code = (discord_locale or default).split("-")[0]
    return language(code if code in CODES else default)
