"""Run as a program: starts `bot run` in a fork for each line of settings (JSON) it reads, and prints the fork's id.

A fork has every library loaded, so a test that kills the bot fifty times need not load them fifty times. What runs in
the fork is the command line as it is.
"""

import json
import os
import signal
import sys

import bot.app  # noqa: F401  loaded before the forks, so that they need not
from bot.__main__ import main
from bot.core.translations import CODES, language
from render import registry


def serve() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are not waited for
    for code in CODES:
        language(code)
    registry.warm()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.environ.update(json.loads(line))
            main(["run"])
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
