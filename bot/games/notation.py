"""The words of a notation in the players' languages: ``barra/20`` is read as ``bar/20``, in every language.

A notation's own words stand in records. ``typed.<word>`` has what players may type for one, the first being what they
are shown; ``<game>.word.<word>`` is what the picker's buttons say.
"""

import re
from functools import cache
from typing import Final

from bot.core.translations import CODES, Language, language

TYPED: Final = "typed."
NOT_TYPED: Final = frozenset({"group", "with"})
"""Keys of sentences about words, and not of words."""
NOTATION_WORD: Final = re.compile(r"(?<![^\W\d_])[a-z]{3,}(?![^\W\d_])")


def to_notation(game: str, typed: str) -> str:
    """What a player typed, with the words of all languages replaced by those of the notation of the game ``game``."""
    known, pattern = _known(game)
    return pattern.sub(lambda found: known[found[0].casefold()], typed)


def in_language(text: str, say: Language) -> str:
    """A text in notation with its words in the player's language, as they may be typed."""

    def said(found: re.Match[str]) -> str:
        key = f"typed.{found[0]}"
        return say(key).split(",")[0] if say.has(key) else found[0]

    return NOTATION_WORD.sub(said, text)


@cache
def _known(game: str) -> tuple[dict[str, str], re.Pattern[str]]:
    """The words of the notation by what may be typed for them, and a pattern that finds these, the longest first."""
    words: dict[str, str] = {}
    for say in map(language, CODES):
        for prefix in (f"{game}.word.", TYPED):
            for key in sorted(key for key in say.keys if key.startswith(prefix)):
                word = key.removeprefix(prefix)
                texts = (text.strip().casefold() for text in say(key).split(",")) if word not in NOT_TYPED else ()
                words |= {text: word for text in texts if text not in {word, *words}}
    longest_first = sorted(words, key=len, reverse=True)
    either = "|".join(map(re.escape, longest_first))
    return words, re.compile(rf"(?<![^\W\d_])(?:{either})(?![^\W\d_])", re.IGNORECASE)
