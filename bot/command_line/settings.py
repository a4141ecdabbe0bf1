"""Loads the settings for all commands, and says in one sentence why something cannot be reached."""

import errno
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

if TYPE_CHECKING:
    from bot.settings import Settings

BAD_SETTINGS: Final = 2
UNREACHED: Final = 1
NOT_FOUND: Final = 404
OFFICIAL: Final = "https://discord.com/"
"""How the address of Discord's own API begins."""
INVALID_TOKEN: Final = 4004
"""Discord's close code for an invalid token."""

NO_WAY: Final = frozenset({errno.EHOSTUNREACH, errno.ENETUNREACH, None})
"""The numbers of errors without a way to the host. None: asyncio has tried several addresses, all in vain."""
DATABASE: Final = "The database"
DISCORD: Final = "Discord"


def _from_before(context: click.Context, _: click.Parameter, given: Path | None) -> Path | None:
    """Returns the file given here, else the one given before the command."""
    while given is None and context.parent is not None:
        context = context.parent
        given = context.params.get("config")
    return given


config_option: Final = click.option(
    "--config",
    type=click.Path(path_type=Path),
    callback=_from_before,
    help="A file of settings, NAME = value; here, or before the command.",
)


def load_settings(config: Path | None) -> "Settings":
    """Loads the settings and configures logging. If settings are wrong, prints every mistake and exits.

    Only names a slip in the environment, which other programs use, too.
    """
    from bot.logs import configure, log_uncaught
    from bot.settings import Settings, SettingsError, misspelt

    for problem in misspelt():
        click.echo(problem, err=True)

    try:
        loaded = Settings.load(config)
    except SettingsError as error:
        refuse(error.problems)
    configure(loaded)
    log_uncaught()
    return loaded


def refuse(problems: list[str]) -> NoReturn:
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(BAD_SETTINGS)


def _by_discord(error: Exception) -> str | None:
    """Says why Discord does not let the bot in; None for any other error.

    Tells only the status of an answer: its text may be a whole page.
    """
    from discord import ConnectionClosed, GatewayNotFound, HTTPException, PrivilegedIntentsRequired, RateLimited
    from discord.http import Route

    if isinstance(error, GatewayNotFound) and isinstance(error.__cause__, HTTPException):
        error = error.__cause__
    if isinstance(error, HTTPException):
        advice = " Check DISCORD_API_BASE." if error.status == NOT_FOUND and not Route.BASE.startswith(OFFICIAL) else ""
        return f"Discord does not let the bot in for now: it answers with status {error.status}.{advice}"
    if isinstance(error, RateLimited):
        return f"Discord does not let the bot in for now: it asks to wait {error.retry_after:.0f} seconds."
    if isinstance(error, ConnectionClosed):
        return f"Discord has ended the connection for good, with its code {error.code}."
    if isinstance(error, PrivilegedIntentsRequired):
        return "Discord does not allow the bot its intents. Check the Bot page of the developer portal."
    return None


def _refuses_token(error: Exception) -> bool:
    from discord import ConnectionClosed, LoginFailure

    return isinstance(error, LoginFailure) or (isinstance(error, ConnectionClosed) and error.code == INVALID_TOKEN)


def _is_out_of_reach(error: Exception) -> bool:
    """Returns whether nobody answers."""
    from aiohttp import ClientError

    if isinstance(error, OSError) and error.errno in NO_WAY:
        return True
    return isinstance(error, ConnectionError | ClientError | TimeoutError | socket.gaierror)


def _unreached(what: str, error: Exception) -> str:
    from bot.core.storage.faults.outages import DatabaseUnavailable
    from bot.core.storage.faults.start_errors import reason

    says = str(error) if isinstance(error, DatabaseUnavailable) else reason(error)
    host = getattr(error, "host", None)  # of aiohttp's errors
    return f"{what} cannot be reached: {says or type(error).__name__}" + (f" ({host})" if host else "")


def _sentence(what: str, error: Exception) -> str | None:
    """Returns the sentence for an error outside of the bot; None for a fault of ours."""
    from bot.core.storage.faults.outages import DatabaseUnavailable, is_outage
    from bot.core.storage.faults.start_errors import explained

    if isinstance(error, DatabaseUnavailable):
        return _unreached(DATABASE, error)
    if _is_out_of_reach(error):
        return _unreached(what, error)
    if (known := _by_discord(error) or explained(error)) is not None:
        return known
    return _unreached(DATABASE, error) if is_outage(error) else None  # the connection was lost


def in_target(sentence: str) -> str:
    """Returns the sentence about the database of DATABASE_URL as one about that of ``abakbot db copy URL``."""
    return re.sub(f"^{DATABASE}(?= cannot be reached)", f"{DATABASE} of URL", sentence).replace("DATABASE_URL", "URL")


@contextmanager
def naming_target() -> Iterator[None]:
    """If the target of a copy cannot be reached or used, raises NotPossible with a sentence that names its URL."""
    from bot.core.storage.backups import NotPossible
    from bot.core.storage.migrate import EmptyFile
    from bot.core.storage.revisions import UnknownSchema

    try:
        yield
    except (EmptyFile, UnknownSchema) as error:
        raise NotPossible(in_target(str(error))) from error
    except Exception as error:
        if (sentence := _sentence(DATABASE, error)) is None:
            raise
        raise NotPossible(in_target(sentence)) from error


@contextmanager
def reaching(what: str) -> Iterator[None]:
    """If ``what`` or the database cannot be reached or used, prints one sentence that says which, and exits."""
    from bot.core.processes.only_process import AlreadyRunning
    from bot.core.storage.backups import NotPossible
    from bot.core.storage.migrate import EmptyFile
    from bot.core.storage.revisions import UnknownSchema
    from bot.health import NotServed

    try:
        yield
    except (AlreadyRunning, EmptyFile, NotPossible, NotServed, UnknownSchema) as error:
        click.echo(str(error), err=True)
        sys.exit(UNREACHED)
    except Exception as error:
        if _refuses_token(error):  # to start again would not help: another token has to be set
            refuse(["DISCORD_TOKEN: Discord does not accept this token"])
        if (sentence := _sentence(what, error)) is None:
            raise
        click.echo(sentence, err=True)
        sys.exit(UNREACHED)
