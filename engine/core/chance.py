"""Verifiable luck: commit to a secret, draw from the secret and the record so far, reveal the secret.

The commitment (SHA-256 of a fresh secret) is public before the roll. The draw is HMAC-SHA256, keyed with the secret,
of the game's id, the number of the roll and the hash of the record so far. The record ends with a play made after the
commitment, so neither a player nor the server alone can steer the draw. The secret is revealed with the roll, so
anyone can repeat the draw.
"""

import hashlib
import hmac
from collections.abc import Sequence


def commitment(secret: str) -> str:
    """The SHA-256 of the secret's text, as 64 hexadecimal digits; it is published before the draw."""
    return hashlib.sha256(secret.encode()).hexdigest()


def draw(weights: Sequence[int], secret: str, context: str) -> int:
    """Draws an index, with odds in exact proportion to the integer ``weights``.

    Each HMAC gives a 256-bit number. Numbers from the largest multiple of the total weight on are rejected and the next
    is taken, so that no outcome is favoured (rejection sampling).
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
