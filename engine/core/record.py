"""The record of a game: a header and append-only entries. It is the source of truth; every state is a replay of it.

Its text has a line ``name: value`` for each field of the header, an empty line, and a line ``at kind seat body`` for
each entry: ``at`` in milliseconds since the start, ``seat`` 0, 1 or ``*`` for CHANCE.
"""

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from engine.core.errors import CorruptRecord
from engine.core.game import CHANCE, OptionValue, Seat
from engine.core.log import Log

FORMAT: Final = 1
LUCK: Final = "*"
SEAL: Final = "sha256: "
MARK: Final = 8
"""The hex digits of a line's mark in a seal: enough to find the one line that was changed."""
NUMBER_TEXT: Final = re.compile(r"-?\d{1,18}", re.ASCII)
"""A whole number of a record: each fits into 64 bits, and sums of them can be printed."""
BANKS_TEXT: Final = re.compile(r"(\d{1,15}) (\d{1,15})", re.ASCII)


class Kind(StrEnum):
    """The kind of an entry."""

    CHANCE = "chance"
    """Body: the outcome; then, if luck can be checked, the revealed secret and the commitment to the next secret."""
    PLAY = "play"
    """Body: a whole turn in canonical notation, chosen by the seat."""
    FORCED = "forced"
    """As ``play``, but made for the seat because the rules left it no choice."""
    AUTOMATIC = "automatic"
    """As ``play``, but made for the seat by its automatic play (see ``Game.automatic_action``)."""
    CONDITIONAL = "conditional"
    """As ``play``, but the reply of a conditional move, which the seat set before its turn."""
    OFFER = "offer"
    """Body: ``draw``, ``takeback``, ``resign N`` for N points, ``pause``, or ``adjourn SPEC`` for another clock."""
    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    """The seat withdraws its unanswered offer; the body is that of the offer."""
    RESIGN = "resign"
    """Body: the points given up; then ``match`` if the seat resigns the whole match."""
    ASK_RESUME = "ask_resume"
    """The seat asks to end a pause. It ends when the other agrees, or ``RESUMED_AFTER`` later."""
    RESUME = "resume"
    """A pause ends: the seat agrees to the other's request. Seat ``*``: the request was made ``RESUMED_AFTER`` ago."""
    GIVE = "give"
    """The seat gives the other time. Body: how much, such as ``15s`` or ``1d``."""
    TIMEOUT = "timeout"
    """The seat's time ran out; without a clock, it has not acted for ``ABANDONED``.

    Body: empty, or ``uncounted`` if a loss on time must not count for ratings.
    """
    CLAIM = "claim"
    """The seat ends a game that the other no longer plays. Body: ``win``, ``win uncounted`` or ``draw``."""
    LEAVE = "leave"
    """The seat's player is gone for good, and the other wins."""
    ADJUDICATE = "adjudicate"
    """The game is ended from outside. Seat ``*``; body: ``0`` or ``1``, the seat that wins, then ``decision`` or
    ``forfeit``; or ``draw decision``; or ``void`` for no result.
    """
    HOURS = "hours"
    """Body: the seat's rest hours and days off (see ``Hours``), or ``-`` for none."""
    AWAY = "away"
    """A vacation of the seat. Body: from and to in ms since the start; a later entry with the same from replaces it."""
    CREDIT = "credit"
    """The bot was unable to take moves, so no time ran. Seat ``*``; body: from and to in ms since the start."""


TURN_KINDS: Final = frozenset({Kind.PLAY, Kind.FORCED, Kind.AUTOMATIC, Kind.CONDITIONAL})
"""The kinds of entries that are turns of a seat."""
CHOSEN_KINDS: Final = frozenset({Kind.PLAY, Kind.CONDITIONAL})
"""The kinds of turns that the seat chose itself."""


