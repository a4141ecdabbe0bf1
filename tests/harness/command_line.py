"""Runs the command line in this process."""

from click.testing import CliRunner

from bot.__main__ import main


def abakbot(*arguments: str) -> tuple[int, str]:
    """Runs a command. Returns its status and what it prints, errors and log included."""
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output
