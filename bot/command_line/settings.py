"""What several commands need: the settings, and one sentence for what goes wrong."""

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

config_option: Final = click.option(
    "--config", type=click.Path(path_type=Path), help="A file of settings, NAME = value."
)


def load_settings(config: Path | None) -> "Settings":
    """Loads the settings and configures logging. If settings are wrong, prints every mistake and exits."""
    from bot.logs import configure, log_uncaught
    from bot.settings import Settings, SettingsError

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


@contextmanager
def reaching(what: str) -> Iterator[None]:
    """If ``what`` cannot be reached, or its database not be used, prints a sentence about it and exits."""
    from aiohttp import ClientConnectorError

    from bot.core.storage.backups import NotPossible
    from bot.core.storage.faults.start_errors import explained
    from bot.core.storage.migrate import EmptyFile, UnknownSchema

    try:
        yield
    except (EmptyFile, NotPossible, UnknownSchema) as error:
        click.echo(str(error), err=True)
        sys.exit(UNREACHED)
    except (ConnectionError, ClientConnectorError, socket.gaierror) as error:
        click.echo(f"{what} cannot be reached: {error}", err=True)
        sys.exit(UNREACHED)
    except Exception as error:
        sentence = explained(error)
        if sentence is None:
            raise
        click.echo(sentence, err=True)
        sys.exit(UNREACHED)
