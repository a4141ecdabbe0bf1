"""Among many open challenges, those that are due are found without looking at the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import event, func, insert, select, text

from bot.challenges.repository import ChallengeRepository
from bot.challenges.tables import ACCEPTED, EXPIRED, OPEN, challenges

if TYPE_CHECKING:
    from bot.core.storage.database import Database

pytestmark = pytest.mark.both_databases

MANY: Final = 5_000
NOW: Final = 1_000_000


def row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"c{number}",
        "guild_id": 1,
        "channel_id": number,
        "message_id": number,
        "challenger": number % 50,
        "game": "abak",
        "options": "{}",
        "locale": "en",
        "secret": "",
        "created": 1,
        "expires": NOW + 1 + number,
        "status": OPEN,
        "closed_shown": False,
        **more,
    }


@pytest.fixture
async def many(database: Database) -> Database:
    async with database.writing() as connection:
        await connection.execute(insert(challenges), [row(number) for number in range(MANY)])
    async with database.writing() as connection:
        await connection.execute(text("ANALYZE"))
    return database


async def test_no_question_of_the_expiry_looks_at_all_challenges(many: Database) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append((statement, parameters))

    event.listen(many.engine.sync_engine, "before_cursor_execute", note)
    repository = ChallengeRepository(many)
    await repository.expire(NOW, 5)
    await repository.unshown(NOW, 5)
    await repository.unposted(NOW, 5)
    await repository.next_expiry()
    event.remove(many.engine.sync_engine, "before_cursor_execute", note)
    assert len(asked) == 5
    sqlite = many.engine.dialect.name == "sqlite"
    explain = "EXPLAIN QUERY PLAN" if sqlite else "EXPLAIN ANALYZE"
    async with many.writing() as connection:
        plans = [(await connection.exec_driver_sql(f"{explain} {sql}", given)).all() for sql, given in asked]
    steps = [step.detail if sqlite else step[0] for plan in plans for step in plan]
    scans = [step for step in steps if step.startswith("SCAN") and step != "SCAN due"]  # the few that are due
    whole = [step for step in steps if (step in scans and "INDEX" not in step) or "Seq Scan" in step]
    assert whole == [], steps
    # the closed ones that are not shown have an index of their own, and those without a message
    assert not [step for step in steps if "Rows Removed" in step], steps
    for index in ("ix_challenges_unshown", "ix_challenges_unposted"):
        assert any(index in step for step in steps), steps


async def test_so_many_at_once_expire_in_pages(many: Database) -> None:
    repository, later = ChallengeRepository(many), NOW + MANY + 1
    pages = 1
    while await repository.expire(later, 1_000):
        pages += 1
    assert pages > MANY // 1_000
    count = (await many.fetch(select(func.count()).where(challenges.c.status == EXPIRED))).scalar()
    assert count == MANY


async def test_closed_ones_are_found_among_the_open_ones(many: Database) -> None:
    closed = row(MANY, status=EXPIRED), row(MANY + 1, status=EXPIRED, closed_shown=True)
    async with many.writing() as connection:
        await connection.execute(insert(challenges), closed)
    found = await ChallengeRepository(many).unshown(NOW, 5)
    assert [challenge.id for challenge in found] == [f"c{MANY}"]
    assert ACCEPTED not in {challenge.status for challenge in found}
