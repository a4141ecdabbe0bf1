"""The record of a match: a header, then the records of its games.

Its text has a line ``name: value`` for each field of the header, then for each game a line ``--- N`` and the text of
the game's record. An exported match is a file ``NAME.match``.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import Game, OptionValue
from engine.core.record import FORMAT, Record, dump, load, unsealed
from engine.core.table import Table
from engine.match.match import Match, MatchHeader, Terms

DIVIDER: Final = re.compile(r"^--- (\d+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match with the records of its games, the last of which may be running."""

    header: MatchHeader
    games: tuple[Record, ...] = ()
    names: tuple[str, str] = ("", "")
    """The names of the two players; empty if they are not given."""

    def __str__(self) -> str:
        return dump_match(self)


def dump_match(record: MatchRecord) -> str:
    """The record's text; ``load_match`` returns an equal record."""
    header, terms = record.header, record.header.terms
    fixed = {"format": FORMAT, "match": header.id, "game": header.game, "version": header.version}
    lines = [f"{name}: {value}" for name, value in (*fixed.items(), ("started", header.started))]
    lines += [f"points: {terms.points}"] if terms.points else [f"best_of: {terms.best_of}"]
    lines += [f"bank: {terms.bank}"]
    lines += [f"option {name}: {value}" for name, value in header.options]
    lines += [f"clock: {header.clock}", f"timeout_policy: {header.timeout_policy}"] if header.clock else []
    lines += ["rated: yes"] if header.rated else []
    lines += [f"player {number}: {name}" for number, name in enumerate(record.names) if name]
    games = [f"--- {number}\n{dump(game)}" for number, game in enumerate(record.games, 1)]
    return "\n".join([*lines, "", "", *games]) if games else "\n".join([*lines, ""])


def is_match(text: str) -> bool:
    """Whether a text is that of a match, and not of a single game."""
    head = text.partition("\n\n")[0]
    return any(line.startswith("match: ") for line in head.splitlines()) and "\nid: " not in head


def load_match(text: str) -> MatchRecord:
    """Reads a match's text. Raises CorruptRecord."""
    text, _ = unsealed(text)
    head, *rest = DIVIDER.split(text)
    numbers, games = rest[::2], rest[1::2]
    if numbers != [str(number) for number in range(1, len(games) + 1)]:
        raise CorruptRecord(f"the games are not numbered from 1 on: {', '.join(numbers)}")
    fields: dict[str, str] = {}
    options: list[tuple[str, OptionValue]] = []
    for line in head.splitlines():
        name, found, value = line.partition(": ")
        if line and not found:
            raise CorruptRecord(f"not a header line: {line!r}")
        if name.startswith("option "):
            options.append((name.removeprefix("option "), int(value) if value.isdecimal() else value))
        elif line:
            fields[name] = value
    try:
        if int(fields["format"]) != FORMAT:
            raise CorruptRecord(f"a match of format {fields['format']}, this is {FORMAT}")
        terms = Terms(int(fields.get("points", 0)), int(fields.get("best_of", 1)), fields.get("bank", "game"))
        header = MatchHeader(
            id=fields["match"],
            game=fields["game"],
            version=int(fields["version"]),
            started=int(fields["started"]),
            terms=terms,
            options=tuple(options),
            clock=fields.get("clock", ""),
            timeout_policy=fields.get("timeout_policy", ""),
            rated=fields.get("rated", "no") == "yes",
        )
    except (KeyError, ValueError, RuleError) as error:
        raise CorruptRecord(f"the header lacks a field or holds a bad one: {error}") from error
    names = (fields.get("player 0", ""), fields.get("player 1", ""))
    tops = [text.count("\n", 0, divider.end()) + 1 for divider in DIVIDER.finditer(text)]
    return MatchRecord(header, tuple(map(load, games, tops)), names)


def replay_match(game: Game[Any, Any], record: MatchRecord) -> tuple[Match, tuple[Table[Any, Any], ...]]:
    """The match after its finished games, and the table of each game. Raises CorruptRecord if they do not follow."""
    match = Match(record.header)
    tables: list[Table[Any, Any]] = []
    for number, played in enumerate(record.games, 1):
        if (tables and tables[-1].outcome is None) or match.result is not None:
            raise CorruptRecord(f"game {number} begins before the one before has ended, or after the end of the match")
        header = played.header
        expected = tuple(game.settle_options(match.next_options).items())
        if (header.match, header.match_game) != (record.header.id, number):
            raise CorruptRecord(f"game {number} belongs to match {header.match or 'none'}, game {header.match_game}")
        if tuple(game.settle_options(dict(header.options)).items()) != expected:
            raise CorruptRecord(f"game {number} has other options than the score before it demands")
        table = Table.replay(game, played)
        tables.append(table)
        if table.outcome is not None:
            match = match.add(table)
    return match, tuple(tables)
