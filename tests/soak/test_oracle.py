"""The oracle finds what it is there for."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.core.interactions.answer import LONGEST_WORK
from bot.sandbox.interactions.interaction import COMMAND, DEFERRED_MESSAGE, Interaction
from bot.sandbox.interactions.payloads import new_interaction
from bot.sandbox.validation.messages import EPHEMERAL
from bot.sandbox.world import World
from engine.core.record import Entry, Kind
from soak.journal import ACKED, REFUSED, UNCERTAIN, Attempt, Call, Journal
from soak.oracle import Oracle
from soak.processes import Span
from soak.report import Report
from soak.turns import Played, judge
from soak.watch import KEPT, Board, Watch

THINKS = {"type": DEFERRED_MESSAGE, "data": {"flags": EPHEMERAL}}


@pytest.fixture
def oracle() -> Oracle:
    world = World()
    return Oracle(Journal(world), Watch(world), [], [], "")


def played(*bodies: str, game: str = "g", channel_id: int = 1) -> Any:
    """Returns a game of user 7 with these turns, each followed by one of the other's."""
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


async def sent_by(oracle: Oracle, owner: str = "bot0") -> Interaction:
    """Returns a command that was sent at 100 and deferred: its user reads in private that the bot is thinking."""
    world = oracle.watch.world
    channel, user = world.add_channel("games"), world.add_user("Ana")
    sent = new_interaction(world, world.permissions, "slash", COMMAND, user, channel, {"name": "abak"})
    sending = asyncio.create_task(world.interactions.send(sent))
    await asyncio.sleep(0)
    world.interactions.answer(sent.id, sent.token, THINKS, {})
    await sending
    call = oracle.journal.calls[sent.id]
    call.sent, call.owner = 100.0, owner
    return sent


@pytest.mark.parametrize(
    ("what", "after", "excused"),
    [
        ("SIGKILL", 1.0, True),
        ("SIGKILL", LONGEST_WORK + 10, True),  # the work was just given up, and the user about to be told
        ("SIGKILL", LONGEST_WORK + 20, False),  # at "thinking" too long, whatever came later
        ("SIGKILL", 890.0, False),
        ("SIGKILL", -1.0, False),  # who answered that the bot thinks was started afterwards
        ("SIGTERM", 1.0, False),
        ("SIGSTOP", 1.0, False),
        ("gateway drop", 1.0, False),
    ],
)
async def test_thinking_for_ever_is_excused_by_a_kill_in_time_only(
    oracle: Oracle, what: str, after: float, *, excused: bool
) -> None:
    await sent_by(oracle)
    oracle.spans = [Span("bot0", what, 100.0 + after, 1000.0), Span("bot1", "SIGKILL", 101.0, 110.0)]
    oracle.answers()
    assert [one.split(":")[0] for one in oracle.violations] == ["deferred and never completed"] * (not excused)
    assert oracle.excused.total() == excused


async def test_a_message_at_thinking_that_is_gone_answers_nothing(oracle: Oracle) -> None:
    sent = await sent_by(oracle)
    oracle.watch.world.messages.delete(sent.original or 0)
    oracle.answers()
    assert len(oracle.violations) == 1


async def test_one_that_the_bot_deletes_or_fills_in_is_answered(oracle: Oracle) -> None:
    interactions = oracle.watch.world.interactions
    interactions.delete(await sent_by(oracle), None)
    interactions.edit(await sent_by(oracle), None, {"content": "Done"}, {})
    interactions.follow_up(await sent_by(oracle), {"content": "Done"}, {})
    gone = await sent_by(oracle)
    oracle.watch.world.messages.delete(gone.original or 0)
    interactions.follow_up(gone, {"content": "Done"}, {})  # the bot's own words, wherever they stand
    oracle.answers()
    assert oracle.violations == []
    assert not oracle.excused


