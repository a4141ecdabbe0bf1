"""Measures the CPU time of the rules: ``python benchmarks/engine.py [SECONDS]``; plain Python on one core.

Per game, over positions from random games: positions whose legal turns (moves; in APB steps) are all listed per
second, median and 99th percentile of one listing, doubles apart; and a player's step with the listing of the next
ones. Then records of random games, with a clock and, where there is one, the cube: the replay of 400 entries (of
several games where random ones are shorter), and one entry added in play. The last column is the median in units of a
loop of ten thousand additions, measured in the same run, so that figures of different machines can be compared.
"""

import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from engine.core.clock import SECOND
from engine.core.game import CHANCE, Game
from engine.core.record import Header, Record
from engine.core.search import walk
from engine.core.table import Table
from engine.registry import GAMES

ENTRIES = 400
REPLAYS = 25
DRAWS = 60
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0


def positions(game: Game[Any, Any], luck: random.Random) -> Any:
    """Yields endless states of random games, at the start of a turn and within, with a flag for the start."""
    while True:
        start = game.start(game.settle_options({}))
        before = None
        for state, _ in walk(game, start, lambda steps, weights: luck.choices(steps, weights)[0], 2000):
            actor = game.to_act(state)
            if actor != CHANCE:
                yield state, actor != before
            before = actor


def rolled(table: Table[Any, Any], luck: random.Random) -> str:
    outcomes = table.game.legal(table.state)
    weights = [table.game.weight(table.state, outcome) for outcome in outcomes]
    return table.game.format(table.state, luck.choices(outcomes, weights))


def drawn(table: Table[Any, Any], luck: random.Random) -> str:
    """Draws a turn at random. It does not end the game if one of a few tries does not."""
    game, actor = table.game, table.to_act
    for _ in range(DRAWS):
        steps, state = [], table.state
        while game.to_act(state) == actor:
            steps.append(luck.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
        if game.outcome(state) is None:
            break
    return game.format(table.state, steps)


def records(game: Game[Any, Any], luck: random.Random) -> list[Record]:
    """Plays random games with ENTRIES entries in all."""
    found: list[Record] = []
    options = {"cube": "on"} if any(option.key == "cube" for option in game.options) else {}
    while (left := ENTRIES - sum(len(record.entries) for record in found)) > 0:
        settled = tuple(game.settle_options(options).items())
        table = Table.open(
            game, Header(game.key, game.version, "random", 0, settled, clock="1d+1h", timeout_policy="loss")
        )
        while table.to_act is not None and table.seq < left:
            at = table.seq * SECOND
            table = table.settle(at, lambda now: rolled(now, luck))
            if table.to_act is not None:
                table = table.play(table.to_act, drawn(table, luck), at)
        found.append(table.record)
    return found


def replayed(game: Game[Any, Any], found: list[Record]) -> None:
    for record in found:
        Table.replay(game, record)


def appended(game: Game[Any, Any], found: list[Record]) -> list[float]:
    """Measures the time of each entry in play."""
    times = []
    for record in found:
        table = Table.open(game, record.header)
        for entry in record.entries:
            began = time.process_time()
            table = table.append(entry)
            times.append(time.process_time() - began)
    return times


def timed(call: Any, *arguments: Any) -> float:
    began = time.process_time()
    call(*arguments)
    return time.process_time() - began


def stepped(game: Game[Any, Any], state: Any, luck: random.Random) -> None:
    """Does the work between a player's two taps: makes the chosen step, lists the next ones."""
    game.legal(game.apply(state, luck.choice(game.legal(state))))


def loop() -> int:
    total = 0
    for number in range(10_000):
        total += number
    return total


def doubled(state: Any) -> bool:
    roll = getattr(state, "roll", None)
    return roll is not None and roll.first == roll.second


def row(name: str, times: list[float], unit: float) -> str:
    ordered = sorted(times)
    median, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
    per_second = len(times) / sum(times)
    return f"{name:32} {per_second:10,.0f} {median * 1e6:10.1f} {p99 * 1e6:10.1f} {median / unit:8.3f}"


def main() -> None:
    unit = statistics.median(timed(loop) for _ in range(50))
    print(f"{'':32} {'per second':>10} {'median us':>10} {'p99 us':>10} {'ratio':>8}")
    luck = random.Random(2)
    for game in GAMES.values():
        listing = game.turns if game.enumerates_turns else game.legal
        plain: list[float] = []
        doubles: list[float] = []
        steps: list[float] = []
        end = time.process_time() + SECONDS
        for state, starts in positions(game, random.Random(1)):
            if starts or not game.enumerates_turns:
                (doubles if doubled(state) else plain).append(timed(listing, state))
            steps.append(timed(stepped, game, state, luck))
            if time.process_time() > end:
                break
        print(row(f"{game.key}: all {'turns' if game.enumerates_turns else 'steps'}", plain + doubles, unit))
        if doubles:
            print(row(f"{game.key}: without doubles", plain, unit))
            print(row(f"{game.key}: doubles", doubles, unit))
        print(row(f"{game.key}: a step, then the next", steps, unit))
        found = records(game, random.Random(3))
        replays = [timed(replayed, game, found) for _ in range(REPLAYS)]
        print(row(f"{game.key}: replay of {ENTRIES} entries", replays, unit))
        print(row(f"{game.key}: an entry in play", appended(game, found), unit))


if __name__ == "__main__":
    main()
