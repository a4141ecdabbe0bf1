"""Several processes on one database, and processes that die: no entry twice, no acknowledged entry lost."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.thinning import one_of

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.rolls import verify

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).parents[3]
PATHS = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
PLAYER = ROOT / "tests" / "fakes" / "player.py"
HEAP = 99  # at least 33 plays


async def start(url: str, game_id: str) -> Process:
    """Starts a player, and waits until it is ready for its lines."""
    environment = {**os.environ, "PYTHONPATH": PATHS}
    process = await asyncio.create_subprocess_exec(
        sys.executable, PLAYER, url, game_id, stdin=PIPE, stdout=PIPE, env=environment
    )
    assert process.stdout
    assert await process.stdout.readline() == b"ready\n"
    return process


async def play(process: Process) -> str:
    """Makes one play, and returns its outcome; "" if the process has ended."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"\n")
    return (await process.stdout.readline()).decode().strip()


async def deal(games: GameService, dice: str = "no") -> LiveGame:
    return await games.open(NewGame("nim", {"heap": HEAP, "dice": dice}, Place(1, 5), "en"), (11, 22))


async def test_two_processes_never_append_the_same_entry(
    database_url: str, make_games: Callable[..., GameService]
) -> None:
    live = await deal(make_games())
    players = [await start(database_url, live.id) for _ in range(2)]
    acknowledged, conflicts = [], 0
    while True:
        told = await asyncio.gather(*map(play, players))
        if "" in told:
            break
        # both play at the same moment: on the same position, unless one is so late that the other's play is there
        conflicts += "-" in told
        acknowledged += [line.split() for line in told if line != "-"]
    await asyncio.gather(*(player.communicate() for player in players))
    assert [player.returncode for player in players] == [0, 0]
    stored = (await make_games().get(live.id)).table
    assert stored.outcome is not None
    assert conflicts
    assert len({seq for seq, _ in acknowledged}) == len(acknowledged)
    in_order = [body for _, body in sorted(acknowledged, key=lambda told: int(told[0]))]
    assert in_order == [entry.body for entry in stored.record.entries if entry.kind == "play"]


@one_of("after", [1, 3, 10, 20])
async def test_a_killed_process_loses_no_acknowledged_entry(
    database_url: str, make_games: Callable[..., GameService], after: int
) -> None:
    live = await deal(make_games(), dice="yes")
    player = await start(database_url, live.id)
    assert player.stdin
    assert player.stdout
    player.stdin.write(b"\n" * 100)
    told = [await player.stdout.readline() for _ in range(after)]
    player.kill()  # SIGKILL, in the middle of whatever it does
    told += (await player.communicate())[0].splitlines(keepends=True)
    stored = (await make_games().get(live.id)).table
    whole = [line.split() for line in told if line.endswith(b"\n")]
    assert len(whole) >= after
    assert stored.seq >= int(whole[-1][0])
    assert verify(stored.game, stored.record) > after
    # each acknowledged play stands among the entries, in order, with what was settled after it in the same commit
    plays = [entry.body for entry in stored.record.entries if entry.kind == "play"]
    assert plays[: len(whole)] == [text.decode() for _, text in whole]
    assert stored.to_act in {None, 0, 1}
    # and whoever comes after plays on
    if stored.outcome is None:
        again = await make_games().get(live.id)
        assert (await make_games().play(live.id, again.to_act or 0, again.seq, "1")).seq > stored.seq
