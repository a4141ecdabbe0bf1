"""What a turn does, in words; how turns rank in suggestions; and whether a turn is the only legal one."""

from collections.abc import Sequence
from typing import Any, Final

from bot.core.translations import Language
from engine.core.game import CHANCE, Game, Note
from engine.core.search import forced_turn

MAX_FIRST_STEPS: Final = 4
"""A forced turn has at most this many different first steps: four equal dice, played in any order."""
EFFECT_RANKS: Final = {
    "wins": 0,
    "captures": 1,
    "hits": 1,
    "traps": 1,
    "ejects": 1,
    "rescues": 2,
    "frees": 2,
    "pushes": 2,
    "falls": 2,
    "makes_point": 3,
    "secures": 3,
}
"""The rank of an effect in suggestions, lowest first. Effects that are not listed rank as QUIET, a loss as LOST."""
QUIET: Final = 4
LOST: Final = 5


def notes_of(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> list[Note]:
    """The notes of the steps, in order, starting from ``state``."""
    found: list[Note] = []
    for step in steps:
        found += game.notes(state, step)
        state = game.apply(state, step)
    return found


class NotedSteps:
    """The notes of many turns from few positions: each step from a position is made once."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._notes: dict[tuple[Any, Any], list[Note]] = {}
        self._after: dict[tuple[Any, Any], Any] = {}

    def notes_of(self, state: Any, steps: Sequence[Any]) -> list[Note]:
        """As the function ``notes_of``."""
        found: list[Note] = []
        for number, step in enumerate(steps, 1):
            key = (state, step)
            if key not in self._notes:
                self._notes[key] = list(self._game.notes(state, step))
            found += self._notes[key]
            if number == len(steps):
                break
            if key not in self._after:
                self._after[key] = self._game.apply(state, step)
            state = self._after[key]
        return found


def effects(notes: Sequence[Note], say: Language) -> list[str]:
    """The notes in words, without duplicates."""
    return list(dict.fromkeys(say.note(note) for note in notes))


def loses(game: Game[Any, Any], before: Any, after: Any) -> bool:
    """Whether the player to act in ``before`` has lost the game in ``after``."""
    outcome, actor = game.outcome(after), game.to_act(before)
    return outcome is not None and outcome.winner is not None and outcome.winner != actor


def effect_rank(notes: Sequence[Note]) -> tuple[int, int]:
    """The sort key of a turn in suggestions, lowest first: its best effect, then how often it has that effect."""
    kinds = [note.key.rpartition(".")[2] for note in notes]
    if "loses" in kinds:
        return LOST, 0
    best = min((EFFECT_RANKS.get(kind, QUIET) for kind in kinds), default=QUIET)
    return best, 0 if best == QUIET else -sum(EFFECT_RANKS.get(kind, QUIET) == best for kind in kinds)


def only_turn(game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
    """The only legal turn; empty if there is a choice, or if no player is to act."""
    if game.to_act(state) in {None, CHANCE} or len(game.legal(state)) > MAX_FIRST_STEPS:
        return ()
    return forced_turn(game, state) or ()
