"""Translates the words of a notation: ``barra/20`` is read as ``bar/20``, in every language.

Records hold the notation's own words. ``typed.<word>`` lists the words that players may type for a word; the first of
them is shown. ``<game>.word.<word>`` is the label of the picker's button.
"""

import re
from functools import cache
from typing import Final

from bot.core.translations import CODES, Language, language

TYPED: Final = "typed."
NOT_TYPED: Final = frozenset({"group", "with"})
"""Keys of sentences about words; they are no words themselves."""
NOTATION_WORD: Final = re.compile(r"(?<![^\W\d_])[a-z]{3,}(?![^\W\d_])")


def to_notation(game: str, typed: str) -> str:
    """Replaces the words of all languages in a typed text by those of the notation of ``game``."""
    known, pattern = _known(game)
    return pattern.sub(lambda found: known[found[0].casefold()], typed)


def in_language(text: str, say: Language) -> str:
    """Replaces the notation's words in a text by typable words of the player's language."""

    def said(found: re.Match[str]) -> str:
        key = f"typed.{found[0]}"
        return say(key).split(",")[0] if say.has(key) else found[0]

    return NOTATION_WORD.sub(said, text)


@cache
def _known(game: str) -> tuple[dict[str, str], re.Pattern[str]]:
    """Returns the notation's word for each word that may be typed, and a pattern that finds these words, longest
    first.
    """
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
