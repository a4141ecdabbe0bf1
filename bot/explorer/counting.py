"""The counts of a finished game: the moves of its first turns, each with a key of the position before it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.explorer.tables import MOVE_LENGTH
from engine.core.game import CHANCE, Game, OptionValue, Outcome
from engine.core.progress import start_progress
from engine.core.record import Kind, Record
from engine.core.takeback import effective_entries_of
from engine.kits.cube import counts_points

TURNS: Final = 20
"""The turns of a game that are counted. Passes and cube actions do not use up this number."""
KEY_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of games, and their results for the first and the second seat."""

    games: int = 0
    wins0: int = 0
    wins1: int = 0
    points0: int = 0
    """The sum of the first seat's points."""

    @property
    def draws(self) -> int:
        return self.games - self.wins0 - self.wins1

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.games + other.games,
            self.wins0 + other.wins0,
            self.wins1 + other.wins1,
            self.points0 + other.points0,
        )


def counts_of(outcome: Outcome, options: Mapping[str, OptionValue]) -> Counts:
    """Returns the counts of one game. A game whose points do not matter is resigned for the most it could have cost, so
    it counts one.
    """
    points = outcome.points[0]
    if outcome.reason == "end.resigned" and not counts_points(options):
        points = (points > 0) - (points < 0)
    return Counts(1, int(points > 0), int(points < 0), points)


def position_key(game: Game[Any, Any], state: Any) -> int:
    """Returns the key of a position: 64 bits of a hash of its text without the score, and of the side to act.

    The dice of the turn are part of the text. Of a million positions, two have the same key with odds of 1 to 37
    million.
    """
    text = f"{game.key} {game.version} {game.to_act(state)} {game.encode(game.without_score(state))}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:KEY_BYTES], signed=True)


def moves_of(game: Game[Any, Any], record: Record) -> list[tuple[int, str]]:
    """Returns the moves of the first turns that were not taken back, each with the key of the position before it.

    A repeated move in a repeated position is listed once. Raises RuleError if the record does not replay.
    """
    found: dict[tuple[int, str], None] = {}
    state, turns = start_progress(game, record.header).state, 0
    for entry in effective_entries_of(record.entries):
        if turns == TURNS:
            break
        if entry.kind is Kind.CHANCE:
            _, state = game.replay_turn(state, entry.body.partition(" ")[0])
            continue
        if len(entry.body) <= MOVE_LENGTH:
            found[position_key(game, state), entry.body] = None
        steps, after = game.replay_turn(state, entry.body)
        turns += game.changes_board(state, steps[0])
        state = after
    return list(found)


def rolls_of(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """Returns the position after each roll, by the roll's text; empty if no roll is due."""
    if game.to_act(state) != CHANCE:
        return {}
    return {game.format(state, (step,)): game.apply(state, step) for step in game.legal(state)}
