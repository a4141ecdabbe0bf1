"""Where luck and names come from. The engine has none of its own."""

import secrets
from typing import Any, Final, Protocol

from engine.core.rolls import drawn
from engine.core.table import Table

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's digits: no letter that reads like another."""
ID_LENGTH: Final = 10
"""50 bits: among a million games the odds that any two share an id are one in 2000; the second is then refused."""


class Luck(Protocol):
    """The source of rolls."""

    def secret(self) -> str:
        """A fresh secret, 32 hexadecimal digits or more."""

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        """The body of the next chance entry: the outcome, the secret revealed, the commitment to the next one."""


class SystemLuck:
    """Secrets of the operating system; every roll can be checked by anyone (engine.core.chance)."""

    def secret(self) -> str:
        return secrets.token_hex(32)

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        return f"{drawn(table, secret)} {secret} {following_commitment}"


def fresh_id() -> str:
    """A new name for a game or a challenge, short enough for a button."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def coin() -> int:
    """0 or 1, evenly: who gets which seat."""
    return secrets.randbelow(2)
