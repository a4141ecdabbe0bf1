"""Games without luck as text with tags, like chess's PGN: Abalone's ``apgn``, ``apb``.

A game is its tags, an empty line, and numbered rounds, the turns of both seats. Where a turn has several steps, each
turn has a line. The result stands at the end: ``1-0`` if the seat that moves first has won.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from engine.core import replay
from engine.core.errors import BadNotation, CorruptRecord, RuleError
from engine.core.game import Game, OptionValue, Outcome
from engine.core.offers import DRAW
from engine.core.record import Entry, Header, Kind, Record, read_number
from engine.core.table import Table
from engine.exchange.content import SHOWN, BadLine, Content, Games, Positions, check_size, game_of, unreadable
from engine.exchange.dates import date_text, milliseconds, time_text
from engine.exchange.decisions import replayed_game
from engine.match.match import Match, MatchHeader, Terms
from engine.match.record import MatchRecord, replay_match
from engine.registry import find

WON: Final = ("1-0", "0-1")
DRAWN: Final = "1/2-1/2"
RUNNING: Final = "*"
_RESULTS: Final = frozenset({*WON, DRAWN, RUNNING})
_TAG: Final = re.compile(r"\s*\[(\w+)\s+\"(.*)\"\]\s*$")
_NUMBER: Final = re.compile(r"(?<!\d)\d+\.+")
_COMMENT: Final = re.compile(r"\{[^}]*\}|(\{.*)|;.*")
"""A comment. The group is a comment without an end, which is invalid; it matches so that the search stops there."""
_WIDTH: Final = 80


def write(content: Content, form: str, *, turn_a_line: bool) -> str:
    """Writes a game, several games, or a series. Raises RuleError for content that the format cannot hold."""
    if isinstance(content, Positions):
        raise RuleError("exchange.positions", format=form)
    match: Match | None = None
    if isinstance(content, MatchRecord):
        if content.header.terms.points:
            raise RuleError("exchange.tagged.points", format=form)
        try:
            replay_match(game_of(content), content)
        except CorruptRecord as error:
            raise unreadable(error) from error
        match = Match(content.header)
    written = []
    for number, record in enumerate(content.games, 1):
        replayed = replayed_game(record)
        seats = (0, 1) if match is None else match.players_by_seat
        names = (content.names[seats[0]], content.names[seats[1]])
        tags = _tags(replayed.game, replayed.table, names, number)
        if match is not None:
            tags |= {"Match": match.header.id, "BestOf": str(match.terms.best_of)}
            if replayed.table.outcome is not None:
                match = match.add(replayed.table)
        turns = [turn.entry.body for turn in replayed.decisions]
        first = replayed.decisions[0].entry.seat if replayed.decisions else 0
        lines = _by_turn(turns, first) if turn_a_line else _by_round(turns, first)
        head = [f'[{tag} "{_quoted(value)}"]' for tag, value in tags.items()]
        written.append("\n".join([*head, "", *lines, tags["Result"], ""]))
    return "\n".join(written)


def _tags(game: Game[Any, Any], table: Table[Any, Any], names: tuple[str, str], number: int) -> dict[str, str]:
    header, outcome = table.record.header, table.outcome
    tags = {
        "Game": game.name,
        "Site": "Abakbot",
        "Date": date_text(header.started),
        "Time": time_text(header.started),
        "Round": str(header.match_game or number),
        "Id": header.id,
    }
    tags |= {game.seats[seat].title(): names[seat] or "?" for seat in (0, 1)}
    tags |= {"Result": _result(outcome)}
    if outcome is not None:
        tags["Termination"] = outcome.reason.rpartition(".")[2]
    tags |= {_tag_of(key): str(value) for key, value in table.options.items()}
    return tags | ({"Position": header.position} if header.position else {})


def _result(outcome: Outcome | None) -> str:
    if outcome is None or not outcome.has_result:
        return RUNNING
    return DRAWN if outcome.winner is None else WON[outcome.winner]


def _tag_of(option: str) -> str:
    """Names the tag of an option: ``PlyLimit`` for ``ply_limit``."""
    return "".join(word.title() for word in option.split("_"))


def _by_turn(turns: list[str], first: int) -> Iterator[str]:
    for number, text in enumerate(turns, first):
        yield f"{number // 2 + 1}.{'..' * (number % 2)} {text}"


def _by_round(turns: list[str], first: int) -> Iterator[str]:
    line = ""
    for word in _words(turns, first):
        if len(line) + len(word) >= _WIDTH:
            yield line
            line = ""
        line += f"{' ' * bool(line)}{word}"
    if line:
        yield line


def _words(turns: Iterable[str], first: int) -> Iterator[str]:
    for number, text in enumerate(turns, first):
        if number % 2 == 0:
            yield f"{number // 2 + 1}."
        elif number == first:
            yield "1..."
        yield text


def _quoted(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').splitlines())  # a line's end would end the tag


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass
class _Text:
    """A game's tags and turns, with the numbers of their lines."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    turns: list[tuple[int, str]] = field(default_factory=list)
    result: str = ""


