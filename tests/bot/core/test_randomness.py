"""Luck that anyone can check, and the luck of tests."""

import re
from collections import Counter

import pytest
from fakes.clock import START
from fakes.luck import ScriptedLuck, SeededLuck
from fakes.toy import WEIGHTS, Nim

from bot.core.randomness import SystemLuck, coin, fresh_id
from engine.core.chance import LENGTH, commitment, next_secret
from engine.core.record import Entry, Header, Kind
from engine.core.rolls import verify
from engine.core.table import Table

HEADER = ("nim", 1, "g", START, (("heap", 9), ("dice", "yes")), "")


def table(promised: str = "") -> Table[object, int]:
    return Table.open(Nim(), Header(*HEADER, promised))


def test_secrets_are_long_and_new_each_time() -> None:
    chains = {SystemLuck().secret() for _ in range(20)}
    assert len(chains) == 20
    assert all(re.fullmatch(f"{LENGTH}:[0-9a-f]{{64}}", chain) for chain in chains)
    secrets = {next_secret(chain) for chain in chains}
    assert len(secrets) == 20
    assert all(re.fullmatch("[0-9a-f]{64}", secret) for secret in secrets)


@pytest.mark.parametrize("luck", [SystemLuck(), SeededLuck(3)])
def test_a_roll_tells_its_secret_and_can_be_repeated(luck: SystemLuck | SeededLuck) -> None:
    secret, following = luck.secret(), commitment(luck.secret())
    before = table(commitment(secret))
    body = luck.body(before, secret, following)
    assert body == luck.body(before, secret, following)
    assert body.split(" ")[1:] == [secret, following]
    after = before.append(Entry(0, Kind.CHANCE, -1, body))
    assert verify(after.game, after.record) == 1


def test_rolls_come_as_often_as_they_weigh() -> None:
    luck, count = SeededLuck(1), 1200
    rolled = Counter(luck.body(table(), luck.secret(), "").split(" ")[0] for _ in range(count))
    for face, weight in WEIGHTS.items():
        assert rolled[str(face)] == pytest.approx(count * weight / 6, abs=60)  # about four standard deviations


def test_the_same_seed_gives_the_same_secrets() -> None:
    assert SeededLuck(1).secret() == SeededLuck(1).secret() != SeededLuck(2).secret()


def test_scripted_luck_complains_of_too_many_and_of_too_few() -> None:
    luck = ScriptedLuck(["1", "2"])
    assert luck.body(table(), luck.secret(), "") == "1"
    with pytest.raises(AssertionError, match="never rolled"):
        luck.close()
    assert luck.body(table(), luck.secret(), "") == "2"
    luck.close()
    with pytest.raises(AssertionError, match="no outcome is scripted"):
        luck.body(table(), luck.secret(), "")


def test_names_are_short_plain_and_new_each_time() -> None:
    names = {fresh_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(re.fullmatch("[0-9a-hjkmnp-tv-z]{10}", name) for name in names)


def test_the_coin_has_two_sides() -> None:
    assert {coin() for _ in range(100)} == {0, 1}
