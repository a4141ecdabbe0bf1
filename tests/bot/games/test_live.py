"""The estimate of what a game takes in memory is honest, short or long, before and after its story is told."""

from dataclasses import replace
from pathlib import Path

import pytest
from harness.sizes import deep_size

from bot.games.live import LiveGame, live_game, size_of
from bot.games.stored import Place, StoredGame
from engine.core.record import Record, load, unsealed
from engine.core.table import Table
from engine.registry import find

RECORDS = sorted(Path(__file__).parents[2].glob("golden/records/*.record"))
FACTOR = 2.2


def live_from(record: Record) -> LiveGame:
    table = Table.replay(find(record.header.game, record.header.version), record)
    return live_game(table, StoredGame(record, (1, 2), Place(1, 2), "en", "ab" * 32))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_a_game_takes_about_as_much_as_is_said(path: Path, share: float) -> None:
    whole = load(unsealed(path.read_text(encoding="utf-8"))[0])
    live = live_from(replace(whole, entries=tuple(whole.entries[: int(len(whole.entries) * share)])))
    assert 1 / FACTOR < size_of(live) / deep_size(live, live.game) < FACTOR
    assert live.table.notes is not None
    assert 1 / FACTOR < size_of(live) / deep_size(live, live.game) < FACTOR
