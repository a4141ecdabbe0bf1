"""Moments as people type them, in both languages and in their time zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.registration.panel.moments import (
    FARTHEST,
    read_length,
    read_moment,
    write_length,
    write_moment,
)
from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR, MINUTE

NOW = int(datetime(2027, 1, 15, 12, 0, tzinfo=UTC).timestamp() * 1000)
"""A Friday."""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("in 2h", "2027-01-15 14:00"),
        ("2 hours", "2027-01-15 14:00"),
        ("90 min", "2027-01-15 13:30"),
        ("in 1 day and 2 hours", "2027-01-16 14:00"),
        ("dentro de 3 días", "2027-01-18 12:00"),
        ("tomorrow 18:00", "2027-01-16 18:00"),
        ("mañana a las 18:00", "2027-01-16 18:00"),
        ("today at 8pm", "2027-01-15 20:00"),
        ("20:00", "2027-01-15 20:00"),
        ("11:00", "2027-01-16 11:00"),
        ("Sat 20:00", "2027-01-16 20:00"),
        ("sábado 20h", "2027-01-16 20:00"),
        ("Friday 20:00", "2027-01-15 20:00"),
        ("Friday 10:00", "2027-01-22 10:00"),
        ("mar 20:00", "2027-01-19 20:00"),
        ("3 Feb 19:30", "2027-02-03 19:30"),
        ("Feb 3, 7:30 pm", "2027-02-03 19:30"),
        ("3 mar 19:30", "2027-03-03 19:30"),
        ("3 de febrero de 2027 a las 19h", "2027-02-03 19:00"),
        ("2027-02-03 19:30", "2027-02-03 19:30"),
        ("3.2.2027 19:30", "2027-02-03 19:30"),
        ("3/2 19:30", "2027-02-03 19:30"),
        ("3-2-2027 19:30", "2027-02-03 19:30"),
        ("3-2 19:30", "2027-02-03 19:30"),
        ("2027/2/3 19:30", "2027-02-03 19:30"),
        ("1 Jan 9:00", "2028-01-01 09:00"),
        ("12 am tomorrow", "2027-01-16 00:00"),
    ],
)
def test_what_people_type_is_understood(text: str, wanted: str) -> None:
    assert write_moment(read_moment(text, NOW, ""), "") == wanted


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("soon", "moment.unread"),
        ("tomorrow", "moment.no_hour"),
        ("3/2", "moment.no_hour"),
        ("2027-02-03", "moment.no_hour"),
        ("tomorrow or so", "moment.unread"),
        ("25:00", "moment.unread"),
        ("13pm", "moment.unread"),
        ("31 Feb 10:00", "moment.unread"),
        ("2027-02-30 10:00", "moment.unread"),
        ("Sat 20:00 or so", "moment.unread"),
        ("3", "moment.unread"),
        ("in 3", "moment.unread"),
        ("in 99999 weeks", "moment.unread"),
        ("2027-01-14 10:00", "moment.past"),
        ("today 10:00", "moment.past"),
        ("in 60 weeks", "moment.far"),
    ],
)
def test_what_is_no_moment_is_refused(text: str, key: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_moment(text, NOW, "")
    assert caught.value.key == key


@pytest.mark.parametrize("between", ["/", ".", "-"])
@pytest.mark.parametrize("hour", ["", " 20:00"])
def test_a_day_that_does_not_exist_is_quoted_as_it_was_written(between: str, hour: str) -> None:
    text = between.join(("32", "13", "2026")) + hour
    with pytest.raises(RuleError) as caught:
        read_moment(text, NOW, "")
    assert (caught.value.key, caught.value.params) == ("moment.unread", {"text": text})


def test_an_hour_is_of_the_writers_zone() -> None:
    assert write_moment(read_moment("tomorrow 18:00", NOW, "America/New_York"), "") == "2027-01-16 23:00"
    assert read_moment("", NOW, "") is None
    assert read_moment("  ", NOW, "Europe/Madrid") is None


@given(st.integers(1, FARTHEST // MINUTE - 120), st.sampled_from(["", "Europe/Madrid", "Asia/Kolkata", "America/Lima"]))
def test_what_is_written_is_read_again(minutes: int, zone: str) -> None:
    moment = NOW + minutes * MINUTE
    read = read_moment(write_moment(moment, zone), NOW, zone)
    assert read is not None
    there = datetime.fromtimestamp(moment / 1000, ZoneInfo(zone or "UTC"))
    assert read == moment or (there.fold and moment - read == HOUR)  # the hour that comes twice


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_moment(text, NOW, "Europe/Madrid")
    except RuleError:
        return
    assert found is None or found > NOW


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", 0),
        ("30 min", 30),
        ("1h 30m", 90),
        ("1 hora y 30 minutos", 90),
        ("2 hours", 120),
        ("1 day", 1440),
        ("0m", 0),
    ],
)
def test_a_length_is_read_in_any_language(text: str, wanted: int) -> None:
    assert read_length(text, 7 * DAY) == wanted * MINUTE


@pytest.mark.parametrize("text", ["30", "soon", "8 days", "-30 min", "Sat 20:00"])
def test_what_is_no_length_is_refused(text: str) -> None:
    with pytest.raises(RuleError) as error:
        read_length(text, 7 * DAY)
    assert error.value.key == "moment.no_length"


@given(st.integers(0, 7 * 24 * 60))
def test_a_length_that_is_written_is_read_again(minutes: int) -> None:
    assert read_length(write_length(minutes * MINUTE), 7 * DAY) == minutes * MINUTE
