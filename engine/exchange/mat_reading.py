"""Reads Jellyfish's ``.mat`` text, as GNU Backgammon, eXtreme Gammon and others write it.

Every play is checked by the rules. The first illegal one is refused with its line.
"""

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.core import replay
from engine.core.errors import RuleError
from engine.core.game import CHANCE, OptionValue, Seat
from engine.core.offers import RESIGN
from engine.core.progress import Progress
from engine.core.record import Entry, Header, Kind, Record
from engine.core.search import forced_turn
from engine.core.table import Table
from engine.exchange.content import BadLine, Content, Games, check_size
from engine.exchange.dates import milliseconds
from engine.exchange.mat_writing import NO_CUBE
from engine.games.backgammon.jellyfish import VARIATIONS, read_play
from engine.kits.cube import OFF, ON
from engine.match.match import Match, MatchHeader, Terms
from engine.match.record import MatchRecord
from engine.registry import find

_TAG: Final = re.compile(r"\s*[;#]\s*\[([^\"]+)\s\"(.*)\"\]")
_LENGTH: Final = re.compile(r"\s*(\d{1,5})\s+points?\s+match", re.ASCII | re.IGNORECASE)
_GAME: Final = re.compile(r"\s*game\s+(\d{1,9})\s*$", re.ASCII | re.IGNORECASE)
_SCORES: Final = re.compile(r"([^:]*):\s*(\d{1,9})\s([^:]*):\s*(\d{1,9})\s*$", re.ASCII)
_RATING: Final = re.compile(r",\s*\d+(\.\d+)?$", re.ASCII)
_NUMBER: Final = re.compile(r"\s*\d+\s*\)", re.ASCII)
_ACTION: Final = re.compile(
    r"(?<![\w/*])(?P<dice>[1-6][1-6])\s*:"
    r"|\b(?P<word>(?:re)?doubles?|takes?|accepts?|drops?|pass(?:es)?|rejects?|beavers?|raccoons?|wins?|resigns?)\b",
    re.ASCII | re.IGNORECASE,
)
_NO_PLAY: Final = {"", "cannot move", "can't move", "no move", "no play"}
_FIRST_NUMBER: Final = re.compile(r"(?<!\d)\d{1,9}(?!\d)", re.ASCII)
_NARROW: Final = 15
"""The first possible start of the second column, if no line of a file shows it."""


class _Action(NamedTuple):
    line: int
    source: str
    start: int
    seat: Seat | None
    """The seat of the column; None if the line does not show it."""
    what: str
    """The dice, or a word in lower case."""
    rest: str


@dataclass
class _Game:
    line: int
    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    actions: list[_Action] = field(default_factory=list)


@dataclass
class _File:
    tags: dict[str, str]
    length: int
    games: list[_Game]


class _PointsDiffer(RuleError):
    """The points of a game differ from the points by the rules."""


def looks_like(text: str) -> bool:
    return any(_LENGTH.match(line) for line in text.splitlines()[:200])


def read(text: str, most: int) -> Content:
    """Reads a match, or games if they are no match from its beginning. Raises RuleError, mostly a BadLine.

    A file that does not mention the Jacoby rule is read with the rule or, if its points demand that, without.
    """
    file = _split(text)
    check_size(sum(len(game.actions) for game in file.games), most)
    layout = _layout(file.tags)
    if file.length > 1 and file.tags.get("Crawford", "On").casefold() == "off":
        raise RuleError("exchange.mat.no_crawford")
    cube = OFF if file.tags.get("CubeLimit") == NO_CUBE else ON
    options: dict[str, OptionValue] = {"layout": layout, "cube": cube}
    id_ = _unquoted(file.tags.get("Match ID", "")) or f"mat-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    started = milliseconds(file.tags.get("EventDate", ""), file.tags.get("EventTime", ""))
    if file.length and file.games[0].score == (0, 0):
        return _match(file, id_, started, options)
    beavers = any(action.what.startswith("beaver") for game in file.games for action in game.actions)
    if beavers or file.tags.get("Beaver", "").casefold() == "on":
        options |= {"beavers": ON}
    if file.length or cube == OFF:
        return _games(file, id_, started, options)
    said = file.tags.get("Jacoby", "").casefold()
    try:
        return _games(file, id_, started, options | {"jacoby": OFF if said == "off" else ON})
    except BadLine as error:
        if said or not isinstance(error.cause, _PointsDiffer):
            raise
        return _games(file, id_, started, options | {"jacoby": OFF})


