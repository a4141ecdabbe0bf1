"""A short form of the attack, and proof that it would notice."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from harness.discord import Seat

from bot.sandbox.state.permissions import MANAGE_GUILD, MEMBER
from bot.sandbox.validation.messages import LOADING
from fuzz import interactions
from fuzz.calibration import spend
from fuzz.generator import Generator
from fuzz.runner import SLOW, Target, attack
from fuzz.targets import targets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

TEXTS = 200
INTERACTIONS = 160
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


def kinds(part: Any) -> Iterator[str]:
    """Yields the kinds of parts in the data of an interaction: menus and buttons, options and context menus."""
    if "component_type" in part:
        yield f"{part['custom_id'][:1]}: {part['component_type']}"
    if "custom_id" not in part and "type" in part and "name" in part and "id" in part:
        yield f"command {part['type']}"
    for option in part.get("options", ()):
        yield f"option {option['type']}"
        yield from kinds(option)
    for name in part.get("resolved", ()):
        yield f"resolved {name}"


async def test_every_kind_of_interaction_is_made(tmp_path: Path, addresses: None) -> None:  # noqa: ARG001
    """Commands, context menus and menus of all kinds, options of all types, with what Discord says of their ids."""
    async with interactions.playing(f"sqlite:///{tmp_path / 'fuzz.sqlite3'}") as (_, rooms, quiet):
        world = rooms[0].server.world
        eve = Seat.join(world, "Eve", rooms[0].channel_id, permissions=MEMBER | MANAGE_GUILD)
        generator = Generator(random.Random(1), rooms, quiet, eve)
        thinking = world.messages.create(
            rooms[0].channel_id, world.bot_user, {"content": "…"}, {}, extra={"flags": LOADING}
        )
        made = [generator.make() for _ in range(4000)]
    assert thinking["id"] not in {str(sent.source) for sent in made}  # it has no buttons yet
    found = Counter(kind for sent in made for kind in kinds(sent.payload["data"]))
    components = {"b: 2", "m: 3", "u: 5", "r: 6", "c: 8"}
    commands = {f"command {kind}" for kind in (1, 2, 3)} | {f"option {kind}" for kind in range(1, 12)}
    told = {f"resolved {name}" for name in ("users", "members", "roles", "channels", "attachments", "messages")}
    assert {kind for kind in components | commands | told if not found[kind]} == set()


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


@pytest.mark.thorough
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
        spend(3 * SLOW)

    report = attack(Target("slow", read, ["x"], ()), 1, seed=1)
    assert " ms for " in report.failures[0]
