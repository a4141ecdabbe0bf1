"""A whole soak: the stand-in and the players in this process, PostgreSQL and two bots beside it."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.server import serve
from bot.sandbox.state import permissions
from bot.sandbox.world import World
from soak.cups import KINDS, Cup
from soak.databases import Line, line
from soak.delivery import Delivery
from soak.faults import Faults
from soak.journal import ACKED, Journal
from soak.oracle import Oracle
from soak.players import Player, Table
from soak.processes import PATIENT, ROOT, BotProcess, Span
from soak.report import Report
from soak.scope import left_out, unplayed
from soak.snapshots import Snapshots, connect
from soak.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROCESSES: Final = 2
GUILDS: Final = 6
HURRY: Final = 0.2
"""How often a turn in a tournament is to resign."""
STEP: Final = 0.2
HELD_UP: Final = 0.5
"""Seconds by which this process may be late."""
STARTING: Final = 90.0
"""Seconds in which both processes have to be ready."""
LATER: Final = 60.0
"""Seconds more in which a first turn may be acknowledged and a first tournament start, on a machine that is busy."""
ENDING: Final = 90.0
"""Seconds in which every process has to run again once no further fault comes."""
QUIET: Final = 200.0
"""Seconds in which everything has to be shown once the faults have ended."""
CHECKING: Final = 60.0
"""Seconds that the check of the database may take in a short soak; in a longer one, as long as half of it."""
JUDGING: Final = 30.0
"""Seconds that everything else takes: to stop who plays, and to judge."""
UNSHOWN: Final = """
    SELECT (SELECT count(*) FROM games WHERE shown_seq < seq AND delivery_error = '')
         + (SELECT count(*) FROM challenges WHERE NOT closed_shown AND (status <> 'open' OR message_id IS NULL))