def _layout(tags: dict[str, str]) -> str:
    named = tags.get("Variation", VARIATIONS["standard"])
    for layout, variation in VARIATIONS.items():
        if variation.casefold() == named.casefold():
            return layout
    raise RuleError("exchange.mat.variation", variation=named, known=", ".join(VARIATIONS.values()))


# --- the lines -------------------------------------------------------------------------------------------------------


def _split(text: str) -> _File:
    """Splits a text into the file's tags and its games as actions."""
    tags: dict[str, str] = {}
    length: int | None = None
    games: list[_Game] = []
    lines = text.splitlines()
    rights = [found[1].start() for line in lines if _NUMBER.match(line) and len(found := _actions(line)) > 1]
    second = min(rights) // 2 + 2 if rights else _NARROW
    heading: tuple[int, int] | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if line.lstrip()[0] in ";#":
            if line.lstrip("; ").startswith("Set Pos="):
                raise BadLine(number, line, RuleError("exchange.mat.set_position"))
            if tag := _TAG.match(line):
                tags.setdefault(tag[1].strip(), tag[2])
        elif length is None:
            if match := _LENGTH.match(line):
                length = int(match[1])
        elif game := _GAME.match(line):
            heading = number, int(game[1])
        elif heading is not None:
            games.append(_game(number, heading[1], line))
            heading = None
        elif games:
            games[-1].actions += _line_actions(number, line, second)
        else:
            raise BadLine(number, line, RuleError("exchange.mat.unreadable"))
    if length is None or not games:
        raise RuleError("exchange.mat.no_match")
    return _File(tags, length, games)


def _game(line: int, number: int, text: str) -> _Game:
    scores = _SCORES.match(text)
    if scores is None:
        raise BadLine(line, text, RuleError("exchange.mat.unreadable"))
    names = (_RATING.sub("", scores[1].strip()), _RATING.sub("", scores[3].strip()))
    return _Game(line, number, names, (int(scores[2]), int(scores[4])))


def _actions(line: str) -> list[re.Match[str]]:
    return list(_ACTION.finditer(line))


def _line_actions(number: int, line: str, second: int) -> list[_Action]:
    """Splits a line into its actions: two in the order of the columns, or one in the column in which it begins."""
    found = _actions(line)
    prefix = _NUMBER.match(line)
    begin = prefix.end() if prefix else 0
    if not found or line[begin : found[0].start()].strip():
        if prefix and not line[begin:].strip():
            return []
        raise BadLine(number, line, RuleError("exchange.mat.unreadable"))
    ends = [match.start() for match in found[1:]] + [len(line)]
    actions = []
    for at, (match, end) in enumerate(zip(found, ends, strict=True)):
        seat = int(match.start() >= second) if len(found) == 1 else (0, 1)[at] if at < 2 else None
        what = match["dice"] or match["word"].lower()
        actions.append(_Action(number, line, match.start(), seat, what, line[match.end() : end].strip()))
    return [action for action in actions if not action.what.startswith("resign")]


# --- the games -------------------------------------------------------------------------------------------------------


