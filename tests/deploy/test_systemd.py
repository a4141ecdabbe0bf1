"""The units of systemd, as far as they show without running them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from harness.deployment import DEPLOY, FOREIGN, SETTINGS, check_command

from bot.settings import Settings

UNITS = sorted((DEPLOY / "systemd").iterdir())
HARDENED = {
    "DynamicUser": "yes",
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
}


def unit(name: str) -> dict[str, dict[str, list[str]]]:
    """Sections, keys, values: a key may stand there more than once."""
    sections: dict[str, dict[str, list[str]]] = {}
    current: dict[str, list[str]] = {}
    for line in (DEPLOY / "systemd" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals, line
            current.setdefault(key, []).append(value)
    return sections


def test_the_unit_is_hardened() -> None:
    service = unit("abakbot.service")["Service"]
    wanted = HARDENED | {
        "StateDirectory": "abakbot",
        "StateDirectoryMode": "0700",
        "LoadCredential": "discord_token:/etc/abakbot/discord_token",
        "MemoryDenyWriteExecute": "yes",
        "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
        "UMask": "0077",
        "RestartPreventExitStatus": "2",
    }
    assert {key: service[key][0] for key in wanted} == wanted
    assert service["MemoryMax"]
    assert service["TasksMax"]
    check_command(service["ExecStart"][0].split())
    assert "DISCORD_TOKEN" in SETTINGS  # what systemd names the file


def test_the_backup_runs_as_the_bot_itself() -> None:
    service = unit("abakbot-backup.service")["Service"]
    assert {key: service[key][0] for key in HARDENED} == HARDENED
    assert service["User"] == ["abakbot"]  # the name that DynamicUser gives abakbot.service
    assert set(service["StateDirectory"][0].split()) == {"abakbot", "abakbot-backups"}
    assert "/opt/abakbot/bin/abakbot backup " in service["ExecStart"][0]
    assert unit("abakbot-backup.timer")["Timer"]["OnCalendar"]


@pytest.mark.parametrize("path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_a_unit_names_only_settings_that_exist(path: Path) -> None:
    service = unit(path.name)["Service"]
    named = {pair.partition("=")[0] for line in service["Environment"] for pair in line.split()}
    assert named <= SETTINGS | FOREIGN
    url = next(pair for line in service["Environment"] for pair in line.split() if pair.startswith("DATABASE_URL="))
    assert Settings.load(database_url=url.partition("=")[2]).database_url.endswith("/var/lib/abakbot/abakbot.sqlite3")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """Apart from the bot, which is not installed where they say."""
    for path in UNITS:
        shutil.copy(path, tmp_path)
    found = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / path.name) for path in UNITS)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in found.stderr.splitlines() if str(tmp_path) in line or "abakbot" in line]
    assert [line for line in said if "/opt/abakbot/bin/abakbot is not executable" not in line] == []
