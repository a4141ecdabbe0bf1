"""Luck that a test can foresee."""

import random
from collections.abc import Sequence
from typing import Any, Self

from engine.core.chance import LENGTH, draw, new_chain
from engine.core.record import Kind
from engine.core.rolls import drawn
from engine.core.table import Table


class SeededLuck:
    """The bot's own luck, but its secrets follow from ``seed``: with the same ids and times, the same rolls."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def secret(self) -> str:
        return f"{self._random.getrandbits(256):064x}"

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        return f"{drawn(table, secret)} {secret} {following_commitment}"


class SteadyLuck(SeededLuck):
    """The same rolls in each run, whatever the ids and times. They cannot be verified."""

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        outcomes = table.game.legal(table.state)
        weights = [table.game.weight(table.state, outcome) for outcome in outcomes]
        rolls = sum(entry.kind is Kind.CHANCE for entry in table.record.entries)
        outcome = outcomes[draw(weights, secret, str(rolls))]
        return f"{table.game.format(table.state, (outcome,))} {secret} {following_commitment}"


class ChainedLuck(SeededLuck):
    """The same with chains of ``length`` secrets, as the bot has them."""

    def __init__(self, seed: int, length: int = LENGTH) -> None:
        super().__init__(seed)
        self._length = length

    def secret(self) -> str:
        return new_chain(super().secret(), self._length)


class ScriptedLuck:
    """The outcomes of a list, one by one; entries hold nothing else. ``close`` complains of those left over."""

    def __init__(self, outcomes: Sequence[str]) -> None:
        self._left = list(outcomes)
        self._secrets = 0

    def secret(self) -> str:
        self._secrets += 1
        return f"{self._secrets:032x}"

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        del secret, following_commitment
        if not self._left:
            raise AssertionError(f"no outcome is scripted for {table.game.encode(table.state)}")
        return self._left.pop(0)

    def close(self) -> None:
        if self._left:
            raise AssertionError(f"never rolled: {self._left}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
