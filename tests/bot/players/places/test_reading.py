"""Time zones as people write them: cities, countries, offsets from UTC."""

from zoneinfo import ZoneInfo

import pytest

from bot.core.translations import CODES, language
from bot.players.places.cities import CITIES, COUNTRIES, LARGEST, PARTS_OF_AN_HOUR
from bot.players.places.reading import (
    LONGEST,
    SeveralZones,
    city,
    has_several_times,
    in_words,
    label,
    place,
    read_zone,
    zones,
)
from engine.core.errors import RuleError


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("", ""),
        ("  ", ""),
        ("Europe/Madrid", "Europe/Madrid"),
        ("europe/madrid", "Europe/Madrid"),
        ("  MADRID ", "Europe/Madrid"),
        ("mexico city", "America/Mexico_City"),
        ("bogot", "America/Bogota"),
        ("Bogotá", "America/Bogota"),
        ("Ciudad de México", "America/Mexico_City"),
        ("nueva york", "America/New_York"),
        ("Londres", "Europe/London"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("America/Buenos_Aires", "America/Buenos_Aires"),
        ("Canarias", "Atlantic/Canary"),
        ("Puerto España", "America/Port_of_Spain"),
        # by the beginning of a name, else of a word within it, not by letters within a word
        ("island", "Atlantic/Reykjavik"),
        ("salem", "America/North_Dakota/New_Salem"),
        # countries: their largest city
        ("España", "Europe/Madrid"),
        ("spain", "Europe/Madrid"),
        ("USA", "America/New_York"),
        ("EE. UU.", "America/New_York"),
        ("Estados Unidos", "America/New_York"),
        ("México", "America/Mexico_City"),
        ("Argentina", "America/Argentina/Buenos_Aires"),
        ("Chile", "America/Santiago"),
        ("Ecuador", "America/Guayaquil"),
        ("Australia", "Australia/Sydney"),
        ("Canada", "America/Toronto"),
        ("Brasil", "America/Sao_Paulo"),
        ("Reino Unido", "Europe/London"),
        ("England", "Europe/London"),
        # cities that give no zone its name
        ("Barcelona", "Europe/Madrid"),
        ("Medellín", "America/Bogota"),
        ("Quito", "America/Guayaquil"),
        ("Houston", "America/Chicago"),
        ("San Francisco", "America/Los_Angeles"),
        ("Manchester", "Europe/London"),
        ("Wellington", "Pacific/Auckland"),
        # namesakes with their country
        ("Valencia, España", "Europe/Madrid"),
        ("valencia venezuela", "America/Caracas"),
        ("Córdoba (Argentina)", "America/Argentina/Cordoba"),
        ("San José, Costa Rica", "America/Costa_Rica"),
        ("Birmingham, UK", "Europe/London"),
        ("Piura, Peru", "America/Lima"),  # an unknown city of a country with one time
        # offsets from UTC
        ("utc", "UTC"),
        ("GMT", "UTC"),
        ("UTC+2", "Etc/GMT-2"),
        ("gmt -5", "Etc/GMT+5"),
        ("-3", "Etc/GMT+3"),
        ("UTC\u22123", "Etc/GMT+3"),
        ("+05:30", "Asia/Kolkata"),
        ("UTC+0", "UTC"),
    ],
)
def test_a_zone_is_read(text: str, zone: str) -> None:
    assert read_zone(text) == zone


@pytest.mark.parametrize(
    ("text", "key", "named"),
    [
        ("Atlantis", "zone.close", "Atlanti"),
        ("Madird", "zone.close", "Madrid"),
        ("Zaragosa", "zone.close", "Zaragoza"),
        ("Xyzzyx", "zone.unknown", "Xyzzyx"),
        ("es", "zone.unknown", "es"),
        ("../etc/passwd", "zone.unknown", "../etc/passwd"),
        ("x" * 500, "zone.unknown", "x" * LONGEST),
        ("america", "zone.several", "America/"),
        ("Valencia", "zone.several", "Europe/Madrid, America/Caracas"),
        ("Guadalajara", "zone.several", "Europe/Madrid, America/Mexico_City"),
        ("córdoba", "zone.several", "America/Argentina/Cordoba, Europe/Madrid"),
        ("San José", "zone.several", "America/Costa_Rica, America/Los_Angeles"),
        ("Georgia", "zone.several", "Asia/Tbilisi"),
        ("Fresno, USA", "zone.several", "America/Los_Angeles"),
        ("UTC+15", "zone.offset", "UTC+15"),
        ("+3:20", "zone.offset", "+3:20"),
    ],
)
def test_what_fits_no_zone_or_several_is_asked_back(text: str, key: str, named: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_zone(text)
    assert caught.value.key == key
    for code in CODES:
        assert named in language(code).error(caught.value)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("text", ["Valencia", "Portland", "Guadalajara", "San José", "Georgia", "Fresno, USA"])
def test_the_places_of_an_ambiguous_text_are_named_in_the_readers_language_and_can_be_typed(
    text: str, code: str
) -> None:
    with pytest.raises(SeveralZones) as caught:
        read_zone(text)
    told = in_words(caught.value, language(code))
    assert "/" not in told
    for zone in caught.value.zones:
        assert place(zone, code) in told
        assert read_zone(place(zone, code)) == zone


def test_a_place_has_its_country() -> None:
    assert [place("Europe/Madrid", code) for code in CODES] == ["Madrid (Spain)", "Madrid (España)"]
    assert place("Etc/GMT-2", "es") == "UTC+2"


def test_every_zone_reads_as_itself_and_as_it_is_shown() -> None:
    full_hours = [f"Etc/GMT{hour:+}" for hour in range(-14, 13) if hour]
    assert [name for name in (*zones(), *full_hours) if read_zone(name) != name or read_zone(label(name)) != name] == []


def test_the_sign_of_an_offset_is_shown_as_people_write_it() -> None:
    assert (label("Etc/GMT-2"), label("Etc/GMT+11"), label("Europe/Madrid")) == ("UTC+2", "UTC-11", "Europe/Madrid")


def test_a_zone_is_called_by_its_city_in_the_readers_language() -> None:
    assert [city(zone, "es") for zone in ("America/New_York", "Etc/GMT-2", "UTC")] == ["Nueva York", "UTC+2", "UTC"]


def test_of_a_country_with_several_times_the_largest_city_is_a_guess() -> None:
    assert [has_several_times(name) for name in ("USA", "España", "Perú", "Argentina", "Madrid")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_the_tables_name_zones_and_countries_that_exist() -> None:
    for zone in (*CITIES, *LARGEST.values(), *PARTS_OF_AN_HOUR.values()):
        ZoneInfo(zone)
        assert zone in zones()
    names = {name for listed in COUNTRIES.values() for name in listed.split(", ")} - {"Congo"}  # two countries
    assert all(read_zone(name) for name in names)
    assert sum(len(names.split(", ")) for names in CITIES.values()) >= 100
