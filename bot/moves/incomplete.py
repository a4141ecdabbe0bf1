"""Incomplete moves: typed texts of which only a part can be read, and their possible continuations.

A turn is played only if it was typed in full. The picker opens after the readable part and shows the continuations.
"""

from dataclasses import dataclass
from typing import Any, Final

from bot.board.cube_actions import cube_actions
from bot.core.translations import Language
from bot.games.notation import in_language
from bot.moves.draft import MAX_WHOLE_STEPS, Draft, Drafted, follow
from bot.moves.suggestions import matches_beginning, readable
from engine.core.game import Game
from engine.core.search import menu

MAX_NAMED: Final = 8
"""The most continuations that are named."""


@dataclass(frozen=True, slots=True)
class IncompleteMove:
    """The draft in which the picker opens, the continuations as text, and the turn if only one is possible."""

    draft: Draft
    fits: tuple[str, ...]
    turn: tuple[Any, ...] = ()

    def message(self, typed: str, say: Language) -> str:
        named = [f"`{in_language(text, say)}`" for text in self.fits[:MAX_NAMED]]
        return say(
            "picker.incomplete_move",
            text=typed.strip(),
            fits=", ".join(named) + (" …" if len(self.fits) > MAX_NAMED else ""),
        )


def incomplete_move(game: Game[Any, Any], state: Any, typed: str) -> IncompleteMove | None:
    """Returns the incomplete move of an unreadable text; None if no legal turn begins with it, or if it is empty."""
    if not any(map(str.isalnum, typed)) or cube_actions(game, state):
        return None
    steps, rest = readable(game, state, typed)
    drafted = follow(game, state, Draft.of(game, state, steps))
    if drafted.complete:
        return None
    legal = game.legal(drafted.state)
    nexts = {step: text for step in legal if matches_beginning(rest, text := game.format(drafted.state, (step,)))}
    turns = turns_beginning_with(game, state, typed)
    if not nexts and not turns:
        return None
    if not turns and len(nexts) == 1:
        turns = [(*steps, *nexts)]
        turns = turns if follow(game, state, Draft.of(game, state, turns[0])).complete else []
    fits = nexts.values() if nexts else [game.format(state, turn) for turn in turns]
    only = turns[0] if len(turns) == 1 else ()
    return IncompleteMove(_narrowed(drafted, set(nexts)).draft, tuple(dict.fromkeys(fits)), only)


def turns_beginning_with(game: Game[Any, Any], state: Any, typed: str) -> list[tuple[Any, ...]]:
    """Returns the legal turns that begin with the typed text; empty if the game does not enumerate its turns."""
    if not game.enumerates_turns:
        return []
    return [turn for turn, text in game.written_turns(state) if matches_beginning(typed, text)]


def _narrowed(drafted: Drafted, steps: set[Any]) -> Drafted:
    """Returns the draft with the words that all these steps have in common, without choosing a step."""
    game, state = drafted.game, drafted.state
    while steps and len(game.legal(state)) > MAX_WHOLE_STEPS:
        choices = enumerate(menu(game, state, drafted.words))
        holding = [(index, choice) for index, choice in choices if steps & set(choice.steps)]
        if len(holding) != 1 or len(holding[0][1].steps) == 1:
            break
        drafted = follow(game, drafted.before, drafted.draft.word(holding[0][0]))
    return drafted
