"""Verifiable rolls: draw a roll with a secret, and check the rolls of a record."""

import hashlib
from typing import Any

from engine.core import replay
from engine.core.chance import commitment, draw
from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import A, Game, S
from engine.core.record import Header, Kind, Record, head
from engine.core.table import Table


def drawn(table: Table[S, A], secret: str) -> str:
    """The text of the outcome that ``secret`` draws at this table (see ``chance``)."""
    rolls = sum(entry.kind is Kind.CHANCE for entry in table.record.entries)
    return _drawn(table.game, table.state, table.record.header, rolls, table.record.digest(), secret)


def verify(game: Game[S, A], record: Record) -> int:
    """Repeats every draw of a record with commitments; returns the number of rolls checked.

    Raises CorruptRecord at the first roll that differs or has no commitment.
    """
    header = record.header
    progress = replay.start(game, header)
    promised, rolls = header.commitment, 0
    digest = hashlib.sha256(head(header).encode())  # of the record so far: see ``Record.digest``
    for number, entry in enumerate(record.entries):
        if entry.kind is Kind.CHANCE and header.commitment:
            outcome, secret, following = (*entry.body.split(" "), "", "")[:3]
            if not promised:
                raise CorruptRecord(f"entry {number}: nothing was committed to for this roll")
            if commitment(secret) != promised:
                raise CorruptRecord(f"entry {number}: the secret is not the one committed to")
            due = _drawn(game, progress.state, header, rolls, digest.hexdigest(), secret)
            if due != outcome:
                raise CorruptRecord(f"entry {number}: the secret draws {due}, not {outcome}")
            promised = following
            rolls += 1
        try:
            replay.follow(progress, entry)
        except RuleError as error:
            raise CorruptRecord(f"entry {number} does not follow: {error}") from error
        digest.update(f"{entry}\n".encode())
    return rolls


def _drawn(game: Game[Any, Any], state: Any, header: Header, rolls: int, digest: str, secret: str) -> str:
    outcomes = game.legal(state)
    weights = [game.weight(state, outcome) for outcome in outcomes]
    return game.format(state, (outcomes[draw(weights, secret, f"{header.id}:{rolls}:{digest}")],))
