"""The queries asked again and again go through an index, in the very words in which they are asked."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from bot.store.challenges import ChallengeStore
from bot.store.db import Database
from bot.store.ledger import Ledger

Ask = Callable[[Ledger, ChallengeStore], Awaitable[Any]]
ASKED: dict[str, tuple[Ask, set[str]]] = {
    "to show": (lambda ledger, _: ledger.to_show(), {"ix_games_to_show"}),
    "running at": (lambda ledger, _: ledger.running_at(1), {"uq_games_running_channel"}),
    "ended at": (lambda ledger, _: ledger.ended_at(1), {"ix_games_channel_id_moved"}),
    "running of": (lambda ledger, _: ledger.running_of(1), {"ix_games_seat0", "ix_games_seat1"}),
    "next expiry": (lambda _, store: store.next_expiry(), {"ix_challenges_open"}),
    "expire": (lambda _, store: store.expire(1), {"ix_challenges_open"}),
    "unshown": (lambda _, store: store.unshown(), {"ix_challenges_unshown"}),
}


@pytest.mark.parametrize("name", ASKED)
async def test_no_list_is_searched_from_end_to_end(sqlite_url: str, name: str) -> None:
    ask, indexes = ASKED[name]
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append((statement, parameters))

    database = Database(sqlite_url)
    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    await ask(Ledger(database), ChallengeStore(database))
    ((statement, parameters),) = asked
    async with database.reading() as connection:
        plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        steps = " / ".join(step.detail for step in plan)
    await database.close()
    assert all(index in steps for index in indexes), steps
