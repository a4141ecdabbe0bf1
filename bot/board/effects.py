"""What a turn does, in words, and whether there is any other: for labels, for what is typed, before Confirm."""

from collections.abc import Sequence
from typing import Any, Final

from bot.core.translations import Language
from engine.core.game import CHANCE, Game, Note
from engine.core.search import forced_turn

FEW: Final = 4
"""A turn without a choice begins with as many different steps at most: four equal dice, in any order."""
WORTH: Final = {
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
"""How soon a turn is offered that does this; what is not named goes with the quiet ones, what loses comes last."""
QUIET: Final = 4
LOST: Final = 5


def notes_of(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> list[Note]:
    """What the steps do, in order, from ``state``."""
    found: list[Note] = []
    for step in steps:
        found += game.notes(state, step)
        state = game.apply(state, step)
    return found


def effects(notes: Sequence[Note], say: Language) -> list[str]:
    """The same in words, nothing twice."""
    return list(dict.fromkeys(say.note(note) for note in notes))


def loses(game: Game[Any, Any], before: Any, after: Any) -> bool:
    """Whether who was to act ``before`` has lost the game ``after`` their turn."""
    outcome, actor = game.outcome(after), game.to_act(before)
    return outcome is not None and outcome.winner is not None and outcome.winner != actor


def worth(notes: Sequence[Note]) -> tuple[int, int]:
    """How soon a turn is offered that does this, the least first: what is the best of it, and how often it does so."""
    kinds = [note.key.rpartition(".")[2] for note in notes]
    if "loses" in kinds:
        return LOST, 0
    best = min((WORTH.get(kind, QUIET) for kind in kinds), default=QUIET)
    return best, 0 if best == QUIET else -sum(WORTH.get(kind, QUIET) == best for kind in kinds)


def sole(game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
    """The only turn that there is; nothing where there is a choice, or nobody's turn."""
    if game.to_act(state) in {None, CHANCE} or len(game.legal(state)) > FEW:
        return ()
    return forced_turn(game, state) or ()
