"""The task behind what the bot does by itself: one turn after another, until the bot stops."""

from __future__ import annotations

import asyncio

import pytest
from harness.discord import PATIENT
from structlog.testing import capture_logs

from bot.core.workers import Worker

HOUR = 3600.0


class Turns(Worker):
    """Tells of its turns; each waits until it is let go."""

    def __init__(self, longest: float = HOUR, pause: float = HOUR) -> None:
        super().__init__(longest)
        self.pause = pause
        self.taken = 0
        self.failing = False
        self.begun = asyncio.Event()
        self.free = asyncio.Event()

    async def run_once(self) -> float:
        self.begun.set()
        await self.free.wait()
        if self.failing:
            raise OSError("away")
        self.taken += 1
        return self.pause

    async def begins(self) -> None:
        await asyncio.wait_for(self.begun.wait(), PATIENT)
        self.begun.clear()


@pytest.mark.parametrize("times", [{"pause": 0}, {"longest": 0.01}], ids=["due", "put off no longer than allowed"])
async def test_one_turn_comes_after_another(times: dict[str, float]) -> None:
    turns = Turns(**times)
    turns.free.set()
    turns.start()
    for _ in range(3):
        await turns.begins()
    await turns.close()
    assert turns.taken >= 3


async def test_it_is_woken_even_while_a_turn_is_under_way() -> None:
    turns = Turns()
    turns.start()
    await turns.begins()
    turns.wake()
    turns.free.set()
    await turns.begins()
    turns.wake()
    await turns.begins()
    await turns.close()
    assert turns.taken == 3


async def test_it_outlives_a_turn_that_fails() -> None:
    turns = Turns(longest=0.01)
    turns.free.set()
    turns.failing = True
    with capture_logs() as logs:
        turns.start()
        await turns.begins()
        await turns.begins()
        turns.failing = False
        await turns.begins()
        await turns.begins()
        await turns.close()
    assert turns.taken >= 1
    assert {(log["event"], log["loop"], log["log_level"]) for log in logs} == {("turn_failed", "Turns", "warning")}


async def test_a_turn_that_hangs_is_given_up_and_the_next_one_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turns, "limit", 0.05)
    turns = Turns(longest=0.01)
    with capture_logs() as logs:
        turns.start()
        await turns.begins()  # nobody lets it go
        await turns.begins()
        turns.free.set()
        await turns.begins()
        await turns.close()
    assert turns.taken >= 1
    assert {log["event"] for log in logs} == {"turn_failed"}


async def test_a_turn_that_fails_may_be_tried_again_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turns, "retry", 0.01)
    turns = Turns()
    turns.failing = True
    turns.free.set()
    turns.start()
    await turns.begins()
    turns.failing = False
    await turns.begins()
    await turns.close()
    assert turns.taken == 1


async def test_a_turn_under_way_comes_to_its_end_and_none_follows() -> None:
    turns = Turns(pause=0)
    turns.start()
    await turns.begins()
    closing = asyncio.create_task(turns.close())
    await asyncio.sleep(0)
    assert turns.stopping
    turns.free.set()
    await closing
    assert turns.taken == 1


async def test_one_that_never_began_closes() -> None:
    turns = Turns()
    await turns.close()
    assert turns.taken == 0
