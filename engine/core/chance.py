"""Luck that can be checked: commit to a secret, draw from it and the record so far, reveal it.

The commitment (SHA-256 of a fresh secret) is public before the roll. The draw is HMAC-SHA256 under that secret of the
game, the number of the roll and the hash of the record, which ends with a play made after the commitment: neither
side, nor the server alone, can steer it. The secret is revealed with the roll, so anyone can repeat the draw.
"""

import hashlib
import hmac
from collections.abc import Sequence


def commitment(secret: str) -> str:
    """What is published before the draw: the SHA-256 of the secret's text, as 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def draw(weights: Sequence[int], secret: str, context: str) -> int:
    """The index drawn, with odds in exact proportion to the integer ``weights``.

    Each HMAC gives a 256-bit number; one in the incomplete last stretch is thrown away and the next taken, so that no
    outcome is favoured.
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
