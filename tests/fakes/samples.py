"""The sample matches and games under tests: how each was made. ``SAMPLES=write pytest -k samples`` writes them anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from fakes.matches import MINUTE, STARTED, Player

from engine.core.adjudication import DECISION, FORFEIT, Result
from engine.core.record import Header, Record
from engine.core.table import Table
from engine.match.match import MatchHeader, Terms
from engine.match.record import MatchRecord, dump_match
from engine.registry import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES: Final = ("Ana", "Ben Müller")
CUBE: Final = (("cube", "on"),)


def matches() -> Iterator[tuple[str, MatchRecord]]:
    """Yields the samples by name; of each it takes the first seed whose match shows the intended events."""
    yield "backgammon-7-points", _match("backgammon", Terms(points=7), _shows_all, options=CUBE)
    yield "backgammon-3-points-no-cube", _match("backgammon", Terms(points=3), _has("crawford: on"))
    yield "abak-5-points", _match("abak", Terms(points=5), _has("play 0 double", "take"), options=CUBE)
    yield "abalone-best-of-3", _match("abalone", Terms(best_of=3, bank="match"), _games(3), clock="20m+10s")
    whole = _match("abak", Terms(points=3), _games(2), options=CUBE)
    yield "abak-forfeited", replace(whole, games=(whole.games[0], adjudicated(whole.games[1], "0", FORFEIT)))
    yield "apb-best-of-4", _match("apb", Terms(best_of=4), _games(4), draws=0.002)


def games() -> Iterator[tuple[str, Record]]:
    """Yields the single games by name."""
    yield "backgammon", _game("backgammon", (*CUBE, ("beavers", "on")), _ends("end.gammon", "beaver"))
    yield "backgammon-nack", _game("backgammon", (("layout", "nack"),), _ends("end.single"))
    yield "abak", _game("abak", CUBE, _ends("end.single", "double"))
    yield "abalone", _game("abalone", (("layout", "belgian-daisy"),), _ends("abalone.end"), clock="3d/move")
    yield "apb", _game("apb", (), _ends("apb.end"), clock="10m+5s")
    yield "backgammon-adjudicated", adjudicated(_game("backgammon", CUBE, _ends("end.single")), "1", DECISION)
    yield "abalone-void", adjudicated(_game("abalone", (), _ends("abalone.end"), clock="3d/move"), "void")


def adjudicated(record: Record, result: Result, why: str = DECISION) -> Record:
    """Returns the first half of a game, then a decision from outside, a minute later."""
    entries = tuple(record.entries)[: len(record.entries) // 2]
    table = Table.replay(find(record.header.game), replace(record, entries=entries))
    return table.adjudicate(result, why, entries[-1].at + MINUTE).record


def _match(  # the samples differ in many ways
    key: str,
    terms: Terms,
    wanted: Callable[[MatchRecord], bool],
    *,
    options: Any = (),
    clock: str = "",
    draws: float = 0.0,
) -> MatchRecord:
    game = find(key)
    policy = "loss" if clock else ""
    for seed in count(1):
        header = MatchHeader(
            f"{key}{seed}", key, game.version, STARTED, terms, options, clock, policy, rated=bool(clock)
        )
        record = _player(seed, key, draws).match(game, header, NAMES)
        if wanted(record):
            return record
    raise AssertionError


def _game(key: str, options: Any, wanted: Callable[[Any], bool], clock: str = "") -> Record:
    game = find(key)
    policy = "loss" if clock else ""
    settled = tuple(game.settle_options(dict(options)).items())
    for seed in count(1):
        player = _player(seed, key, 0.0)
        promise = player.promise(game, settled)
        header = Header(
            key, game.version, f"{key}{seed}", STARTED, settled, commitment=promise, clock=clock, timeout_policy=policy
        )
        table = player.game(game, header)
        if wanted(table):
            return table.record
    raise AssertionError


def _player(seed: int, key: str, draws: float) -> Player:
    """Returns a player who plays on to the end in most games, and not quite at random."""
    candidates = {"backgammon": 12, "abak": 20, "abalone": 40, "apb": 3}[key]
    pace = MINUTE // 4
    return Player(seed, provable=True, resigns=0.004, draws=draws, candidates=candidates, pace=pace, patience=20)


def _shows_all(record: MatchRecord) -> bool:
    """Doubles taken and passed, a gammon, a Crawford game, and a game after it in which the cube was turned."""
    game, text = find(record.header.game), dump_match(record)
    if "option crawford: on" not in text or not _has("play 0 double", "play 1 double", "take", "pass")(record):
        return False
    from engine.match.record import replay_match

    match, _ = replay_match(game, record)
    crawford = [result.crawford for result in match.results].index(True)
    after = record.games[crawford + 1 :]
    gammon = any(result.reason == "end.gammon" for result in match.results)
    won = match.result is not None and match.result.reason == "match.won"
    return won and gammon and any(entry.body == "double" for game in after for entry in game.entries)


def _has(*parts: str) -> Callable[[MatchRecord], bool]:
    return lambda record: all(part in dump_match(record) for part in parts)


def _games(number: int) -> Callable[[MatchRecord], bool]:
    return lambda record: len(record.games) == number


def _ends(reason: str, *parts: str) -> Callable[[Any], bool]:
    return lambda table: (
        table.outcome.reason.startswith(reason)
        and all(part in {entry.body for entry in table.record.entries} for part in parts)
    )
