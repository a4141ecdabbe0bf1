"""The referee of the simulated month sees what is wrong with a record, and nothing that is right."""

import pytest
from fakes.referee import Referee

HEADER = "format: 1\ngame: nim\nversion: 1\nid: x\nstarted: 1800000000000\nclock: {clock}\ntimeout: {policy}\n\n"
"""It begins on Friday, 2027-01-15, at 08:00 UTC."""
HOUR = 3_600_000
KNOWN = ("0 hours 1 510-540 - 0", "0 play 0 1", "60000 away 1 600000 9000000")
"""From 8:10 to 10:30 there is a vacation; within it a rest, from half past eight to nine."""


def judged(*lines: str, clock: str = "1h/move", policy: str = "loss") -> Referee:
    return Referee(HEADER.format(clock=clock, policy=policy) + "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("clock", "lines", "right"),
    [
        ("1h/move", ["1800000 play 0 1"], 9_000_000 - HOUR),
        ("10m+5s", ["60000 play 0 1", "90000 play 1 1"], 90_000 + 600_000 - 60_000 + 5_000),
        ("10m 5s/move", ["60000 play 0 1", "90000 play 1 1"], 90_000 + 600_000 - 55_000 + 5_000),
        # the bot was away for ten minutes, half of them in rest hours from 8:30 to 9:00
        (
            "1d/move",
            ["0 hours 1 510-540 - 0", "0 play 0 1", "2300000 credit * 1500000 2100000"],
            25 * HOUR + 300_000,
        ),
        # the zone is an hour ahead from 8:10 UTC on: then it is half past nine there, and rest is over
        (
            "1d/move",
            ["0 hours 1 510-540 - 0 1800000600000:60", "900000 play 0 1"],
            24 * HOUR + 900_000 + 1_800_000,
        ),
        # Saturday is off, and begins at 01:00 UTC in a zone one hour behind
        ("1d/move", ["0 hours 1 - 5 -60", "0 play 0 1"], 48 * HOUR),
        # a change of hours counts from the next turn on
        ("1d/move", ["0 play 0 1", "60000 hours 1 510-540 - 0"], 24 * HOUR),
        ("1d/move", ["0 play 0 1", "60000 away 1 600000 7200000"], 24 * HOUR + 6_600_000),
        ("1d/move", ["0 play 0 1", "60000 away 1 600000 7200000", "900000 away 1 600000 900000"], 24 * HOUR + 300_000),
        ("1d/move", ["0 play 0 1", "60000 away 1 600000 7200000", "90000 away 1 600000 600000"], 24 * HOUR),
        ("1d/move", ["0 play 0 1", "0 away 0 600000 7200000"], 24 * HOUR),
        # a live clock heeds neither, but what the bot missed
        (
            "1h/move",
            ["0 hours 1 510-540 - 0", "0 play 0 1", "9 away 1 9 900000", "600000 credit * 100000 500000"],
            HOUR + 400_000,
        ),
        # adjourned to one, and back again
        ("1d/move", [*KNOWN, "90000 accept 1 adjourn 1h/move"], HOUR + 90_000),
        (
            "1d/move",
            [*KNOWN, "90000 accept 1 adjourn 1h/move", "900000 accept 1 adjourn 1d/move"],
            24 * HOUR + 9_000_000 + 1_800_000,
        ),
        (
            "1h/move",
            ["0 play 0 1", "60000 offer 0 pause", "90000 accept 1 pause", "900000 ask_resume 1", "990000 resume 0"],
            HOUR + 900_000,
        ),
        ("10m", ["0 play 0 1", "60000 offer 0 adjourn 1h/move", "90000 accept 1 adjourn 1h/move"], HOUR + 90_000),
        # what is given back of a turn that is over
        (
            "10m",
            ["60000 play 0 1", "400000 play 1 1", "401000 credit * 0 30000"],
            400_000 + 600_000 - 30_000,
        ),
    ],
)
def test_a_time_out_is_right_to_the_millisecond(clock: str, lines: list[str], right: int) -> None:
    seat = 1 - int([line for line in lines if " play " in line][-1].split()[2])
    found = {
        off: len(judged(*lines, f"{right + 2000 + off} timeout {seat}", clock=clock).findings)
        for off in (-1000, -1, 0, 1, 1000)
    }
    assert found == {-1000: 1, -1: 1, 0: 0, 1: 1, 1000: 1}


def test_a_time_out_is_dated_after_what_was_noted_before_it() -> None:
    assert judged("0 play 0 1", "9000000 hours 0 -", "9000000 timeout 1").findings == []
    assert len(judged("0 play 0 1", "9000000 hours 0 -", "9000001 timeout 1").findings) == 1


@pytest.mark.parametrize(("at", "wrong"), [(HOUR + 1999, 0), (HOUR + 2000, 1)])
def test_a_move_is_in_time_or_not(at: int, wrong: int) -> None:
    assert len(judged("0 play 0 1", f"{at} play 1 1").findings) == wrong


def test_a_late_move_is_right_where_the_time_out_was_noted_and_not_claimed() -> None:
    lines = "0 play 0 1", f"{HOUR + 2000} timeout 1", f"{3 * HOUR} play 1 1"
    assert judged(*lines, policy="claim").findings == []
    assert len(judged(lines[0], lines[2], policy="claim").findings) == 1
    twice = lines[0], lines[1], lines[1], lines[2]
    assert len(judged(*twice, policy="claim").findings) == 1


def test_an_outage_that_was_charged_is_seen() -> None:
    lines = ["0 play 0 1", "2000000 play 1 1", "2600000 play 0 1"]
    assert judged(*lines).uncovered((500_000, 600_000)) == [(500_000, 600_000)]
    credited = [lines[0], "1999999 credit * 490000 590000", *lines[1:]]
    assert judged(*credited).uncovered((500_000, 600_000)) == [(590_000, 600_000)]
    assert judged(*credited).uncovered((500_000, 580_000)) == []
    resting = ["0 hours 1 480-490 - 0", *lines]
    assert judged(*resting).uncovered((500_000, 700_000)) == [(500_000, 700_000)]  # in a live game
    assert judged(*resting, clock="1d/move").uncovered((500_000, 700_000)) == [(600_000, 700_000)]
    assert judged(*lines).uncovered((2_600_000, 2_700_000)) == []
    assert judged("5 credit * 3 6", *lines).findings != []


@pytest.mark.parametrize(
    ("noted", "more"),
    [
        ([], 0),
        (["{0} away 0 86400000 172800000"], 24),
        (["{0} away 0 86400000 172800000", "{0} credit * 129600000 216000000"], 36),
        (["{0} away 1 86400000 172800000"], 0),
    ],
)
def test_a_claim_without_a_clock_is_right_or_too_early(noted: list[str], more: int) -> None:
    head = HEADER.replace("clock: {clock}\ntimeout: {policy}\n", "")
    month = 30 * 24 * HOUR
    lines = ["3600000 play 1 1", *(line.format(month) for line in noted)]
    found = [
        len(Referee(head + "\n".join([*lines, f"{HOUR + month + more * HOUR + off} claim 1 win"])).findings)
        for off in (-1, 0)
    ]
    assert found == [1, 0]


def test_entries_go_forward_and_turns_alternate() -> None:
    assert judged("9 play 0 1", "8 play 1 1").findings != []
    assert judged("0 play 0 1", "5 timeout 0").findings != []
