"""The files by which Prometheus finds the processes of the bot."""

import re
from typing import Any

import pytest
import yaml
from harness.deployment import DEPLOY, PODS, PORT, composed, pod_of

PROMETHEUS = sorted(path.name for path in (DEPLOY / "monitoring").glob("prometheus*.yaml"))


def job(name: str) -> dict[str, Any]:
    """Returns how Prometheus finds the processes, by its file."""
    found = yaml.safe_load((DEPLOY / "monitoring" / name).read_text(encoding="utf-8"))
    assert found["rule_files"] == ["alerts.yaml"]
    (only,) = found["scrape_configs"]
    return dict(only)


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
