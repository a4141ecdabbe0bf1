"""Suggestions while a player types a move: the matching legal turns, the most relevant first."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from bot.board.effects import NotedSteps, effect_rank, effects
from bot.core.interactions.discord_limits import cut
from bot.core.translations import Language
from bot.games.notation import in_language, to_notation
from engine.core.errors import RuleError
from engine.core.game import Game

LENGTH: Final = 100
BEGINS: Final = 0
CONTAINS: Final = 1
OTHER_ORDER: Final = 2
"""The rank of the third kind of match. 0: begins with the typed text; 1: contains it; this one: contains its words in
another order.
"""
MOST_WORDS: Final = 27
"""The most words of a turn that is read step by step: nine steps of three words."""
SEPARATORS: Final = str.maketrans(dict.fromkeys("-\u2013\u2014\u2212\u2192>\\", "/"))
MARKS: Final = re.compile(r"[^\w/^+]|_")
"""Characters that are ignored when texts are compared."""
PIECE_KIND: Final = re.compile(r":\w+")
"""The kind of a piece after its place, in notations that have it. Players may leave it out."""
BETWEEN: Final = re.compile(r"[\s+,;]+")
REPEATED_MOVE: Final = re.compile(r"(.+)\(([2-4])\)\W*")
"""A move that several pieces make."""


def suggestions(
    game: Game[Any, Any], state: Any, typed: str, say: Language, most: int | None = None
) -> list[tuple[str, str]]:
    """Returns up to ``most`` pairs of a label and the text to play, at most 100 characters each, the best first.

    First come turns that begin with the typed text, then those that contain it, then those that contain its words in
    another order. A word may leave out the stops between from and to. In each of these groups, turns that win, hit or
    capture come first, then those with other effects; turns that lose come last. If the game does not enumerate its
    turns, the suggestions are the next steps after the typed ones.
    """
    typed = to_notation(game.key, typed)
    looked_for = _Typed(typed)
    ranked = []
    walk = NotedSteps(game, state)
    for index, (steps, text) in enumerate(_plays(game, state, typed)):
        said = in_language(text, say)
        fits = min((fit for one in {text, said} if (fit := looked_for.fit(one)) is not None), default=None)
        if fits is None or len(text) > LENGTH:
            continue
        notes = walk.notes_of(steps)
        ranked.append(((fits, effect_rank(notes), index), said, notes, text))
    ranked.sort(key=lambda play: play[0])
    return [(cut(", ".join([said, *effects(notes, say)]), LENGTH), text) for _, said, notes, text in ranked[:most]]


def matches_beginning(typed: str, text: str) -> bool:
    """Returns whether the text of a turn begins with the typed text, or contains all its words in any order."""
    return _Typed(typed).begins_or_is_held(text)


class _Typed:
    """A typed text, read once for all the turns with which it is compared."""

    def __init__(self, typed: str) -> None:
        self._plain = _plain(typed)
        self._words = [_plain(word) for word in islice(_words(typed), MOST_WORDS + 1)]

    def fit(self, text: str) -> int | None:
        """Returns how well a turn matches the typed text, 0 the best; None if it does not match."""
        if not self._plain:
            return BEGINS
        variants = _variants(text)
        if any(one.startswith(self._plain) for one in variants):
            return BEGINS
        if any(self._plain in one for one in variants):
            return CONTAINS
        return OTHER_ORDER if self._is_held_by(text) else None

    def begins_or_is_held(self, text: str) -> bool:
        """Returns the result of ``matches_beginning`` for this text."""
        return any(one.startswith(self._plain) for one in _variants(text)) or self._is_held_by(text)

    def _is_held_by(self, text: str) -> bool:
        """Returns whether the typed words match different words of the turn."""
        left = [_variants(word) for word in _words(text)]
        if len(self._words) > len(left):
            return False
        for word in self._words:
            found = next((other for other in left if _word_fits(word, other)), None)
            if found is None:
                return False
            left.remove(found)
        return True


def _variants(text: str) -> tuple[str, str]:
    """Returns the text with and without the kinds of pieces, as players may type either."""
    plain = _plain(text)
    return plain, _plain(PIECE_KIND.sub("", text)) if ":" in text else plain


def _word_fits(word: str, variants: tuple[str, str]) -> bool:
    """Returns whether a word of a turn begins with the typed word,
    or has the same start and all typed stops in order.
    """
    if any(one.startswith(word) for one in variants):
        return True
    first, *stops = word.split("/")
    split = (one.split("/") for one in variants)
    return bool(stops) and any(stands[0] == first and _is_subsequence(stops, stands[1:]) for stands in split)


def _is_subsequence(some: list[str], stops: list[str]) -> bool:
    left = iter(stops)
    return all(stop in left for stop in some)


def _words(text: str) -> Iterator[str]:
    """Yields the moves of a text; a move that is made several times is repeated."""
    for word in BETWEEN.split(text):
        times = REPEATED_MOVE.fullmatch(word)
        if word:
            yield from [times[1]] * int(times[2]) if times else [word]


def _plays(game: Game[Any, Any], state: Any, typed: str) -> list[tuple[tuple[Any, ...], str]]:
    if game.enumerates_turns:
        return turns_with_texts(game, state)
    steps_typed, rest = readable(game, state, typed)
    actor, at = game.to_act(state), state
    for step in steps_typed:
        at = game.apply(at, step)
    if game.to_act(at) != actor:
        return [(steps_typed, game.format(state, steps_typed))]
    plays = [((*steps_typed, step), game.format(state, (*steps_typed, step))) for step in game.legal(at)]
    sought = _plain(rest)
    return [play for play in plays if sought in _plain(play[1])] if rest else plays


@lru_cache(maxsize=16)
def turns_with_texts(game: Game[Any, Any], state: Any) -> list[tuple[tuple[Any, ...], str]]:
    """Returns all turns with their texts. They are cached, as they are needed again with the next typed letter."""
    return [*game.written_turns(state)]


def readable(game: Game[Any, Any], state: Any, typed: str) -> tuple[tuple[Any, ...], str]:
    """Returns the steps that the beginning of the text means, and the rest of the text."""
    words = typed.split()
    for count in range(min(len(words), MOST_WORDS), 0, -1):
        try:
            return game.parse(state, " ".join(words[:count])), " ".join(words[count:])
        except RuleError:
            continue
    return (), typed


def _plain(text: str) -> str:
    """Returns the text without marks and spaces, in lower case, with one sign for all separators."""
    return MARKS.sub("", text.casefold().translate(SEPARATORS))
