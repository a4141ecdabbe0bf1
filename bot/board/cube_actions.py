"""Cube actions (roll, double, take, pass), and the buttons of the player to act.

The cube actions follow from the game. If every legal step is a single word with a note about the cube (``CUBE_NOTES``),
there is no choice on the board, and each word is a button. The pass of a turn without a legal move is no cube action.

The automatic action of a game, Take and Pass are done at once; every other cube action is confirmed first. Take is the
first answer to a double, as it is the cheapest after a habitual tap.

The texts are ``cube_action.<word>`` and, for the confirmation, ``cube_action.<word>.confirm`` and
``cube_action.<word>.do``.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.board.effects import only_turn
from bot.core.interactions.components import PressButton
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.notation import in_language
from engine.core.errors import Param
from engine.core.game import Game, Note
from engine.kits.cube import CubeAction

CUBE_NOTES: Final = "cube."
"""The beginning of the message keys of notes about cube actions."""
AT_ONCE: Final = frozenset({CubeAction.TAKE, CubeAction.PASS})
"""The cube actions without confirmation, besides the automatic action."""


def is_cube_action(notes: Sequence[Note]) -> bool:
    """Returns whether a step with these notes is a cube action and not a move on the board."""
    return bool(notes) and notes[0].key.startswith(CUBE_NOTES)


def cube_actions(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """Returns the legal cube actions: word to step. Empty if the player has to move on the board."""
    actions: dict[str, Any] = {}
    for step in game.legal(state):
        path = game.path(state, step)
        if len(path) > 1 or not is_cube_action(game.notes(state, step)):
            return {}
        actions[path[0]] = step
    return actions


def word_of(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> str:
    """Returns the word of a cube action; "" if the turn is a move on the board."""
    return next((word for word, step in cube_actions(game, state).items() if (step,) == tuple(steps)), "")


def needs_confirmation(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> bool:
    """Returns whether the turn is a cube action that the player has to confirm."""
    word = word_of(game, state, steps)
    return bool(word) and word not in AT_ONCE and steps[0] != game.automatic_action(state)


def params(game: Game[Any, Any], state: Any, step: Any) -> dict[str, Param]:
    """Returns the parameters of the texts of a cube action, taken from its notes."""
    return {name: value for note in game.notes(state, step) for name, value in note.params.items()}


def move_buttons(live: LiveGame, say: Language, row: int | None = None) -> list[PressButton]:
    """Returns the buttons of the player to act: one for each cube action, or else the only legal turn, or else Move."""
    game, state, seq = live.game, live.state, live.seq
    actions = cube_actions(game, state)
    if not actions:
        if only := only_turn(game, state):
            label = say("button.only", move=in_language(game.format(state, only), say))
            return [PressButton(Press("only", live.id, seq), label, "primary", row=row)]
        return [PressButton(Press("move", live.id, seq), say("button.move"), "primary", row=row)]
    automatic = game.automatic_action(state)
    styles = {CubeAction.TAKE.value: "good", CubeAction.PASS.value: "danger"}
    flip = [PressButton(Press("flip", live.id, seq), say("button.flip"), row=row)] * (CubeAction.TAKE in actions)
    return [
        *(
            PressButton(
                Press("cube", live.id, seq, word),
                say(f"cube_action.{word}", **params(game, state, step)),
                "primary" if step == automatic else styles.get(word, "plain"),
                row=row,
            )
            for word, step in actions.items()
        ),
        *flip,
    ]