@dataclass(frozen=True, slots=True)
class Entry:
    at: int
    kind: Kind
    seat: Seat
    body: str = ""

    def __str__(self) -> str:
        return f"{self.at} {self.kind} {LUCK if self.seat == CHANCE else self.seat} {self.body}".rstrip()


Entries: TypeAlias = tuple[Entry, ...] | Log[Entry]


@dataclass(frozen=True, slots=True)
class Header:
    """The fields that are fixed before the first entry. ``started`` is in milliseconds since 1970."""

    game: str
    version: int
    id: str
    started: int
    options: tuple[tuple[str, OptionValue], ...] = ()
    position: str = ""
    """The text of the first position, if it is not the usual one for the options."""
    commitment: str = ""
    """The commitment to the secret of the first roll; empty if luck cannot be checked."""
    clock: str = ""
    """The time control (see ``TimeControl``); empty for a game without a clock."""
    timeout_policy: str = ""
    """``loss``: the game is lost when time runs out. ``claim``: the other may claim it. Only with a clock."""
    match: str = ""
    """The id of the match that the game is part of; empty for a single game."""
    match_game: int = 0
    """The number of the game in its match, from 1; 0 for a single game."""
    rated: bool = False
    """Whether the result of the game, or of its match, changes ratings."""
    banks: tuple[int, int] | None = None
    """The bank of each seat at the start, in ms; None if it is that of the time control. Only with a clock."""

    @property
    def lines(self) -> list[str]:
        fixed = {"format": FORMAT, "game": self.game, "version": self.version, "id": self.id, "started": self.started}
        lines = [f"{name}: {value}" for name, value in fixed.items()]
        lines += [f"option {name}: {value}" for name, value in self.options]
        lines += [f"position: {self.position}"] if self.position else []
        lines += [f"commitment: {self.commitment}"] if self.commitment else []
        lines += [f"clock: {self.clock}", f"timeout_policy: {self.timeout_policy}"] if self.clock else []
        lines += [f"banks: {dump_banks(self.banks)}"] if self.banks is not None else []
        lines += [f"match: {self.match}", f"match_game: {self.match_game}"] if self.match else []
        lines += ["rated: yes"] if self.rated else []
        return lines


@dataclass(frozen=True, slots=True)
class Record:
    header: Header
    entries: Entries = ()

    def __str__(self) -> str:
        return dump(self)

    def digest(self) -> str:
        """Computes the SHA-256 of the record's text, in hexadecimal."""
        return hashlib.sha256(dump(self).encode()).hexdigest()


def head(header: Header) -> str:
    """Writes the text of a record's header, up to its entries."""
    return "\n".join([*header.lines, "", ""])


def dump(record: Record) -> str:
    """Writes the record's text; ``load`` returns an equal record."""
    return head(record.header) + "".join(f"{entry}\n" for entry in record.entries)


def load(text: str, first: int = 1) -> Record:
    """Reads a record's text, whose first line has the number ``first`` in its file. Raises CorruptRecord."""
    head, _, tail = unsealed(text)[0].partition("\n\n")
    header, found = _load_header(head), tail.splitlines()
    entries = []
    for number in entry_lines(text, first):
        try:
            entries.append(load_entry(found[number - first - head.count("\n") - 2]))
        except CorruptRecord as error:
            raise CorruptRecord(f"line {number}: {error}") from error
    return Record(header, tuple(entries))


def entry_lines(text: str, first: int = 1) -> list[int]:
    """Returns the number of each entry's line in a record's text, whose first line has the number ``first``."""
    head, _, tail = unsealed(text)[0].partition("\n\n")
    begin = first + head.count("\n") + 2
    return [number for number, line in enumerate(tail.splitlines(), begin) if line.strip()]


def sealed(text: str) -> str:
    """Adds a seal as the last line of a record's or match's text (see ``check_seal``).

    The seal is the SHA-256 of the text, and a short one of each line. It is not part of the record. It proves more than
    the rolls do: a changed line may draw the same dice, and no roll proves the lines after the last one.
    """
    return f"{text}{SEAL}{hashlib.sha256(text.encode()).hexdigest()} {_line_marks(text)}\n"


