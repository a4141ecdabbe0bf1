"""Writes that wait for one another, so that an ordinary transaction takes one round trip to PostgreSQL."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, Final, TypeAlias, cast
from weakref import WeakKeyDictionary

from sqlalchemy import (
    CTE,
    BindParameter,
    Connection,
    CursorResult,
    Delete,
    Insert,
    Select,
    Update,
    bindparam,
    func,
    literal,
    select,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.visitors import replacement_traverse

from bot.core.storage.writing.violations import violated

Statement: TypeAlias = Insert | Update | Delete


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement that is a constant, and the values of its bound parameters: its text is made only once."""

    statement: Statement
    values: Mapping[str, Any]


Write: TypeAlias = Statement | Bound
Refused: TypeAlias = Callable[[str], Exception | None]
"""The exception to raise instead of an IntegrityError by the constraint of that name; None: that error."""


TOGETHER: Final = 20
"""How many statements wait at most: the time to put them together grows with the square."""
SHAPES: Final = 200
"""How many combinations of constant statements are remembered. There are some dozens."""


def refuses_nothing(_: str) -> None:
    return None


class PendingWrites:
    """The statements of a transaction that have not gone out yet."""

    def __init__(self) -> None:
        self.has_begun = False
        """Whether anything has gone out."""
        self._writes: list[Write] = []
        self._refused: list[Refused] = []

    @property
    def count(self) -> int:
        return len(self._writes)

    def add(self, refused: Refused, one: Write) -> None:
        self._writes.append(one)
        self._refused.append(refused)

    def flush(self, connection: Connection) -> None:
        """Sends what waits, in one statement: PostgreSQL lets several write in one ``WITH``."""
        self.has_begun = True
        if not self._writes:
            return
        with self._sending() as writes:
            connection.execute(*_joined(writes))

    async def send_with(self, connection: AsyncConnection, query: Select[Any]) -> CursorResult[Any]:
        """Executes a query in one statement with what waits, which is carried out first."""
        with self._sending() as writes:
            parts = _as_parts(_filled_in(each).returning(literal(1)) for each in writes)
            # PostgreSQL would begin with the query, and so with its locks
            first = (select(func.count()).select_from(part).scalar_subquery() >= 0 for part in parts)
            found: CursorResult[Any] = await connection.execute(query.where(*first))
        return found

    @contextmanager
    def _sending(self) -> Iterator[list[Write]]:
        """Gives what waits. Raises what is to be raised instead of an IntegrityError."""
        writes, self._writes = self._writes, []
        refused, self._refused = self._refused, []
        try:
            yield writes
        except IntegrityError as error:
            name = violated(error)
            raise (next(filter(None, (find(name) for find in refused)), None) or error) from error

    def commit(self, connection: Connection) -> None:
        """Sends what waits before a commit. If that is the whole transaction, it needs no BEGIN and no COMMIT."""
        if self.has_begun or not self._writes:
            self.flush(connection)
            return
        driver: Any = connection.connection.dbapi_connection
        driver.autocommit = True
        try:
            self.flush(connection)
        finally:
            driver.autocommit = False


def _joined(writes: Sequence[Write]) -> tuple[Statement, Mapping[str, Any] | None]:
    """One statement that carries out all of them, and its values."""
    bound = [write for write in writes if isinstance(write, Bound)]
    if len(bound) < len(writes):
        return _together(*(_filled_in(write) for write in writes)), None
    if len(bound) == 1:
        return bound[0].statement, bound[0].values
    values = {
        _numbered_name(number, name): value for number, each in enumerate(bound) for name, value in each.values.items()
    }
    return _numbered(*(each.statement for each in bound)), values


def _statement_of(write: Write) -> Statement:
    return write.statement if isinstance(write, Bound) else write


def _together(*statements: Statement) -> Statement:
    *before, last = statements
    return last.add_cte(*_as_parts(before))


def _as_parts(statements: Iterable[Statement]) -> Iterator[CTE]:
    return (each.cte(f"write_{number}") for number, each in enumerate(statements))


@lru_cache(SHAPES)
def _numbered(*statements: Statement) -> Statement:
    """Several in one; each parameter has the number of its statement in its name."""
    return _together(*(_replaced(each, partial(_with_number, number)) for number, each in enumerate(statements)))


def _numbered_name(number: int, name: str) -> str:
    return f"write_{number}_{name}"  # not at the end, where SQLAlchemy numbers its own


def _with_number(number: int, known: BindParameter[Any]) -> BindParameter[Any]:
    return bindparam(_numbered_name(number, known.key), required=True)


def _filled_in(write: Write) -> Statement:
    """The same with its values instead of its parameters."""
    if not isinstance(write, Bound):
        return write
    return _replaced(write.statement, lambda known: bindparam(known.key, write.values[known.key], unique=True))


def _replaced(statement: Statement, by: Callable[[BindParameter[Any]], BindParameter[Any]]) -> Statement:
    def replaced(element: Any, **_: Any) -> BindParameter[Any] | None:
        if not isinstance(element, BindParameter) or element.unique:  # those that are unique have their values
            return None
        found = by(element)
        found.type, found.expanding = element.type, element.expanding
        return found

    return cast("Statement", replacement_traverse(statement, {}, replaced))


_pending: Final[WeakKeyDictionary[Connection, PendingWrites]] = WeakKeyDictionary()
"""By the connection of ``Database.writing``."""


def begin_writes(connection: AsyncConnection) -> PendingWrites:
    """What will wait in the transaction that begins on this connection."""
    pending = _pending[plain(connection)] = PendingWrites()
    return pending


def flush_before(connection: Connection, *_: Any) -> None:
    """Sends what waits before another statement: a listener to ``before_execute``."""
    if pending := _pending.get(connection):
        pending.flush(connection)


async def write(connection: AsyncConnection, *writes: Write, refused: Refused = refuses_nothing) -> None:
    """Executes statements in a transaction of ``Database.writing``, when nobody needs their results.

    On PostgreSQL they wait, and go out together with the others that wait: before the next statement that does not
    wait, or else with the commit, so that the whole transaction takes a single round trip. Statements that go out
    together do not see what the others change, and must not change the same row. SQLite executes them at once.
    """
    if connection.dialect.name == "postgresql":
        pending = _pending[plain(connection)]
        for one in writes:
            pending.add(refused, one)
            if pending.count > TOGETHER:
                await connection.run_sync(pending.flush)
        return
    try:
        for statement, same in groupby(writes, _statement_of):
            values = [each.values for each in same if isinstance(each, Bound)]
            await connection.execute(statement, values[0] if len(values) == 1 else values or None)
    except IntegrityError as error:
        raise (refused(violated(error)) or error) from error


async def send_waiting(connection: AsyncConnection) -> None:
    """Sends what waits in a transaction of ``Database.writing``, so that what follows sees what it changes."""
    if connection.dialect.name == "postgresql":
        await connection.run_sync(_pending[plain(connection)].flush)


async def query_with_writes(connection: AsyncConnection, query: Select[Any]) -> CursorResult[Any]:
    """Executes a query in a transaction of ``Database.writing``, on PostgreSQL in one statement with what waits.

    What waits is carried out first, with its locks, but the query does not see what it changes.
    """
    if connection.dialect.name == "postgresql":
        return await _pending[plain(connection)].send_with(connection, query)
    found: CursorResult[Any] = await connection.execute(query)
    return found


def plain(connection: AsyncConnection) -> Connection:
    """The connection behind an open one. Raises RuntimeError if it is closed."""
    sync = connection.sync_connection
    if sync is None:
        raise RuntimeError("the connection is closed")
    return sync
