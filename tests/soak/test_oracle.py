"""The oracle finds what it is there for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.sandbox.world import World
from engine.core.record import Entry, Kind
from soak.journal import ACKED, REFUSED, UNCERTAIN, Attempt, Call, Journal
from soak.oracle import Oracle
from soak.processes import Span
from soak.turns import Played, judge
from soak.watch import Board, Watch


@pytest.fixture
def oracle() -> Oracle:
    world = World()
    return Oracle(Journal(world), Watch(world), [], [], "")


def played(*bodies: str, game: str = "g", channel_id: int = 1) -> Any:
    """A game of user 7 with these turns, each followed by one of the other's."""
    entries = [entry for body in bodies for entry in (Entry(0, Kind.PLAY, 0, body), Entry(0, Kind.PLAY, 1, "x"))]
    header = SimpleNamespace(game="abalone", id=game)
    stored = SimpleNamespace(record=SimpleNamespace(entries=tuple(entries), header=header), players=(7, 8))
    return Played(cast("Any", stored), 0, channel_id)


def attempt(seq: int, body: str | None, status: str, channel_id: int | None = None) -> Attempt:
    return Attempt("g", 7, seq, "typed", body, status, channel_id=channel_id)


@pytest.mark.parametrize(
    ("tried", "wrong"),
    [
        ([attempt(0, "a", ACKED), attempt(2, "b", ACKED)], 0),
        ([attempt(0, "a", ACKED), attempt(2, None, UNCERTAIN)], 0),
        ([attempt(0, "a", ACKED), attempt(0, "q", REFUSED), attempt(2, "b", ACKED)], 0),
        ([attempt(0, "a", ACKED), attempt(2, "b", REFUSED)], 1),  # refused, and in the record
        ([attempt(0, "a", ACKED)], 1),  # nobody sent the second
        ([attempt(0, "a", ACKED), attempt(2, "b", ACKED), attempt(2, "b", ACKED)], 1),  # acknowledged twice
        ([attempt(0, "a", ACKED), attempt(2, "b", ACKED), attempt(4, "c", ACKED)], 1),  # acknowledged and lost
        ([attempt(0, "a", ACKED), attempt(4, "b", UNCERTAIN)], 1),  # sent after the entry
    ],
)
def test_each_turn_is_sent_once_and_acknowledged_truly(tried: list[Attempt], wrong: int) -> None:
    violations = judge([played("a", "b")], tried, ()).violations
    assert len(violations) == wrong, violations


def test_a_turn_that_is_played_twice_is_found() -> None:
    assert len(judge([played("a", "a")], [attempt(0, "a", ACKED)], ()).violations) == 1


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        (attempt(4, "c", ACKED, channel_id=1), 0),  # the next game in the channel got it
        (attempt(4, "c", ACKED, channel_id=2), 3),  # typed elsewhere: lost there, and sent by nobody here
        (attempt(4, "c", ACKED), 3),  # a button names its game
        (attempt(4, "d", ACKED, channel_id=1), 2),
        (attempt(4, "c", REFUSED, channel_id=1), 1),
    ],
)
def test_a_typed_turn_belongs_to_the_game_that_runs_in_its_channel(sent: Attempt, wrong: int) -> None:
    first, following = played("a", "b"), played("c", game="h")
    tried = [attempt(0, "a", ACKED), attempt(2, "b", ACKED), sent]
    violations = judge([first, following], tried, ()).violations
    assert len(violations) == wrong, violations


def test_a_turn_in_a_strangers_game_is_found() -> None:
    assert len(judge([], [attempt(0, "a", ACKED)], ()).violations) == 1


def test_an_answer_is_missing_but_for_what_was_done_to_its_process(oracle: Oracle) -> None:
    for number, (owner, fault) in enumerate((("bot0", ""), ("bot1", ""), ("bot0", "stalled"))):
        oracle.journal.calls[number] = Call(number, "button", "move", 7, 100.0, owner, fault=fault)
    oracle.spans = [Span("bot1", "SIGKILL", 101.0, 110.0), Span("bot0", "SIGKILL", 104.0, 110.0)]
    oracle.answers()
    assert len(oracle.violations) == 1
    assert "to bot0" in oracle.violations[0]
    assert oracle.excused.total() == 2


def test_a_start_may_be_given_up_only_without_the_database(oracle: Oracle) -> None:
    oracle.database_spans = [Span("bot0", "database dark", 100.0, 105.0)]
    oracle.starts([Span("bot0", "a.log", 104.0, 110.0), Span("bot1", "b.log", 104.0, 110.0)])
    assert len(oracle.violations) == 1
    assert "bot1" in oracle.violations[0]


def test_a_board_that_is_behind_and_a_second_ping_are_found(oracle: Oracle) -> None:
    row = {"id": "g", "game": "abalone", "delivery_error": "", "shown_seq": 4, "attempts": 0}
    table = cast("Any", SimpleNamespace(seq=4))
    oracle.watch.boards["g"] = [Board("g", 3, 1, 1, (7,)), Board("g", 4, 2, 1, (8,))]
    oracle.shown(row, table)
    assert oracle.violations == []
    oracle.watch.boards["g"].append(Board("g", 4, 3, 1, (8,)))
    oracle.shown(row, table)
    assert len(oracle.violations) == 1
    oracle.watch.boards["g"] = [Board("g", 3, 1, 1, (7,))]
    oracle.shown(row, table)
    assert len(oracle.violations) == 2


def test_a_message_that_is_posted_twice_is_found(oracle: Oracle) -> None:
    world = oracle.watch.world
    channel = world.add_channel("games")
    for _ in range(2):
        world.messages.create(channel, world.bot_user, {"content": "Board", "nonce": "game12:3"}, {})
    oracle.posted()
    assert len(oracle.violations) == 1
