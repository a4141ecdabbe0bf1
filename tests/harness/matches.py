"""Matches and games at random: plays, cube actions, resignations, offers that come to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.core import replay
from engine.core.game import CHANCE
from engine.core.offers import DRAW
from engine.core.record import Entry, Header, Kind, Record
from engine.core.search import forced_turn
from engine.core.table import Table
from engine.core.takeback import TAKEBACK
from engine.kits.cube import ON, CubeAction
from engine.match.match import Match, MatchHeader, Terms
from engine.match.record import MatchRecord
from engine.registry import GAMES

if TYPE_CHECKING:
    import random

    from engine.core.game import Game, OptionValue
    from engine.core.progress import Progress

NAMES: Final = ("Ana", "Ben Núñez")
STARTED: Final = 1_790_000_040_000
"""A whole minute of the year 2026."""
DOUBLES: Final = 0.06
TAKES: Final = 0.7
RESIGNS: Final = 0.004
OFFERS: Final = 0.01
REGRETS: Final = 0.1
"""How often a double is taken back."""
HURRY: Final = 3
"""Of so many plays drawn, the one that leaves the fewest pips, or every game would be long."""


def random_game(
    key: str, rng: random.Random, options: dict[str, OptionValue], *, most: int = 4000, **header: Any
) -> Record:
    """Plays a game to its end, or until it has ``most`` entries."""
    game = GAMES[key]
    head = Header(key, game.version, **{"id": f"{rng.getrandbits(32):08x}", "started": STARTED, **header})
    head = Header(**{name: getattr(head, name) for name in head.__slots__} | {"options": tuple(options.items())})
    progress = replay.start(game, head)
    at = 0
    while progress.outcome is None and len(progress.entries) < most:
        at += rng.randrange(60_000)
        for entry in _entries(game, progress, rng, at):
            replay.follow(progress, entry)
    return Record(head, tuple(progress.entries))


def random_match(
    rng: random.Random,
    points: int = 0,
    *,
    key: str = "backgammon",
    best_of: int = 1,
    options: dict[str, OptionValue] | None = None,
) -> MatchRecord:
    """Plays a match to its end."""
    rules = GAMES[key]
    id_ = f"{rng.getrandbits(32):08x}"
    given = options if options is not None else {"cube": ON}
    header = MatchHeader(id_, key, rules.version, STARTED, Terms(points, best_of), tuple(given.items()))
    match = Match(header)
    records: list[Record] = []
    while match.result is None:
        number = len(records) + 1
        record = random_game(key, rng, match.next_options, id=f"{id_}-{number}", match=id_, match_game=number)
        records.append(record)
        match = match.add(Table.replay(rules, record))
    return MatchRecord(header, tuple(records), NAMES)


def _entries(game: Game[Any, Any], progress: Progress[Any, Any], rng: random.Random, at: int) -> list[Entry]:
    """Returns the next entries of a random game."""
    state, actor = progress.state, progress.to_act
    if actor is None or actor == CHANCE:
        outcomes = game.legal(state)
        odds = [game.weight(state, outcome) for outcome in outcomes]
        return [Entry(at, Kind.CHANCE, CHANCE, game.format(state, rng.choices(outcomes, odds)))]
    if len(progress.entries) > 8 and rng.random() < RESIGNS:
        values = game.resign_values(state, actor)
        if rng.random() < 0.5 and forced_turn(game, state) is None:
            return [Entry(at, Kind.RESIGN, actor, str(values[-1]))]
        offer = f"resign {values[0]}"
        if len(values) > 1 and forced_turn(game, state) is None:
            return [Entry(at, Kind.OFFER, actor, offer), Entry(at, Kind.ACCEPT, 1 - actor, offer)]
    offers = []
    if rng.random() < OFFERS:
        offers = [Entry(at, Kind.OFFER, actor, DRAW), Entry(at, Kind.DECLINE, 1 - actor, DRAW)]
    legal = game.legal(state)
    if isinstance(legal[0], CubeAction):
        if CubeAction.TAKE in legal and rng.random() < REGRETS:
            return [Entry(at, Kind.OFFER, 1 - actor, TAKEBACK), Entry(at, Kind.ACCEPT, actor, TAKEBACK)]
        if CubeAction.BEAVER in legal and rng.random() < 0.5:
            return [Entry(at, Kind.PLAY, actor, str(CubeAction.BEAVER))]
        call = CubeAction.TAKE if CubeAction.TAKE in legal else CubeAction.ROLL
        other = CubeAction.PASS if call is CubeAction.TAKE else CubeAction.DOUBLE
        usual = TAKES if call is CubeAction.TAKE else 1 - DOUBLES
        return [*offers, Entry(at, Kind.PLAY, actor, str(call if rng.random() < usual else other))]
    steps = _turn(game, state, actor, rng)
    kind = Kind.FORCED if not game.changes_board(state, steps[0]) else Kind.PLAY
    return [*offers, Entry(at, kind, actor, game.format(state, steps))]


def _turn(game: Game[Any, Any], state: Any, actor: int, rng: random.Random) -> tuple[Any, ...]:
    turns = game.turns(state) if game.enumerates_turns else [_walk(game, state, actor, rng) for _ in range(HURRY)]
    drawn = [rng.choice(turns) for _ in range(HURRY)]
    return min(drawn, key=lambda turn: _left(game, turn[1], actor))[0]


def _walk(game: Game[Any, Any], state: Any, actor: int, rng: random.Random) -> tuple[tuple[Any, ...], Any]:
    steps = []
    while game.to_act(state) == actor:
        steps.append(rng.choice(game.legal(state)))
        state = game.apply(state, steps[-1])
    return tuple(steps), state


def _left(game: Game[Any, Any], state: Any, actor: int) -> float:
    """Returns how far the actor still has to go: the actor avoids losing, and goes forward."""
    outcome = game.outcome(state)
    if outcome is not None:
        return -1000.0 * outcome.points[actor]
    return -float(state.ejected[actor]) if hasattr(state, "ejected") else _pips(state, actor)


def _pips(state: Any, actor: int) -> float:
    if not hasattr(state, "white"):
        return 0.0
    side = state.black if actor else state.white
    return float(sum((side >> 4 * point & 15) * point for point in range(26)))
