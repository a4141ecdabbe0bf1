"""A plan that a later version has stored keeps the settings that this one does not know."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.tournaments.registration.templates import TEMPLATES
from bot.tournaments.rows import plan_text, read_plan

PLAN = TEMPLATES["long_swiss"]


def test_unknown_settings_are_written_back() -> None:
    """In a rolling upgrade, a process of the version before writes a plan of the later one."""
    stored = json.loads(plan_text(PLAN))
    later = {"pace": {"of": 3}, "ladder": {"seasons": True}}
    stored |= {"pace": later["pace"], "ladder": stored["ladder"] | later["ladder"]}
    read = read_plan(json.dumps(stored))
    written = json.loads(plan_text(replace(read, capacity=8)))
    assert written == stored | {"capacity": 8}
    assert read_plan(json.dumps(written)) == replace(read, capacity=8)


def test_a_known_plan_has_no_unknown_settings() -> None:
    plan = replace(PLAN, options={"points": 3})
    assert read_plan(plan_text(plan)) == plan
    assert "unknown" not in plan_text(plan)
