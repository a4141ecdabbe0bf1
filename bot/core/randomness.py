"""The source of dice rolls, ids and coin tosses. The engine itself has no randomness."""

import secrets
from typing import Any, Final, Protocol

from engine.core.chance import new_chain
from engine.core.rolls import drawn
from engine.core.table import Table

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letter looks like another. Every letter stands for as many values of a byte (8)."""
ID_LENGTH: Final = 10
"""50 bits: among a million games, two share an id with odds of one in 2000. The second of them is refused."""


class Luck(Protocol):
    """The source of rolls."""

    def secret(self) -> str:
        """Returns fresh secrets for the rolls of a game, as a text to be stored: a chain (engine.core.chance), or a
        single one.

        They stay secret; ``chance.promise`` of them is published.
        """

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        """Returns the body of the next chance entry: the outcome, the revealed secret, the commitment to the next
        secret.
        """


class SystemLuck:
    """Chains of secrets from the operating system. Anyone can verify the rolls (engine.core.chance)."""

    def secret(self) -> str:
        return new_chain(secrets.token_hex(32))

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        return f"{drawn(table, secret)} {secret} {following_commitment}"


def fresh_id() -> str:
    """Returns a new id for a game or a challenge, short enough for a custom_id."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(ID_LENGTH))


def coin() -> int:
    """Returns 0 or 1 with equal odds, to draw the seats."""
    return secrets.randbelow(2)
