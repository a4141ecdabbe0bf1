"""Tests the words for clocks: time controls, lengths, rest."""

from __future__ import annotations

import pytest

from bot.clocks import words as clock_words
from bot.core.translations import Language, language
from engine.core.clock import TimeControl
from engine.core.hours import DAY, HOUR, MINUTE, Hours

EN, ES = language("en"), language("es")

BOTH = pytest.mark.parametrize("say", [EN, ES], ids=["en", "es"])

NOON = 1_763_726_400_000  # 2025-11-21 12:00 UTC, a Friday


@BOTH
def test_every_time_control_can_be_said(say: Language) -> None:
    said = {
        clock_words.control(text, say)
        for text in ("1d/move", "2d", "2d+1h", "2d 1h/move", "2d+1h 1h/move", "+1h 1h/move")
    }
    assert len(said) == 6
    assert clock_words.control("3d/move", EN) == "3 days per move"
    assert clock_words.control("10m+5s", ES) == "10 minutos por jugador, +5 segundos por jugada"
    assert clock_words.control("1d/move", ES) == "1 día por jugada"


def test_durations_are_said_and_shown_short() -> None:
    assert clock_words.length(3 * DAY + 4 * HOUR + MINUTE, EN) == "3 days and 4 hours"
    assert clock_words.length(HOUR, ES) == "1 hora"
    assert clock_words.length(0, EN) == "0 seconds"
    assert clock_words.short(2 * DAY + 4 * HOUR, EN) == "2 d 4 h"
    assert clock_words.short(2 * DAY, EN) == "2 d"
    assert clock_words.short(4 * HOUR + 10 * MINUTE, EN) == "4 h 10 min"
    assert clock_words.short(59_000, EN) == "0:59"
    assert clock_words.short(0, EN) == "0:00"


def test_a_frames_time_from_an_hour_on_is_rounded_up_to_the_unit_that_it_shows() -> None:
    assert clock_words.short(3 * DAY - 1, EN) == "3 d"
    assert clock_words.short(3 * DAY - HOUR, EN) == "2 d 23 h"
    assert clock_words.short(3 * DAY - HOUR - MINUTE, EN) == "2 d 23 h"
    assert clock_words.short(2 * DAY + 4 * HOUR + 1, EN) == "2 d 5 h"
    assert clock_words.short(DAY - 1, EN) == "1 d"
    assert clock_words.short(4 * HOUR - 1, EN) == "4 h"


def test_a_frames_time_below_an_hour_is_not_rounded_up() -> None:
    assert clock_words.short(HOUR - 1, EN) == "59:59"
    assert clock_words.short(MINUTE + 999, EN) == "1:00"
    assert clock_words.short(MINUTE - 1, EN) == "0:59"


def test_the_next_rest_is_one_span_also_over_midnight() -> None:
    over = Hours((22 * 60, 6 * 60))
    assert clock_words.next_rest(over, NOON) == (NOON + 10 * HOUR, NOON + 18 * HOUR)
    within = NOON + 11 * HOUR  # at 23:00: the night that has begun is not the next
    assert clock_words.next_rest(over, within) == (NOON + 34 * HOUR, NOON + 42 * HOUR)
    assert clock_words.next_rest(Hours((13 * 60, 14 * 60)), NOON) == (NOON + HOUR, NOON + 2 * HOUR)
    assert clock_words.next_rest(Hours(None, (5, 6)), NOON) is None


@pytest.mark.parametrize(("say", "in_which"), [(EN, "a day or more per turn"), (ES, "un día o más por turno")])
def test_texts_say_in_which_games_clocks_stand(say: Language, in_which: str) -> None:
    assert [TimeControl.parse(text).live for text in ("1d/move", "1d", "23h/move", "10m+5s")] == [
        False,
        False,
        True,
        True,
    ]
    sure = say("vacation.sure", n=2, since="", until="")
    for told_of in (say("vacation.title"), sure, say("panel.from_next_turn")):
        assert in_which in told_of
