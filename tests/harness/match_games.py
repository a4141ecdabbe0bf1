"""Matches by the rules alone: the table of the next game, turns on it, and its end."""

from __future__ import annotations

from typing import Any

from engine.core.hours import MINUTE
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.match.match import Match, MatchHeader, Terms
from engine.registry import GAMES


def timed(terms: Terms, clock: str = "10m", policy: str = "loss", key: str = "abalone") -> Match:
    return Match(MatchHeader("m1", key, 1, 0, terms, clock=clock, timeout_policy=policy))


def next_table(match: Match) -> Table[Any, Any]:
    header, game = match.header, GAMES[match.header.game]
    number = len(match.results) + 1
    return Table.open(
        game,
        Header(
            *(header.game, header.version, f"g{number}", 0, tuple(game.settle_options(match.next_options).items())),
            clock=match.next_clock,
            timeout_policy=header.timeout_policy,
            match=header.id,
            match_game=number,
            banks=match.next_banks,
        ),
    )


def moved(table: Table[Any, Any], turns: int, each: int = MINUTE) -> Table[Any, Any]:
    """Returns the table after so many turns, each of which took ``each`` ms."""
    start = table.record.entries[-1].at if table.record.entries else 0
    for number in range(1, turns + 1):
        assert table.to_act is not None
        step = table.game.legal(table.state)[0]
        table = table.append(
            Entry(start + number * each, Kind.PLAY, table.to_act, table.game.format(table.state, (step,)))
        )
    return table


def resigned(table: Table[Any, Any], seat: int) -> Table[Any, Any]:
    at = table.record.entries[-1].at if table.record.entries else 0
    return table.resign(seat, table.game.resign_values(table.state, seat)[-1], at)
