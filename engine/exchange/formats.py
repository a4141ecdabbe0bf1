"""The table of formats: their names, their games, their readers and writers."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final

from engine.core.errors import RuleError
from engine.core.record import Record
from engine.exchange import mat_reading, mat_writing, own, positions, tagged
from engine.exchange.content import Content, Games, Positions, key_of
from engine.match.record import MatchRecord


@dataclass(frozen=True, slots=True)
class Format:
    """A format. ``games`` are the keys of the games that it can hold; empty for all."""

    key: str
    extension: str
    """The extension of a file in this format."""
    games: tuple[str, ...]
    write: Callable[[Content], str]
    read: Callable[[str, int], Content]
    """Reads a text with at most so many turns, rolls and positions."""
    looks_like: Callable[[str], bool]


def _lines(key: str, games: tuple[str, ...], writer: positions.Writer, begins: str = "") -> Format:
    return Format(
        key,
        "txt",
        games,
        partial(positions.write, form=key, writer=writer),
        partial(positions.read, games=games),
        partial(positions.looks_like, games=games, begins=begins),
    )


def _tagged(key: str, game: str, name: str, *, turn_a_line: bool) -> Format:
    return Format(
        key,
        key,
        (game,),
        partial(tagged.write, form=key, turn_a_line=turn_a_line),
        partial(tagged.read, key=game, turn_a_line=turn_a_line),
        partial(tagged.looks_like, name=name),
    )


FORMATS: Final = MappingProxyType(
    {
        each.key: each
        for each in (
            Format("record", "record", (), own.write_record, own.read_record, own.looks_like_record),
            Format("json", "json", (), own.write_json, own.read_json, own.looks_like_json),
            Format("mat", "mat", ("backgammon",), mat_writing.write, mat_reading.read, mat_reading.looks_like),
            _tagged("apgn", "abalone", "Abalone", turn_a_line=False),
            _tagged("apb", "apb", "APB", turn_a_line=True),
            replace(_lines("gnubgid", ("backgammon",), positions.gnubg_id), looks_like=positions.looks_like_gnubg_id),
            _lines("xgid", ("backgammon",), positions.own, "XGID="),
            _lines("abakid", ("abak",), positions.own, "ABAKID="),
            _lines("position", (), positions.own),
        )
    }
)
"""The formats by key. A text in an unnamed format is read in the first format that it looks like."""


def write(what: Record | Content, form: str, names: tuple[str, str] = ("", ""), *, seal: bool = False) -> str:
    """Writes a game, a match or positions in a format.

    ``names`` are those of the two players, where the content has none: by seat, in a match by player. ``seal``: records
    get a seal, as in the files that the bot gives out. Raises RuleError for an unknown format, and for content that the
    format cannot hold.
    """
    wanted = _format(form)
    content = Games((what,)) if isinstance(what, Record) else what
    if not isinstance(content, Positions) and any(names):
        content = replace(content, names=names)
    key = key_of(content)
    if wanted.games and key not in wanted.games:
        raise RuleError("exchange.game", format=form, game=key)
    if seal and wanted.key in {"record", "json"}:
        return (own.write_record if wanted.key == "record" else own.write_json)(content, seal=True)
    return wanted.write(content)


def read(text: str, form: str | None = None, most: int = sys.maxsize) -> Content:
    """Reads a text. Half characters (lone surrogates) become question marks.

    Raises RuleError, also for more than ``most`` turns, rolls and positions, which take their time.
    """
    whole = text.encode(errors="replace").decode()
    return _format(form or detect(whole)).read(whole.removeprefix("\ufeff").replace("\r\n", "\n"), most)


def has_seal(text: str) -> bool:
    """Returns whether the records in a text have a seal."""
    return own.has_seal(text)


def detect(text: str) -> str:
    """Returns the key of the format that a text seems to be in. Raises RuleError."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for each in FORMATS.values():
        if each.looks_like(plain):
            return each.key
    raise RuleError("exchange.unknown")


def extension(what: Record | Content, form: str) -> str:
    """Returns the extension of a file with this content in that format; ``.match`` for a match's record."""
    return "match" if form == "record" and isinstance(what, MatchRecord) else _format(form).extension


def _format(key: str) -> Format:
    found = FORMATS.get(key)
    if found is None:
        raise RuleError("exchange.format", format=key, formats=", ".join(FORMATS))
    return found