def looks_like(text: str, name: str) -> bool:
    """Returns whether the text is of the game of that name."""
    tags = (_TAG.match(line) for line in text.splitlines()[:50])
    return any(tag is not None and tag[1] == "Game" and tag[2].casefold() == name.casefold() for tag in tags)


def read(text: str, most: int, key: str, *, turn_a_line: bool) -> Content:
    """Reads a series, or games. A win that does not follow from the turns becomes a resignation, a draw an agreed one.

    Raises RuleError, mostly a BadLine.
    """
    game = find(key)
    texts = _split(text, turn_a_line=turn_a_line)
    if not texts:
        raise RuleError("exchange.unknown")
    check_size(sum(len(each.turns) for each in texts), most)
    first = texts[0].tags
    names = (_name(first, game.seats[0]), _name(first, game.seats[1]))
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    if "BestOf" not in first:
        ids = [each.tags.get("Id") or f"{key}-{digest}-{number}" for number, each in enumerate(texts, 1)]
        return Games(tuple(_read(game, each, id_) for each, id_ in zip(texts, ids, strict=True)), names)
    started = milliseconds(first.get("Date", ""), first.get("Time", ""))
    options = tuple(_options(game, texts[0]).items())
    id_ = first.get("Match") or f"{key}-{digest}"
    terms = Terms(best_of=_whole(texts[0], first["BestOf"]))
    header = MatchHeader(id_, game.key, game.version, started, terms, options)
    ids = [each.tags.get("Id") or f"{id_}-{number}" for number, each in enumerate(texts, 1)]
    games = [_read(game, each, own, (id_, n)) for n, (each, own) in enumerate(zip(texts, ids, strict=True), 1)]
    match = MatchRecord(header, tuple(games), names)
    try:
        replay_match(game, match)
    except CorruptRecord as error:
        raise unreadable(error) from error
    return match


def _split(text: str, *, turn_a_line: bool) -> list[_Text]:
    texts: list[_Text] = []
    for number, source in enumerate(text.splitlines(), 1):
        tag = _TAG.match(source)
        if tag is not None:
            if not texts or texts[-1].turns or texts[-1].result:
                texts.append(_Text(number))
            texts[-1].tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
            continue
        words = _NUMBER.sub(" ", _COMMENT.sub(lambda found: found[1] or " ", source)).split()
        if words and not texts:
            raise BadLine(number, source, BadNotation("exchange.tagged.unreadable"))
        if words and words[-1] in _RESULTS:
            texts[-1].result = words.pop()
        if words:
            texts[-1].turns += [(number, " ".join(words))] if turn_a_line else [(number, word) for word in words]
    return texts


def _read(game: Game[Any, Any], text: _Text, id_: str, match: tuple[str, int] = ("", 0)) -> Record:
    started = milliseconds(text.tags.get("Date", ""), text.tags.get("Time", ""))
    header = Header(
        game.key,
        game.version,
        id_,
        started,
        tuple(_options(game, text).items()),
        position=text.tags.get("Position", ""),
        match=match[0],
        match_game=match[1],
    )
    progress = replay.start(game, header)
    for line, turn in text.turns:
        try:
            progress.require_running()
            seat = progress.to_act or 0
            written = game.format(progress.state, game.parse(progress.state, turn))
            replay.follow(progress, Entry(0, Kind.PLAY, seat, written))
        except RuleError as cause:
            raise BadLine(line, turn, cause) from cause
    given = text.result or text.tags.get("Result", RUNNING)
    for entry in [] if progress.outcome else _ending(game, progress.state, given):
        replay.follow(progress, entry)
    found = _result(progress.outcome)
    if given not in {found, RUNNING}:
        raise BadLine(text.line, given, RuleError("exchange.tagged.result", result=given, expected=found))
    return Record(header, tuple(progress.entries))


def _ending(game: Game[Any, Any], state: Any, result: str) -> list[Entry]:
    """Returns the entries that end a game by resignation or agreement."""
    if result in WON:
        loser = 1 - WON.index(result)
        return [Entry(0, Kind.RESIGN, loser, str(game.resign_values(state, loser)[-1]))]
    if result == DRAWN:
        return [Entry(0, Kind.OFFER, 0, DRAW), Entry(0, Kind.ACCEPT, 1, DRAW)]
    return []


def _options(game: Game[Any, Any], text: _Text) -> dict[str, OptionValue]:
    given = {option.key: text.tags[_tag_of(option.key)] for option in game.options if _tag_of(option.key) in text.tags}
    return game.settle_options(given)


def _name(tags: dict[str, str], seat: str) -> str:
    name = tags.get(seat.title(), "")
    return "" if name == "?" else name


def _whole(text: _Text, value: str) -> int:
    try:
        return read_number(value)
    except ValueError:
        shown = value[:SHOWN]
        raise BadLine(text.line, value, RuleError("exchange.tagged.number", value=shown)) from None
