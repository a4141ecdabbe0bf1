"""Hours as people write them, and a zone's offsets as an engine without zone data needs them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.players.zones import offsets, read_span, span
from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR, Hours

YEAR = 365 * DAY


def ms(*moment: int) -> int:
    return int(datetime(*moment, tzinfo=UTC).timestamp()) * 1000  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", ""),
        ("23:00-07:30", "23:00-07:30"),
        ("23-7", "23:00-07:00"),
        ("9.15 to 12", "09:15-12:00"),
        ("22h30 a 6h", "22:30-06:00"),
        ("12-24", "12:00-00:00"),
        ("0:00 \u2013 12:00", "00:00-12:00"),
    ],
)
def test_hours_of_the_day_are_read(text: str, read: str) -> None:
    assert read_span(text) == read
    assert read_span(read) == read


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("nights", "zone.hours"),
        ("8-8", "zone.hours"),
        ("0-24", "zone.hours"),
        ("25-3", "zone.hours"),
        ("24:30-3", "zone.hours"),
        ("22:60-3", "zone.hours"),
        ("20:00-08:01", "zone.long_hours"),
    ],
)
def test_what_is_no_rest(text: str, key: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_span(text)
    assert caught.value.key == key


def test_a_span_in_minutes() -> None:
    assert (span("23:00-07:30"), span("")) == ((1380, 450), None)


# --- offsets -----------------------------------------------------------------------------------------------------


def test_madrid_changes_on_the_last_sundays_of_march_and_october() -> None:
    since = ms(2026, 11, 21, 6, 55)
    assert offsets("Europe/Madrid", since, since)[:4] == (
        (0, 60),
        (ms(2027, 3, 28, 1), 120),
        (ms(2027, 10, 31, 1), 60),
        (ms(2028, 3, 26, 1), 120),
    )


def test_no_zone_is_utc_and_never_changes() -> None:
    assert offsets("", ms(2026, 1, 1), ms(2026, 1, 1)) == ((0, 0),)


@pytest.mark.parametrize("zone", ["Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
def test_the_offsets_are_the_zones_own_for_two_years(zone: str) -> None:
    since = ms(2026, 3, 1, 17, 23)
    known = offsets(zone, since, since)
    for hour in range(0, 2 * 365 * 24, 5):
        moment = since + hour * HOUR
        there = datetime.fromtimestamp(moment / 1000, ZoneInfo(zone)).utcoffset() or timedelta()
        given = [minutes for begin, minutes in known if begin <= moment][-1]
        assert given == there.total_seconds() // 60


def test_they_change_once_a_year_only() -> None:
    since = ms(2026, 3, 1, 17, 23)
    first = offsets("Europe/Madrid", since, since)
    assert {offsets("Europe/Madrid", since, since + days * DAY) for days in range(0, 365, 20)} == {first}
    later = offsets("Europe/Madrid", since, since + YEAR)
    assert later[: len(first)] == first
    assert len(later) == len(first) + 2


def test_they_come_back_from_the_text_of_a_record_as_they_went_in() -> None:
    since = ms(2026, 7, 1)
    hours = Hours((1380, 450), (5, 6), offsets("America/New_York", since, since))
    assert Hours.parse(str(hours)) == hours
