"""The short form of the soak: nothing that was told is wrong, whatever broke meanwhile."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Final

import pytest
from harness.thinning import in_number

from soak.run import PROCESSES, Soak, longest

if TYPE_CHECKING:
    from pathlib import Path

LONG: Final = 110.0
PLAYERS: Final = 40
SEED: Final = 13
RATE: Final = 5.0
"""Acts a second: two slow processors carry them while other tests run beside."""
QUIET: Final = 150.0
"""Seconds in which everything has to be shown: a challenge that was posted and not noted is looked for after 130."""


@pytest.mark.long
@pytest.mark.timeout(longest(LONG, QUIET))
@pytest.mark.xdist_group("soak")
@in_number("seconds", 30.0, LONG)
async def test_what_players_are_told_stays_true(
    empty_postgres_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, seconds: float
) -> None:
    caplog.set_level(logging.CRITICAL, "aiohttp")
    report = await Soak(empty_postgres_url, tmp_path, seconds, PLAYERS, SEED, RATE, quiet=QUIET).run()
    print(report)  # noqa: T201  pytest shows it where the test fails
    assert not report.violations, report.violations
    assert report.facts["turns acknowledged"] > 0
    assert report.facts["cups started"] >= 1
    # and that under faults of every sort: each process was ended, one of them without a warning
    assert len(report.struck) == PROCESSES
    assert all(one.total() for one in report.struck.values()), report.struck
    assert {"SIGKILL", "SIGTERM"} <= sum(report.struck.values(), Counter()).keys()
    assert report.facts["connections to the database that met a fault"]
    assert report.facts["requests to Discord that met a fault"]
    assert report.faults.total() > seconds / 8
