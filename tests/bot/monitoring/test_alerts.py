"""The alerts fire on faults, and only then; the dashboard shows them, too."""

from __future__ import annotations

import math
from itertools import count
from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, bot_running, told_all
from harness.deployment import alerts, dashboard
from harness.discord import until
from harness.health import serving
from harness.promql import Pages, evaluate, parse
from harness.scrapes import read, scrape

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

QUIET = Waiting({}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
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
    (found,) = [panel["targets"] for panel in dashboard()["panels"] if panel["title"] == title]
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
