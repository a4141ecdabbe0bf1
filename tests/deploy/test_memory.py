"""The alert on memory comes before every limit of the deployment files, and the runbook says when what happens."""

import re

from harness.deployment import DEPLOY, PODS, RUNBOOK, alerts, composed, pod_of

MB = 10**6
BINARY = {"k": 10, "m": 20, "g": 30}
AMPLE = 1.25
"""How much higher each step is than the one before it."""


def size(text: str, suffix: str = "") -> int:
    """Converts to bytes. Docker's m and systemd's M are the Mi of Kubernetes, whose own M is smaller."""
    found = re.fullmatch(rf"(\d+)([kmgKMG]){suffix}", text)
    assert found, text
    return int(found[1]) << BINARY[found[2].lower()]


def alert() -> float:
    return float(alerts()["AbakbotMemory"]["expr"].rpartition(">")[2])


def pod() -> dict[str, dict[str, str]]:
    (container,) = pod_of(PODS[0])["spec"]["containers"]
    return dict(container["resources"])


def limits() -> dict[str, int]:
    """Returns the sizes at which a process of the bot is slowed down or killed."""
    service = (DEPLOY / "systemd" / "abakbot.service").read_text(encoding="utf-8")
    found = {name: size(text) for name, text in re.findall(r"^(Memory(?:High|Max))=(.+)$", service, re.MULTILINE)}
    for name in ("compose.yaml", "compose.postgres.yaml"):
        found[name] = size(composed(name)["services"]["bot"]["mem_limit"])
    return found | {"kubernetes": size(pod()["limits"]["memory"], "i")}


def test_the_alert_comes_before_every_limit() -> None:
    """From MemoryHigh on the kernel slows the process down, so the alert has to come before that, too."""
    assert limits().keys() == {"MemoryHigh", "MemoryMax", "compose.yaml", "compose.postgres.yaml", "kubernetes"}
    assert {name: limit for name, limit in limits().items() if limit < AMPLE * alert()} == {}
    assert limits()["MemoryMax"] >= AMPLE * limits()["MemoryHigh"]


def test_no_process_needs_as_much_as_raises_the_alert() -> None:
    """By the runbook's table of what was measured."""
    (table,) = re.findall(r"^\| what \| memory \|\n((?:\|.*\n)+)", RUNBOOK, re.MULTILINE)
    needed = [int(figure) * MB for figure in re.findall(r"(\d+) MB", table)]
    assert max(needed) * AMPLE < alert()
    assert max(needed) < size(pod()["requests"]["memory"], "i")


def test_the_runbook_says_at_how_much_memory_what_happens() -> None:
    (chapter,) = re.findall(r"^### Memory grows\n((?:(?!#).*\n)*)", RUNBOOK, re.MULTILINE)
    assert [int(figure) * MB for figure in re.findall(r"(\d+) MB", chapter)] == [alert()]
    assert {int(figure) << BINARY["m"] for figure in re.findall(r"(\d+) MiB", chapter)} == set(limits().values())
