"""Suggestions while a player types a move: the legal turns that match, most relevant first."""

import re
from collections.abc import Iterator
from typing import Any, Final

from bot.board.effects import effect_rank, effects, notes_of
from bot.core.translations import Language
from bot.games.notation import in_language, to_notation
from engine.core.errors import RuleError
from engine.core.game import Game

LENGTH: Final = 100
BEGINS: Final = 0
CONTAINS: Final = 1
OTHER_ORDER: Final = 2
"""How well a turn matches: it begins with the typed text, contains it, or contains its words in another order."""
SEPARATORS: Final = str.maketrans(dict.fromkeys("-\u2013\u2014\u2212\u2192>\\", "/"))
PIECE_KIND: Final = re.compile(r":\w+")
"""The kind of a piece after its place, in notations that have it. It may be left out."""
REPEATED_MOVE: Final = re.compile(r"(.+)\(([2-4])\)\W*")
"""A move that several pieces make."""


def suggestions(game: Game[Any, Any], state: Any, typed: str, say: Language) -> list[tuple[str, str]]:
    """Pairs of a label and the text to play, at most 100 characters each, best first.

    First come turns that begin with the typed text, then those that contain it, then those that contain its words in
    another order; a word may leave out the stops between from and to. Within each of these groups, turns that win, hit
    or capture come first, then those with other effects, and turns that lose come last. If the game does not enumerate
    its turns, the suggestions are the next steps after those typed.
    """
    typed = to_notation(game.key, typed)
    ranked = []
    for index, (steps, text) in enumerate(_plays(game, state, typed)):
        said = in_language(text, say)
        fits = min((fit for one in {text, said} if (fit := _fit(typed, one)) is not None), default=None)
        if fits is None:
            continue
        notes = notes_of(game, state, steps)
        ranked.append((fits, effect_rank(notes), index, ", ".join([said, *effects(notes, say)]), text))
    ranked.sort()
    return [(shown[:LENGTH], text) for *_, shown, text in ranked if len(text) <= LENGTH]


def matches_beginning(typed: str, text: str) -> bool:
    """Whether the text of a turn begins with what is typed, or contains all its words in any order."""
    return any(one.startswith(_plain(typed)) for one in _variants(text)) or _holds_words(typed, text)


def _fit(typed: str, text: str) -> int | None:
    """How well a turn matches what is typed, 0 the best; None if it does not match."""
    plain_typed, variants = _plain(typed), _variants(text)
    if any(one.startswith(plain_typed) for one in variants):
        return BEGINS
    if any(plain_typed in one for one in variants):
        return CONTAINS
    return OTHER_ORDER if _holds_words(typed, text) else None


def _holds_words(typed: str, text: str) -> bool:
    """Whether each typed word matches a word of the turn, and no two the same one."""
    left = list(_words(text))
    for word in _words(typed):
        found = next((other for other in left if _word_fits(word, other)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _variants(text: str) -> tuple[str, str]:
    """The text with and without the kinds of pieces; players may type either."""
    return _plain(text), _plain(PIECE_KIND.sub("", text))


def _word_fits(word: str, other: str) -> bool:
    """Whether a word of a turn begins with the typed word, or has the same start and all typed stops in order."""
    plain_typed = _plain(word)
    if any(one.startswith(plain_typed) for one in _variants(other)):
        return True
    first, *stops = plain_typed.split("/")
    variants = [one.split("/") for one in _variants(other)]
    return bool(stops) and any(variant[0] == first and _is_subsequence(stops, variant[1:]) for variant in variants)


def _is_subsequence(some: list[str], stops: list[str]) -> bool:
    left = iter(stops)
    return all(stop in left for stop in some)


def _words(text: str) -> Iterator[str]:
    """The moves of a text; one that is made several times is repeated."""
    for word in re.split(r"[\s+,;]+", text):
        times = REPEATED_MOVE.fullmatch(word)
        if word:
            yield from [times[1]] * int(times[2]) if times else [word]


def _plays(game: Game[Any, Any], state: Any, typed: str) -> list[tuple[tuple[Any, ...], str]]:
    if game.enumerates_turns:
        return [(steps, game.format(state, steps)) for steps, _ in game.turns(state)]
    steps_typed, rest = readable(game, state, typed)
    actor, at = game.to_act(state), state
    for step in steps_typed:
        at = game.apply(at, step)
    if game.to_act(at) != actor:
        return [(steps_typed, game.format(state, steps_typed))]
    plays = [((*steps_typed, step), game.format(state, (*steps_typed, step))) for step in game.legal(at)]
    return plays if not rest else [play for play in plays if _plain(rest) in _plain(play[1])]


def readable(game: Game[Any, Any], state: Any, typed: str) -> tuple[tuple[Any, ...], str]:
    """The steps that the beginning of the text means, and the rest of the text."""
    words = typed.split()
    for count in range(len(words), 0, -1):
        try:
            return game.parse(state, " ".join(words[:count])), " ".join(words[count:])
        except RuleError:
            continue
    return (), typed


def _plain(text: str) -> str:
    """The text without marks and spaces, in lower case, with one sign for all separators."""
    letters = text.casefold().translate(SEPARATORS)
    return "".join(letter for letter in letters if letter.isalnum() or letter in "/^+")
