"""Game and conditional moves agree while both are changed at once, and after a process was killed."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from fakes.book import ANN, BOB, Book, Meanwhile, bodies, refused
from harness.thinning import one_of
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conditional.service import LIMIT
from bot.games.hooks import ConditionalMovesChanged, GameHook
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.stored import Place
from engine.core.errors import Refused

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).parents[3]


async def test_a_conditional_move_that_is_deleted_in_between_is_not_played(book: Book) -> None:
    live = await book.begin()
    move = await book.lay(live, BOB, "2", "3")
    games = book.process(Meanwhile(lambda: book.conditional.delete(live, BOB, move)))
    after = await games.play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2")]
    assert book.told == []


async def test_a_conditional_move_that_is_set_in_between_is_played(book: Book) -> None:
    live = await book.begin()
    games = book.process(Meanwhile(lambda: book.lay(live, BOB, "2", "3")))
    after = await games.play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("conditional", 1, "3")]


async def test_conditional_moves_that_never_stop_changing_refuse_the_turn(book: Book) -> None:
    class Restless(GameHook):
        async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
            del connection, after
            if before is not None:
                raise ConditionalMovesChanged

    live = await book.begin()
    assert await refused(book.process(Restless()).play(live.id, ANN, live.seq, "2")) == "table.stale"


async def test_edits_and_turns_at_once_never_disagree(book: Book) -> None:
    """Either the conditional move was set in time and is played, or the edit is refused and says so."""
    for number in range(6):
        live = await book.games.open(
            NewGame("nim", {"heap": 21, "dice": "no"}, Place(1, 100 + number), "en"), (ANN, BOB)
        )
        case = await book.conditional.add_condition(live, BOB, None, "2")
        other = book.process()
        done = await asyncio.gather(
            book.conditional.answer(live, BOB, case.id, "3"),
            other.play(live.id, ANN, live.seq, "2"),
            return_exceptions=True,
        )
        after = await book.process().get(live.id)
        if isinstance(done[0], Refused):
            assert bodies(after) == [("play", 0, "2")]
        else:
            assert done[0] is None
            assert bodies(after) == [("play", 0, "2"), ("conditional", 1, "3")]
        assert await book.left(live) == []


async def test_an_end_in_the_middle_leaves_everything_as_it_was(book: Book) -> None:
    class Killed(GameHook):
        async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
            del connection, before, after
            raise OSError("the process ends")

    live = await book.begin()
    await book.lay(live, BOB, "2", "3", "1", "1")
    with pytest.raises(OSError, match="ends"):
        await book.process(Killed()).play(live.id, ANN, live.seq, "2")
    assert await book.left(live) == [(1, "2", "3"), (1, "1", "1")]
    after = await book.process().play(live.id, ANN, live.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("conditional", 1, "3")]


@one_of("after", [1, 4, 12])
async def test_a_killed_process_leaves_game_and_conditional_moves_in_agreement(
    book: Book, database_url: str, after: int
) -> None:
    live = await book.begin(heap=99)
    await book.lay(live, BOB, *["1"] * 2 * LIMIT)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        ROOT / "tests" / "fakes" / "conditional_moves.py",
        database_url,
        live.id,
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))},
    )
    assert process.stdin
    assert process.stdout
    assert await process.stdout.readline() == b"ready\n"
    process.stdin.write(b"\n" * LIMIT)
    told = [int(await process.stdout.readline()) for _ in range(after)]
    process.kill()  # SIGKILL, in the middle of whatever it does
    await process.communicate()
    now = await book.process().get(live.id)
    assert now.seq >= told[-1] == 2 * after
    assert bodies(now) == [("play", 0, "1"), ("conditional", 1, "1")] * (now.seq // 2)
    assert len(await book.left(live)) == LIMIT - now.seq // 2
    on = await book.process().play(live.id, ANN, now.seq, "1")
    assert len(bodies(on)) - now.seq == (2 if now.seq < 2 * LIMIT else 1)
