"""A draft: a turn that is being chosen. It holds the steps so far and the words of the next step, and fits a custom_id.

A draft is not part of the record: before it is confirmed, nothing is stored and no dice are rolled. Its numbers depend
on the order in which the game lists the legal steps, and another release of the bot may list them in another order. So
a draft contains a check of the position and of the choices, and never means another turn than the label of its button.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_lowercase
from typing import Any, Final

from bot.board.effects import only_turn
from engine.core.errors import Refused
from engine.core.game import Game, Mark, Seat
from engine.core.search import Choice, menu

MAX_WHOLE_STEPS: Final = 12
"""The most next steps that are offered whole: four lines of three buttons on a phone. With more, the piece is chosen
first. Where turns have many steps (``Game.enumerates_turns``), steps that end a longer turn are still offered whole.
"""
FROM: Final = "from"
TO: Final = "to"
CHECK_BYTES: Final = 3
"""24 bits: five characters of a custom_id."""
CHECK_SHIFTS: Final = (20, 15, 10, 5, 0)
BASE32: Final = f"{ascii_lowercase}234567"
"""The digits of RFC 4648, in lower case."""


class DraftOutdated(Refused):
    """The draft does not fit the position, or its numbers now mean other choices."""

    def __init__(self) -> None:
        super().__init__("picker.outdated")


@dataclass(frozen=True, slots=True)
class Draft:
    """Indexes into ``Game.legal`` for each step, and into each menu for the words of the next step."""

    steps: tuple[int, ...] = ()
    words: tuple[int, ...] = ()
    check: str = field(default="", compare=False)
    """The check of the choices that the numbers stood for (``check_of``); "" in a draft outside a button."""

    @classmethod
    def read(cls, text: str) -> "Draft":
        """Reads a text such as ``3.12~1~k4x2a``; "" is an empty draft. Raises DraftOutdated if it is not a draft."""
        try:
            steps, words, check = text.split("~") if text else ("", "", "")
            return cls(_numbers(steps), _numbers(words), check)
        except ValueError as error:
            raise DraftOutdated from error

    @classmethod
    def of(cls, game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> "Draft":
        chosen, check_texts = [], [game.encode(state)]
        for step in steps:
            chosen.append(list(game.legal(state)).index(step))
            check_texts.append(_step_words(game, state, step))
            state = game.apply(state, step)
        return cls(tuple(chosen), check=check_of(check_texts))

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.steps))}~{'.'.join(map(str, self.words))}~{self.check}"

    def step(self, index: int) -> "Draft":
        """Returns the draft with one more step, by its index in ``Game.legal``."""
        return Draft((*self.steps, index))

    def word(self, index: int) -> "Draft":
        """Returns the draft with one more word, by its index in the present menu."""
        return Draft(self.steps, (*self.words, index))

    def undone(self) -> "Draft":
        """Returns the draft without its last step or word, and without a check."""
        return Draft(self.steps, self.words[:-1]) if self.words else Draft(self.steps[:-1])


def opening(game: Game[Any, Any], state: Any) -> Draft:
    """Returns the first draft of a picker: the only legal turn, or the first steps that have no alternative."""
    steps: list[Any] = list(only_turn(game, state))
    if steps:
        return Draft.of(game, state, steps)
    actor, at = game.to_act(state), state
    while actor is not None and game.to_act(at) == actor and len(legal := game.legal(at)) == 1:
        steps.append(legal[0])
        at = game.apply(at, legal[0])
    return Draft.of(game, state, steps) if steps else Draft()


def check_of(check_texts: Sequence[str]) -> str:
    """Returns a short hash of the position text, followed by the words of each choice."""
    digest = hashlib.blake2b("\n".join(check_texts).encode(), digest_size=CHECK_BYTES).digest()
    bits = int.from_bytes(digest, "big") << 1
    return "".join([BASE32[bits >> shift & 31] for shift in CHECK_SHIFTS])


def _step_words(game: Game[Any, Any], state: Any, step: Any) -> str:
    """Returns the words of a step, which are unique within a position."""
    return " → ".join(game.path(state, step))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(".") if number)


@dataclass(frozen=True, slots=True)
class ChoiceCells:
    """The cells of one choice. A field is empty where the steps of the choice differ."""

    draft: Draft
    stones: frozenset[tuple[str, str]]
    """The cells at which its steps begin, each with its word, as a bar can hold stones of several kinds. Empty if a
    stone is placed on the board.
    """
    to: str
    """The cell to which its steps go."""
    end: str
    """The last of the stones that move together: the far end of a line, or the second of a pair. If there are none, the
    cell ``to``.
    """
    left: int
    """The number of words of the path that the choice decides."""


@dataclass(frozen=True)
class Drafted:
    """A draft applied to a position: its steps, the position after them, and the next choices.

    Derived values are computed on first use, and cached.
    """

    game: Game[Any, Any]
    before: Any
    draft: Draft
    steps: tuple[Any, ...]
    state: Any
    words: tuple[str, ...]
    offered: tuple[tuple[Draft, Choice[Any]], ...]
    """The next choices, each with the draft after it; empty when the turn is complete."""
    check_texts: tuple[str, ...]
    """The input of the check: the text of the position before the turn, then the words of each choice."""
    chosen: tuple[bool, ...]
    """Whether each step had an alternative."""

    @property
    def complete(self) -> bool:
        return not self.offered

    @cached_property
    def after(self) -> dict[Any, Any]:
        """The position after each of the next steps."""
        return {step: self.game.apply(self.state, step) for _, choice in self.offered for step in choice.steps}

    @cached_property
    def _actor(self) -> Seat | None:
        return self.game.to_act(self.before)

    def ends_turn(self, step: Any) -> bool:
        """Returns whether the turn is over after this next step."""
        return self.game.to_act(self.after[step]) != self._actor

    @cached_property
    def marks(self) -> dict[Any, tuple[Mark, ...]]:
        """The cells that each of the next steps touches."""
        return {step: self.game.marks(self.state, step) for _, choice in self.offered for step in choice.steps}

    @cached_property
    def cells(self) -> tuple[ChoiceCells, ...]:
        """The cells of each of the next choices, except for a pass, which has none."""
        return tuple(_cells_of(self, draft, choice) for draft, choice in self.offered if _touches(self, choice))

    @cached_property
    def text(self) -> str:
        return self.game.format(self.before, self.steps) if self.steps else ""

    @cached_property
    def text_in_order(self) -> str:
        """The steps so far in notation, one by one, in the order in which they are played."""
        state, texts = self.before, list[str]()
        for step in self.steps:
            texts.append(self.game.format(state, (step,)))
            state = self.game.apply(state, step)
        return " ".join(texts)

    def undone(self) -> Draft | None:
        """Returns the draft without the last choice that had an alternative; None if there was none."""
        if self.draft.words:
            shorter = self.draft.undone()
        elif True not in self.chosen or self.draft == opening(self.game, self.before):
            return None
        else:
            last = max(at for at, had_alternative in enumerate(self.chosen) if had_alternative)
            shorter = Draft(self.draft.steps[:last])
        choices = len(shorter.steps) + len(shorter.words)
        return replace(shorter, check=check_of(self.check_texts[: 1 + choices]))


def follow(game: Game[Any, Any], before: Any, draft: Draft, most_whole: int = MAX_WHOLE_STEPS) -> Drafted:
    """Applies a draft to the position ``before`` the turn. Raises DraftOutdated if it does not fit.

    ``most_whole``: with more next steps than this, the piece is chosen first; with 0, always.
    """
    actor = game.to_act(before)
    state = before
    steps: list[Any] = []
    words: list[str] = []
    chosen: list[bool] = []
    check_texts = [game.encode(before)]
    try:
        for index in draft.steps:
            if game.to_act(state) != actor:
                raise DraftOutdated
            legal = game.legal(state)
            step = legal[index]
            steps.append(step)
            chosen.append(len(legal) > 1)
            check_texts.append(_step_words(game, state, step))
            state = game.apply(state, step)
        complete = game.to_act(state) != actor
        for index in () if complete else draft.words:
            words.append(menu(game, state, words)[index].word)
    except IndexError as error:
        raise DraftOutdated from error
    check = check_of([*check_texts, *words])
    if draft.check not in {"", check}:
        raise DraftOutdated
    offered = () if complete else tuple(_offered(game, state, draft, words, check_texts, most_whole))
    checked = replace(draft, check=check)
    return Drafted(
        game, before, checked, tuple(steps), state, tuple(words), offered, (*check_texts, *words), tuple(chosen)
    )


def _offered(
    game: Game[Any, Any], state: Any, draft: Draft, words: Sequence[str], check_texts: Sequence[str], most_whole: int
) -> list[tuple[Draft, Choice[Any]]]:
    legal = list(game.legal(state))
    said = "\n".join(check_texts)

    def with_step(index: int) -> Draft:
        return Draft((*draft.steps, index), check=check_of((said, _step_words(game, state, legal[index]))))

    def whole(step: Any) -> tuple[Draft, Choice[Any]]:
        rest = " → ".join(game.path(state, step)[len(words) :])
        return with_step(legal.index(step)), Choice(rest, (step,), step)

    if not words and len(legal) <= most_whole:
        return [whole(step) for step in legal]
    actor, offered = game.to_act(state), list[tuple[Draft, Choice[Any]]]()

    def ends_turn(choice: Choice[Any]) -> bool:
        if words or game.enumerates_turns or not most_whole:
            return False
        return all(game.to_act(game.apply(state, step)) != actor for step in choice.steps)

    for index, choice in enumerate(menu(game, state, words)):
        if len(choice.steps) == 1 or ends_turn(choice):
            offered += map(whole, choice.steps)
        else:
            check = check_of([*check_texts, *words, choice.word])
            offered.append((replace(draft.word(index), check=check), choice))
    return offered


# --- the cells of a choice -------------------------------------------------------------------------------------------


def _touches(drafted: Drafted, choice: Choice[Any]) -> bool:
    return any(drafted.marks[step] for step in choice.steps)


def _cells_of(drafted: Drafted, draft: Draft, choice: Choice[Any]) -> ChoiceCells:
    game, state = drafted.game, drafted.state
    touched = [(step, marks) for step in choice.steps if (marks := drafted.marks[step])]
    stones = {(first.cell, game.path(state, step)[0]) for step, (first, *_) in touched if first.kind == FROM}
    to = {_goes_to(game, state, step, marks) for step, marks in touched}
    end = {cell for _, marks in touched for cell in [mark.cell for mark in marks if mark.kind == FROM][-1:]}
    left = 1 if choice.step is None else len(game.path(state, choice.step)) - len(drafted.words)
    return ChoiceCells(draft, frozenset(stones), _only(to), _only(end or to), left)


def _goes_to(game: Game[Any, Any], state: Any, step: Any, marks: Sequence[Mark]) -> str:
    """Returns the target of a step. Stones in line enter exactly one new cell. Without a target cell, it is the last
    word of the step's path.
    """
    left = {mark.cell for mark in marks if mark.kind == FROM}
    reached = [mark.cell for mark in marks if mark.kind == TO]
    entered = [cell for cell in reached if cell not in left]
    return entered[0] if len(entered) == 1 else reached[0] if reached else game.path(state, step)[-1]


def _only(cells: set[str]) -> str:
    return next(iter(cells)) if len(cells) == 1 else ""
