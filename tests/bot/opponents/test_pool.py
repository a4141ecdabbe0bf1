"""The worker processes of the machine: they fail in every way, and no question gets another one's answer."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fakes import worker as fake_worker
from harness.discord import until
from harness.matches import random_game

from bot.opponents.pool import ATTEMPTS, Unavailable, Workers
from bot.opponents.process import COMMAND, NICENESS, Misbehaved, WorkerProcess
from bot.opponents.questions import Answer, Question, playable
from engine.core.errors import IllegalMove, RuleError
from engine.core.table import Table
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from engine.core.game import OptionValue

QUESTIONS = [Question("toy", 1, {}, f"position {number}", 3, 0) for number in range(20)]


def failing(folder: Path, fault: str, faulty: int) -> list[str]:
    return [sys.executable, "-I", "-S", str(fake_worker.__file__), str(folder), fault, str(faulty)]


@asynccontextmanager
async def working(count: int, command: list[str], **more: Any) -> AsyncIterator[Workers]:
    workers = Workers(count, 5, command=command, **more)
    try:
        yield workers
    finally:
        await workers.close()


def refuse_illegal(answer: Answer) -> None:
    if answer.move == "illegal":
        raise IllegalMove("toy.illegal")


def ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


FAULTS = ["dies", "answers another", "lacks a field", "writes nonsense", "never ends its line", "plays illegally"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_worker_that_fails_is_replaced(fault: str, tmp_path: Path) -> None:
    async with working(1, failing(tmp_path, fault, ATTEMPTS - 1)) as workers:
        answer = await workers.think(QUESTIONS[0], refuse_illegal)
        assert (answer.position, answer.move) == (QUESTIONS[0].position, f"of {ATTEMPTS - 1}")
        assert workers.restarts == ATTEMPTS - 1
        assert (await workers.think(QUESTIONS[1])).move == answer.move
        gone = [int((tmp_path / str(number)).read_text(encoding="ascii")) for number in range(ATTEMPTS - 1)]
        assert all(map(ended, gone))


async def test_a_worker_that_goes_on_writing_is_ended(tmp_path: Path) -> None:
    process = await WorkerProcess.start(failing(tmp_path, "never ends its line", 1))
    with pytest.raises(Misbehaved):
        await process.ask(QUESTIONS[0])
    await asyncio.sleep(0.3)  # more arrives than is read ahead
    async with asyncio.timeout(30):
        await process.end()
    assert not process.is_alive


@pytest.mark.parametrize("fault", [*FAULTS, "hangs"])
async def test_a_question_is_not_asked_for_ever(fault: str, tmp_path: Path) -> None:
    limit = {"limit": 0.05} if fault == "hangs" else {}
    async with working(1, failing(tmp_path, fault, ATTEMPTS), **limit) as workers:
        with pytest.raises(Unavailable):
            await workers.think(QUESTIONS[0], refuse_illegal)
        assert workers.restarts == ATTEMPTS


async def test_a_worker_that_says_too_much_answers_no_other_question(tmp_path: Path) -> None:
    async with working(1, failing(tmp_path, "answers twice", 1)) as workers:
        answers = [await workers.think(question) for question in QUESTIONS[:2]]
        assert [answer.position for answer in answers] == [question.position for question in QUESTIONS[:2]]
        assert [answer.move for answer in answers] == ["of 0", "of 1"]


async def test_what_cannot_be_started_is_no_worker(tmp_path: Path) -> None:
    async with working(1, [str(tmp_path / "nothing")]) as workers:
        with pytest.raises(Unavailable):
            await workers.think(QUESTIONS[0])


async def hanging(folder: Path) -> int:
    """Waits for a worker that hangs, and returns its id, each once."""
    found: list[int] = []

    def look() -> bool:
        for file in folder.glob("* hangs"):
            if text := file.read_text(encoding="ascii"):
                file.unlink()
                found.append(int(text))
                break
        return bool(found)

    await until(look)
    return found[0]


async def test_twenty_kills_while_questions_are_asked_lose_no_answer(tmp_path: Path) -> None:
    async def kill() -> None:
        while True:
            os.kill(await hanging(tmp_path), signal.SIGKILL)

    async with working(1, failing(tmp_path, "hangs by turns", 100)) as workers:
        killing = asyncio.create_task(kill())
        for question in QUESTIONS[:11]:
            answer = await workers.think(question)
            assert answer.position == question.position
        assert workers.restarts == 21
        killing.cancel()


async def test_a_worker_that_was_killed_while_it_waited_is_replaced(tmp_path: Path) -> None:
    async with working(1, failing(tmp_path, "", 0)) as workers:
        assert (await workers.think(QUESTIONS[0])).move == "of 0"
        pid = int((tmp_path / "0").read_text(encoding="ascii"))
        os.kill(pid, signal.SIGKILL)
        await until(lambda: ended(pid))
        assert (await workers.think(QUESTIONS[1])).move == "of 1"
        assert workers.restarts == 1


async def test_a_cancelled_question_leaves_no_answer_behind(tmp_path: Path) -> None:
    async with working(1, failing(tmp_path, "hangs", 1)) as workers:
        asked, waiting = (asyncio.create_task(workers.think(question)) for question in QUESTIONS[:2])
        pid = await hanging(tmp_path)
        following = asyncio.create_task(workers.think(QUESTIONS[2]))
        await until(lambda: workers.waiting == 2)
        waiting.cancel()
        asked.cancel()
        assert (await following).position == QUESTIONS[2].position
        assert ended(pid)
        assert workers.waiting == workers.restarts == 0


async def test_the_queue_is_bounded_and_closing_answers_all_who_wait(tmp_path: Path) -> None:
    async with working(2, failing(tmp_path, "hangs", 2), queue=2) as workers:
        asked = [asyncio.create_task(workers.think(question)) for question in QUESTIONS[:4]]
        pids = [await hanging(tmp_path), await hanging(tmp_path)]
        assert workers.waiting == 2
        with pytest.raises(Unavailable):
            await workers.think(QUESTIONS[5])
        await workers.close()
        assert all(map(ended, pids))
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in found] == [Unavailable] * 4
        assert workers.restarts == 0
        with pytest.raises(Unavailable):
            await workers.think(QUESTIONS[0])
        assert not workers._processes


async def test_a_worker_that_starts_while_the_bot_stops_ends(tmp_path: Path) -> None:
    async with working(1, failing(tmp_path, "hangs", 1)) as workers:
        asked = asyncio.create_task(workers.think(QUESTIONS[0]))
        await asyncio.sleep(0)
        await workers.close()
        with pytest.raises(Unavailable):
            await asked


async def test_without_workers_the_machine_is_off() -> None:
    async with working(0, []) as workers:
        assert not workers.is_on
        with pytest.raises(Unavailable):
            await workers.think(QUESTIONS[0])


# --- the real ones ---------------------------------------------------------------------------------------------------


def tables(key: str, options: dict[str, OptionValue], seed: int) -> Iterator[Table[Any, Any]]:
    """Yields some tables of a random game at which a seat acts."""
    game, record = GAMES[key], random_game(key, random.Random(seed), options, most=60)
    for length in range(0, len(record.entries), 20):
        for end in range(length, min(length + 20, len(record.entries))):
            table = Table.replay(game, replace(record, entries=record.entries[:end]))
            if table.to_act in {0, 1}:
                yield table
                break


OPTIONS: list[tuple[str, dict[str, OptionValue]]] = [
    *((key, {}) for key in GAMES),
    ("backgammon", {"cube": "on", "points": 3, "score0": 1}),
    ("backgammon", {"layout": "hyper", "cube": "on", "beavers": "on"}),
    ("abak", {"cube": "on"}),
    ("abalone", {"target": 2}),
]


async def test_one_worker_answers_all_games() -> None:
    async with working(1, [*COMMAND]) as workers:
        for key, options in OPTIONS:
            for table in tables(key, options, 5):
                question = Question.about(table, 1, 7)
                answer = await workers.think(question, playable(table))
                assert answer.position == question.position
        (process,) = workers._processes
        niceness = os.getpriority(os.PRIO_PROCESS, process.pid)
        assert niceness == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        assert workers.restarts == 0
    assert ended(process.pid)


def test_a_question_has_the_positions_that_a_move_could_repeat() -> None:
    *_, table = tables("abalone", {}, 6)
    earlier = Question.about(table, 1, 7).earlier
    assert earlier
    assert {table.game.to_act(table.game.decode(text)) for text in earlier} == {1 - table.to_act}
    assert {*earlier} <= {table.game.encode(state) for state in table.history}


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("abalone", Answer("", "a1a9", 0.0, None, accept_draw=False)),
        ("apb", Answer("", "e3-e4", 0.0, None, accept_draw=False)),  # a secondary alone is no turn
        ("abalone", Answer("", "a1b2", 0.0, 7, accept_draw=False)),
    ],
)
def test_what_cannot_be_played_is_refused(key: str, answer: Answer) -> None:
    table, *_ = tables(key, {}, 1)
    with pytest.raises(RuleError):
        playable(table)(answer)


def test_workers_end_with_the_bot_that_is_killed(tmp_path: Path) -> None:
    """The pipe that they may write to ends only when the last of them has ended."""
    code = (
        "import asyncio, time\n"
        "from bot.opponents.process import WorkerProcess\n"
        f"asyncio.new_event_loop().run_until_complete(WorkerProcess.start({failing(tmp_path, '', 0)!r}))\n"
        "print('started', flush=True)\n"
        "time.sleep(3600)\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == "started\n"
        bot.kill()
        bot.communicate()


def test_the_bot_itself_does_not_think() -> None:
    code = "import sys, bot.__main__, bot.app, bot.opponents.pool; print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "bot.opponents.pool" in printed
    assert [name for name in printed if name == "numpy" or name.startswith("engine.ai")] == []
