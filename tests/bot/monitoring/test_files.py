"""The dashboard and the alerts ask for what a running bot exports."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, bot_running
from harness.deployment import DEPLOY, alerts, dashboard
from harness.promql import OWN, grouped, parse, selectors
from harness.scrapes import read, scrape
from prometheus_client.metrics import MetricWrapperBase

from bot.core.metrics import definitions
from bot.core.metrics.definitions import page

if TYPE_CHECKING:
    from bot.sandbox.server import Server

SUFFIXES = {
    "counter": ("_total",),
    "histogram": ("_bucket", "_sum", "_count"),
    "info": ("_info",),
    "gauge": ("",),
}
BUILD = {"version", "python", "discord_py"}


def of_dashboard() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", ())]


EXPRESSIONS = [rule["expr"] for rule in alerts().values()] + of_dashboard()


@cache
def exported() -> dict[str, tuple[set[str], str]]:
    """Returns every name that a sample can have, with its labels and its description."""
    found: dict[str, tuple[set[str], str]] = {"up": (set(), "")}
    for metric in vars(definitions).values():
        if isinstance(metric, MetricWrapperBase):
            kind = metric._type
            own = BUILD if kind == "info" else set(metric._labelnames)
            for suffix in SUFFIXES[kind]:
                labels = own | {"le"} if suffix == "_bucket" else own
                found[f"{metric._name}{suffix}"] = (labels, metric._documentation)
    for name, _ in read(page().decode()):
        found.setdefault(name, (set(), ""))
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS)
async def test_what_is_asked_for_is_exported(expression: str) -> None:
    """Each metric, each of its labels, and each value that a label is compared with stands in its description."""
    tree = parse(expression)
    asked = list(selectors(tree))
    assert asked
    for name, matchers in asked:
        assert name in exported(), name
        labels, description = exported()[name]
        for label, value in matchers:
            assert label in labels | OWN, f"{name} has no label {label}"
            if label not in OWN:
                words = [word for word in value.split("|") if re.fullmatch(r"[a-z_]+", word)]
                assert all(re.search(rf"\b{word}\b", description) for word in words), (name, value)
    for labels, names in grouped(tree):
        for name in names:
            assert labels <= exported()[name][0] | OWN, (name, labels)


async def test_a_running_bot_exports_every_name(stand_in: Server, sqlite_url: str) -> None:
    """The page names each metric, also those that have not happened yet."""
    async with bot_running(stand_in, sqlite_url) as bot:
        await Room.of(stand_in, bot).begin("apb")
        samples = await scrape(bot)
    assert {dict(labels).keys() == BUILD for name, labels in samples if name == "abakbot_build_info"} == {True}
    described = set(re.findall(r"^# TYPE (\S+) ", page().decode(), re.MULTILINE))
    for expression in EXPRESSIONS:
        for name, _ in selectors(parse(expression)):
            family = re.sub(r"_(bucket|sum|count)$", "", name)
            assert name == "up" or {name, family} & described, name
    asked = {name for expression in EXPRESSIONS for name, _ in selectors(parse(expression))}
    assert asked - {"up"} - {found for found, _ in samples} == set()


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    asked = {
        re.sub(r"_(bucket|sum|count)$", "", name)
        for expression in of_dashboard()
        for name, _ in selectors(parse(expression))
    }
    ours = {
        f"{metric._name}{'' if metric._type in {'gauge', 'histogram'} else SUFFIXES[metric._type][0]}"
        for metric in vars(definitions).values()
        if isinstance(metric, MetricWrapperBase)
    }
    assert ours - asked == set()


def test_the_dashboard_is_whole() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    covered: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & covered, panel["title"]
        assert max(x for x, _ in cells) < 24
        covered |= cells
        assert panel["type"] == "row" or panel["targets"]
        assert panel["type"] == "row" or panel["datasource"]["uid"] == "${datasource}"
    variables = {variable["name"] for variable in dashboard()["templating"]["list"]}
    assert variables == {"datasource", "instance"}


@pytest.mark.parametrize("name", alerts())
def test_an_alert_says_how_bad_it_is_and_where_to_read_on(name: str) -> None:
    rule = alerts()[name]
    assert rule["labels"]["severity"] in {"critical", "warning", "info"}
    path, _, anchor = rule["annotations"]["runbook_url"].partition("#")
    text = (DEPLOY.parent / path).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    labels = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
    kept = set().union(*(found for found, _ in grouped(parse(rule["expr"])))) | OWN
    assert labels <= kept
    assert re.fullmatch(r"\d+[smh]", rule["for"])


RARE = {
    "abakbot_discord_rate_limited_total": {"user", "global", "shared", "other"},
    "abakbot_interactions_limited_total": {"command", "component", "autocomplete", "modal", "other"},
    "abakbot_log_records_total": {"info", "warning", "error", "critical"},
    "abakbot_machine_questions_total": {"answered", "refused", "failed"},
    "abakbot_machine_restarts_total": {"died", "hung", "nonsense", "illegal"},
    "abakbot_render_cache_total": {"hit", "miss"},
    "abakbot_transactions_total": {"read ok", "read rolled_back", "write ok", "write conflict", "write rolled_back"},
}


def test_counters_with_few_labels_are_at_zero_from_the_start() -> None:
    """In a process that has done nothing yet."""
    modules = "bot.core.metrics.interactions, bot.core.metrics.requests, bot.core.metrics.transactions"
    code = f"import {modules}; print(bot.core.metrics.definitions.page().decode())"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    found: dict[str, set[str]] = {}
    for (name, labels), value in read(printed).items():
        if name in RARE:
            assert value == 0
            found.setdefault(name, set()).add(" ".join(label for _, label in labels))
    assert found == RARE
    alone = ("failed", "unanswered")
    assert {read(printed)[f"abakbot_interactions_{name}_total", ()] for name in alone} == {0.0}
