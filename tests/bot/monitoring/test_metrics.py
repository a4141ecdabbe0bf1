"""Tests the page of metrics after events, over the wire and from the database."""

from __future__ import annotations

import asyncio
import math
import re
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from fuzz.calibration import least
from harness.bot import Room, bot_running, told_all
from harness.discord import PATIENT, until
from harness.health import on_free_port
from harness.scrapes import between, read, scrape, value
from sqlalchemy import update

from bot.board.delivery.publisher import BoardPublisher
from bot.core import render_queue
from bot.core.limits.rates import Buckets
from bot.core.metrics import definitions
from bot.core.metrics.interactions import command_name, note_outcome, observed
from bot.core.metrics.requests import route_of
from bot.core.processes.gateway import GatewayShard
from bot.core.render_queue import RenderQueue
from bot.core.storage.database import Conflict, Database
from bot.games.tables import games
from bot.health import serve_health
from bot.monitoring import service
from bot.monitoring.page import Monitoring
from bot.monitoring.repository import LATE_MS, MonitoringRepository
from bot.monitoring.service import MonitoringService
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases

MINUTE = 60_000


async def test_a_game_shows_in_the_metrics(stand_in: Server, database_url: str) -> None:
    """Commands, presses, forms and suggestions with their outcomes; commits, calls of Discord, pictures, the rest."""
    async with bot_running(stand_in, database_url) as bot:
        before = await scrape(bot)
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await room.to_move(live).choices("abak move play", "notation", notation="e4")
        await room.type(live, "e4-e5 e3-e4")
        await room.type(live, "nonsense")
        await told_all(bot)
        await bot.service(BoardPublisher).idle()
        after = await scrape(bot)
        grown = between(before, after)
        count = "abakbot_interactions_total"
        assert grown(count, kind="command", name="abak challenge", outcome="ok") == 1
        assert grown(count, kind="component", name="accept_challenge", outcome="ok") == 1
        assert grown(count, kind="autocomplete", name="abak move play") == 1
        assert grown(count, kind="command", name="abak move play", outcome="ok") == 1
        assert grown(count, kind="command", name="abak move play", outcome="refused") == 1
        assert grown(count, outcome="error") == 0
        assert grown("abakbot_interaction_seconds_count", kind="command") == 3
        assert grown("abakbot_game_commits_total", game="apb") >= 2
        assert grown("abakbot_discord_requests_total", route="interactions", method="POST") >= 5
        assert grown("abakbot_discord_requests_total", route="channels", status="200") >= 1
        drawn = grown("abakbot_render_seconds_count", queue="pictures")
        assert drawn + grown("abakbot_render_cache_total", result="hit") >= 2
        assert grown("abakbot_transactions_total", kind="write", outcome="ok") >= 3
        assert grown("abakbot_transaction_seconds_count", kind="read") >= 3
        assert value(after, "abakbot_games_running", game="apb") == 1
        assert value(after, "abakbot_games_running") == 1
        assert value(after, "abakbot_boards_waiting") == 0
        assert value(after, "abakbot_interactions_under_way") == 0
        assert value(after, "abakbot_database_up") == 1
        assert value(after, "abakbot_shard_up", shard="0") == 1
        assert value(after, "abakbot_build_info") == 1
        assert value(after, "process_resident_memory_bytes") > 10**7


async def test_a_user_who_asks_for_too_much_is_counted(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        await room.begin("apb")
        before = await scrape(bot)
        monkeypatch.setattr(bot.admission, "_limited", True)
        monkeypatch.setattr(Buckets, "take", lambda *_: 3)
        await room.ana.slash("abak board")
        await room.ana.press("b:move:", room.board)
        monkeypatch.undo()
        grown = between(before, await scrape(bot))
        assert grown("abakbot_interactions_limited_total", kind="command") == 1
        assert grown("abakbot_interactions_limited_total", kind="component") == 1
        assert grown("abakbot_interactions_total", name="abak board", outcome="refused") == 1


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (
            {"name": "abak", "options": [{"name": "move", "type": 2, "options": [{"name": "play", "type": 1}]}]},
            "abak move play",
        ),
        ({"name": "abak", "options": [{"name": "depth", "type": 4, "options": [{"name": "x"}]}]}, "abak"),
        ({"name": "abak", "options": "text"}, "abak"),
        ({"name": "abak", "options": [None]}, "abak"),
        ({"name": 5, "options": {}}, "5"),
        ({}, ""),
        (None, ""),
        ("text", ""),
    ],
)
def test_the_name_of_a_command_is_read_from_whatever_comes(data: object, name: str) -> None:
    assert command_name(data) == name


