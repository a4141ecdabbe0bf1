"""A menu of the panel as data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.core.translations import Language
from bot.tournaments.tournament import Plan

Server = Mapping[str, str]
"""The server's preferences."""
Rows = list[tuple[str, str]]
"""Values with their labels."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One menu. Its title is the message ``tournament.plan.<key>``."""

    key: str
    page: str
    rows: Callable[[Plan, Language, Server], Rows]
    get: Callable[[Plan], str]
    set: Callable[[Plan, str], Plan]
    fits: Callable[[Plan], bool] = lambda _: True
    """Returns whether a plan has this setting."""


def numbers(key: str, values: Callable[[Plan], tuple[int, ...]]) -> Callable[[Plan, Language, Server], Rows]:
    """Makes the rows of a setting of numbers; 0 has a name of its own."""

    def rows(plan: Plan, say: Language, _server: Server) -> Rows:
        names = (
            (n, say(f"tournament.plan.{key}.n", n=n) if n else say(f"tournament.plan.{key}.zero")) for n in values(plan)
        )
        return [(str(n), name) for n, name in names]

    return rows
