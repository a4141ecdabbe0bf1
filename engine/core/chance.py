"""Verifiable luck: promise all secrets at once, draw each roll from the next secret and the record so far, reveal it.

The secrets of a game are a chain s1, s2, ... in which each is the SHA-256 of the one after it. The commitment s0, the
SHA-256 of s1, is public before the first roll: the challenge shows it. Each roll is HMAC-SHA256, keyed with its secret,
of the game's id, the number of the roll and the hash of the record so far. The secret is revealed with the roll, and
is itself the commitment to the secret of the next roll. So anyone can repeat every draw.

Why the host cannot exchange a secret: nobody can find another text with the same SHA-256. So s0 promises every secret
of the chain, also for rolls without a play between them. A chain ends after LENGTH secrets. The next one is announced
(see RENEWED) with a roll that a play of a player follows, so its secrets are public before they are needed, too.

Why the host cannot steer a roll: its secret is fixed, and the players chose the plays in the record after the promise.
The host itself writes two things of the record: the id and start of the game, and the times of the entries. A game's id
is given once, and times must agree with what the players see in the channel; within these bounds a cheating host could
try several. The first roll has no play before it.

Why a player cannot steer a roll: the secret is not known before the roll, and without it every draw is as likely as its
weight says. The next secret cannot be computed from revealed ones, because SHA-256 cannot be inverted. This holds as
long as the host keeps the seed of the chain to itself: the seed gives away all rolls that follow a play.
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

LENGTH: Final = 1024
"""Secrets of a chain. A match seldom needs so many rolls; a longer chain takes longer to compute."""
RENEWED: Final = "new"
"""The last word of a chance entry's body if its commitment begins a new chain."""
_MARK: Final = ":"
_BLOCK: Final = 32


def commitment(secret: str) -> str:
    """Returns the SHA-256 of the secret's text, as 64 hexadecimal digits. It is published before the draw."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_chain(seed: str, length: int = LENGTH) -> str:
    """Makes a chain of ``length`` secrets as a text to be stored: the number of secrets left, and the last one, the
    seed.

    Never publish it: all secrets of the chain follow from it.
    """
    return f"{length}{_MARK}{seed}"


def secrets_left(pending: str) -> int:
    """Counts the secrets that a stored chain still has; 0 if ``pending`` is a single secret."""
    left, mark, _ = pending.partition(_MARK)
    return int(left) if mark else 0


def next_secret(pending: str) -> str:
    """Returns the next secret of a stored chain, or the single secret itself.

    It takes LENGTH hashes the first time, about half a ms, and later at most twice _BLOCK.
    """
    blocks, others = divmod(max(secrets_left(pending) - 1, 0), _BLOCK)
    return _hashed(_block(pending.rpartition(_MARK)[2], blocks), others)


@lru_cache(maxsize=4096)
def _block(seed: str, number: int) -> str:
    """Computes the secret ``number`` times _BLOCK before the seed. Cached, as it depends on the seed alone."""
    return _hashed(_block(seed, number - 1), _BLOCK) if number else seed


def _hashed(secret: str, times: int) -> str:
    for _ in range(times):
        secret = commitment(secret)
    return secret


def promise(pending: str) -> str:
    """Returns the commitment to the next secret of a stored chain, or to the single secret."""
    return commitment(next_secret(pending))


def without_next(pending: str) -> str | None:
    """Returns the stored chain after its next secret has been revealed; None if there is no other secret."""
    left = secrets_left(pending) - 1
    return new_chain(pending.rpartition(_MARK)[2], left) if left > 0 else None


def draw(weights: Sequence[int], secret: str, context: str) -> int:
    """Draws an index, with odds in exact proportion to the integer ``weights``.

    Each HMAC gives a 256-bit number. A number at or above the largest multiple of the total weight is rejected and the
    next one is taken, so that no outcome is favoured (rejection sampling).
    """
    total = sum(weights)
    limit = (1 << 256) // total * total
    attempt = 0
    while True:
        digest = hmac.digest(secret.encode(), f"{context}:{attempt}".encode(), "sha256")
        number = int.from_bytes(digest, "big")
        if number < limit:
            break
        attempt += 1
    number %= total
    for index, weight in enumerate(weights):
        if number < weight:
            return index
        number -= weight
    raise AssertionError("weights are positive")
