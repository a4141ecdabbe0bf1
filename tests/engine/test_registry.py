"""Games are found by key and version: several versions of one game stand side by side."""

from typing import ClassVar

import pytest
from fakes.toy import Heap, Nim

from engine import registry
from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import CHANCE
from engine.core.record import load
from engine.core.table import Table
from engine.registry import GAMES, RULES, VERSIONS, by_version, find, newest


class MiserlyNim(Nim):
    """The second version of the rules: without a die, two may be taken at most, not three."""

    version: ClassVar[int] = 2

    def legal(self, state: Heap) -> tuple[int, ...]:
        legal = tuple(super().legal(state))
        return legal if state.dice or self.to_act(state) in {None, CHANCE} else legal[:2]


OLD = """format: 1
game: nim
version: 1
id: old
started: 1000
option heap: 5
option dice: no

0 play 0 3
1 play 1 2
"""
NEW = OLD.replace("version: 1", "version: 2").replace("0 play 0 3\n1 play 1 2", "0 play 0 2\n1 play 1 2\n2 play 0 1")


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = (Nim(), MiserlyNim())
    monkeypatch.setattr(registry, "GAMES", newest(versions))
    monkeypatch.setattr(registry, "RULES", by_version(versions))


@pytest.mark.usefixtures("two")
def test_new_games_get_the_newest_version() -> None:
    assert find("nim").version == 2
    assert newest([MiserlyNim(), Nim()])["nim"].version == 2


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(("text", "winner"), [(OLD, 1), (NEW, 0)])
def test_a_stored_game_is_replayed_by_its_own_rules(text: str, winner: int) -> None:
    record = load(text)
    rules = find(record.header.game, record.header.version)
    assert rules.version == record.header.version
    table = Table.replay(rules, record)
    assert table.outcome is not None
    assert table.outcome.winner == winner


@pytest.mark.usefixtures("two")
def test_the_rules_of_another_version_do_not_fit() -> None:
    with pytest.raises(CorruptRecord):
        Table.replay(find("nim", 2), load(OLD))


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(("key", "version"), [("nim", 3), ("chess", None), ("chess", 1)])
def test_what_does_not_exist_is_refused(key: str, version: int | None) -> None:
    with pytest.raises(RuleError, match=r"game\.unknown"):
        find(key, version)


def test_a_version_stands_there_once() -> None:
    with pytest.raises(ValueError, match="nim in version 1"):
        by_version([Nim(), Nim()])


def test_every_game_is_found_in_its_version() -> None:
    assert all(find(game.key, game.version) is game for game in VERSIONS)
    assert list(GAMES) == list(dict.fromkeys(game.key for game in VERSIONS))
    assert len(RULES) == len(VERSIONS)
