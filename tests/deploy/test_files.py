"""The files for compose, systemd and Kubernetes, as far as they show without running them."""

import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.__main__ import main
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = {field.name.upper() for field in fields(Settings)}
FOREIGN = {
    "PYTHONUNBUFFERED",
    "PYTHONOPTIMIZE",
    "MALLOC_ARENA_MAX",
    "MALLOC_TRIM_THRESHOLD_",
    "POSTGRES_PASSWORD",
    "TMPDIR",
}
PORT = 8081
USER = 10001


def known_command(words: list[str]) -> bool:
    """Returns whether ``abakbot …`` exists."""
    command: Any = main
    for word in words[1:]:
        if not hasattr(command, "commands") or word not in command.commands:
            break
        command = command.commands[word]
    return words[0].endswith("abakbot") and command is not main and not hasattr(command, "commands")


# --- compose ---------------------------------------------------------------------------------------------------------


def composed(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    return found


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
    assert service == "backup" or known_command(found.get("command", ["abakbot", "run"]))
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


# --- systemd ---------------------------------------------------------------------------------------------------------

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
    assert known_command(service["ExecStart"][0].split())
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


# --- Kubernetes ------------------------------------------------------------------------------------------------------


def manifests() -> dict[tuple[str, str], dict[str, Any]]:
    found = {}
    for path in sorted((DEPLOY / "kubernetes").glob("*.y*ml")):
        for each in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            found[each["kind"], each["metadata"]["name"]] = each
    return found


PODS = [("Deployment", "abakbot"), ("Job", "abakbot-migrate"), ("Pod", "abakbot-tools"), ("CronJob", "abakbot-backup")]


def pod_of(key: tuple[str, str]) -> dict[str, Any]:
    """Returns the pod with its labels: a pod by itself, or the template of what makes pods."""
    found = manifests()[key]
    if key[0] == "CronJob":
        found = found["spec"]["jobTemplate"]
    pod: dict[str, Any] = found if key[0] == "Pod" else found["spec"]["template"]
    return pod


def test_there_is_one_of_each_kind() -> None:
    versions = {
        ("ConfigMap", "abakbot"): "v1",
        ("Deployment", "abakbot"): "apps/v1",
        ("Job", "abakbot-migrate"): "batch/v1",
        ("Pod", "abakbot-tools"): "v1",
        ("PodDisruptionBudget", "abakbot"): "policy/v1",
        ("PersistentVolumeClaim", "abakbot-backups"): "v1",
        ("CronJob", "abakbot-backup"): "batch/v1",
        ("NetworkPolicy", "abakbot"): "networking.k8s.io/v1",
    }
    assert {key: each["apiVersion"] for key, each in manifests().items()} == versions


@pytest.mark.parametrize("key", PODS)
def test_a_pod_may_do_little_and_has_limits(key: tuple[str, str]) -> None:
    pod = pod_of(key)["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["runAsUser"] == USER
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"]["memory"]
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    mounts = {mount["mountPath"]: mount.get("readOnly", False) for mount in container["volumeMounts"]}
    assert mounts == {"/data": False} | ({"/backups": True} if key[0] == "Pod" else {})
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    command = container.get("command", ["abakbot", "run"])
    assert (
        known_command(command)
        or (key[0] == "Pod" and command == ["sleep", "infinity"])
        or (key[0] == "CronJob" and command[2].startswith('abakbot backup "/data/'))
    )
    assert {next(iter(source.values()))["name"] for source in container["envFrom"]} == {"abakbot"}
    image = container["image"].rpartition(":")[2]
    assert image != "latest"


def test_the_nightly_backups_can_be_fetched() -> None:
    """The pod for commands has their volume where the runbook looks for them, and may read what the CronJob writes."""
    night, tools = (pod_of(key)["spec"] for key in (("CronJob", "abakbot-backup"), ("Pod", "abakbot-tools")))
    claim = night["volumes"][0]["persistentVolumeClaim"]
    (volume,) = [one["name"] for one in tools["volumes"] if one.get("persistentVolumeClaim") == claim]
    (path,) = [one["mountPath"] for one in tools["containers"][0]["volumeMounts"] if one["name"] == volume]
    assert f"kubectl exec abakbot-tools -- cat {path}/FILE > FILE" in RUNBOOK
    assert tools["securityContext"]["fsGroup"] == night["securityContext"]["fsGroup"]


def test_the_volume_is_there_before_the_pod_for_commands() -> None:
    """The pod would wait for ever for a claim that nobody has made."""
    (claim,) = [
        one["persistentVolumeClaim"]["claimName"]
        for one in pod_of(("Pod", "abakbot-tools"))["spec"]["volumes"]
        if "persistentVolumeClaim" in one
    ]
    maker = (DEPLOY / "kubernetes" / "backup.yaml").read_text(encoding="utf-8")
    assert ("PersistentVolumeClaim", claim) in {
        (each["kind"], each["metadata"]["name"]) for each in yaml.safe_load_all(maker)
    }
    lines = re.findall(r"^kubectl apply .*tools\.yaml.*$", RUNBOOK, re.MULTILINE)
    assert len(lines) >= 2
    for line in lines:
        assert re.search(r"-f deploy/kubernetes/backup\.yaml .*tools\.yaml", line), line


def test_probes_ask_pages_that_are_served_on_the_port_of_the_settings() -> None:
    (container,) = manifests()["Deployment", "abakbot"]["spec"]["template"]["spec"]["containers"]
    probes = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    assert {probe["path"] for probe in probes.values()} == {"/healthz", "/readyz"}
    assert probes["readiness"]["path"] == "/readyz"
    assert {probe["port"] for probe in probes.values()} == {container["ports"][0]["name"]}
    config = manifests()["ConfigMap", "abakbot"]["data"]
    assert container["ports"][0]["containerPort"] == int(config["HEALTH_PORT"]) == PORT
    pod = manifests()["Deployment", "abakbot"]["spec"]["template"]
    assert pod["metadata"]["annotations"]["prometheus.io/port"] == config["HEALTH_PORT"]


def test_selectors_find_the_pods_of_the_bot_and_no_others() -> None:
    found = manifests()
    labels = {key: pod_of(key)["metadata"]["labels"] for key in PODS}
    for kind in ("Deployment", "PodDisruptionBudget"):
        chosen = found[kind, "abakbot"]["spec"]["selector"]["matchLabels"]
        assert chosen.items() <= labels[PODS[0]].items()
        assert [key for key in PODS[1:] if chosen.items() <= labels[key].items()] == []


def test_the_configuration_names_only_settings_and_the_secret_holds_none() -> None:
    found = manifests()
    assert found["ConfigMap", "abakbot"]["data"].keys() <= SETTINGS
    example = (DEPLOY / "kubernetes" / "secret.env.example").read_text(encoding="utf-8")
    secret = dict(line.split("=", 1) for line in example.splitlines() if not line.startswith("#"))
    assert secret.keys() <= SETTINGS
    assert secret["DISCORD_TOKEN"] == ""
    assert ":PASSWORD@" in secret["DATABASE_URL"]
    assert "verify-full" in Settings.load(database_url=secret["DATABASE_URL"]).database_url


def test_all_pods_may_reach_what_they_need_and_the_pages_alone_are_reached() -> None:
    policy = manifests()["NetworkPolicy", "abakbot"]["spec"]
    (chosen,) = policy["podSelector"]["matchExpressions"]
    assert (chosen["key"], chosen["operator"]) == ("app", "In")
    assert set(chosen["values"]) == {pod_of(key)["metadata"]["labels"]["app"] for key in PODS}
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["ingress"] == [{"ports": [{"protocol": "TCP", "port": PORT}]}]
    (way_out,) = policy["egress"]
    assert {(one["protocol"], one["port"]) for one in way_out["ports"]} == {
        ("UDP", 53),
        ("TCP", 53),
        ("TCP", 443),
        ("TCP", 5432),
    }


def test_a_new_process_waits_for_the_shards_of_an_old_one() -> None:
    spec = manifests()["Deployment", "abakbot"]["spec"]
    assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 1, "maxSurge": 0}
    assert spec["template"]["spec"]["terminationGracePeriodSeconds"] >= 30


# --- litestream ------------------------------------------------------------------------------------------------------


def test_litestream_replicates_the_file_of_the_container() -> None:
    config = yaml.safe_load((DEPLOY / "litestream.yml").read_text(encoding="utf-8"))
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert f"DATABASE_URL=sqlite:///{config['dbs'][0]['path']} " in image


# --- Prometheus ------------------------------------------------------------------------------------------------------


def job(name: str) -> dict[str, Any]:
    """Returns how Prometheus finds the processes, by its file."""
    found = yaml.safe_load((DEPLOY / "monitoring" / name).read_text(encoding="utf-8"))
    assert found["rule_files"] == ["alerts.yaml"]
    (only,) = found["scrape_configs"]
    return dict(only)


PROMETHEUS = sorted(path.name for path in (DEPLOY / "monitoring").glob("prometheus*.yaml"))


@pytest.mark.parametrize("name", PROMETHEUS)
def test_the_job_has_the_name_that_the_alerts_ask_for(name: str) -> None:
    alerts = (DEPLOY / "monitoring" / "alerts.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r'job="([^"]*)"', alerts)) == {job(name)["job_name"]}


def test_prometheus_finds_one_process_and_several() -> None:
    assert PROMETHEUS == ["prometheus.compose.yaml", "prometheus.kubernetes.yaml", "prometheus.yaml"]
    assert job("prometheus.yaml")["static_configs"] == [{"targets": [f"127.0.0.1:{PORT}"]}]
    (by_name,) = job("prometheus.compose.yaml")["dns_sd_configs"]
    services = composed("compose.postgres.yaml")["services"]
    assert set(by_name["names"]) <= services.keys()
    assert services[by_name["names"][0]]["expose"] == [str(by_name["port"])]
    assert (by_name["type"], by_name["port"]) == ("A", PORT)
    (by_label,) = job("prometheus.kubernetes.yaml")["kubernetes_sd_configs"]
    (selector,) = by_label["selectors"]
    label, _, value = selector["label"].partition("=")
    assert [key for key in PODS if pod_of(key)["metadata"]["labels"].get(label) == value] == [PODS[0]]
    (kept,) = [one for one in job("prometheus.kubernetes.yaml")["relabel_configs"] if one.get("action") == "keep"]
    (container,) = pod_of(PODS[0])["spec"]["containers"]
    assert kept["regex"] in {port["name"] for port in container["ports"]}


# --- what the runbook does -------------------------------------------------------------------------------------------

RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text(encoding="utf-8")


def test_the_runbook_backs_up_and_restores_everywhere() -> None:
    """Each chapter has the way of each installation."""
    chapters = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", RUNBOOK, re.MULTILINE))
    wanted = {"compose.yaml", "compose.postgres.yaml", "systemctl", "kubectl"}
    for name in ("Back up", "Restore", "Upgrade"):
        assert {way for way in wanted if way in chapters[name]} == wanted, name
