"""A plugin of pytest for the run of a mutant: the cheapest tests first, and an end when time or memory is used up."""

from __future__ import annotations

import resource
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

KILLED = "killed by "
CLOSING = 30
"""Seconds of CPU time that an orderly end may take."""
MOST_MEMORY: Final = 4 << 30
"""Bytes for each process: a loop without an end may fill a list."""
COSTS = ("sqlite_template", "database_url", "served", "postgres_server", "chromium")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-limit", type=int, help="seconds of CPU time, for each process")
    parser.addoption("--after", default="", help="the test after which to begin")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Sets the limits before anything of the product is imported; that of time ends tests as Ctrl-C does."""
    limit = early_config.known_args_namespace.cpu_limit
    signal.signal(signal.SIGXCPU, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + CLOSING))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=_cost)
    ids = [item.nodeid for item in items]
    if config.option.after in ids:
        del items[: ids.index(config.option.after) + 1]


def _cost(item: pytest.Item) -> int:
    fixtures: tuple[str, ...] = getattr(item, "fixturenames", ())
    if "postgres" in item.name:  # a database of both kinds
        return COSTS.index("postgres_server")
    return max((number for number, fixture in enumerate(COSTS) if fixture in fixtures), default=-1)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for outcome in ("failed", "error"):
        for report in terminalreporter.stats.get(outcome, ()):
            terminalreporter.write_line(f"{KILLED}{report.nodeid}")
