"""Servers are compared hourly, after each new session, and again if that fails."""

from __future__ import annotations

import pytest

from bot.core.processes.comparison import ServerComparison
from engine.core.hours import HOUR


class Compared:
    """Counts comparisons; some of them fail, and some meet a new session."""

    def __init__(self) -> None:
        self.now, self.count = 5, 0
        self.fails = self.meets_session = False
        self.comparison = ServerComparison(lambda: self.now)

    async def compare(self) -> None:
        self.count += 1
        if self.meets_session:
            self.comparison.soon()
        if self.fails:
            raise ConnectionError


async def test_it_is_due_once_an_hour_and_after_a_session() -> None:
    compared, woken = Compared(), []
    compared.comparison.subscribe(lambda: woken.append(1))
    for later, count in ((0, 1), (HOUR - 1, 1), (1, 2), (1, 2)):
        compared.now += later
        await compared.comparison.run(compared.compare)
        assert compared.count == count
    compared.comparison.soon()
    assert woken
    await compared.comparison.run(compared.compare)
    assert compared.count == 3


@pytest.mark.parametrize("what", ["fails", "meets_session"])
async def test_one_that_fails_or_meets_a_session_is_followed_by_another(what: str) -> None:
    compared = Compared()
    setattr(compared, what, True)
    for count in (1, 2):
        if what == "fails":
            with pytest.raises(ConnectionError):
                await compared.comparison.run(compared.compare)
        else:
            await compared.comparison.run(compared.compare)
        assert compared.count == count