def _match(file: _File, id_: str, started: int, options: dict[str, OptionValue]) -> MatchRecord:
    rules = find("backgammon")
    header = MatchHeader(id_, rules.key, rules.version, started, Terms(file.length), tuple(options.items()))
    match = Match(header)
    records: list[Record] = []
    for game in file.games:
        if match.result is not None:
            raise _bad(game, RuleError("exchange.mat.over"))
        first, second = match.score
        _check_score(game, (int(first), int(second)))
        head = Header(
            rules.key,
            rules.version,
            f"{id_}-{len(records) + 1}",
            started,
            tuple(match.next_options.items()),
            match=id_,
            match_game=len(records) + 1,
        )
        table = _Reader(file, game, head).read(last=game is file.games[-1])
        records.append(Record(head, tuple(table.record.entries)))
        if table.outcome is not None:
            match = match.add(table)
    return MatchRecord(header, tuple(records), _names(file))


def _games(file: _File, id_: str, started: int, options: dict[str, OptionValue]) -> Games:
    """Replays games of unlimited play, or of a match whose beginning the file lacks."""
    rules = find("backgammon")
    records: list[Record] = []
    score = file.games[0].score
    crawford_due = True
    for game in file.games:
        _check_score(game, score)
        own = dict(options)
        if file.length:
            if max(score) >= file.length:
                raise _bad(game, RuleError("exchange.mat.over"))
            one_away = file.length > 1 and sum(points == file.length - 1 for points in score) == 1
            own |= {"points": file.length, "score0": score[0], "score1": score[1]}
            own |= {"crawford": ON if one_away and crawford_due else OFF}
            crawford_due &= not one_away
        single = len(file.games) == 1
        head = Header(
            rules.key, rules.version, id_ if single else f"{id_}-{len(records) + 1}", started, tuple(own.items())
        )
        table = _Reader(file, game, head).read(last=game is file.games[-1])
        records.append(Record(head, tuple(table.record.entries)))
        if table.outcome is not None:
            won = [max(points, 0) for points in table.outcome.points]
            score = (score[0] + won[0], score[1] + won[1])
    return Games(tuple(records), _names(file))


def _names(file: _File) -> tuple[str, str]:
    first, second = file.games[0].names
    tags = file.tags
    return _unquoted(tags.get("Player 1", first)) or first, _unquoted(tags.get("Player 2", second)) or second


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _check_score(game: _Game, score: tuple[int, int]) -> None:
    if game.score != score:
        raise _bad(game, RuleError("exchange.mat.score", expected=f"{score[0]} : {score[1]}"))


def _bad(game: _Game, cause: RuleError) -> BadLine:
    return BadLine(game.line, " : ".join(map(str, game.score)), cause)


