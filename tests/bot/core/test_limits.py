"""The buckets: nobody gets more than the rate, whoever keeps to it never waits, and memory is bounded."""

from hypothesis import given
from hypothesis import strategies as st

from bot.core.limits import Buckets, Rate

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
