"""Steps that are said, not made on the board: to roll, to double, to take, to pass. And how a turn is begun at all.

Which they are follows from the game: where every legal step is a single word of which the game tells that something is
said (``CALLED``), there is nothing to choose on a picture, and each word is a button. A turn that is given up because
no stone can move is none of them, whatever its word. What the game calls routine is done at once; the rest is asked
about. Their texts are ``call.<word>`` and, for what is asked about, ``call.<word>.sure`` and ``call.<word>.do``.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.board.effects import sole
from bot.core.interactions.components import PressButton
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.games.live import LiveGame
from engine.core.errors import Param
from engine.core.game import Game, Note
from engine.kits.cube import Call

CALLED: Final = "cube."
"""How the note begins of what is said, and is no turn by itself."""


def is_said(notes: Sequence[Note]) -> bool:
    """Whether a step that does this is said, not made on the board."""
    return bool(notes) and notes[0].key.startswith(CALLED)


def calls(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """What can be said, by its word; nothing where a step is made on the board."""
    said: dict[str, Any] = {}
    for step in game.legal(state):
        path = game.path(state, step)
        if len(path) > 1 or not is_said(game.notes(state, step)):
            return {}
        said[path[0]] = step
    return said


def word_of(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> str:
    """The word that a turn says; "" for a turn that is made on the board."""
    return next((word for word, step in calls(game, state).items() if (step,) == tuple(steps)), "")


def asked_about(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> bool:
    """Whether a turn says something that is not to be said by habit."""
    return bool(word_of(game, state, steps)) and steps[0] != game.automatic_action(state)


def params(game: Game[Any, Any], state: Any, step: Any) -> dict[str, Param]:
    """What a call does, as the parameters of its texts."""
    return {name: value for note in game.notes(state, step) for name, value in note.params.items()}


def move_buttons(live: LiveGame, say: Language, row: int | None = None) -> list[PressButton]:
    """The buttons of whoever is to act: Move, or one for each thing that can be said; or the only turn there is."""
    game, state, seq = live.game, live.state, live.seq
    said = calls(game, state)
    if not said:
        if only := sole(game, state):
            label = say("button.only", move=game.format(state, only))
            return [PressButton(Press("only", live.id, seq), label, "primary", row=row)]
        return [PressButton(Press("move", live.id, seq), say("button.move"), "primary", row=row)]
    automatic = game.automatic_action(state)
    styles = {Call.TAKE.value: "good", Call.PASS.value: "danger"}
    return [
        PressButton(
            Press("call", live.id, seq, word),
            say(f"call.{word}", **params(game, state, step)),
            "primary" if step == automatic else styles.get(word, "plain"),
            row=row,
        )
        for word, step in said.items()
    ]
