"""The effects of a turn in words, the order of turns in suggestions, and the only legal turn."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from bot.core.translations import Language
from engine.core.game import CHANCE, Game, Note
from engine.core.search import forced_turn

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
"""The rank of each effect in suggestions, the lowest first. Other effects rank as QUIET, a loss as LOST."""
QUIET: Final = 4
LOST: Final = 5
TIMES: Final = "\u00d7"


def notes_of(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> list[Note]:
    """Returns the notes of the steps in order, starting from ``state``."""
    found: list[Note] = []
    for step in steps:
        found += game.notes(state, step)
        state = game.apply(state, step)
    return found


class NotedSteps:
    """The notes of many turns from one position. Common beginnings of turns are played and noted once."""

    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        self._game = game
        self._begun: dict[tuple[Any, ...], tuple[Any, list[Note]]] = {(): (state, [])}
        """The position after each beginning of a turn, and the notes of its steps."""
        self._notes: dict[tuple[Any, Any], tuple[Note, ...]] = {}

    def notes_of(self, steps: tuple[Any, ...]) -> list[Note]:
        *_, last = steps
        state, notes = self._after(steps[:-1])
        return [*notes, *self._noted(state, last)]

    def _after(self, steps: tuple[Any, ...]) -> tuple[Any, list[Note]]:
        found = self._begun.get(steps)
        if found is None:
            before, notes = self._after(steps[:-1])
            found = self._game.apply(before, steps[-1]), [*notes, *self._noted(before, steps[-1])]
            self._begun[steps] = found
        return found

    def _noted(self, state: Any, step: Any) -> tuple[Note, ...]:
        key = state, step
        if key not in self._notes:
            self._notes[key] = self._game.notes(state, step)
        return self._notes[key]


def effects(notes: Sequence[Note], say: Language) -> list[str]:
    """Returns the notes in words. A repeated effect is told once, with its number: ``hits the soldier``, twice."""
    times = Counter(say.note(note) for note in notes)
    return [said if n == 1 else f"{said} {TIMES}{n}" for said, n in times.items()]


def loses(game: Game[Any, Any], before: Any, after: Any) -> bool:
    """Returns whether the player to act in ``before`` has lost the game in ``after``."""
    outcome = game.outcome(after)
    return outcome is not None and outcome.winner is not None and outcome.winner != game.to_act(before)


def loses_piece(game: Game[Any, Any], before: Any, steps: Sequence[Any]) -> bool:
    """Returns whether a turn costs its own player a piece and does not win."""
    state, lost = before, False
    for step in steps:
        lost = lost or game.loses_piece(state, step)
        state = game.apply(state, step)
    outcome = game.outcome(state)
    return lost and (outcome is None or outcome.winner != game.to_act(before))


def effect_rank(notes: Sequence[Note]) -> tuple[int, int]:
    """Returns the sort key of a turn in suggestions, the lowest first: its best effect, then the number of such
    effects.
    """
    kinds = [note.key.rpartition(".")[2] for note in notes]
    if "loses" in kinds:
        return LOST, 0
    best = min((EFFECT_RANKS.get(kind, QUIET) for kind in kinds), default=QUIET)
    return best, 0 if best == QUIET else -sum(EFFECT_RANKS.get(kind, QUIET) == best for kind in kinds)


def only_turn(game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
    """Returns the only legal turn; empty if there is a choice, or if no player is to act."""
    if game.to_act(state) in {None, CHANCE}:
        return ()
    return forced_turn(game, state) or ()
