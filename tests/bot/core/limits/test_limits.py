"""Limits: nobody gets more than the rate, whoever keeps to it never waits, and what is over is forgotten."""

import asyncio

from discord.http import HTTPClient
from hypothesis import given
from hypothesis import strategies as st

from bot.core.limits.forgetting import IDLE, forget_limits
from bot.core.limits.rates import Buckets, Rate

RATE = Rate(burst=5, every=2.0)


class Hand:
    """A clock moved by hand, in seconds."""

    at = 100.0

    def __call__(self) -> float:
        return self.at


@given(st.lists(st.floats(0, 4), max_size=60))
def test_nobody_gets_more_than_the_rate(pauses: list[float]) -> None:
    clock = Hand()
    buckets = Buckets(RATE, clock)
    admitted: list[float] = []
    for pause in pauses:
        clock.at += pause
        if buckets.take(1) == 0:
            admitted.append(clock.at)
    for first in range(len(admitted)):
        for last in range(first, len(admitted)):
            span = admitted[last] - admitted[first]
            assert last - first + 1 <= RATE.burst + span / RATE.every + 1e-6


@given(st.lists(st.floats(2, 10), max_size=40))
def test_who_keeps_to_the_pace_never_waits(pauses: list[float]) -> None:
    clock = Hand()
    buckets = Buckets(RATE, clock)
    for pause in pauses:
        clock.at += pause
        assert buckets.take(1) == 0


def test_the_time_to_wait_is_enough_and_no_other_user_waits() -> None:
    clock = Hand()
    buckets = Buckets(RATE, clock)
    assert [buckets.take(1) for _ in range(RATE.burst)] == [0] * RATE.burst
    wait = buckets.take(1)
    assert wait == 2
    assert buckets.take(2) == 0
    clock.at += wait
    assert buckets.take(1) == 0
    assert buckets.take(1) > 0


def test_only_so_many_users_are_remembered() -> None:
    buckets = Buckets(RATE, Hand(), size=3)
    for user_id in range(10):
        buckets.take(user_id)
    assert len(buckets) == 3


def test_whose_bucket_is_empty_again_is_forgotten() -> None:
    clock = Hand()
    buckets = Buckets(RATE, clock)
    for user_id in range(10):
        buckets.take(user_id)
        clock.at += 0.1
    clock.at += RATE.every
    assert buckets.take(10) == 0
    assert len(buckets) == 1


async def test_limits_of_discord_that_are_over_are_forgotten() -> None:
    http, now = HTTPClient(asyncio.get_running_loop()), asyncio.get_running_loop().time()
    limits = {name: http.get_ratelimit(name) for name in ("over", "runs", "asked", "out", "waits", "never")}
    for limit in limits.values():
        limit._last_request, limit.expires = now - IDLE, now
    limits["runs"].expires = now + 600
    limits["asked"]._last_request = now - IDLE + 1
    limits["out"].outgoing = 1
    limits["waits"]._pending_requests.append(asyncio.get_running_loop().create_future())
    limits["never"].expires = None  # no answer had a limit
    assert forget_limits(http, now) == 2
    assert set(http._buckets) == {"runs", "asked", "out", "waits"}
    async with http.get_ratelimit("over"):
        assert set(http._buckets) == {"runs", "asked", "out", "waits", "over"}
        assert forget_limits(http, now + 2 * IDLE) == 1
        assert "over" in http._buckets
