"""Texts that are nearly right: seeds with random changes, and the shapes that break readers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

LONGEST: Final = 300
"""The most characters of a generated text, as of what a user types, but for awkward parts; longer seeds keep theirs."""
ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz0123456789 /-*:;,.+~|()[]{}<>#@!?'\"\\_=&%$^\t\n"
AWKWARD: Final = (
    "\0",
    "\ud800",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\u0661",  # a digit, but not an ASCII one
    "\u00b2",
    "\u2460",
    "\u0130",
    "\U0001f3b2",
    "\u2028",
    "\r\n",
    "NaN",
    "<@1>",
    "@everyone",
    "%s{0}",
    "../",
    "'; --",
)
NUMBERS: Final = (
    "",
    "-",
    "-1",
    "--5",
    "0",
    "007",
    "1_0",
    "1e9",
    "65536",
    "9" * 10,
    "9" * 25,
    "9" * 4300,  # the most digits that Python reads
    "9" * 4301,
    "\u0665",
    "\u00b2",
)
"""Texts in place of a number."""
NUMBER: Final = re.compile(r"-?[0-9]+")


def _insert(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(ALPHABET) + text[at:]


def _insert_awkward(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(AWKWARD) + text[at:]


def _renumber(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    number = rng.choice(found)
    return text[: number.start()] + rng.choice(NUMBERS) + text[number.end() :]


def _delete(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.randint(1, 4) :]


def _replace(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(ALPHABET) + text[at + 1 :]


def _repeat(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    at, length = rng.randint(0, len(text)), rng.randint(1, 8)
    return text[:at] + text[at : at + length] * rng.choice((2, 3, 10, 100)) + text[at + length :]


def _swap(rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    first, second = sorted(rng.randint(0, len(text)) for _ in range(2))
    return text[second:] + text[first:second] + text[:first]


def _splice(rng: random.Random, text: str, seeds: Sequence[str]) -> str:
    other = rng.choice(seeds)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


def _case(_rng: random.Random, text: str, _seeds: Sequence[str]) -> str:
    return text.swapcase()


CHANGES: Final[tuple[Callable[[random.Random, str, Sequence[str]], str], ...]] = (
    _insert,
    _insert,
    _insert_awkward,
    _renumber,
    _delete,
    _replace,
    _replace,
    _repeat,
    _swap,
    _splice,
    _case,
)


def mutated(rng: random.Random, seeds: Sequence[str]) -> str:
    """Returns one of the seeds with up to five random changes; one in ten is unchanged."""
    seed = text = rng.choice(seeds)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 3, 4, 5))):
        text = rng.choice(CHANGES)(rng, text, seeds)
    return text[: max(LONGEST, len(seed)) + max(map(len, NUMBERS))]