class _Reader:
    """Replays the actions of one game."""

    def __init__(self, file: _File, game: _Game, header: Header) -> None:
        self.game = game
        self.length = file.length
        self.rules = find(header.game, header.version)
        self.progress: Progress[Any, Any] = replay.start(self.rules, header)

    def read(self, *, last: bool) -> Table[Any, Any]:
        """Replays the game. Raises BadLine, also if the game has no end and is not the last one."""
        actions = self.game.actions
        for action, following in zip(actions, [*actions[1:], None], strict=False):
            try:
                self._follow(action, following)
            except RuleError as cause:
                raise BadLine(action.line, action.source, cause) from cause
        if self.progress.outcome is None and not last:
            raise _bad(self.game, RuleError("exchange.mat.unfinished", game=self.game.number))
        return Table.of(self.progress)

    def _add(self, kind: Kind, seat: Seat, body: str) -> None:
        replay.follow(self.progress, Entry(0, kind, seat, body))

    def _follow(self, action: _Action, following: _Action | None) -> None:
        if action.what.startswith("win"):
            self._wins(action)
            return
        if action.what[0].isdigit():
            self._roll(action)
            self._play(action, following)
            return
        entries = self.progress.entries
        if action.what.startswith("take") and entries and entries[-1].body == "beaver":
            return  # the doubler plays on
        seat = self._seat(action)
        if action.what.startswith("raccoon"):
            raise RuleError("exchange.mat.raccoon")
        if action.what.startswith(("double", "redouble")):
            value = _FIRST_NUMBER.search(action.rest)
            expected = 2 * self.progress.state.fields.cube_value
            if value and int(value[0]) != expected:
                raise RuleError("exchange.mat.cube", value=value[0], expected=expected)
            self._add(Kind.PLAY, seat, self._text("double"))
        else:
            answers = {"take": "take", "acce": "take", "beav": "beaver"}
            self._add(Kind.PLAY, seat, self._text(answers.get(action.what[:4], "drop")))

    def _text(self, word: str) -> str:
        """Writes a cube action in canonical notation. Raises IllegalMove if it is not possible."""
        state = self.progress.state
        return self.rules.format(state, self.rules.parse(state, word))

    def _seat(self, action: _Action) -> Seat:
        """Returns the seat to act, which must be the one of the column. Raises RuleError."""
        self.progress.require_running()
        actor = self.progress.to_act
        if actor == CHANCE:  # no cube action is possible: raises the refusal that says why
            self._text(action.what)
        if actor not in (0, 1) or (action.seat is not None and action.seat != actor):
            raise RuleError("exchange.mat.column")
        return actor

    def _roll(self, action: _Action) -> None:
        self.progress.require_running()
        progress = self.progress
        high, low = sorted(action.what, reverse=True)
        if progress.state.opening:
            if high == low:
                raise RuleError("exchange.mat.opening")
            self._add(Kind.CHANCE, CHANCE, f"{low}{high}" if action.seat else f"{high}{low}")
            return
        if progress.to_act != CHANCE:
            self._add(Kind.PLAY, self._seat(action), self._text("roll"))
        self._add(Kind.CHANCE, CHANCE, f"{high}{low}")

    def _play(self, action: _Action, following: _Action | None) -> None:
        seat = self._seat(action)
        state = self.progress.state
        text = action.rest
        if text.casefold().rstrip(".") in _NO_PLAY or not text.strip("?"):
            only = None if text.startswith("?") else forced_turn(self.rules, state)
            if only is not None:
                self._add(Kind.FORCED, seat, self.rules.format(state, only))
            elif following is not None and not following.what.startswith("win"):
                self._add(Kind.PLAY, seat, self._text("pass"))  # refused: something can be played
            return
        self._add(Kind.PLAY, seat, self.rules.format(state, read_play(state, text)))

    def _wins(self, action: _Action) -> None:
        number = _FIRST_NUMBER.search(action.rest)
        if number is None:
            raise RuleError("exchange.mat.unreadable")
        points, outcome = int(number[0]), self.progress.outcome
        if outcome is None:
            self._resigned(1 - (action.seat or 0), points)
        elif outcome.winner is not None:
            due = outcome.points[outcome.winner]
            if points != due and not (points < due and self._decides(outcome.winner, points)):
                raise _PointsDiffer("exchange.mat.wins", points=points, expected=due)

    def _resigned(self, loser: Seat, points: int) -> None:
        """Adds a resignation. For less than the loser's worst possible loss, the winner accepts an offer."""
        state = self.progress.state
        values = self.rules.resign_values(state, loser)
        if self._decides(1 - loser, points):
            points += -points % state.fields.cube_value
        if points not in values:
            raise _PointsDiffer("exchange.mat.wins", points=points, expected=", ".join(map(str, values)))
        if points == values[-1]:
            self._add(Kind.RESIGN, loser, str(points))
        else:
            self._add(Kind.OFFER, loser, f"{RESIGN} {points}")
            self._add(Kind.ACCEPT, 1 - loser, f"{RESIGN} {points}")

    def _decides(self, winner: Seat, points: int) -> bool:
        """Returns whether so many points end the match. Some programs cap the points at those that the match needs."""
        return 0 < self.length <= self.game.score[winner] + points
