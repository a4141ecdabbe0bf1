"""URLs of databases, as the setting DATABASE_URL has them."""

import os
from importlib.util import find_spec
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

MOST_PORT: Final = 65_535
ENCODED: Final = "write special characters of the password percent-encoded, such as %40 for @, %2F for / and %25 for %"
DRIVERS: Final = {
    "sqlite": "sqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
PARAMETERS: Final = frozenset(
    {
        *("host", "port", "user", "password", "database", "passfile", "service", "servicefile", "sslmode", "ssl"),
        *(
            "target_session_attrs",
            "krbsrvname",
            "gsslib",
            "timeout",
            "command_timeout",
            "prepared_statement_cache_size",
        ),
    }
)
"""The parameters that may follow the ``?`` of a URL of PostgreSQL: those of asyncpg whose value is a text, and some
that the bot sets itself.
"""


def with_driver(given: str) -> str:
    """Returns the URL with our driver. Raises ValueError if the database is not supported."""
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        advice = f"; {ENCODED}" if "@" in given else ""
        raise ValueError(f"not a database URL such as sqlite:///games.sqlite3 or postgresql://…{advice}") from None
    backend = url.get_backend_name()
    driver = DRIVERS.get(backend)
    if driver is None:
        raise ValueError(f"{backend} is not supported; use sqlite:///FILE or postgresql://…")
    if driver == "sqlite" and url.database in {None, "", ":memory:"}:
        raise ValueError("games would be lost at the end; name a file: sqlite:///FILE")
    if driver == "postgresql+asyncpg" and find_spec("asyncpg") is None:
        raise ValueError("PostgreSQL needs one more package: pip install 'abakbot[postgres]'")
    if driver != "sqlite":
        _check_parameters(url)
    return _ssl(url.set(drivername=driver)).render_as_string(hide_password=False)


def _check_parameters(url: URL) -> None:
    """Raises ValueError for what the driver would take for a fault of ours. Quotes no value: it may be a secret."""
    if "@" in f"{url.host}{url.database}":
        raise ValueError(f"there is an @ too many; {ENCODED}")
    given = ",".join(url.normalized_query.get("port", ())) or os.environ.get("PGPORT", "")
    ports = given.split(",") if url.port is None else [str(url.port)]
    if any(port and not (port.isdecimal() and 1 <= int(port) <= MOST_PORT) for port in ports):
        raise ValueError(f"the port should be a whole number from 1 to {MOST_PORT}")
    if unknown := sorted(url.query.keys() - PARAMETERS):
        raise ValueError(f"there is no parameter {unknown[0]}; there are {', '.join(sorted(PARAMETERS))}")
    for name in ("sslmode", "ssl"):
        if not set(url.normalized_query.get(name, ())) <= set(SSL_MODES):
            raise ValueError(f"{name} should be one of {', '.join(SSL_MODES)}")


def _ssl(url: URL) -> URL:
    """Renames libpq's URL parameter ``sslmode`` to asyncpg's ``ssl``."""
    mode = url.query.get("sslmode")
    return url if mode is None else url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
