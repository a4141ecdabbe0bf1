"""The objects for Kubernetes, as far as they show without running them."""

import re

import pytest
import yaml
from harness.deployment import DEPLOY, PODS, PORT, RUNBOOK, SETTINGS, check_command, manifests, pod_of

from bot.settings import Settings


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
    assert pod["securityContext"]["runAsUser"] == 10001  # that of the image
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
    if key[0] == "Pod":
        assert command == ["sleep", "infinity"]
    elif key[0] == "CronJob":
        assert command[2].startswith('abakbot backup "/data/')
    else:
        check_command(command)
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