def unsealed(text: str) -> tuple[str, str]:
    """Separates the text from its seal, which is "" if there is none."""
    before, found, last = text.rstrip().rpartition(f"\n{SEAL}")
    return (f"{before}\n", last) if found and "\n" not in last else (text, "")


def check_seal(text: str) -> None:
    """Raises CorruptRecord, with the line, if the text has a seal and does not fit it."""
    before, seal = unsealed(text)
    if not seal or f"{SEAL}{seal}\n" == sealed(before)[len(before) :]:
        return
    marks, found = seal.partition(" ")[2], _line_marks(before)
    for number in range(0, max(len(marks), len(found)), MARK):
        if marks[number : number + MARK] != found[number : number + MARK]:
            raise CorruptRecord(f"line {number // MARK + 1}: it is not as it was when the file was written")
    raise CorruptRecord(f"line {before.count(chr(10)) + 1}: the SHA-256 is not that of the lines before it")


def _line_marks(text: str) -> str:
    """Returns the first hex digits of the SHA-256 of each line."""
    return "".join(hashlib.sha256(line.encode()).hexdigest()[:MARK] for line in text.splitlines())


def load_entry(line: str) -> Entry:
    """Reads one entry's line. Raises CorruptRecord."""
    try:
        at, kind, seat, *body = line.split(" ", 3)
        return Entry(read_number(at), Kind(kind), CHANCE if seat == LUCK else ("0", "1").index(seat), "".join(body))
    except ValueError as error:
        raise CorruptRecord(f"not an entry: {line!r}") from error


def read_number(text: str) -> int:
    """Reads the whole number of a text. Raises ValueError."""
    if NUMBER_TEXT.fullmatch(text) is None:
        raise ValueError(f"not a whole number: {text[:50]!r}")
    return int(text)


def read_option(text: str) -> OptionValue:
    """Reads the value of an option: a number, if the text is one."""
    return int(text) if NUMBER_TEXT.fullmatch(text) else text


def dump_banks(banks: tuple[int, int] | None) -> str:
    """Writes the text of a header's banks; empty for None."""
    return "" if banks is None else f"{banks[0]} {banks[1]}"


def load_banks(text: str) -> tuple[int, int] | None:
    """Reads the text of a header's banks. Raises CorruptRecord."""
    if not text:
        return None
    found = BANKS_TEXT.fullmatch(text)
    if found is None:
        raise CorruptRecord(f"not the banks of two seats: {text!r}")
    return int(found[1]), int(found[2])


def _load_header(head: str) -> Header:
    fields: dict[str, str] = {}
    options: list[tuple[str, OptionValue]] = []
    for line in head.splitlines():
        name, found, value = line.partition(": ")
        if not found:
            raise CorruptRecord(f"not a header line: {line!r}")
        if name.startswith("option "):
            options.append((name.removeprefix("option "), read_option(value)))
        else:
            fields[name] = value
    try:
        if read_number(fields["format"]) != FORMAT:
            raise CorruptRecord(f"a record of format {fields['format']}, this is {FORMAT}")
        return Header(
            game=fields["game"],
            version=read_number(fields["version"]),
            id=fields["id"],
            started=read_number(fields["started"]),
            options=tuple(options),
            position=fields.get("position", ""),
            commitment=fields.get("commitment", ""),
            clock=fields.get("clock", ""),
            timeout_policy=fields.get("timeout_policy", ""),
            match=fields.get("match", ""),
            match_game=read_number(fields.get("match_game", "0")),
            rated=fields.get("rated", "no") == "yes",
            banks=load_banks(fields.get("banks", "")),
        )
    except (KeyError, ValueError) as error:
        raise CorruptRecord(f"the header lacks a field or holds a bad one: {error}") from error
