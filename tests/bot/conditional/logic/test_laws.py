"""Laws of conditional moves, over random games and trees. Expectations are kept as positions, not as a tree."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from fakes.book import ANN, BOB, HERE, Book, some_turn
from harness.examples import examples
from harness.thinning import one_of
from hypothesis import given
from hypothesis import strategies as st

from bot.conditional.logic.move import ConditionalMove
from bot.conditional.logic.tree import RESIGN, branches, follow, position_after
from bot.conditional.service import reply_due
from bot.games.hooks import apply_reply
from bot.games.new_game import NewGame
from engine.core.record import Header, Kind
from engine.core.table import Table
from engine.registry import GAMES

if TYPE_CHECKING:
    from engine.core.game import Game

START = 1_800_000_000_000
Line = dict[Any, tuple[str, Any]]
"""The replies by the positions that the opponent's turn may lead to: each reply, and the replies after it."""


def grow(
    game: Game[Any, Any], state: Any, seat: int, depth: int, rng: random.Random, ids: Any, parent: int | None = None
) -> tuple[list[ConditionalMove], Line]:
    """Returns a tree, as it is stored and as nested positions."""
    moves: list[ConditionalMove] = []
    wanted: Line = {}
    for _ in range(rng.randint(1, 3) if depth else 0):
        condition = some_turn(game, state, rng)
        asked = position_after(game, state, condition)
        if asked in wanted or game.to_act(asked) is None:
            continue
        reply = RESIGN if rng.random() < 0.05 else some_turn(game, asked, rng)
        move = ConditionalMove(next(ids), seat, parent, condition, reply, persistent=False, created=0)
        moves.append(move)
        below: Line = {}
        after = None if reply == RESIGN else position_after(game, asked, reply)
        if after is not None and game.to_act(after) is not None:
            more, below = grow(game, after, seat, depth - 1, rng, ids, move.id)
            moves += more
        wanted[asked] = (reply, below)
    return moves, wanted


def committed(
    trees: list[list[ConditionalMove]], table: Table[Any, Any], text: str
) -> tuple[Table[Any, Any], list[list[ConditionalMove]], list[bool]]:
    """Plays a turn and its conditional replies, as one commit does.

    Returns the table, what remains of each tree, and whether each seat is told that its tree was left.
    """
    now = table.play(table.to_act or 0, text, table.seq)
    while now.outcome is None:
        seat = now.to_act
        assert seat is not None
        reply = reply_due(follow(trees[seat], seat, table, now), now)
        if reply is None:
            break
        now = apply_reply(now, reply)
    kept, told = [], []
    for seat in (0, 1):
        followed = follow(trees[seat], seat, table, now)
        assert followed.consistent
        stay = branches(trees[seat], followed.roots)
        tops = {move.id for move in followed.roots}
        rest = [move for move in trees[seat] if move.id in stay]
        kept.append(
            [
                ConditionalMove(p.id, p.seat, None, p.condition, p.reply, p.persistent, 0) if p.id in tops else p
                for p in rest
            ]
        )
        told.append(bool(followed.reason))
    return now, kept, told


@pytest.mark.parametrize("key", ["abalone", "apb"])
@given(seed=st.integers(0, 10**9), begun=st.integers(0, 40), hits=st.floats(0.3, 1))
@examples(40)
def test_a_reply_is_played_as_set_and_only_on_its_condition(key: str, seed: int, begun: int, hits: float) -> None:
    """One side has conditional moves from some position on. The other now and then plays one of their conditions."""
    rng, game = random.Random(seed), GAMES[key]
    table = Table.open(game, Header(key, game.version, "g", START, tuple(game.settle_options({}).items())))
    for _ in range(begun):
        if table.outcome is None:
            table = table.play(table.to_act or 0, some_turn(game, table.state, rng), table.seq)
    if table.outcome is not None:
        return
    mover = table.to_act or 0
    moves, wanted = grow(game, table.state, 1 - mover, 3, rng, count(1))
    trees: list[list[ConditionalMove]] = [[], []]
    trees[1 - mover] = moves
    while table.outcome is None and (wanted or rng.random() < 0.5):
        foreseen = [move.condition for move in trees[1 - mover] if move.parent_id is None]
        text = rng.choice(foreseen) if foreseen and rng.random() < hits else some_turn(game, table.state, rng)
        had, then = bool(wanted), position_after(game, table.state, text)
        reply, below = wanted.get(then, (None, {}))
        seq = table.seq
        table, trees, told = committed(trees, table, text)
        _, *answered = table.record.entries[seq:]
        drawn = table.outcome is not None and not answered
        if reply is None or drawn:
            assert answered == []
            assert trees[1 - mover] == [] or drawn
            assert told[1 - mover] is (had and reply is None)
        else:
            (entry,) = answered
            kind = Kind.RESIGN if reply == RESIGN else Kind.CONDITIONAL
            assert (entry.kind, entry.seat) == (kind, 1 - mover)
            if reply != RESIGN:
                assert position_after(game, then, entry.body) == position_after(game, then, reply)
            assert not told[1 - mover]
        wanted = below if table.outcome is None else {}
        if table.outcome is None and table.to_act != mover:
            break  # the waiting side is to move: it had set no reply