"""
SETTINGS: Final = {
    "LOG_LEVEL": "WARNING",
    "LOG_FORMAT": "json",
    "CHALLENGE_EXPIRY": "60",
    "SHARDS": "2",
    "IDENTIFY_PAUSE": "0",
}


@dataclass
class Soak:
    """A soak of so many seconds with so many players; ``rate``: acts a second of all together.

    ``quiet``: seconds in which everything has to be shown afterwards.
    """

    url: str
    folder: Path
    seconds: float
    players: int
    seed: int
    rate: float
    faults: bool = True
    quiet: float = QUIET
    violations: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    async def run(self) -> Report:
        """Does it, and judges it."""
        rng = random.Random(self.seed)
        world = World()
        async with AsyncExitStack() as stack:
            journal, watch = Journal(world), Watch(world)
            server = await serve(world, page=False)
            stack.push_async_callback(server.close)
            delivery = Delivery(server, journal)
            lines: list[Line] = []
            processes: list[BotProcess] = []
            for number in range(PROCESSES):
                made, through = await stack.enter_async_context(line(self.url))
                lines.append(made)
                settings = {
                    **SETTINGS,
                    "DATABASE_URL": through,
                    "DISCORD_API_BASE": server.api_base,
                    "DISCORD_GATEWAY_URL": server.gateway_url,
                }
                process = BotProcess(f"bot{number}", settings, self.folder, delivery, self.spans, self.violations)
                stack.push_async_callback(process.end)
                processes.append(process)
            snapshots = Snapshots(self.url)
            people, cups = self._people(world, journal, watch, snapshots, rng)
            async with asyncio.timeout(STARTING):
                for process in processes:
                    await process.start()
                await _until_registered(world)
            faults = Faults(
                server, self.url, delivery, journal, processes, lines, self.spans, random.Random(rng.random())
            )
            began = time.monotonic()
            work = [asyncio.create_task(snapshots.run())]
            work += [asyncio.create_task(process.sample()) for process in processes]
            work.append(asyncio.create_task(self._notice_delays(processes)))
            work += [asyncio.create_task(one.live()) for one in people]
            work += [asyncio.create_task(cup.live()) for cup in cups]
            if self.faults:
                work.append(asyncio.create_task(faults.run()))
            watcher = asyncio.create_task(self._keep_running(processes))

            def underway() -> bool:
                return any(one.turn and one.status == ACKED for one in journal.attempts) and any(
                    cup.started for cup in cups
                )

            await self._last(work, began, underway)
            if not await faults.end(ENDING):
                self.violations.append(f"not every process runs again {ENDING:.0f} s after the last fault")
            watcher.cancel()
            seconds = time.monotonic() - began
            await self._quiet()
            struck = {one.name: Counter(one.ends) for one in processes}
            await asyncio.gather(*(process.stop() for process in processes))
            await self._check()
            (self.folder / "faults.log").write_text("\n".join(faults.log), encoding="utf-8")
            oracle = Oracle(journal, watch, self.spans, faults.database_spans, self.url)
            await oracle.judge()
            oracle.starts(span for process in processes for span in process.given_up)
            oracle.facts["cups started"] = sum(len(cup.started) for cup in cups)
            oracle.facts.update(f"cups started: {kind}" for cup in cups for kind in cup.started)
            oracle.facts.update(f"cups over: {kind}" for cup in cups for kind in cup.ended)
            oracle.facts.update(f"cups never started: {kind}" for kind in left_out(cups))
            self.violations += unplayed(self.seconds, oracle.facts, cups)
            oracle.facts["requests to Discord that met a fault"] = faults.met
            oracle.facts["connections to the database that met a fault"] = sum(one.met for one in lines)
            problems = Counter(one for player in people for one in player.problems)
            self.violations += [f"{one} ({count} times)" for one, count in problems.items()]
            self.violations += [f"Discord would refuse: {one}" for one in server.validator.violations]
            return Report(
                self.seed,
                self.players,
                seconds,
                list(journal.calls.values()),
                faults.caused,
                sum((one.ends for one in processes), Counter()),
                struck,
                oracle.excused,
                oracle.facts,
                [one for process in processes for one in process.startups],
                [one for process in processes for one in process.stops],
                self._logged(),
                self.violations + oracle.violations,
            )

    def _people(
        self, world: World, journal: Journal, watch: Watch, snapshots: Snapshots, rng: random.Random
    ) -> tuple[list[Player], list[Cup]]:
        """Creates the players: two thirds meet in pairs, the others in tournaments."""
        guilds = [world.guild_id, *(world.add_guild(f"Server {n}") for n in range(2, GUILDS + 1))]
        pace = self.players / self.rate

        def person(name: str, table: Table | None = None, **more: Any) -> Player:
            user_id = world.add_user(name, **more)
            return Player(world, journal, watch, snapshots, user_id, table, pace, random.Random(rng.random()))

        pairs = max(1, self.players // 3)
        people: list[Player] = []
        for number in range(pairs):
            channel = world.add_channel(f"table-{number}", guilds[number % len(guilds)])
            two = [person(f"Player {number}a"), person(f"Player {number}b")]
            table = Table(channel, (two[0].user_id, two[1].user_id))
            for one in two:
                one.table = table
            people += two
        cups: list[Cup] = []
        left = self.players - len(people)
        while (size := KINDS[len(cups) % len(KINDS)].size) <= left or not cups:
            number, left = len(cups), left - size
            channel = world.add_channel(f"cup-{number}", guilds[number % len(guilds)])
            field_ = [person(f"Entrant {number}-{one}") for one in range(size)]
            for one in field_:  # a round lasts as long as its longest game
                one.pace, one.gives_up = pace / 2, HURRY
            organiser = person(f"Organiser {number}", permissions=permissions.MEMBER | permissions.MANAGE_GUILD)
            cups.append(Cup(organiser, field_, channel, number, random.Random(rng.random())))
            people += field_
        return people, cups

    async def _notice_delays(self, processes: list[BotProcess]) -> None:
        """Notes when this process, and with it the stand-in, was held up: then an answer may come too late to it."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(STEP)
            if time.monotonic() - before > STEP + HELD_UP:
                self.spans += [
                    Span(one.name, "the stand-in was held up", before, time.monotonic()) for one in processes
                ]

    async def _keep_running(self, processes: list[BotProcess]) -> None:
        """Notes that a bot has ended by itself, and starts it again."""
        while True:
            await asyncio.sleep(0.2)
            for process in processes:
                if process.ended and not process.busy:
                    process.busy = True
                    process.note_end()
                    await process.start()
                    process.busy = False

    async def _last(self, work: list[asyncio.Task[None]], began: float, underway: Callable[[], bool]) -> None:
        """Lets everybody act until the time is over and play is under way, then stops them.

        Raises:
            Exception: What ended the work of a player or of the faults. It ends the soak.
        """
        end = began + self.seconds
        done, pending = await asyncio.wait(work, timeout=end - time.monotonic(), return_when=asyncio.FIRST_EXCEPTION)
        while not underway() and time.monotonic() < end + LATER and not any(task.exception() for task in done):
            more, pending = await asyncio.wait(pending, timeout=1, return_when=asyncio.FIRST_EXCEPTION)
            done |= more
        while pending:  # more than once: wait_for swallows a cancellation that comes with the answer
            for task in pending:
                task.cancel()
            ended, pending = await asyncio.wait(pending, timeout=1)
            await asyncio.gather(*ended, return_exceptions=True)
        for task in done:
            task.result()

    async def _quiet(self) -> None:
        """Waits until everything is shown."""
        connection = await connect(self.url)
        try:
            end = time.monotonic() + self.quiet
            await asyncio.sleep(3)
            while count := await connection.fetchval(UNSHOWN):
                if time.monotonic() > end:
                    self.violations.append(
                        f"{count} boards and challenges are not shown {self.quiet:.0f} s after the faults"
                    )
                    return
                await asyncio.sleep(0.5)
            await asyncio.sleep(1)
        finally:
            await connection.close()

    async def _check(self) -> None:
        """Runs `abakbot db check`, as an operator does."""
        command = (sys.executable, "-m", "bot", "db", "check")
        settings = {"DATABASE_URL": self.url, "DISCORD_TOKEN": "x", "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
        out = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, env=settings, cwd=self.folder, stdout=out, stderr=asyncio.subprocess.STDOUT
        )
        limit = max(CHECKING, self.seconds / 2)
        try:
            said, _ = await asyncio.wait_for(process.communicate(), limit)
        except TimeoutError:
            process.kill()
            await process.wait()
            self.violations.append(f"db check has not ended after {limit:.0f} s")
            return
        if process.returncode != 0:
            self.violations.append(f"db check ended with {process.returncode}: {said.decode()[-3000:]}")

    def _logged(self) -> Counter[str]:
        """Returns the errors in the logs of all processes."""
        found: Counter[str] = Counter()
        for path in self.folder.glob("bot*.log"):
            for text in path.read_text(encoding="utf-8", errors="replace").splitlines():
                try:
                    entry = json.loads(text)
                except ValueError:
                    found[f"not JSON: {text[:60]}"] += 1
                    continue
                if entry.get("level") in {"error", "critical"}:
                    found[f"{entry.get('message')}: {_cause(entry)}"[:150]] += 1
        return found


def _cause(entry: dict[str, Any]) -> str:
    """Returns the last line of the exception of a logged error."""
    text = str(entry.get("exception") or entry.get("error") or "").strip()
    return text.splitlines()[-1] if text else ""


def longest(seconds: float, quiet: float = QUIET) -> float:
    """Returns the most seconds that a short soak takes: each of its parts has a limit, so that it always ends in a
    report.
    """
    return STARTING + seconds + LATER + ENDING + quiet + PATIENT + CHECKING + JUDGING


async def _until_registered(world: World) -> None:
    while not world.commands:  # noqa: ASYNC110  the stand-in has no event for it
        await asyncio.sleep(0.05)
