"""A game goes on from a snapshot just as from its whole record, and only from one that fits."""

import hashlib
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core import snapshot
from engine.core.clock import SECOND
from engine.core.errors import RuleError
from engine.core.game import CHANCE, Game
from engine.core.hours import DAY, HOUR
from engine.core.record import Entry, Header, Kind, Record, dump
from engine.core.snapshot import UnfitSnapshot
from engine.core.table import Table
from engine.registry import VERSIONS

every_game = pytest.mark.parametrize("game", VERSIONS, ids=[f"{game.key}-{game.version}" for game in VERSIONS])
TURNS = 40
CLOCKS = ("", "1d+2h", "10m+5s", "2d/move")


def roll(table: Table[Any, Any], luck: random.Random) -> str:
    outcomes = table.game.legal(table.state)
    weights = [table.game.weight(table.state, outcome) for outcome in outcomes]
    return table.game.format(table.state, luck.choices(outcomes, weights))


def turn(table: Table[Any, Any], luck: random.Random) -> str:
    game, steps, state = table.game, [], table.state
    while game.to_act(state) == table.to_act:
        steps.append(luck.choice(game.legal(state)))
        state = game.apply(state, steps[-1])
    return game.format(table.state, steps)


def something_else(table: Table[Any, Any], at: int, luck: random.Random) -> Table[Any, Any]:
    """Adds a random event that the rules allow now: an offer and its answer, time off, a gift, a late turn."""
    seat = luck.choice((0, 1))
    what = luck.choice(("draw", "takeback", "pause", "adjourn 3d/move", "resign 1"))
    acts = (
        lambda: table.make_offer(seat, what, at),
        lambda: table.make_offer(seat, "takeback", at).answer(1 - seat, at, accept=True),
        lambda: table.answer(seat, at, accept=what in {"takeback", "pause"}),
        lambda: table.resume(seat, at),
        lambda: table.give(seat, at),
        lambda: table.append(Entry(at, Kind.HOURS, seat, "1320-420 5,6 60 1774746000000:120")),
        lambda: table.append(Entry(at, Kind.AWAY, seat, f"{at} {at + DAY}")),
        lambda: table.append(Entry(at, Kind.CREDIT, CHANCE, f"{max(at - HOUR, 0)} {at}")),
        lambda: table.time_out(at + 40 * DAY),
    )
    try:
        return luck.choice(acts)()
    except RuleError:
        return table


def played(game: Game[Any, Any], seed: int) -> Table[Any, Any]:
    """Plays a random game with all events that can happen beside the turns."""
    luck = random.Random(seed)
    given = {option.key: luck.choice(option.choices) for option in game.options if option.choices}
    try:
        options = game.settle_options(given)
    except RuleError:
        options = game.settle_options({})
    clock, policy = luck.choice(CLOCKS), luck.choice(("loss", "claim"))
    header = Header(game.key, game.version, "law", 1000, tuple(options.items()), "", "", clock, policy if clock else "")
    table = Table.open(game, header)
    for _ in range(TURNS):
        at = (table.record.entries[-1].at if table.record.entries else 0) + luck.choice((0, SECOND, HOUR))
        if luck.random() < 0.3:
            table = something_else(table, at, luck)
        try:
            table = table.settle(at, lambda now: roll(now, luck))
            if table.to_act is None:
                break
            table = table.play(table.to_act, turn(table, luck), at)
        except RuleError:  # time is up
            break
    return table


@every_game
@examples(12)
@given(seed=st.integers(0, 2**32), cut=st.floats(0, 1))
def test_a_snapshot_and_the_rest_are_the_whole_record(game: Game[Any, Any], seed: int, cut: float) -> None:
    record = played(game, seed).record
    before = Table.replay(game, Record(record.header, record.entries[: round(cut * len(record.entries))]))
    text = before.snapshot()
    if text is None:  # no position text says that the cube's owner is about to roll, or that a double was passed
        passed = before.outcome is not None and before.outcome.reason == "end.passed"
        assert passed or game.to_act(before.state) == CHANCE
        return
    whole, resumed = Table.replay(game, record), Table.resume_from(game, record, text)
    assert resumed == whole
    assert repr(resumed) == repr(whole)  # types too: a tuple equals a NamedTuple
    assert resumed.notes == whole.notes
    assert resumed.snapshot() == whole.snapshot()


@every_game
@examples(5)
@given(seed=st.integers(0, 2**32))
def test_a_game_goes_on_from_a_snapshot(game: Game[Any, Any], seed: int) -> None:
    record = played(game, seed).record
    table = Table.open(game, record.header)
    for entry in record.entries:  # each entry follows a table that was only ever resumed
        text = table.snapshot()
        if text is not None:
            table = Table.resume_from(game, table.record, text)
        table = table.append(entry)
    assert table == Table.replay(game, record)


GAME = next(game for game in VERSIONS if game.keeps_history)


def sealed(record: Record, said: dict[str, Any]) -> str:
    """Returns a snapshot of any content with a seal that fits."""
    body, entries = json.dumps(said), record.entries
    if isinstance(said["seq"], int):
        entries = entries[: said["seq"]]
    text = dump(Record(record.header, entries)) + "\n" + body
    return hashlib.sha256(text.encode()).hexdigest() + "\n" + body


@pytest.fixture(name="table", scope="module")
def table_fixture() -> Table[Any, Any]:
    return next(table for table in (played(GAME, seed) for seed in range(99)) if table.seq > 20 and table.clock)


def test_a_snapshot_of_another_record_does_not_fit(table: Table[Any, Any]) -> None:
    record, text = table.record, table.snapshot()
    assert text is not None
    entry = record.entries[3]
    for other in (
        replace(record, header=replace(record.header, started=5)),
        replace(record, header=replace(record.header, version=99)),
        replace(record, entries=record.entries[:-1]),
        replace(record, entries=(*record.entries[:3], replace(entry, at=entry.at + 1), *record.entries[4:])),
    ):
        with pytest.raises(UnfitSnapshot):
            Table.resume_from(GAME, other, text)


def test_a_changed_snapshot_does_not_fit(table: Table[Any, Any]) -> None:
    text = table.snapshot() or ""
    for place in range(0, len(text), 7):
        changed = "0" if text[place] != "0" else "1"
        with pytest.raises(UnfitSnapshot):
            Table.resume_from(GAME, table.record, text[:place] + changed + text[place + 1 :])


@pytest.mark.parametrize(
    "change",
    [
        {"format": snapshot.FORMAT + 1},
        {"seq": 10_000},
        {"seq": -1},
        {"seq": "1"},
        {"state": "nonsense"},
        {"history": 7},
        {"clock": {}},
        {"away": [1]},
        {"last_turn": ["nonsense", 0, ""]},
        {"offer": [1, 2, 3]},
    ],
    ids=str,
)
def test_a_sealed_text_that_is_no_snapshot_does_not_fit(table: Table[Any, Any], change: dict[str, Any]) -> None:
    body = json.loads((table.snapshot() or "").partition("\n")[2]) | change
    with pytest.raises(UnfitSnapshot):
        Table.resume_from(GAME, table.record, sealed(table.record, body))


@pytest.mark.parametrize("text", ["", "\n", "x\n[]", "x\n{}", "x\nnull", "x\n" + "[" * 100_000])
def test_any_text_can_be_tried(table: Table[Any, Any], text: str) -> None:
    with pytest.raises(UnfitSnapshot):
        Table.resume_from(GAME, table.record, text)
