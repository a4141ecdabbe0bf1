"""The record of a match: a header, then the records of its games.

Its text has a line ``name: value`` for each field of the header, then for each game a line ``--- N`` and the text of
the game's record. An exported match is a file ``NAME.match``.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import Game, OptionValue
from engine.core.record import FORMAT, Header, Record, dump, load, read_number, read_option, unsealed
from engine.core.table import Table
from engine.match.match import PER_GAME, Match, MatchHeader, Terms

DIVIDER: Final = re.compile(r"^--- (\d+)\n", re.MULTILINE)
FIELDS: Final = frozenset(
    {
        *("format", "match", "game", "version", "started", "points", "best_of", "bank", "clock", "timeout_policy"),
        *("rated", "player 0", "player 1"),
    }
)
"""The names of the header's lines, besides ``option NAME``."""


class BrokenMatch(CorruptRecord):
    """A game of a match does not follow from the games before it. ``game`` is its number, from 1."""

    def __init__(self, game: int, reason: str) -> None:
        super().__init__(reason)
        self.game = game


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match with the records of its games, the last of which may be running.

    Raises ValueError for a name of several lines.
    """

    header: MatchHeader
    games: tuple[Record, ...] = ()
    names: tuple[str, str] = ("", "")
    """The names of the two players; empty if they are not given."""

    def __post_init__(self) -> None:
        for name in self.names:
            if "\n" in name:
                raise ValueError(f"not a name in one line: {name!r}")

    def __str__(self) -> str:
        return dump_match(self)


def dump_match(record: MatchRecord) -> str:
    """Writes the record's text; ``load_match`` returns an equal record."""
    header, terms = record.header, record.header.terms
    fixed = {"format": FORMAT, "match": header.id, "game": header.game, "version": header.version}
    lines = [f"{name}: {value}" for name, value in (*fixed.items(), ("started", header.started))]
    lines += [f"points: {terms.points}"] if terms.points else [f"best_of: {terms.best_of}"]
    lines += [f"bank: {terms.bank}"]
    lines += [f"option {name}: {value}" for name, value in header.options]
    lines += [f"clock: {header.clock}"] if header.clock else []
    lines += [f"timeout_policy: {header.timeout_policy}"] if header.timeout_policy else []
    lines += ["rated: yes"] if header.rated else []
    lines += [f"player {number}: {name}" for number, name in enumerate(record.names) if name]
    games = [f"--- {number}\n{dump(game)}" for number, game in enumerate(record.games, 1)]
    return "\n".join([*lines, "", "", *games]) if games else "\n".join([*lines, ""])


def is_match(text: str) -> bool:
    """Returns whether a text is that of a match, and not of a single game."""
    head = text.partition("\n\n")[0]
    return any(line.startswith("match: ") for line in head.splitlines()) and "\nid: " not in head


def load_match(text: str) -> MatchRecord:
    """Reads a match's text. Raises CorruptRecord."""
    text, _ = unsealed(text)
    head, *rest = DIVIDER.split(text)
    numbers, games = rest[::2], rest[1::2]
    if numbers != [str(number) for number in range(1, len(games) + 1)]:
        raise CorruptRecord(f"the games are not numbered from 1 on: {', '.join(numbers)}")
    header, names = _load_head(head)
    tops = [text.count("\n", 0, divider.end()) + 1 for divider in DIVIDER.finditer(text)]
    return MatchRecord(header, tuple(map(load, games, tops)), names)


def _load_head(head: str) -> tuple[MatchHeader, tuple[str, str]]:
    """Reads the header of a match, and the names of its players. Raises CorruptRecord."""
    fields: dict[str, str] = {}
    options: dict[str, OptionValue] = {}
    for line in filter(None, head.split("\n")):
        name, found, value = line.partition(": ")
        option = name.removeprefix("option ")
        if not found or name in fields or option in options or (option == name and name not in FIELDS):
            raise CorruptRecord(f"not a header line of a match, or a second one: {line!r}")
        if option == name:
            fields[name] = value
        else:
            options[option] = read_option(value)
    try:
        if read_number(fields["format"]) != FORMAT:
            raise CorruptRecord(f"a match of format {fields['format']}, this is {FORMAT}")
        points, best_of = read_number(fields.get("points", "0")), read_number(fields.get("best_of", "1"))
        header = MatchHeader(
            id=fields["match"],
            game=fields["game"],
            version=read_number(fields["version"]),
            started=read_number(fields["started"]),
            terms=Terms(points, best_of, fields.get("bank", PER_GAME)),
            options=tuple(options.items()),
            clock=fields.get("clock", ""),
            timeout_policy=fields.get("timeout_policy", ""),
            rated={"yes": True, "no": False}[fields.get("rated", "no")],
        )
    except (KeyError, ValueError, RuleError) as error:
        raise CorruptRecord(f"the header lacks a field or holds a bad one: {error}") from error
    return header, (fields.get("player 0", ""), fields.get("player 1", ""))


def replay_match(game: Game[Any, Any], record: MatchRecord) -> tuple[Match, tuple[Table[Any, Any], ...]]:
    """Replays a match: its state after the finished games, and the table of each game.

    Raises CorruptRecord if a game does not replay. Raises BrokenMatch if the games do not follow from each other: each
    must have the options that the score before it demands, and the match's clock, terms and number.
    """
    match = Match(record.header)
    tables: list[Table[Any, Any]] = []
    for number, played in enumerate(record.games, 1):
        if (tables and tables[-1].outcome is None) or match.result is not None:
            reason = f"game {number} begins before the one before has ended, or after the end of the match"
            raise BrokenMatch(number, reason)
        if any(played.header.id == other.header.id for other in record.games[: number - 1]):
            raise BrokenMatch(number, f"game {number} has the id of an earlier one: {played.header.id}")
        _require_due(game, match, played.header)
        table = Table.replay(game, played)
        tables.append(table)
        if table.outcome is not None:
            match = match.add(table)
    return match, tuple(tables)


def _require_due(game: Game[Any, Any], match: Match, header: Header) -> None:
    """Raises BrokenMatch unless the header is that of the match's next game."""
    number, terms = len(match.results) + 1, match.header
    try:
        options = game.settle_options(match.next_options), game.settle_options(dict(header.options))
    except RuleError as error:
        raise BrokenMatch(number, f"game {number} or its match has a bad option: {error}") from error
    compared: tuple[tuple[str, object, object], ...] = (
        ("the game", (terms.game, terms.version), (header.game, header.version)),
        ("the rules", (terms.game, terms.version), (game.key, game.version)),
        ("the match", (terms.id, number), (header.match, header.match_game)),
        ("the options", *options),
        ("the position", "", header.position),
        ("the clock", match.next_clock, header.clock),
        ("the banks", match.next_banks, header.banks),
        ("the timeout policy", terms.timeout_policy, header.timeout_policy),
        ("rated", terms.rated, header.rated),
    )
    for name, due, found in compared:
        if due != found:
            raise BrokenMatch(number, f"game {number} of match {terms.id}: {name} should be {due}, not {found}")
