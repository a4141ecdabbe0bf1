"""The dashboard and the alerts ask for what a running bot exports; the alerts fire on faults, and only then."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from harness.bot import Room, bot_running, told_all
from harness.discord import until
from harness.health import serving
from harness.promql import OWN, Pages, evaluate, grouped, parse, selectors
from harness.scrapes import read, scrape
from prometheus_client.metrics import MetricWrapperBase

from bot.board.delivery.publisher import BoardPublisher
from bot.core.metrics import definitions
from bot.core.metrics.definitions import page
from bot.core.metrics.interactions import ERROR, note_outcome, note_unanswered, observed
from bot.monitoring import service
from bot.monitoring.repository import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.scrapes import Samples

    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases

DEPLOY = Path(__file__).parents[3] / "deploy"
SUFFIXES = {
    "counter": ("_total",),
    "histogram": ("_bucket", "_sum", "_count"),
    "info": ("_info",),
    "gauge": ("",),
}
BUILD = {"version", "python", "discord_py"}
QUIET = Waiting({}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


@cache
def alerts() -> dict[str, dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "monitoring" / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


@cache
def board() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEPLOY / "monitoring" / "dashboard.json").read_text(encoding="utf-8"))
    return found


def of_board() -> list[str]:
    return [target["expr"] for panel in board()["panels"] for target in panel.get("targets", ())]


EXPRESSIONS = [rule["expr"] for rule in alerts().values()] + of_board()


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
        for expression in of_board()
        for name, _ in selectors(parse(expression))
    }
    ours = {
        f"{metric._name}{'' if metric._type in {'gauge', 'histogram'} else SUFFIXES[metric._type][0]}"
        for metric in vars(definitions).values()
        if isinstance(metric, MetricWrapperBase)
    }
    assert ours - asked == set()


def test_the_dashboard_is_whole() -> None:
    panels = board()["panels"]
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
    variables = {variable["name"] for variable in board()["templating"]["list"]}
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


# --- do they fire? ---------------------------------------------------------------------------------------------------


DAY = 86_400.0
NOW = 2_000_000_000.0
names = (f"new_{number}" for number in count())
"""Labels that nothing has had yet: the metrics are those of the whole run of tests."""


def asked(expression: str, before: Samples, after: Samples, seconds: float = 300, *, age: float = DAY) -> list[float]:
    """Evaluates an expression for a process that has run for ``age`` seconds. Leaves out NaN, as alerts do."""
    begun = {("process_start_time_seconds", ()): NOW - age}
    value = evaluate(parse(expression), Pages(before, after | begun, seconds, NOW))
    assert isinstance(value, dict)
    return [found for found in value.values() if not math.isnan(found)]


def fires(name: str, before: Samples, after: Samples, *, age: float = DAY) -> bool:
    return asked(alerts()[name]["expr"], before, after, age=age) != []


def panel(title: str) -> list[str]:
    (found,) = [panel["targets"] for panel in board()["panels"] if panel["title"] == title]
    return [target["expr"] for target in found]


def now() -> Samples:
    return read(page().decode())


class Pressed:
    id = 5
    type = type("Kind", (), {"value": 3})


def press(times: int, outcome: str = "ok", name: str = "move") -> None:
    for _ in range(times):
        with observed(Pressed(), name, {name}):
            note_outcome(outcome)


def answer_late(times: int) -> None:
    for _ in range(times):
        with observed(Pressed(), "move", {"move"}):
            note_unanswered()


def late() -> None:
    service._show(Waiting({}, 3, 2, 200_000, 1, 0, 400_000, 0, 0, 1, 0, 400_000))


def calls(status: str, times: int) -> None:
    definitions.REQUESTS.labels("POST", "channels", status).inc(times)


FAULTS: list[tuple[str, Callable[[], object]]] = [
    ("AbakbotDatabaseDown", lambda: service._show(None)),
    ("AbakbotShardDown", lambda: definitions.SHARD_UP.labels("0").set(0)),
    ("AbakbotShardMissing", lambda: definitions.SHARDS.set(2)),
    ("AbakbotShardMissing", definitions.SHARD_UP.clear),  # no process has any
    ("AbakbotHeartbeatOld", lambda: definitions.HEARTBEAT_AGE.labels("0").set(61)),
    ("AbakbotDeadlinesLate", late),
    ("AbakbotBoardsStuck", late),
    ("AbakbotOutboxStuck", late),
    ("AbakbotErrors", lambda: press(1, ERROR, next(names))),
    ("AbakbotUnanswered", lambda: answer_late(6)),
    (
        "AbakbotSlowAnswers",
        lambda: [definitions.INTERACTION_SECONDS.labels("command").observe(4) for _ in range(10**5)],
    ),
    ("AbakbotEventLoopLag", lambda: [definitions.LOOP_LAG.observe(0.4) for _ in range(100)]),
    ("AbakbotRateLimited", lambda: definitions.RATE_LIMITED.labels("user").inc(100)),
    ("AbakbotDiscordFails", lambda: calls("500", 200)),
    ("AbakbotWorkerFails", lambda: definitions.WORKER_RUNS.labels(next(names), "error").inc(4)),
    ("AbakbotMachineFails", lambda: definitions.MACHINE_RESTARTS.labels("hung").inc(4)),
    ("AbakbotMachineSlow", lambda: [definitions.MACHINE_WAIT_SECONDS.observe(20) for _ in range(10**5)]),
    ("AbakbotMachineSlow", lambda: definitions.MACHINE_QUESTIONS.labels("refused").inc()),
    ("AbakbotConnectionsUsedUp", lambda: definitions.DATABASE_CONNECTIONS.labels("used").set(20)),
    ("AbakbotWasAway", lambda: definitions.ABSENCE_SECONDS.inc(20)),
]
BY_PROMETHEUS = {"AbakbotDown", "AbakbotMemory"}
"""Alerts that a test cannot cause in its own process: caused in figures below."""


@pytest.fixture
def healthy() -> Samples:
    service._show(QUIET)
    definitions.DATABASE_CONNECTIONS.labels("used").set(1)
    definitions.DATABASE_CONNECTIONS.labels("most").set(20)
    definitions.SHARD_UP.clear()
    definitions.SHARD_UP.labels("0").set(1)
    definitions.SHARDS.set(1)
    definitions.HEARTBEAT_AGE.clear()
    definitions.HEARTBEAT_AGE.labels("0").set(3)
    calls("500", 1)  # of a status and of a kind that are new, Prometheus sees only what follows the first sample
    definitions.INTERACTION_SECONDS.labels("command").observe(0.1)
    before = now()
    press(500)
    calls("200", 500)
    return before


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_an_alert_fires_on_its_fault_and_not_without(name: str, fault: Callable[[], object], healthy: Samples) -> None:
    assert not fires(name, healthy, now())
    fault()
    assert fires(name, healthy, now())


def test_what_a_process_counted_before_it_was_first_asked_raises_alerts() -> None:
    """After a restart under another name there is no earlier sample, so nothing increases."""
    press(1, ERROR)
    definitions.ABSENCE_SECONDS.inc(20)
    for name in ("AbakbotErrors", "AbakbotWasAway"):
        assert fires(name, {}, now(), age=30)
        assert not fires(name, {}, now())
        assert not fires(name, now(), now())


def test_a_count_that_begins_again_raises_an_alert(healthy: Samples) -> None:
    """A process that is started again under its old name: before, it had counted more."""
    press(1, ERROR)
    failed = ("abakbot_interactions_failed_total", ())
    assert fires("AbakbotErrors", healthy | {failed: 100.0}, now() | {failed: 1.0})


def test_a_worker_that_failed_long_ago_raises_no_alert(healthy: Samples) -> None:
    worker = next(names)
    definitions.WORKER_RUNS.labels(worker, "error").inc(3)
    assert not fires("AbakbotWorkerFails", healthy, now())
    definitions.WORKER_RUNS.labels(worker, "error").inc(3)
    failed = now()
    assert fires("AbakbotWorkerFails", healthy, failed)
    assert not fires("AbakbotWorkerFails", failed, failed)


def test_late_answers_are_no_errors(healthy: Samples) -> None:
    answer_late(6)
    assert fires("AbakbotUnanswered", healthy, now())
    assert not fires("AbakbotErrors", healthy, now())
    refusals, _, errors = panel("Refusals and errors a second")
    assert sum(asked(refusals, healthy, now())) == 0
    assert asked(errors, healthy, now()) == [0.0]
    late_ones, _ = panel("Answers that did not arrive; answers under way")
    assert asked(late_ones, healthy, now()) == [6 / 300]


def test_an_error_that_could_not_be_told_stays_one(healthy: Samples) -> None:
    with observed(Pressed(), "move", {"move"}):
        note_outcome(ERROR)
        note_unanswered()
    assert fires("AbakbotErrors", healthy, now())


def test_the_dashboard_shows_the_first_of_its_kind(healthy: Samples) -> None:
    (errors,) = panel("Errors by command or verb, last hour")
    assert asked(errors, healthy, now()) == []
    press(1, ERROR, next(names))
    assert asked(errors, healthy, now()) == [1.0]
    (failed,) = panel("Failed runs of workers")
    definitions.WORKER_RUNS.labels(next(names), "error").inc()
    assert max(asked(failed, healthy, now())) == 1.0
    definitions.ABSENCE_SECONDS.inc(20)
    definitions.ABSENCES.inc()
    for absences in panel("Absences, seconds"):
        assert min(asked(absences, {}, now())) > 0
        assert max(asked(absences, now(), now())) == 0


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


def test_the_two_that_prometheus_itself_sees_fire_too() -> None:
    up: Samples = {("up", (("job", "abakbot"),)): 0.0}
    assert fires("AbakbotDown", up, up)
    assert not fires("AbakbotDown", up, dict.fromkeys(up, 1.0))
    assert fires("AbakbotDown", up, {})  # nobody is asked any more
    assert fires("AbakbotDown", up, {("up", (("job", "another"),)): 1.0})
    memory: Samples = {("process_resident_memory_bytes", ()): 3.1e8}
    assert fires("AbakbotMemory", memory, memory)
    assert not fires("AbakbotMemory", memory, dict.fromkeys(memory, 1.5e8))


async def test_a_bot_that_never_reaches_discord_raises_an_alert(stand_in: Server, sqlite_url: str) -> None:
    """Its page answers, so ``AbakbotDown`` does not fire."""
    async with serving(stand_in, sqlite_url, gateway="ws://127.0.0.1:9/") as served:
        await until(lambda: served.lines("gateway_not_reached"), "it waits for Discord")
        assert (await served.ready())[0] == 503
        async with served.session.get(f"http://127.0.0.1:{served.port}/metrics") as answer:
            found = read(await answer.text())
    fired = {name for name in alerts() if fires(name, found, found | {("up", (("job", "abakbot"),)): 1.0})}
    assert "AbakbotShardDown" in fired
    assert "AbakbotDown" not in fired


def test_every_alert_was_caused() -> None:
    assert {name for name, _ in FAULTS} | BY_PROMETHEUS == alerts().keys()


async def test_no_alert_fires_while_people_play(stand_in: Server, database_url: str) -> None:
    async with bot_running(stand_in, database_url) as bot:
        before = await scrape(bot)
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await room.type(live, "e4-e5 e3-e4")
        await told_all(bot)
        await bot.service(BoardPublisher).idle()
        after = await scrape(bot)
    busy = {
        "AbakbotSlowAnswers",
        "AbakbotEventLoopLag",
        "AbakbotDown",
        "AbakbotMemory",
    }  # of the machine, of Prometheus
    assert [name for name in alerts() if name not in busy and fires(name, before, after)] == []
