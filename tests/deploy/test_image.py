"""What the container files promise, as far as it shows without an engine to build them."""

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FOREIGN = {
    "PATH",
    "PYTHONUNBUFFERED",
    "PYTHONOPTIMIZE",
    "MALLOC_ARENA_MAX",
    "MALLOC_TRIM_THRESHOLD_",
    "TMPDIR",
    "POSTGRES_PASSWORD",
}
"""What the files set besides the settings of the bot."""


def instructions() -> list[tuple[str, str]]:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_base_is_pinned_and_the_last_stage_is_not_root() -> None:
    """By its version and its digest: one argument names it for both stages."""
    arguments = [rest for word, rest in instructions() if word == "ARG"]
    assert [
        re.fullmatch(r"BASE=python:3\.11\.\d+-slim-\w+@sha256:[0-9a-f]{64}", given) is not None for given in arguments
    ] == [True]
    bases = [rest for word, rest in instructions() if word == "FROM"]
    assert bases == ["${BASE} AS build", "${BASE}"]
    last_stage = instructions()[[word for word, _ in instructions()].index("FROM", 1) + 2 :]
    users = [rest for word, rest in last_stage if word == "USER"]
    assert users == ["10001:10001"]  # a number: Kubernetes cannot tell from a name that it is not root


def test_what_is_copied_is_there_and_all_packages_are_copied() -> None:
    copied = [rest for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    sources = {source for rest in copied for source in shlex.split(rest)[:-1]}
    assert all((ROOT / source).exists() for source in sources)
    assert {"engine", "render", "bot", "requirements.lock"} <= sources


def test_its_health_check_and_start_are_commands_that_exist() -> None:
    called = [
        re.findall(r'"abakbot", "(\w+)"', rest) for word, rest in instructions() if word in {"HEALTHCHECK", "CMD"}
    ]
    names = {name for found in called for name in found}
    assert names == {"health", "run"}
    assert names <= set(main.commands)


@pytest.mark.parametrize("source", ["Dockerfile", ".env.example", "compose.yaml"])
def test_every_setting_that_is_named_exists(source: str) -> None:
    text = (DEPLOY / source).read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:#\s|ENV |\s+)?([A-Z][A-Z_]+)=", text, re.MULTILINE)) - FOREIGN
    known = {field.name.upper() for field in fields(Settings)}
    assert named <= known
    assert source == "compose.yaml" or named


def test_the_example_holds_no_secret_and_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    example = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    assert re.search(r"^DISCORD_TOKEN=$", example, re.MULTILINE)
    filled = tmp_path / ".env"
    filled.write_text(example.replace("# CHALLENGE", "CHALLENGE").replace("TOKEN=", "TOKEN=abc"), encoding="utf-8")
    shown = CliRunner().invoke(main, ["settings", "--config", str(filled)])
    assert shown.exit_code == 0
    assert "CHALLENGE_EXPIRY = 86400" in shown.output
    assert "abc" not in shown.output


def test_running_without_a_token_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(main, ["run"])
    assert refused.exit_code == 2
    assert "DISCORD_TOKEN" in refused.output
