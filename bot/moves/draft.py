"""A turn being chosen: the steps so far and the words of the next one, small enough for a custom_id.

It is no history: nothing is stored, and nothing is drawn, before it is confirmed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core.errors import Refused
from engine.core.game import Game
from engine.core.search import Choice, menu

AT_ONCE: Final = 20
"""As many next steps as are offered whole; beyond it the piece is chosen first. Four rows of five buttons."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Positions in the fixed order of ``Game.legal`` for each step, and in each menu for the words of the next step."""

    steps: tuple[int, ...] = ()
    words: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Draft":
        """Reads ``3.12~1``. Raises Refused if it is not a draft."""
        steps, _, words = text.partition("~")
        try:
            return cls(_numbers(steps), _numbers(words))
        except ValueError as error:
            raise Refused("table.stale") from error

    @classmethod
    def of(cls, game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> "Draft":
        """The draft of steps that were typed."""
        chosen = []
        for step in steps:
            chosen.append(list(game.legal(state)).index(step))
            state = game.apply(state, step)
        return cls(tuple(chosen))

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.steps))}~{'.'.join(map(str, self.words))}"

    def step(self, index: int) -> "Draft":
        """With one more step, the ``index``-th of those legal now."""
        return Draft((*self.steps, index))

    def word(self, index: int) -> "Draft":
        """With one more word, the ``index``-th of the menu offered now."""
        return Draft(self.steps, (*self.words, index))

    def undone(self) -> "Draft":
        """Without the last choice."""
        return Draft(self.steps, self.words[:-1]) if self.words else Draft(self.steps[:-1])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(".") if number)


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft at a table: the steps it means, the position they lead to, and what can be chosen next."""

    game: Game[Any, Any]
    before: Any
    draft: Draft
    steps: tuple[Any, ...]
    state: Any
    words: tuple[str, ...]
    offered: tuple[tuple[Draft, Choice[Any]], ...]
    """What can be chosen, with the draft that choosing it gives; empty when the turn is complete."""

    @property
    def complete(self) -> bool:
        return not self.offered

    @property
    def text(self) -> str:
        """The steps so far in notation."""
        return self.game.format(self.before, self.steps) if self.steps else ""


def follow(game: Game[Any, Any], before: Any, draft: Draft) -> Drafted:
    """Replays a draft from the position ``before`` the turn. Raises Refused if it does not fit there."""
    actor = game.to_act(before)
    state = before
    steps: list[Any] = []
    words: list[str] = []
    try:
        for index in draft.steps:
            if game.to_act(state) != actor:
                raise Refused("table.stale")
            step = game.legal(state)[index]
            steps.append(step)
            state = game.apply(state, step)
        if game.to_act(state) != actor:
            return Drafted(game, before, draft, tuple(steps), state, (), ())
        for index in draft.words:
            words.append(menu(game, state, words)[index].word)
    except IndexError as error:
        raise Refused("table.stale") from error
    return Drafted(game, before, draft, tuple(steps), state, tuple(words), tuple(_offered(game, state, draft, words)))


def _offered(game: Game[Any, Any], state: Any, draft: Draft, words: Sequence[str]) -> list[tuple[Draft, Choice[Any]]]:
    legal = list(game.legal(state))
    if not words and len(legal) <= AT_ONCE:
        whole = ((step, " → ".join(game.path(state, step))) for step in legal)
        return [(draft.step(index), Choice(text, (step,), step)) for index, (step, text) in enumerate(whole)]
    offered = []
    for index, choice in enumerate(menu(game, state, words)):
        if len(choice.steps) == 1:  # nothing left to choose: offered whole
            (step,) = choice.steps
            rest = " → ".join(game.path(state, step)[len(words) :])
            offered.append((draft.step(legal.index(step)), Choice(rest, (step,), step)))
        else:
            offered.append((draft.word(index), choice))
    return offered
