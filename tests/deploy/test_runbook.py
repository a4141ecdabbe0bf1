"""Every command of the runbook exists, with its options; every file that it names, too."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from harness.deployment import DEPLOY, ROOT, RUNBOOK, SETTINGS, alerts, check_command, composed, manifests

FENCED = re.findall(r"^ *```(.*)\n((?s:.*?))^ *```", RUNBOOK, re.MULTILINE)
BLOCKS = [block for _, block in FENCED]
INLINE = re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", RUNBOOK, flags=re.MULTILINE | re.DOTALL))
LINES = [line.strip() for block in BLOCKS for line in block.splitlines() if line.strip()]
COMMANDS = LINES + [part for part in INLINE if part.startswith(("abakbot ", "docker ", "sudo ", "kubectl "))]
PROGRAMS = {"docker", "cp", "chmod", "sudo", "journalctl", "kubectl", "litestream", "abakbot", "curl", "umask"}
AS_ROOT = {"python3", "python", "pip", "mkdir", "install", "cp", "chown", "sh", "systemctl", "systemd-run"}
INNER = {"abakbot", "cat", "cd", "ls", "mkdir", "mv", "umask", "rm", "sh", "python", "dropdb", "createdb"}
"""The programs that are run in a container, a pod or a shell."""
ASSIGNED = re.compile(r"^\w+=(?:\$\([^)]*\)|\S)*\s*")
COMPOSE = {"up", "logs", "exec", "cp", "stop", "run", "build"}
ON_SQLITE, ON_POSTGRES = "deploy/compose.yaml", "deploy/compose.postgres.yaml"
KUBECTL = {"create", "apply", "wait", "rollout", "scale", "delete", "exec", "get", "port-forward"}
WITH_VALUE = {"-f", "-v", "-e", "--scale", "--build-arg", "-t", "-config", "-o", "-m", "-u"}


def words(line: str) -> list[str]:
    """Splits a command, without the variables that are set for it and the files that it reads or writes."""
    found = shlex.split(line)
    found = found[: next((at for at, word in enumerate(found) if word in {"<", ">"}), None)]
    while "=" in found[0]:
        assert found[0].partition("=")[0] in SETTINGS
        found = found[1:]
    return found


def check_inner(given: list[str]) -> None:
    """Checks a command within another one: in a container, in a pod, as root."""
    assert Path(given[0]).name in INNER, given
    if given[0] == "sh":
        assert given[1] == "-c"
        for part in given[2].split(" && "):
            if rest := ASSIGNED.sub("", part).removeprefix("exec "):
                check_inner(words(rest))
    elif Path(given[0]).name == "abakbot":
        check_command(given)


def without_options(given: list[str]) -> list[str]:
    found, skip = [], False
    for word in given:
        if skip:
            skip = False
        elif word in WITH_VALUE:
            skip = True
        elif not word.startswith("-"):
            found.append(word)
    return found


def check_compose(given: list[str]) -> None:
    known = composed(given[given.index("-f") + 1].removeprefix("deploy/"))["services"]
    verb, *rest = without_options(given[2:])
    assert verb in COMPOSE
    assert {
        word.partition(":")[0] for word in rest[:1] if verb in {"exec", "run", "stop", "logs", "cp"}
    } <= known.keys()
    if verb in {"exec", "run"} and len(rest) > 1:
        check_inner(given[given.index(rest[0]) + 1 :])


def check_kubectl(given: list[str]) -> None:
    """Checks that it names objects that are there, or that the reader chooses."""
    assert given[1] in KUBECTL
    known = {(kind.lower(), name): each for (kind, name), each in manifests().items()}
    for word in given[2:]:
        kind, slash, name = word.partition("/")
        if slash and kind in {one for one, _ in known}:
            assert name == "NAME" or (kind, name) in known
        if word.startswith("--selector="):
            label, _, value = word.removeprefix("--selector=").partition("=")
            assert known["deployment", "abakbot"]["spec"]["template"]["metadata"]["labels"][label] == value
    if given[1] == "exec":
        at = given.index("--")
        assert ("pod", given[at - 1]) in known
        check_inner(given[at + 1 :])


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_exists(line: str) -> None:
    given = words(line)
    assert given[0] in PROGRAMS
    if given[0] == "sudo":
        given = given[1:]
        assert Path(given[0]).name in AS_ROOT
        if given[0] == "systemd-run":
            check_inner(given[given.index("/opt/abakbot/bin/abakbot") :])
        if given[0] == "sh":
            check_inner(given)
    elif given[0] == "abakbot":
        check_command(given)
    elif given[:2] == ["docker", "compose"]:
        check_compose(given)
    elif given[0] == "kubectl":
        check_kubectl(given)


def test_every_block_is_read() -> None:
    assert {kind for kind, _ in FENCED} == {"sh"}


def test_each_chapter_has_the_commands_of_both_compose_files() -> None:
    """Both are of one project and have a service of one name: who takes the wrong file replaces all processes."""
    used: dict[str, set[str]] = {}
    for title, text in re.findall(r"^## (.+)\n((?s:.*?))(?=^## |\Z)", RUNBOOK, re.MULTILINE):
        commands = "\n".join(
            [*re.findall(r"^docker compose .+", text, re.MULTILINE), *re.findall(r"`docker .+?`", text)]
        )
        used[title] = {file for file in (ON_SQLITE, ON_POSTGRES) if f"-f {file} " in commands}
    only = {title: files for title, files in used.items() if len(files) == 1}
    assert only == {
        "Install with Docker": {ON_SQLITE},
        "Install with Docker and PostgreSQL": {ON_POSTGRES},
        "Rolling upgrade": {ON_POSTGRES},
        "Scale out": {ON_POSTGRES},
        "Ask one process": {ON_POSTGRES},  # the other publishes its port
    }
    assert len([title for title, files in used.items() if len(files) == 2]) > 4


def test_the_runbook_backs_up_and_restores_everywhere() -> None:
    """Each chapter has the way of each installation."""
    chapters = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", RUNBOOK, re.MULTILINE))
    wanted = {"compose.yaml", "compose.postgres.yaml", "systemctl", "kubectl"}
    for name in ("Back up", "Restore", "Upgrade"):
        assert {way for way in wanted if way in chapters[name]} == wanted, name


def test_all_processes_on_postgresql_are_started_together() -> None:
    """``up`` alone would leave one of them."""
    started = [line for line in COMMANDS if f"-f {ON_POSTGRES} up" in line and not line.endswith(" postgres")]
    assert started
    assert [line for line in started if " --scale bot=" not in line] == []


MOVED = [line for line in LINES if "mv restored.sqlite3" in line]


@pytest.mark.parametrize("line", MOVED)
def test_a_restored_file_takes_the_place_of_the_old_one_again_and_again(line: str, tmp_path: Path) -> None:
    """As the runbook has it: each old file stays in a folder of its own."""
    assert len(MOVED) == 2
    (script,) = re.findall(r"sh -c '(.+)'$", line)
    script = script.removeprefix("cd /var/lib/abakbot && ")
    (tmp_path / "abakbot.sqlite3").write_text("0")
    (tmp_path / "abakbot.sqlite3-wal").write_text("0")
    for number in ("1", "2", "3"):
        (tmp_path / "restored.sqlite3").write_text(number)
        subprocess.run(["sh", "-c", f"date() {{ echo {number}; }}; {script}"], cwd=tmp_path, check=True)  # noqa: S607
        assert (tmp_path / "abakbot.sqlite3").read_text() == number
    assert [path.read_text() for path in sorted(tmp_path.glob("*/abakbot.sqlite3"))] == ["0", "1", "2"]
    assert len(list(tmp_path.glob("*/abakbot.sqlite3-wal"))) == 1


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\b(?:deploy|tests|benchmarks)/[\w./-]*[\w/]", RUNBOOK))))
def test_a_file_that_is_named_exists(path: str) -> None:
    assert (ROOT / path).exists() or path == "deploy/.env"


def test_settings_and_units_that_are_named_exist() -> None:
    named = {part for part in INLINE if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", part)}
    assert named - SETTINGS <= {"POSTGRES_PASSWORD", "POSTGRES_IMAGE", "MALLOC_ARENA_MAX"}
    units = set(re.findall(r"\babakbot(?:-backup)?\.(?:service|timer)\b", RUNBOOK))
    assert units == {path.name for path in (DEPLOY / "systemd").iterdir()}


def test_every_alert_has_its_chapter_and_is_named_there() -> None:
    chapters = RUNBOOK[RUNBOOK.index("## Alerts") :].split("\n### ")[1:]
    named = {name for chapter in chapters for name in re.findall(r"`(Abakbot\w+)`", chapter)}
    assert named == alerts().keys()
    for name, rule in alerts().items():
        (chapter,) = [each for each in chapters if f"`{name}`" in each]
        heading = re.sub(r"[^\w\- ]", "", chapter.splitlines()[0].lower()).replace(" ", "-")
        assert rule["annotations"]["runbook_url"] == f"deploy/RUNBOOK.md#{heading}"


def test_events_of_the_log_that_are_named_are_logged() -> None:
    events = {part for part in INLINE if re.fullmatch(r"[a-z]+(_[a-z]+)+", part)} - {"max_connections"}
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "bot").rglob("*.py"))
    exported = {event for event in events if event.startswith("abakbot_")}
    assert events
    for event in events - exported:
        assert f'"{event}"' in source, event
    for name in exported:
        assert f'"{name}"' in source, name