async def test_calls_that_discord_refuses_are_counted_by_status(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        before = await scrape(bot)
        stand_in.world.faults.fail_next("POST /channels", status=429, retry_after=0.05)
        await room.begin("apb")
        await bot.service(BoardPublisher).idle()
        grown = between(before, await scrape(bot))
    assert grown("abakbot_discord_requests_total", route="channels", status="429") == 1
    assert grown("abakbot_discord_rate_limited_total") == 1


async def test_no_label_holds_an_id_or_a_name(stand_in: Server, sqlite_url: str) -> None:
    """Not even those that a forged interaction brings."""
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await room.type(live, "e4-e5 e3-e4")
        await told_all(bot)

        class Forged:
            id = 5
            type = type("Kind", (), {"value": 3})

        with observed(Forged(), "make_me_a_label_17", {"move"}):
            note_outcome("refused")
        samples = await scrape(bot)
        page = (await bot.service(Monitoring).page()).decode()
        for secret in ("make_me_a_label_17", '"Ana"', '"Ben"', live.id, "token", str(room.ana.user_id)):
            assert secret not in page
        assert not re.search(r'="[^"]*\d{6,}[^"]*"', page)
        assert value(samples, "abakbot_interactions_total", name="other", outcome="refused") >= 1
        assert len(samples) < 1500


# --- the database ----------------------------------------------------------------------------------------------------


async def test_what_waits_is_counted(stand_in: Server, database_url: str) -> None:
    """A late deadline and a board that failed, as they stand in the database."""
    async with bot_running(stand_in, database_url) as bot:
        rooms = [Room.of(stand_in, bot) for _ in range(2)]
        first, second = [await room.begin("apb", time="1d/move") for room in rooms]
        now = bot.services.now()
        store = MonitoringRepository(bot.services.database)
        assert (await store.waiting(now)).deadlines_due == 0
        async with bot.services.database.writing() as connection:
            late = {"deadline": now - 2 * LATE_MS, "leased_until": now + 10 * MINUTE}
            await connection.execute(update(games).where(games.c.id == first.id).values(late))
            behind = {"shown_seq": -1, "next_attempt_at": now + 10 * MINUTE}
            await connection.execute(update(games).where(games.c.id == second.id).values(behind))
        found = await store.waiting(now)
        assert (found.deadlines_due, found.deadlines_late, found.deadline_age) == (1, 1, 2 * LATE_MS)
        assert (found.boards_due, found.boards_delayed, found.board_age) == (0, 1, 0)
        assert found.running == {"apb": 2}
        assert found.outbox_delayed >= 1  # a reminder
        samples = await scrape(bot)
        assert value(samples, "abakbot_deadlines_late") == 1
        assert value(samples, "abakbot_boards_waiting", state="delayed") == 1
        async with bot.services.database.writing() as connection:
            shown = {"shown_seq": games.c.seq, "next_attempt_at": 0}
            await connection.execute(update(games).where(games.c.id == second.id).values(shown))


async def test_a_database_that_hangs_does_not_hold_the_page(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures that it gave before are not shown as if they were of now; one query hangs, not one for each page."""
    hanging = []

    async def hangs(_: MonitoringRepository, now: int) -> None:
        hanging.append(now)
        await asyncio.Event().wait()

    async with bot_running(stand_in, sqlite_url) as bot:
        assert value(await scrape(bot), "abakbot_database_up") == 1
        monkeypatch.setattr(service, "PATIENCE", 0.1)
        monkeypatch.setattr(MonitoringRepository, "waiting", hangs)
        async with asyncio.timeout(PATIENT):
            samples = [await scrape(bot) for _ in range(3)][-1]
        assert len(hanging) == 1
        assert value(samples, "abakbot_database_up") == 0
        assert math.isnan(value(samples, "abakbot_outbox_age_seconds"))
        assert math.isnan(value(samples, "abakbot_games_running"))
        assert value(samples, "abakbot_shard_up") == 1
        async with asyncio.timeout(PATIENT):
            await bot.service(service.MonitoringService).close()  # it waits no longer, so that the bot can stop


async def test_a_shard_that_cannot_connect_is_shown_as_down(stand_in: Server, sqlite_url: str) -> None:
    """Also one that was never connected: without its line, no alert would fire."""
    async with bot_running(stand_in, sqlite_url) as bot:
        bot.runner.shards[1] = GatewayShard(bot, 1, lambda _: asyncio.sleep(60))
        samples = await scrape(bot)
        assert value(samples, "abakbot_shard_up", shard="0") == 1
        assert value(samples, "abakbot_shard_up", shard="1") == 0
        del bot.runner.shards[1]


async def test_a_database_that_fails_does_not_break_the_page(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_: MonitoringRepository, now: int) -> None:
        raise OSError(now)

    async with bot_running(stand_in, sqlite_url) as bot:
        with monkeypatch.context() as patch:
            patch.setattr(MonitoringRepository, "waiting", fails)
            assert value(await scrape(bot), "abakbot_database_up") == 0
        assert value(await scrape(bot), "abakbot_database_up") == 1


async def test_the_database_is_asked_seldom(stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty pages at once and one after them need one query."""
    asked = []
    found = MonitoringRepository.waiting

    async def counted(self: MonitoringRepository, now: int) -> Any:
        asked.append(now)
        await asyncio.sleep(0.05)
        return await found(self, now)

    monkeypatch.setattr(MonitoringRepository, "waiting", counted)
    async with bot_running(stand_in, sqlite_url) as bot:
        monitoring = bot.service(Monitoring)
        await asyncio.gather(*(monitoring.page() for _ in range(20)))
        await monitoring.page()
        assert len(asked) == 1
        bot.service(MonitoringService).forget()
        await monitoring.page()
        assert len(asked) == 2


async def test_a_conflict_is_counted(database: Database) -> None:
    before = read(definitions.page().decode())
    with pytest.raises(Conflict):
        async with database.writing():
            raise Conflict
    with pytest.raises(ZeroDivisionError):
        async with database.writing():
            raise ZeroDivisionError
    grown = between(before, read(definitions.page().decode()))
    assert grown("abakbot_transactions_total", kind="write", outcome="conflict") == 1
    assert grown("abakbot_transactions_total", kind="write", outcome="rolled_back") == 1
    assert grown("abakbot_transactions_total", outcome="ok") == 0


async def test_pictures_are_timed_with_their_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pictures take two seconds each, and one is drawn at a time."""
    now, before = 0.0, read(definitions.page().decode())
    monkeypatch.setattr(render_queue, "time", SimpleNamespace(perf_counter=lambda: now))
    queue, begins = RenderQueue(1, "films"), threading.Event()

    def draw() -> None:
        nonlocal now
        assert begins.wait(30)
        now += 2.0

    drawing = [asyncio.create_task(queue.draw(draw)) for _ in range(3)]
    await until(lambda: queue.waiting == 2, "two of them wait")
    begins.set()
    await asyncio.gather(*drawing)
    grown = between(before, read(definitions.page().decode()))
    assert grown("abakbot_render_seconds_count", queue="films") == 3
    assert grown("abakbot_render_seconds_sum", queue="films") == 6
    assert grown("abakbot_render_wait_seconds_sum", queue="films") == 2 + 4
    assert queue.waiting == 0


# --- the page --------------------------------------------------------------------------------------------------------


async def test_the_page_is_served_beside_the_others_or_not_at_all() -> None:
    async def metrics() -> bytes:
        return definitions.page()

    for page, status in ((metrics, 200), (None, 404)):
        async with on_free_port(serve_health, {}, page) as port, aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                assert answer.status == status
                if page:
                    assert answer.headers["Content-Type"].startswith("text/plain; version=")
                    assert value(read(await answer.text()), "process_open_fds") > 0
            async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                assert answer.status == 200


@pytest.mark.parametrize(("given", "elsewhere"), [({}, False), ({"host": "*"}, True), ({"host": "127.0.0.2"}, True)])
async def test_the_pages_are_for_one_address_unless_the_host_wants_all(given: dict[str, str], elsewhere: bool) -> None:
    """Any other address of the machine stands for those that others can reach."""
    async with on_free_port(serve_health, {}, **given) as port:
        async with aiohttp.ClientSession() as session:
            try:
                async with session.get(f"http://127.0.0.2:{port}/healthz") as answer:
                    answered = answer.status == 200
            except aiohttp.ClientConnectionError:
                answered = False
        assert answered is elsewhere


def test_every_game_has_its_gauge_whether_it_is_played_or_not() -> None:
    service._show(None)
    samples = read(definitions.page().decode())
    assert {dict(labels)["game"] for name, labels in samples if name == "abakbot_games_running"} == set(GAMES)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/channels/1/messages", "channels"),
        ("/api/v10/interactions/1/aW50ZXI/callback", "interactions"),
        ("/api/v10/webhooks/1/aW50ZXI/messages/@original", "webhooks"),
        ("/gateway", "gateway"),
        ("/secret/aW50ZXI", "other"),
        ("/", "other"),
    ],
)
def test_the_route_of_a_call_has_no_id_and_no_token(path: str, route: str) -> None:
    assert route_of(path) == route


def test_counting_an_interaction_costs_microseconds() -> None:
    class Pressed:
        id = 5
        type = type("Kind", (), {"value": 3})

    def count() -> None:
        for _ in range(500):
            with observed(Pressed(), "move", {"move"}):
                pass

    most = 500 * 200e-6
    assert least(count, most) <= most
