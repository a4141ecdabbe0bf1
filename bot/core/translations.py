"""What a person reads, in their language: message keys looked up in the gettext catalogues of ``locales/``.

A message's id is its key (``board.to_move``), its text has ``{name}`` placeholders; a message with a plural form is
chosen by its parameter ``n``. A parameter that begins with ``@`` is itself a key (``@seat.white``); one whose value has
a message ``<area>.<name>.<value>`` is shown by it (in ``abak.does.hits``, ``stone`` G by ``abak.stone.G``). One that
begins with ``~`` is a length of time (``~3d12h``), which is said in words.
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

from engine.core.clock import DURATION, UNITS, read_duration
from engine.core.errors import Param, RuleError
from engine.core.game import Note

LOCALES: Final = Path(__file__).parents[1] / "locales"
CODES: Final = ("en", "es")
"""Every language there is; the first is the one to fall back to."""
DISCORD: Final[Mapping[str, tuple[str, ...]]] = {"en": ("en-US", "en-GB"), "es": ("es-ES", "es-419")}
"""Discord's names for each language."""
LENGTH: Final = re.compile(rf"~(?=\d){DURATION.pattern}", re.ASCII)
TYPED: Final = "text"
"""The parameter that quotes what somebody wrote, letter by letter."""
LENGTHS: Final = {"d": "length.days", "h": "length.hours", "m": "length.minutes", "s": "length.seconds"}
"""What each unit of time is called."""


class MissingMessage(Exception):
    """A key is in no catalogue, or its parameters do not fit its text: our fault."""


@dataclass(frozen=True)
class Language:
    """Says things in one language."""

    code: str
    _texts: gettext.NullTranslations

    def __call__(self, key: str, /, **params: Param) -> str:
        """The message of that key. Raises MissingMessage."""
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
        return self._texts.gettext(key) != key

    def note(self, note: Note) -> str:
        return self(note.key, **note.params)

    def error(self, error: RuleError) -> str:
        return self(error.key, **error.params)

    def listed(self, items: Iterable[str]) -> str:
        """``a, b and c``."""
        return format_list(list(items), locale=self.code)

    def length(self, milliseconds: int, *, parts: int = 2) -> str:
        """``3 days``, ``1 hour and 30 minutes``: a time's largest units, at most ``parts`` of them."""
        said = []
        for unit, size in UNITS:
            count, milliseconds = divmod(milliseconds, size)
            if count:
                said.append(self(LENGTHS[unit], n=count))
        return self.listed(said[:parts]) if said else self("length.seconds", n=0)

    def _shown(self, area: str, name: str, value: Param) -> Param:
        if name == TYPED:
            return value
        if isinstance(value, str) and value.startswith("@"):
            try:
                return self(value[1:])
            except MissingMessage:  # no key of ours, but what somebody has typed
                return value
        if isinstance(value, str) and LENGTH.fullmatch(value):
            return self.length(read_duration(value[1:]), parts=4)
        named = f"{area}.{name}.{value}"
        return self(named) if self.has(named) else value


def plain(text: str) -> str:
    """Without case, accents and spaces to spare: to find what somebody has typed in a hurry."""
    letters = unicodedata.normalize("NFD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def read_catalogues(code: str) -> dict[str, Catalog]:
    """Every catalogue of a language by its file's stem."""
    found = {}
    for path in sorted((LOCALES / code).glob("*.po")):
        with path.open("rb") as file:
            found[path.stem] = read_po(file, locale=code, abort_invalid=True)
    return found


@cache
def language(code: str) -> Language:
    """The language of that code, all its catalogues merged; compiled in memory at first use."""
    merged = Catalog(locale=code)
    for catalogue in read_catalogues(code).values():
        for message in catalogue:
            if message.id:
                merged[message.id] = message
    compiled = io.BytesIO()
    write_mo(compiled, merged)
    compiled.seek(0)
    return Language(code, gettext.GNUTranslations(compiled))


def spoken(discord_locale: str | None, default: str = CODES[0]) -> Language:
    """The language for one of Discord's locale names; ``default`` for those that we do not speak."""
    code = (discord_locale or default).split("-")[0]
    return language(code if code in CODES else default)
