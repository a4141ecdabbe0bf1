"""The soak plays every format there is, each with enough people."""

from __future__ import annotations

import pytest

from bot.tournaments.registration.checks import least_field
from bot.tournaments.registration.templates import FORMATS, TEMPLATES, format_of
from soak.cups import KINDS, Kind


def test_every_format_is_played() -> None:
    assert {format_of(TEMPLATES[kind.template]) for kind in KINDS} == FORMATS.keys()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.template}-{kind.game}")
def test_there_are_enough_for_each(kind: Kind) -> None:
    plan = TEMPLATES[kind.template]
    assert max(plan.least, least_field(plan)) <= kind.size <= plan.capacity