async def test_what_follows_an_answer_is_not_excused_by_a_delay(oracle: Oracle) -> None:
    sent = await sent_by(oracle)
    path = f"/webhooks/{oracle.watch.world.application_id}/{sent.token}/messages/@original"
    oracle.journal.met(path, "held back 0.5 s", delayed=True)
    oracle.answers()
    assert len(oracle.violations) == 1
    oracle.journal.met(path, "500")
    oracle.answers()
    assert oracle.excused == {("500", "deferred and never completed"): 1}


async def test_private_messages_at_thinking_are_kept(oracle: Oracle) -> None:
    sent = await sent_by(oracle)
    world = oracle.watch.world
    made = [
        world.messages.create(sent.channel_id, world.bot_user, {"content": "Look"}, {}, owner=sent.user_id)
        for _ in range(2 * KEPT)
    ]
    assert world.messages.find(sent.original or 0) is not None
    kept = [one for one in made if world.messages.find(int(one["id"])) is not None]
    assert kept == made[1 - KEPT :]


def test_what_a_stop_in_good_order_finds_under_way_is_answered(oracle: Oracle) -> None:
    """The span of a stop begins when the process has left the gateway."""
    for what in ("SIGTERM", "start"):
        oracle.spans = [Span("bot0", what, 101.0, 105.0)]
        for number, sent in enumerate((100.0, 102.0)):
            oracle.journal.calls[number] = Call(number, "button", "move", 7, sent, "bot0")
        oracle.answers()
        assert len(oracle.violations) == 1, what
        assert "at 100.00" in oracle.violations.pop()
        assert oracle.excused.pop((what, "without an answer")) == 1


def test_a_kill_is_told_apart_from_every_other_excuse(oracle: Oracle) -> None:
    oracle.spans = [Span("bot0", "no processor", 99.0, 101.0), Span("bot0", "SIGKILL", 101.0, 105.0)]
    oracle.journal.calls[1] = Call(1, "button", "move", 7, 100.0, "bot0")
    oracle.journal.calls[2] = Call(2, "button", "move", 7, 97.0, "bot0")
    for number in (3, 4):
        oracle.journal.calls[number] = Call(number, "button", "move", 7, 100.0, "bot0", fault="429")
    oracle.answers()
    found = {("SIGKILL", "without an answer"): 1, ("no processor", "without an answer"): 1}
    assert oracle.excused == {**found, ("429", "without an answer"): 2}
    none: Counter[str] = Counter()
    told = str(Report(1, 1, 1.0, [], none, none, {}, oracle.excused, none, [], [], none))
    assert "in flight to a killed process: 1" in told
    assert "excused for another reason: 3" in told
    assert next(line.split() for line in told.splitlines() if "no processor: without" in line)[-1] == "1"


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
    first, _ = (
        world.messages.create(channel, world.bot_user, {"content": "Board", "nonce": "game12:3"}, {}) for _ in range(2)
    )
    world.messages.delete(int(first["id"]))
    oracle.posted()
    (found,) = oracle.violations
    assert re.fullmatch(
        r"posted 2 times in \d+: game12:3,"
        r" with the nonce at [\d.]+, deleted at [\d.]+; with the nonce at [\d.]+; near: -",
        found,
    )


@pytest.mark.parametrize(
    ("winner", "said", "wrong"),
    [
        (80, "<@80> wins: White resigned.", 0),
        (80, "<@70> wins: Black resigned.", 1),
        (80, "The game is over.", 1),
        (3, "Machine 3 wins: White resigned.", 0),  # a machine is not mentioned
        (3, "<@70> wins: Black resigned.", 1),
    ],
)
def test_a_result_that_is_told_wrongly_is_found(oracle: Oracle, winner: int, said: str, wrong: int) -> None:
    world = oracle.watch.world
    message = world.messages.create(world.add_channel("games"), world.bot_user, {"content": said}, {})
    oracle.watch.boards["g"] = [Board("g", 4, int(message["id"]), 1, ())]
    row = {"id": "g", "game": "abalone", "delivery_error": "", "match_id": None, "points0": -1, "points1": 1}
    oracle.result({**row, "reason": "end.resigned"}, cast("Any", SimpleNamespace(players=(70, winner))))
    assert len(oracle.violations) == wrong
