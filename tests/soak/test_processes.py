"""The soak notes truly when a process could not answer, and always comes to its end."""

from __future__ import annotations

import asyncio
import random
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from harness.discord import PATIENT

from bot.sandbox.world import World
from soak.faults import Faults
from soak.journal import Journal
from soak.processes import UNREACHABLE, BotProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LEAVES = 0.3
"""Seconds until the gateway loses the process of these tests."""


@pytest.fixture
def left() -> list[float]:
    """The moment at which the gateway has lost the process, once it has."""
    return []


@pytest.fixture
async def process(tmp_path: Path, left: list[float]) -> AsyncIterator[BotProcess]:
    """A process that ends at once, and which the gateway loses later."""
    delivery: Any = SimpleNamespace(connected=lambda _: not left)
    made = BotProcess("bot0", {}, tmp_path, delivery, [], [])
    made._process = await asyncio.create_subprocess_exec("sleep", "60")
    yield made
    await made.end()


def lose_later(left: list[float]) -> None:
    asyncio.get_running_loop().call_later(LEAVES, lambda: left.append(time.monotonic()))


async def test_a_stop_counts_from_when_the_gateway_has_lost_the_process(process: BotProcess, left: list[float]) -> None:
    lose_later(left)
    await process.stop()
    [span] = process.spans
    assert span.what == "SIGTERM"
    assert left[0] <= span.start <= span.end <= time.monotonic()


async def test_a_kill_counts_until_the_gateway_has_lost_the_process(process: BotProcess, left: list[float]) -> None:
    lose_later(left)
    await process._kill()
    [span] = process.spans
    assert span.what == "SIGKILL"
    assert span.start < left[0] <= span.end <= time.monotonic()


@pytest.mark.parametrize(("said", "given_up"), [(UNREACHABLE[1], 1), ("Traceback", 0)])
async def test_a_start_that_is_given_up_late_is_no_finding(process: BotProcess, said: str, given_up: int) -> None:
    (process.folder / "bot0-0.log").write_text(said, encoding="utf-8")
    process.note_end()
    assert (len(process.given_up), len(process.violations)) == (given_up, 1 - given_up)


async def test_faults_that_do_not_end_are_reported_and_not_waited_for() -> None:
    world = World()
    lines: Any = [SimpleNamespace(delay=1.0, light=lambda: None)]
    delivery: Any = SimpleNamespace(doubles=3)
    server = cast("Any", SimpleNamespace(world=world))
    faults = Faults(server, "", delivery, Journal(world), [], lines, [], random.Random(1))
    assert await faults.end(0.1)
    faults._start(asyncio.sleep(0.01))
    assert await faults.end(PATIENT)
    faults._start(asyncio.sleep(10 * PATIENT))
    delivery.doubles = lines[0].delay = 1
    async with asyncio.timeout(PATIENT):
        assert not await faults.end(0.1)
    assert (delivery.doubles, lines[0].delay) == (0, 0)


async def test_a_fault_that_fails_ends_the_soak() -> None:
    world = World()
    server = cast("Any", SimpleNamespace(world=world))
    delivery: Any = SimpleNamespace(doubles=0)
    faults = Faults(server, "", delivery, Journal(world), [], [], [], random.Random(1))

    async def fail() -> None:
        raise ValueError("the soak is wrong")

    faults._start(fail())
    with pytest.raises(ValueError, match="the soak is wrong"):
        await faults.end(PATIENT)
