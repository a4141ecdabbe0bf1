"""The process that pairs large fields."""

from __future__ import annotations

import os
import signal

from bot.tournaments.rounds.pairing_process import SMALL, PairingProcess
from engine.tournament.model import Entrant, Format, Stage


async def test_a_process_that_was_killed_is_replaced() -> None:
    process = PairingProcess()
    stages = (Stage(Format.SWISS, rounds=3),)
    entrants = [Entrant(number, number) for number in range(1, SMALL + 3)]
    try:
        first = await process.next_round(stages, entrants, ())
        assert first is not None
        assert process._pool is not None
        (worker,) = process._pool._processes.values()
        os.kill(worker.pid or 0, signal.SIGTERM)
        worker.join(10)
        assert await process.next_round(stages, entrants, ()) == first
    finally:
        await process.close()
    assert await process.next_round(stages, entrants[:4], ()) is not None
    assert process._pool is None
