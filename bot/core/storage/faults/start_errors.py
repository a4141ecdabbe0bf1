"""Says in one sentence for the host why a database cannot be used."""

import errno
import os
import shutil
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MB: Final = 1_000_000
ROOM: Final = "Make room, then start again."
READ_ONLY: Final = "25006"
"""PostgreSQL's SQLSTATE for a write where only reading is allowed."""
BY_CODE: Final = {
    READ_ONLY: "The database takes no writes: it is a standby, or set to read-only. Check it, and DATABASE_URL.",
    "28000": "The database does not know this user. Check the user in DATABASE_URL, or create the role.",
    "28P01": "The database does not accept this password. Check the password in DATABASE_URL, or PGPASSWORD. In the"
    " URL, special characters are percent-encoded, such as %40 for @.",
    "3D000": "There is no such database on the server. Create it, or check the name in DATABASE_URL.",
    "42501": "The database's user may not create tables. Grant it CREATE on the schema.",
    "53300": "The database has no connection left. Lower DATABASE_CONNECTIONS, or raise the server's max_connections.",
    "57P03": "The database is just starting or stopping. Try again in a moment.",
}
"""Sentences by PostgreSQL's SQLSTATE (its manual, appendix A)."""
BY_TEXT: Final = {
    "file is not a database": (
        "The database file is not one of SQLite. Check DATABASE_URL; or move the file away, then `abakbot restore` a"
        " backup."
    ),
    "malformed": "The database file is damaged. Stop the bot, move the file away, then `abakbot restore` a backup.",
    "readonly database": "The database file cannot be written. Check the rights of the file and of its folder.",
    "unable to open database": "The database file cannot be opened. Check that its folder exists and can be written.",
    "disk is full": f"The disk is full. {ROOM}",
    "disk I/O error": "The disk reports an error while the database is used. Check the disk, and that it has room.",
    "database is locked": "Another program holds the database file. Stop that program, then start again.",
    "root certificate file": (
        "DATABASE_URL asks to verify the database's server, and there is no root certificate. Set PGSSLROOTCERT to its"
        " file."
    ),
}
"""Sentences by a part of the message, SQLite's or that of the driver of PostgreSQL."""
CERTIFICATES: Final = ("PGSSLROOTCERT", "PGSSLCRL")
"""Variables that name a file for the driver of PostgreSQL. Its error does not name the file."""
MISCONFIGURED: Final = "ClientConfigurationError"
"""asyncpg's error about a parameter of the URL, or a variable that it reads. By name: SQLite does without asyncpg."""
VARIABLES: Final = "Check DATABASE_URL, and variables such as PGSSLMODE."
MANY: Final = "Multiple exceptions"
"""How asyncio's text begins after it has tried several addresses of a host, all in vain."""
NO_FOLDER: Final = "There is a file where the folder of the database should be. Check its path."
NO_LOCKS: Final = (
    "The file system of the database has no file locks. Put the database on a disk of this machine, or use PostgreSQL."
)
NO_FILE: Final = "There is a folder where the database file should be. Check its path."
BY_ERRNO: Final = {
    errno.EISDIR: NO_FILE,
    errno.EEXIST: NO_FOLDER,
    errno.ENOTDIR: NO_FOLDER,
    errno.ENOSPC: BY_TEXT["disk is full"],
    errno.ENOLCK: NO_LOCKS,
    errno.ENOSYS: NO_LOCKS,
    errno.EOPNOTSUPP: NO_LOCKS,
    errno.EROFS: BY_TEXT["readonly database"],
    errno.EACCES: BY_TEXT["readonly database"],
    errno.EPERM: BY_TEXT["readonly database"],
}


class DiskFull(Exception):
    """Raised where the folder is known that has no room. The text names it, and says what to do."""


@contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Raises DiskFull if the disk of ``folder``, into which the block writes, is full."""
    try:
        yield
    except Exception as error:
        says = explained(error)
        if isinstance(error, DiskFull) or says not in {BY_TEXT["disk is full"], BY_TEXT["disk I/O error"]}:
            raise
        free = shutil.disk_usage(folder).free // MB
        if free and says != BY_TEXT["disk is full"]:
            raise
        raise DiskFull(f"The disk of {folder.absolute()} is full: {free:,} MB are free. {ROOM}") from error


class ReadOnly(Exception):
    """Raised before PostgreSQL refuses the first write."""

    sqlstate = READ_ONLY


def explained(error: BaseException) -> str | None:
    """Returns the sentence for an error or its cause; None for a fault of ours."""
    for cause in _causes(error):
        if isinstance(cause, DiskFull):
            return str(cause)
        code = str(getattr(cause, "sqlstate", None) or "")
        if code in BY_CODE:
            return BY_CODE[code]
        if isinstance(cause, OSError) and not isinstance(cause, ssl.SSLError) and cause.errno in BY_ERRNO:
            return BY_ERRNO[cause.errno]
        if type(cause).__name__ == MISCONFIGURED:
            return f"The driver of PostgreSQL refuses a setting: {reason(cause)}. {VARIABLES}"
        text = str(cause)
        if found := next((sentence for part, sentence in BY_TEXT.items() if part in text), None):
            return found
    return None


def reason(error: BaseException) -> str:
    """Returns what the system or the server says, in one line, without the names of Python's classes."""
    while not isinstance(error, OSError) and (cause := getattr(error, "orig", None) or error.__cause__):
        error = cause
    if isinstance(error, TimeoutError) and not error.errno:
        return "no answer in time"
    if isinstance(error, OSError):
        return _by_system(error)
    return next(iter(str(error).splitlines()), type(error).__name__)


def _by_system(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return f"the encryption fails: {getattr(error, 'verify_message', '') or getattr(error, 'reason', '') or error}"
    if error.errno == errno.ENOENT and (missing := _missing_certificate()):
        return missing
    if error.errno is None and MANY in str(error):
        return "none of its addresses answers"
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error) or type(error).__name__


def _missing_certificate() -> str | None:
    for name in CERTIFICATES:
        if (file := os.environ.get(name)) and not Path(file).is_file():
            return f"{name} names {file}, which is no file"
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
