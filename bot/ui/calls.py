"""Steps that are said, not made on the board: to roll, to double, to take, to pass. And how a turn is begun at all.

Which they are follows from the game: where every legal step is a single word that touches no cell, there is nothing to
choose on a picture, and each word is a button. What the game calls routine is done at once; the rest is asked about.
Their texts are ``call.<word>`` and, for what is asked about, ``call.<word>.sure`` and ``call.<word>.do``.
"""

from collections.abc import Sequence
from typing import Any

from bot.i18n import Language
from bot.services.tables import Seated
from bot.ui.routing import Press, PressButton
from engine.core.errors import Param
from engine.core.game import Game


def calls(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """What can be said, by its word; nothing where a step is made on the board."""
    said: dict[str, Any] = {}
    for step in game.legal(state):
        path = game.path(state, step)
        if len(path) > 1 or game.marks(state, step):
            return {}
        said[path[0]] = step
    return said


def word_of(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> str:
    """The word that a turn says; "" for a turn that is made on the board."""
    return next((word for word, step in calls(game, state).items() if (step,) == tuple(steps)), "")


def asked_about(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> bool:
    """Whether a turn says something that is not to be said by habit."""
    return bool(word_of(game, state, steps)) and steps[0] != game.routine(state)


def params(game: Game[Any, Any], state: Any, step: Any) -> dict[str, Param]:
    """What a call does, as the parameters of its texts."""
    return {name: value for note in game.notes(state, step) for name, value in note.params.items()}


def ways_to_act(seated: Seated, say: Language, row: int | None = None) -> list[PressButton]:
    """The buttons of whoever is to act: Move, or one for each thing that can be said."""
    game, state, seq = seated.table.game, seated.table.state, seated.table.seq
    said = calls(game, state)
    if not said:
        return [PressButton(Press("move", seated.id, seq), say("button.move"), "primary", row=row)]
    routine = game.routine(state)
    return [
        PressButton(
            Press("call", seated.id, seq, word),
            say(f"call.{word}", **params(game, state, step)),
            "primary" if step == routine else "plain",
            row=row,
        )
        for word, step in said.items()
    ]
