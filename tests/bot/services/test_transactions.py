"""What a change of a game takes of the database: one connection, and all of it or nothing."""

from fakes.clock import Clock
from fakes.outbox import ANN, BOB, HERE
from fakes.process import Process
from fakes.toy import Nim
from sqlalchemy import event

from bot.services.notices import Notices
from bot.store.db import Database
from bot.store.notices import NoticeStore


class Drawn:
    """Counts the connections that are out of a database's pool at once."""

    def __init__(self, database: Database) -> None:
        self.out = self.most = 0
        event.listen(database.engine.sync_engine, "checkout", self._taken)
        event.listen(database.engine.sync_engine, "checkin", self._given_back)

    def _taken(self, *_: object) -> None:
        self.out += 1
        self.most = max(self.most, self.out)

    def _given_back(self, *_: object) -> None:
        self.out -= 1


async def test_whoever_holds_a_connection_waits_for_no_other(database: Database, nim: Nim, clock: Clock) -> None:
    """Or as many games as the pool has connections, moved in at once, would all wait for one more."""
    del nim
    process = Process(database, clock)  # which believes no preference that it has read
    notices = Notices(NoticeStore(database), process.preferences, clock)
    process.tables.companions = [*process.tables.companions, notices]
    drawn = Drawn(database)
    seated = await process.nim("3d/move", (ANN, BOB), HERE)
    await process.preferences.set_user(BOB, "pings", "digest")
    seated = await process.tables.play(seated.id, ANN, None, "1")
    await process.preferences.set_user(BOB, "digest_hour", "20")
    seated = await process.tables.play(seated.id, BOB, None, "1")
    assert seated.seq == 2
    assert (drawn.out, drawn.most) == (0, 1)
