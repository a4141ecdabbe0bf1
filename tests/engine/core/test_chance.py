"""Chains of secrets: each is the commitment to the one before it is revealed."""

import pytest

from engine.core import chance
from engine.core.chance import (
    LENGTH,
    commitment,
    new_chain,
    next_secret,
    promise,
    secrets_left,
    without_next,
)


def secrets(pending: str | None) -> list[str]:
    found = []
    while pending is not None:
        found.append(next_secret(pending))
        pending = without_next(pending)
    return found


def test_each_secret_of_a_chain_is_the_commitment_to_the_next() -> None:
    chain = new_chain("5eed", 9)
    found = secrets(chain)
    assert len(found) == 9
    assert found[-1] == "5eed"
    assert [commitment(secret) for secret in found] == [promise(chain), *found[:-1]]
    assert len(set(found)) == 9


def test_a_single_secret_is_a_chain_of_none() -> None:
    assert (secrets_left("ab12"), next_secret("ab12"), without_next("ab12")) == (0, "ab12", None)
    assert promise("ab12") == commitment("ab12")


def test_a_chain_goes_on_where_it_was_stored() -> None:
    chain = new_chain("0" * 64, 40)
    stored: str | None = chain
    for _ in range(17):
        assert stored is not None
        stored = without_next(stored)
    assert stored is not None
    assert secrets(stored) == secrets(chain)[17:]
    assert len(new_chain("f" * 64)) <= 128  # the column


def test_the_longest_way_to_a_secret_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes: list[str] = []
    monkeypatch.setattr(chance, "commitment", lambda secret: hashes.append(secret) or commitment(secret))
    chain = new_chain("5" * 64)
    assert secrets_left(chain) == LENGTH
    for most in (LENGTH, 64, 64):
        hashes.clear()
        next_secret(chain)
        assert len(hashes) <= most, "all of them only the first time"


@pytest.mark.parametrize("left", [1, 2, 64])
def test_what_is_revealed_says_nothing_about_the_seed(left: int) -> None:
    found = secrets(new_chain("secret-seed", left + 1))
    assert "secret-seed" not in found[:-1]
