"""Fixtures for every test that needs a Discord; its libraries are loaded only where one is asked for."""

from __future__ import annotations

import gc
import logging
import os
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog
from hypothesis import HealthCheck, settings
from structlog.dev import ConsoleRenderer, plain_traceback

from bot.sandbox.validation import openapi

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator

    from harness.patience import StandingTime

    from bot.sandbox.server import Server
    from bot.sandbox.world import World

ROOT = Path(__file__).parent
EARLY = 0.6
"""The part of a run in which long tests begin, so that no process is left with one while the others have done all."""

# a machine that is busy with something else is no fault of ours
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("check", PATIENT, derandomize=True)
settings.register_profile("wide", PATIENT, max_examples=1000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "check"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mixes tests of the bot, which wait, with those that compute, and begins long ones early: so no core idles."""
    bot = ROOT / "bot"
    kinds: dict[tuple[bool, bool], list[pytest.Item]] = {}
    for item in items:
        is_long = item.get_closest_marker("long") is not None
        kinds.setdefault((is_long, item.path.is_relative_to(bot)), []).append(item)
    places = [
        (number / len(kind) * (EARLY if is_long else 1.0), item)
        for (is_long, _), kind in kinds.items()
        for number, item in enumerate(kind)
    ]
    items[:] = [item for _, item in sorted(places, key=itemgetter(0))]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the garbage collector away from what is collected here: it lives as long as the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_report_header() -> str:
    return openapi.status_line()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if openapi.document_path() is None:
        terminalreporter.write_line(openapi.status_line(), yellow=True)


LOGGED = [*structlog.get_config()["processors"][:-1], ConsoleRenderer(exception_formatter=plain_traceback)]
"""As usual, but a traceback is short: with rich, which other tools bring, it has all variables and takes a minute."""
structlog.configure(LOGGED)


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """Undoes changes of the logging set-up after each test: otherwise loggers keep what they were first given."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    if structlog.get_config()["processors"] is not LOGGED:
        root.handlers, root.level = handlers, level
        logging.captureWarnings(capture=False)
        structlog.reset_defaults()
        structlog.configure(LOGGED)


@pytest.fixture
def world() -> World:
    """An empty pretend Discord: one server, no people, no channels. It waits patiently for an answer."""
    from harness.discord import ANSWER_LIMIT

    from bot.sandbox.world import World

    made = World()
    made.answer_limit = ANSWER_LIMIT
    return made


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives discord.py its own addresses back after a test that points it elsewhere."""
    from discord import http
    from discord.gateway import DiscordWebSocket

    monkeypatch.setattr(http.Route, "BASE", http.Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


@pytest.fixture
def standing_time(monkeypatch: pytest.MonkeyPatch) -> StandingTime:
    """No answer of a bot in this process is deferred or given up because the machine is busy."""
    from harness.patience import let_answers_take_long

    return let_answers_take_long(monkeypatch)


@pytest.fixture
async def served(
    world: World,
    addresses: None,  # noqa: ARG001 - for what it puts back
    standing_time: StandingTime,  # noqa: ARG001 - for what it changes
) -> AsyncIterator[Server]:
    """The world on a real socket, strict, every discord.py client pointed at it; violations are the test's matter."""
    from harness.discord import point_at
    from harness.origins import note_origins

    from bot.sandbox.server import serve

    server = await serve(world, strict=True, page=False)
    note_origins(world)
    point_at(server)
    yield server
    await server.close()


@pytest.fixture
async def stand_in(served: Server) -> AsyncIterator[Server]:
    """The same, and nothing was sent to it that Discord would have refused."""
    yield served
    assert not served.validator.violations
