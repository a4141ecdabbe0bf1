"""The files for compose, as far as they show without running them."""

import re

import pytest
from harness.deployment import DEPLOY, FOREIGN, PORT, SETTINGS, check_command, composed

OURS = [
    ("compose.yaml", "bot"),
    ("compose.yaml", "backup"),
    ("compose.postgres.yaml", "bot"),
    ("compose.postgres.yaml", "migrate"),
    ("compose.postgres.yaml", "backup"),
]


@pytest.mark.parametrize(("name", "service"), OURS)
def test_a_container_of_ours_may_do_little(name: str, service: str) -> None:
    found = composed(name)["services"][service]
    assert found["read_only"]
    assert found["cap_drop"] == ["ALL"]
    assert found["security_opt"] == ["no-new-privileges:true"]
    assert not found.keys() & {"privileged", "cap_add", "user", "network_mode", "pid"}
    assert any(mount.startswith("/tmp:") for mount in found["tmpfs"])  # noqa: S108


@pytest.mark.parametrize("name", ["compose.yaml", "compose.postgres.yaml"])
def test_every_container_has_limits_and_its_logs_are_rotated(name: str) -> None:
    for service in composed(name)["services"].values():
        assert service["mem_limit"]
        assert service["pids_limit"]
        assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}
        assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize(("name", "service"), OURS)
def test_a_container_of_ours_names_only_settings_and_commands_that_exist(name: str, service: str) -> None:
    found = composed(name)["services"][service]
    assert found.get("environment", {}).keys() <= SETTINGS | FOREIGN
    if service != "backup":
        check_command(found.get("command", ["abakbot", "run"]))
    assert (DEPLOY / found["build"]["context"] / found["build"]["dockerfile"]).is_file()
    assert "args" not in found["build"]  # the base is that of the Dockerfile


@pytest.mark.parametrize("name", ["compose.yaml", "compose.postgres.yaml"])
def test_a_backup_is_made_each_day_and_kept_for_two_weeks(name: str) -> None:
    services = composed(name)["services"]
    backup = services["backup"]
    shell, option, script = backup["command"]
    assert (shell, option) == ("sh", "-c")
    assert "abakbot backup " in script
    assert "-mtime +14 -delete" in script
    assert "backups:/backups" in backup["volumes"]
    assert "backups" in composed(name)["volumes"]
    assert backup["environment"]["TMPDIR"] == "/backups"
    assert backup["healthcheck"] == {"disable": True}
    assert ("data:/data" in backup["volumes"]) == ("data:/data" in services["bot"].get("volumes", ()))


def test_postgres_is_pinned_by_its_digest() -> None:
    image = composed("compose.postgres.yaml")["services"]["postgres"]["image"]
    assert re.fullmatch(r"postgres:\d+\.\d+-\w+@sha256:[0-9a-f]{64}", image)


def test_processes_start_after_the_schema_is_brought_forward() -> None:
    services = composed("compose.postgres.yaml")["services"]
    assert services["bot"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert services["migrate"]["depends_on"]["postgres"] == {"condition": "service_healthy"}
    assert services["postgres"]["healthcheck"]["test"][1] == "pg_isready"
    assert services["migrate"]["restart"] == "no"
    assert services["migrate"]["command"] == ["abakbot", "db", "upgrade"]


def test_processes_can_be_scaled() -> None:
    """No name and no port of the machine is of one container alone."""
    bot = composed("compose.postgres.yaml")["services"]["bot"]
    assert not bot.keys() & {"ports", "container_name", "hostname"}


def test_one_process_on_sqlite_shows_its_pages_to_this_machine_alone() -> None:
    assert composed("compose.yaml")["services"]["bot"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
