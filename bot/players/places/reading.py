"""Reads time zones as users type them: a city, a country, both, an IANA name, or an offset from UTC."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Final
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global

from bot.core.translations import CODES, Language, plain
from bot.players.places.cities import CITIES, COUNTRIES, LARGEST, PARTS_OF_AN_HOUR
from engine.core.errors import RuleError

NAMED: Final = 6
"""The most zones that an error message names if the text fits several."""
LONGEST: Final = 60
"""The most characters of a text that are read, and quoted."""
LEAST_BEGINNING: Final = 3
"""The fewest letters with which the beginning of a name is enough."""
LIKENESS: Final = 0.75
"""The least likeness of a misspelt name to a suggested one (difflib's ratio)."""
OFFSET: Final = re.compile(r"(?:utc|gmt)? ?([+\u2212-]) ?(\d{1,2})(?::?([0-5]\d))?", re.ASCII)
UTC_NAMES: Final = frozenset({"utc", "gmt", "z", "zulu"})
FULL_HOURS: Final = range(-12, 15)
ETC: Final = re.compile(r"Etc/GMT([+-])(\d+)")


class SeveralZones(RuleError):
    """The text fits several zones. The parameter ``zones`` holds them as they can be typed."""

    def __init__(self, text: str, zones: Sequence[str]) -> None:
        super().__init__("zone.several", text=text, zones=", ".join(map(label, zones)))
        self.zones = tuple(zones)


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """Returns every zone with a place in its name, sorted, and UTC at the end."""
    return (*sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")), "UTC")


def read_zone(text: str) -> str:
    """Returns the IANA name for ``Europe/Madrid``, ``madrid``, ``Nueva York``, ``Spain`` or ``UTC+2``; "" for an empty
    text.

    A country stands for its largest city. Raises RuleError if the text fits no zone or several.
    """
    shown = text.strip()
    if not shown:
        return ""
    if len(shown) > LONGEST:
        raise RuleError("zone.unknown", text=f"{shown[:LONGEST]}\u2026")
    query = _plain(shown)
    if (exact := _iana().get(query)) is not None:
        return exact
    if offset := OFFSET.fullmatch(query):
        return _at_offset(offset, shown)
    return _one(_fitting(query), query, shown)


def label(zone: str) -> str:
    """Writes a zone as users read and type it: ``UTC+2`` instead of ``Etc/GMT-2``, which has the opposite sign."""
    found = ETC.fullmatch(zone)
    return zone if found is None else f"UTC{'-' if found[1] == '+' else '+'}{found[2]}"


def city(zone: str, code: str) -> str:
    """Returns the zone's city in the language of that code; the zone's label if it has none."""
    if "/" not in zone or ETC.fullmatch(zone):
        return label(zone)
    name: str = Locale(code).time_zones.get(zone, {}).get("city", "")
    return name or zone.rpartition("/")[2].replace("_", " ")


def place(zone: str, code: str) -> str:
    """Writes the zone's city and country in the language of that code, such as ``Madrid (España)``. It can be typed."""
    country = next((country for country, own in _zones_by_country().items() if zone in own), "")
    name: str = Locale(code).territories.get(country, "")
    return f"{city(zone, code)} ({name})" if name else city(zone, code)


def in_words(error: RuleError, say: Language) -> str:
    """Returns the sentence about an unreadable zone, with places in the reader's language."""
    if not isinstance(error, SeveralZones):
        return say.error(error)
    places = " · ".join(place(zone, say.code) for zone in error.zones)
    return say.error(error, zones=places)


def has_several_times(country: str) -> bool:
    """Returns whether the text names a country that has more than one time, so that its largest city is only a
    guess.
    """
    query = _plain(country)
    found = () if query in _places() else _countries().get(query, ())
    return any(len(_distinct(code)) > 1 for code in found)


def _one(found: list[str], query: str, shown: str) -> str:
    """Returns the only zone that was found. Raises RuleError."""
    known = list(dict.fromkeys(get_global("zone_aliases").get(name, name) for name in found))
    if len(known) == 1:
        return found[0] if len(found) == 1 else known[0]
    if known:
        raise SeveralZones(shown, known[:NAMED])
    close = difflib.get_close_matches(query, _places(), NAMED // 2, LIKENESS)
    if close:
        raise RuleError("zone.close", text=shown, names=", ".join(map(str.title, close)))
    raise RuleError("zone.unknown", text=shown)


def _fitting(query: str) -> list[str]:
    """Returns the zones that the text may mean, the best first."""
    if (exact := _exactly(query)) or len(query) < LEAST_BEGINNING:
        return exact
    words = query.split()
    for cut in range(1, len(words)):  # "valencia, spain"
        codes = _countries().get(" ".join(words[cut:]), ())
        if codes:
            own = {zone for code in codes for zone in _zones_by_country()[code]}
            named = [zone for zone in _exactly(" ".join(words[:cut])) if zone in own]
            return named or [zone for code in codes for zone in _distinct(code)]
    names = {**_places(), **{name: _of_countries(codes) for name, codes in _countries().items()}}
    begun = [zone for name, found in names.items() if name.startswith(query) for zone in found]
    return begun or [zone for name, found in names.items() if f" {query}" in f" {name}" for zone in found]


def _exactly(query: str) -> list[str]:
    """Returns the zones of the cities and countries with exactly that name."""
    return [*_places().get(query, ()), *_of_countries(_countries().get(query, ()))]


def _of_countries(codes: Iterable[str]) -> tuple[str, ...]:
    """Returns the zones of the countries' largest cities."""
    return tuple(LARGEST.get(code, _zones_by_country()[code][0]) for code in codes)


def _distinct(code: str) -> list[str]:
    """Returns the first zone of each time that a country has, beginning with that of its largest city."""
    found: dict[str, str] = {}
    for zone in (*_of_countries([code]), *_zones_by_country()[code]):
        found.setdefault(_rule(zone), zone)
    return list(found.values())


def _at_offset(offset: re.Match[str], shown: str) -> str:
    """Returns the zone without summer time at that offset from UTC. Raises RuleError."""
    minutes = (int(offset[2]) * 60 + int(offset[3] or 0)) * (1 if offset[1] == "+" else -1)
    if minutes % 60 == 0 and minutes // 60 in FULL_HOURS:
        return f"Etc/GMT{-minutes // 60:+}" if minutes else "UTC"
    if minutes in PARTS_OF_AN_HOUR:
        return PARTS_OF_AN_HOUR[minutes]
    raise RuleError("zone.offset", text=shown)


def _plain(text: str) -> str:
    """Normalises a text for comparison of names: without case, accents, underscores, commas and brackets."""
    return plain(re.sub(r"[_,()·]", " ", text))


# --- the names, read once ------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _iana() -> Mapping[str, str]:
    """Returns every zone that may be chosen by its own name, also those at full hours from UTC."""
    full_hours = [f"Etc/GMT{-hour:+}" for hour in FULL_HOURS if hour]
    names = {_plain(name): name for name in (*zones(), *full_hours)}
    return {**names, **dict.fromkeys(UTC_NAMES, "UTC")}


@lru_cache(maxsize=1024)
def _rule(zone: str) -> str:
    """Returns the zone's rule for future years, such as ``EST5EDT,M3.2.0,M11.1.0``: the end of its file (RFC 8536)."""
    folder, _, name = f"tzdata.zoneinfo/{zone}".rpartition("/")
    data = resources.files(folder.replace("/", ".")).joinpath(name).read_bytes()
    return data.rstrip(b"\n").rpartition(b"\n")[2].decode("ascii")


@lru_cache(maxsize=1)
def _places() -> Mapping[str, tuple[str, ...]]:
    """Returns the zones of each place: the city in the zone's name, in every language, and CITIES."""
    found: dict[str, dict[str, None]] = {}
    for zone in zones():
        spellings = [zone, zone.partition("/")[2], zone.rpartition("/")[2]]
        spellings += (Locale(code).time_zones.get(zone, {}).get("city", "") for code in CODES)
        for name in filter(None, map(_plain, spellings)):
            found.setdefault(name, {})[zone] = None
    for zone, names in CITIES.items():
        for name in names.split(", "):
            found.setdefault(_plain(name), {})[zone] = None
    return {name: tuple(listed) for name, listed in found.items()}


@lru_cache(maxsize=1)
def _countries() -> Mapping[str, tuple[str, ...]]:
    """Returns the codes of the countries with each name, in every language. Countries without a zone are left out."""
    found: dict[str, dict[str, None]] = {}
    for code in _zones_by_country():
        names = [Locale(language).territories.get(code, "") for language in CODES]
        for name in filter(None, map(_plain, [*names, *COUNTRIES.get(code, "").split(", ")])):
            found.setdefault(name, {})[code] = None
    return {name: tuple(listed) for name, listed in found.items()}


@lru_cache(maxsize=1)
def _zones_by_country() -> Mapping[str, tuple[str, ...]]:
    """Returns the zones of each country, by its code of ISO 3166, in the order of tzdata's ``zone.tab``."""
    found: dict[str, list[str]] = {}
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8")
    for row in table.splitlines():
        if row and not row.startswith("#"):
            code, _, zone = row.split("\t")[:3]
            found.setdefault(code, []).append(zone)
    return {code: tuple(listed) for code, listed in found.items()}
