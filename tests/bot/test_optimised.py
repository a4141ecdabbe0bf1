"""As the container runs it: without docstrings and assertions, every command still says what it does."""

import os
import subprocess
import sys

CHILD = """
import click
from bot.__main__ import main

def silent(name, command):
    if not command.get_short_help_str():
        yield name
    for key, below in getattr(command, "commands", {}).items():
        yield from silent(f"{name} {key}", below)

assert False, "assertions are taken away"
print(*silent("abakbot", main), sep="\\n", end="")
"""


def test_every_command_says_what_it_does_without_docstrings() -> None:
    environment = os.environ | {"PYTHONOPTIMIZE": "2", "PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", CHILD], env=environment, capture_output=True, text=True, check=True)
    assert not run.stdout.strip()
