"""Tests the promises of the container files, as far as they show without an engine to build them."""

import re
import shlex
import shutil
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from harness.deployment import DEPLOY, FOREIGN, ROOT, SETTINGS

from bot.__main__ import main
from bot.settings import Settings


def instructions() -> list[tuple[str, str]]:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_base_is_pinned_and_the_last_stage_is_not_root() -> None:
    """By its version and its digest: one argument names it for both stages."""
    arguments = [rest for word, rest in instructions() if word == "ARG" and rest != "FAST"]
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
    assert {"engine", "render", "bot", "requirements.lock", "requirements-fast.lock"} <= sources


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
    named = set(re.findall(r"^(?:#\s|ENV |\s+)?([A-Z][A-Z_]+)=", text, re.MULTILINE)) - FOREIGN - {"PATH"}
    assert named <= SETTINGS
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


def test_the_example_explains_every_setting_and_shows_its_default() -> None:
    example = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    parts = {name: about for about, name in re.findall(r"((?:^# .*\n)+)# ([A-Z_]+)=", example, re.MULTILINE)}
    for field in fields(Settings):
        name, default = field.name.upper(), field.default
        if name == "DISCORD_TOKEN":
            continue
        assert parts[name].replace("\n# ", " ").removeprefix("# ").strip() == field.metadata["description"], name
        shown = (
            field.metadata["unset"]
            if default is None
            else str(default).lower()
            if default in {True, False}
            else default
        )
        assert f"\n# {name}={shown}\n" in example, name


def test_the_image_says_what_it_is() -> None:
    labels = dict(re.findall(r'(org\.opencontainers\.image\.\w+)="([^"]*)"', dict(instructions())["LABEL"]))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = {name.rpartition(".")[2]: text for name, text in labels.items()}
    assert said == {
        "title": "Abakbot",
        "description": project["description"],
        "version": project["version"],
        "licenses": project["license"],
    }


def test_the_build_sees_what_it_copies_and_nothing_else() -> None:
    """Neither settings nor databases nor backups are sent to whoever builds."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    copied = [rest for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    sources = {source for rest in copied for source in shlex.split(rest)[:-1]}
    assert rules[0] == "*"
    assert {rule.removeprefix("!") for rule in rules if rule.startswith("!")} == sources


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    "made",
    ["deploy/.env", "abakbot.env", "today.backup", "backups/today.backup", "games.sqlite3.run", "old-1764115200/a"],
)
def test_what_a_host_makes_is_not_committed(made: str) -> None:
    found = subprocess.run(["git", "check-ignore", "-q", made], cwd=ROOT, check=False)  # noqa: S607
    assert found.returncode == 0


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_the_locks_hold_what_builds_the_package(lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (ROOT / lock).read_text(encoding="utf-8")
    for needed in (*project["build-system"]["requires"], *project["dependency-groups"]["build"]):
        assert f"\n{needed} \\\n    --hash=sha256:" in text
    assert f" -o {lock}\n" in "".join(text.splitlines(keepends=True)[:2])


def test_the_lock_of_numba_goes_with_the_other_one() -> None:
    """The same version of what both hold, and of numba that of the extra."""
    first, second = (
        dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-fast.lock")
    )
    assert first | second == second | first
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extras["fast"] == extras["training"] == [f"numba=={second['numba']}"]


@pytest.mark.parametrize(
    "source", ["README.md", "README.es.md", "deploy/Dockerfile", "deploy/RUNBOOK.md", "docs/hosting.md"]
)
def test_nothing_is_fetched_beside_the_locks(source: str) -> None:
    installs = re.findall(r"pip install [^&\n]*", (ROOT / source).read_text(encoding="utf-8"))
    assert installs
    for one in installs:
        assert "--require-hashes -r requirements" in one or "--no-deps --no-build-isolation" in one, one


def test_running_without_a_token_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(main, ["run"])
    assert refused.exit_code == 2
    assert "DISCORD_TOKEN" in refused.output


def test_litestream_replicates_the_file_of_the_container() -> None:
    config = yaml.safe_load((DEPLOY / "litestream.yml").read_text(encoding="utf-8"))
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert f"DATABASE_URL=sqlite:///{config['dbs'][0]['path']} " in image
