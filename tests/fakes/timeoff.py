"""Random time off, for laws about clocks."""

from hypothesis import strategies as st

from engine.core.hours import DAY, Hours

MONDAY = 1_774_224_000_000
"""2026-03-23 00:00 UTC, in ms since 1970."""

rests = st.tuples(st.integers(0, 1439), st.integers(1, 720)).map(lambda pair: (pair[0], sum(pair) % 1440))
weekends = st.sets(st.integers(0, 6), max_size=3).map(lambda days: tuple(sorted(days)))
changes = st.lists(st.integers(MONDAY, MONDAY + 20 * DAY), unique=True, max_size=3).map(sorted)
times_off = st.builds(
    lambda rest, weekend, since, minutes: Hours(
        rest, weekend, tuple(zip((0, *since), minutes[: len(since) + 1], strict=True))
    ),
    st.none() | rests,
    weekends,
    changes,
    st.lists(st.integers(-720, 840), min_size=4, max_size=4),
)
