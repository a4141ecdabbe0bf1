"""A short form of the attack, and proof that it would notice."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from fuzz import interactions
from fuzz.runner import Target, attack
from fuzz.targets import targets

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = 200
INTERACTIONS = 480
TARGETS = {target.name: target for target in targets()}


@pytest.mark.parametrize("name", TARGETS)
def test_no_text_breaks_a_reader(name: str) -> None:
    report = attack(TARGETS[name], TEXTS, seed=1)
    assert not report.failures, str(report)
    assert report.texts == TEXTS
    assert report.accepted, "the texts are too far from what is read: the attack reaches nothing"


async def test_no_interaction_breaks_the_bot(tmp_path: Path, addresses: None) -> None:  # noqa: ARG001 - for what it puts back
    """An error in the bot's log fails it where the bot stops."""
    result = await interactions.attack(INTERACTIONS, 1, tmp_path)
    assert result.sent >= INTERACTIONS
    assert result.unanswered == []
    assert result.slow == []
    assert result.disorder == ""
    assert result.changed == []


async def test_a_turn_in_a_game_of_others_is_noticed(tmp_path: Path, addresses: None) -> None:  # noqa: ARG001
    async with interactions.playing(f"sqlite:///{tmp_path / 'fuzz.sqlite3'}") as (bot, _, quiet):
        before = await interactions.stored(bot, quiet)
        assert len(before["games"]) == len(quiet)
        assert interactions.changes(before, await interactions.stored(bot, quiet)) == []
        for room in quiet:
            live = await room.present()
            if live.game.key == "abalone":
                await room.type(live, "a1b2")
                await room.shown()
        found = interactions.changes(before, await interactions.stored(bot, quiet))
    assert [one.partition(":")[0] for one in found] == ["games gone", "games new", "entries new"]


def test_a_part_of_a_larger_attack_reports_what_it_sent(addresses: None) -> None:  # noqa: ARG001
    report = interactions.attack_part(0, interactions=16, seed=1)
    assert not report.failures, str(report)
    assert report.texts == report.accepted == 16


def test_an_error_that_is_no_refusal_is_a_fault() -> None:
    report = attack(Target("number", int, ["12"], ()), TEXTS, seed=1)
    assert report.failures
    assert report.failures[0].startswith("ValueError")


def test_a_slow_text_is_a_fault() -> None:
    def read(_text: str) -> None:
        end = time.thread_time() + 0.11
        while time.thread_time() < end:
            pass

    report = attack(Target("slow", read, ["x"], ()), 1, seed=1)
    assert " ms for " in report.failures[0]
