"""Verifiable rolls: draw a roll with a secret, and check the rolls of a record (see ``chance``)."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from engine.core import replay
from engine.core.chance import RENEWED, commitment, draw
from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import CHANCE, A, Game, S, Seat
from engine.core.progress import Progress
from engine.core.record import Entry, Header, Kind, Record, head
from engine.core.table import Table


@dataclass(frozen=True, slots=True)
class Roll:
    """A verified roll of a record."""

    number: int
    """The number of the roll in its game, from 1."""
    entry: int
    """The number of its entry, from 0 on."""
    outcome: str
    seat: Seat | None
    """The seat that acts after the roll. None if luck is to act again."""
    secret: str
    promised: str
    """The commitment to its secret that was published before it."""
    message: str
    """The message that the secret signed: id, number of the rolls before, hash of the record before, attempt 0."""
    uneven: bool
    """Whether the outcomes have different odds: true for a roll of two dice without order, false for an opening."""


class BrokenEntry(CorruptRecord):
    """An entry that does not fit the rolls.

    ``line`` is its line in the text, ``first`` the first line that is probably the cause. The roll after an altered
    line usually differs; it is the same one time in 18 at most.
    """

    def __init__(self, entry: int, line: int, reason: str, first: int | None = None) -> None:
        cause = (
            f"; what was altered is probably in lines {first} to {line}" if first is not None and first < line else ""
        )
        super().__init__(f"line {line}, entry {entry}: {reason}{cause}")
        self.line = line
        self.first = line if first is None else first


@dataclass(slots=True)
class Promise:
    """The commitment to the next roll while a record is read. In a match it passes from game to game."""

    commitment: str
    line: int
    """The number of its line."""
    entry: int = -1
    """The number of its entry; -1 if it is in the header."""
    secret: str = ""
    """The secret that was revealed with it."""
    played: bool = True
    """Whether a player has played since the chain was announced; true for a chain published before the game."""
    chained: bool = False
    """Whether the secrets are known to be a chain."""

    def follow(self, secret: str, following: str, entry: int, line: int) -> str:
        """Takes the commitment to the next roll, which was published with ``secret``.

        Returns a sentence about its fault, or "".
        """
        commitment, _, kind = following.partition(" ")
        renewed = kind == RENEWED
        if kind and not renewed:
            return "the promise of the next roll cannot be read"
        if self.chained and commitment != secret and not renewed:
            return "the promise of the next roll is not the secret that was revealed, as in a chain"
        if renewed:
            self.played = False
        self.chained |= renewed or commitment == secret
        self.commitment, self.secret, self.entry, self.line = commitment, secret, entry, line
        return ""


def drawn(table: Table[S, A], secret: str) -> str:
    """Draws the outcome of ``secret`` at this table (see ``chance``), as text."""
    rolls = sum(entry.kind is Kind.CHANCE for entry in table.record.entries)
    return _drawn(table.game, table.state, _context(table.record.header, rolls, table.record.digest()), secret)


def rolls_by_seat(game: Game[S, A], record: Record) -> Iterator[tuple[Seat, str]]:
    """Yields the outcome of each roll that a seat made, with the seat.

    Opening rolls, which belong to both, are left out.

    Nothing is verified. Raises CorruptRecord if the record does not replay.
    """
    try:
        progress = replay.start(game, record.header)
        for entry in record.entries:
            uneven = entry.kind is Kind.CHANCE and _is_uneven(game, progress.state)
            replay.follow(progress, entry)
            if uneven:
                seat = game.to_act(progress.state)
                if seat in {0, 1}:
                    yield seat, entry.body.partition(" ")[0]
    except RuleError as error:
        raise replay.does_not_replay(record.header, error) from error


def verify(game: Game[S, A], record: Record) -> int:
    """Repeats every draw of a record with commitments; returns the number of rolls checked.

    Raises CorruptRecord at the first entry that does not hold.
    """
    return sum(1 for _ in Verification(game, record).rolls())


@dataclass(slots=True)
class Verification:
    """A check of all rolls of a record, from its first entry to its last.

    Each secret must fit the commitment that was published before it, and draw the outcome. In a chain, each secret is
    the commitment to the next one; a new chain must be announced, and a player must play before its first roll. In a
    record without a chain, it is enough that the roll before carries the commitment.
    """

    game: Game[Any, Any]
    record: Record
    promise: Promise | None = None
    """The promise from the game before in a match, kept up to date; None for that of the header."""
    lines: Sequence[int] = ()
    """The number of each entry's line, for errors; empty for the lines that ``dump`` writes."""
    top: int = 1
    """The line at which the record begins."""
    guesses: bool = True
    """Whether to search for the altered entry where a roll differs from its secret."""
    _digest: Any = field(init=False)
    _begun: Promise = field(init=False)

    def __post_init__(self) -> None:
        header = self.record.header
        if not self.lines:
            first = self.top + len(header.lines) + 1
            self.lines = range(first, first + len(self.record.entries))
        if self.promise is None:
            line = next((n for n, line in enumerate(header.lines) if line.startswith("commitment: ")), 0)
            self.promise = Promise(header.commitment, self.top + line)
        self._begun = replace(self.promise)
        self._digest = hashlib.sha256(head(header).encode())  # of the record so far: see ``Record.digest``

    def rolls(self) -> Iterator[Roll]:
        """Yields every roll in order, once it is checked. Raises BrokenEntry; RuleError for a bad header."""
        progress = replay.start(self.game, self.record.header)
        count, since = 0, self.top
        for number, entry in enumerate(self.record.entries):
            roll: Roll | None = None
            if entry.kind is Kind.CHANCE and self.record.header.commitment:
                roll = self._roll(progress, number, entry, count, since)
                count += 1
            elif entry.kind is Kind.PLAY and self.promise is not None:
                self.promise.played = True
            try:
                replay.follow(progress, entry)
            except RuleError as error:
                raise self._broken(number, f"it does not follow: {error}", since) from error
            self._digest.update(f"{entry}\n".encode())
            if roll is not None:
                since = self.lines[number] + 1
                yield replace(roll, seat=None if progress.to_act == CHANCE else progress.to_act)

    def _roll(self, progress: Progress[Any, Any], number: int, entry: Entry, count: int, since: int) -> Roll:
        """Checks the roll of an entry that has not been applied yet. Raises BrokenEntry."""
        outcome, secret, following = (*entry.body.split(" ", 2), "", "")[:3]
        promise, state = self.promise, progress.state
        if promise is None or not promise.commitment:
            raise self._broken(number, "nothing was committed to for this roll")
        if commitment(secret) != promise.commitment:
            if promise.entry >= 0 and commitment(secret) == promise.secret:
                raise BrokenEntry(promise.entry, promise.line, "the promise of the next roll was altered")
            reason = f"the secret is not the one committed to on line {promise.line}"
            raise self._broken(number, reason)
        if promise.chained and not promise.played:
            raise self._broken(number, f"nobody played after the promise on line {promise.line}")
        context = _context(self.record.header, count, self._digest.hexdigest())
        if progress.to_act == CHANCE:  # else the replay refuses the entry
            due = _drawn(self.game, state, context, secret)
            if due != outcome:
                reason = f"the secret draws {due}, not {outcome}"
                raise self._broken(number, reason, None if self._follows(number, due, count) else since)
        promised = promise.commitment
        if reason := promise.follow(secret, following, number, self.lines[number]):
            raise self._broken(number, reason)
        uneven = _is_uneven(self.game, state)
        return Roll(count + 1, number, outcome, None, secret, promised, f"{context}:0", uneven)

    def _follows(self, number: int, due: str, count: int) -> bool:
        """Returns whether the entries up to the next roll follow from the outcome that is due.

        If so, the outcome is the only thing that was altered.
        """
        if not self.guesses:
            return False
        entries = list(self.record.entries)
        body = entries[number].body.split(" ", 1)
        entries[number] = replace(entries[number], body=" ".join([due, *body[1:]]))
        altered = replace(self.record, entries=tuple(entries))
        rolls = Verification(self.game, altered, replace(self._begun), self.lines, self.top, guesses=False).rolls()
        try:
            return sum(1 for _ in islice(rolls, count + 2)) > 0
        except (CorruptRecord, RuleError):
            return False

    def _broken(self, number: int, reason: str, first: int | None = None) -> BrokenEntry:
        return BrokenEntry(number, self.lines[number], reason, first)


def _is_uneven(game: Game[Any, Any], state: Any) -> bool:
    return len({game.weight(state, one) for one in game.legal(state)}) > 1


def _context(header: Header, rolls: int, digest: str) -> str:
    return f"{header.id}:{rolls}:{digest}"


def _drawn(game: Game[Any, Any], state: Any, context: str, secret: str) -> str:
    outcomes = game.legal(state)
    weights = [game.weight(state, outcome) for outcome in outcomes]
    return game.format(state, (outcomes[draw(weights, secret, context)],))
