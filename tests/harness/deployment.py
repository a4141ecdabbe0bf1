"""The files of ``deploy/``, read as what will use them does."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Final

import click
import yaml

from bot.__main__ import main
from bot.settings import Settings

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
RUNBOOK: Final = (DEPLOY / "RUNBOOK.md").read_text(encoding="utf-8")
SETTINGS: Final = frozenset(field.name.upper() for field in fields(Settings))
FOREIGN: Final = frozenset(
    {
        "PYTHONUNBUFFERED",
        "PYTHONOPTIMIZE",
        "MALLOC_ARENA_MAX",
        "MALLOC_TRIM_THRESHOLD_",
        "POSTGRES_PASSWORD",
        "TMPDIR",
    }
)
"""Variables that the files set besides the settings of the bot."""
PORT: Final = 8081
PODS: Final = (
    ("Deployment", "abakbot"),
    ("Job", "abakbot-migrate"),
    ("Pod", "abakbot-tools"),
    ("CronJob", "abakbot-backup"),
)
"""The objects for Kubernetes that make pods, each by its kind and name."""


def check_command(given: list[str]) -> None:
    """Parses ``abakbot …`` as the command line would, without running it."""
    command: click.Command = main
    program, *rest = given
    assert Path(program).name == "abakbot"
    while isinstance(command, click.Group):
        assert rest, given
        command = command.commands[rest[0]]
        rest = rest[1:]
    with click.Context(command, resilient_parsing=False) as context:
        values, beyond, _ = command.make_parser(context).parse_args(rest)
        required = {one.name for one in command.params if isinstance(one, click.Argument) and one.required}
        assert required <= {name for name, value in values.items() if isinstance(value, str)}, given
        assert not beyond, given


@cache
def composed(name: str) -> dict[str, Any]:
    """Returns a file for compose."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    return found


@cache
def manifests() -> dict[tuple[str, str], dict[str, Any]]:
    """Returns the objects for Kubernetes by their kinds and names."""
    files = sorted((DEPLOY / "kubernetes").glob("*.y*ml"))
    found = [each for path in files for each in yaml.safe_load_all(path.read_text(encoding="utf-8"))]
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pod_of(key: tuple[str, str]) -> dict[str, Any]:
    """Returns the pod with its labels: a pod by itself, or the template of what makes pods."""
    found = manifests()[key]
    if key[0] == "CronJob":
        found = found["spec"]["jobTemplate"]
    pod: dict[str, Any] = found if key[0] == "Pod" else found["spec"]["template"]
    return pod


@cache
def alerts() -> dict[str, dict[str, Any]]:
    """Returns the rules of the alerts by their names."""
    (group,) = yaml.safe_load((DEPLOY / "monitoring" / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


@cache
def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEPLOY / "monitoring" / "dashboard.json").read_text(encoding="utf-8"))
    return found
