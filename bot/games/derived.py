"""The columns of a game that follow from its entries."""

from typing import Any

from bot.games.tables import OVER, RUNNING
from engine.core.clock import LAG
from engine.core.table import Table


def derived(table: Table[Any, Any]) -> dict[str, Any]:
    """Their values for a table; written in the same transaction as its entries."""
    record, outcome = table.record, table.outcome
    deadline = table.deadline
    last_entry_at = record.header.started + (record.entries[-1].at if record.entries else 0)
    return {
        "seq": table.seq,
        "to_act": table.to_act,
        "status": RUNNING if outcome is None else OVER,
        "last_entry_at": last_entry_at,
        "points0": outcome and outcome.points[0],
        "points1": outcome and outcome.points[1],
        "reason": outcome and outcome.reason,
        "ended": outcome and last_entry_at,
        "deadline": None if deadline is None else record.header.started + deadline + LAG,
        "counts": outcome and table.counts,
        "leased_until": 0,
    }