@pytest.mark.parametrize("key", ["abalone", "apb"])
@given(seed=st.integers(0, 10**9))
@examples(25)
def test_two_trees_set_one_another_off_as_far_as_both_foresaw(key: str, seed: int) -> None:
    """Both sides have set a line to its end: one turn plays all of it."""
    rng, game = random.Random(seed), GAMES[key]
    opened = Table.open(game, Header(key, game.version, "g", START, tuple(game.settle_options({}).items())))
    line, state = [], opened.state
    for _ in range(7):
        text = some_turn(game, state, rng)
        if game.to_act(position_after(game, state, text)) is None:
            break
        line.append(text)
        state = position_after(game, state, text)
    if len(line) < 3:
        return
    before = opened.play(0, line[0], 0).play(1, line[1], 1)
    trees = [chain(0, line[1:]), chain(1, line[2:])]  # seat 0 is asked already, as after an offer
    now, kept, told = committed(trees, before, line[2])
    assert [entry.body for entry in now.record.entries] == line[: now.seq]
    assert now.seq == len(line) or now.outcome is not None
    assert told == [False, False]
    assert kept == [[], []]


def chain(seat: int, turns: list[str]) -> list[ConditionalMove]:
    """Returns a tree without branches. A last turn without a reply is left out."""
    pairs = list(zip(turns[::2], turns[1::2], strict=False))
    return [
        ConditionalMove(number, seat, number - 1 or None, condition, reply, persistent=False, created=0)
        for number, (condition, reply) in enumerate(pairs, 1)
    ]


@pytest.mark.both_databases
@pytest.mark.parametrize("key", ["abalone", "apb"])
@one_of("seed", range(4))
async def test_a_stored_reply_is_played_as_set_and_only_on_its_condition(book: Book, key: str, seed: int) -> None:
    rng = random.Random(f"{key} {seed}")
    game = GAMES[key]
    live = await book.games.open(NewGame(key, {}, HERE, "en"), (ANN, BOB))
    for _ in range(12):
        if live.table.outcome is not None:
            break
        mover = live.table.to_act
        assert mover is not None
        waiting, state = live.players[1 - mover], live.table.state
        wanted: dict[Any, str] = {}
        for _ in range(3):
            condition = some_turn(game, state, rng)
            then = position_after(game, state, condition)
            if game.to_act(then) is None:
                continue
            case = await book.conditional.add_condition(live, waiting, None, condition)
            reply = some_turn(game, then, rng)
            if case.reply is None and then not in wanted:
                await book.conditional.answer(live, waiting, case.id, reply)
                wanted[then] = game.format(then, game.parse(then, reply))
        text = rng.choice([condition, some_turn(game, state, rng)])
        before = live.seq
        known = {
            position_after(game, state, move.condition): move.reply
            for move in (await book.conditional.tree(live, waiting)).moves
            if move.parent_id is None
        }
        then = position_after(game, state, text)
        live = await book.games.play(live.id, live.players[mover], before, text)
        added = [entry for entry in live.table.record.entries[before + 1 :] if entry.kind is Kind.CONDITIONAL]
        expected = known.get(then)
        assert [entry.body for entry in added] == ([expected] if expected else [])
