"""Checks the state afterwards: the acts of players and their answers, against the database and the messages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from harness.books import replayed
from harness.bot import wired
from harness.discord import text

from bot.challenges.tables import OPEN
from bot.core.interactions.answer import LONGEST_WORK
from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.tables import OVER
from bot.players.machines import is_machine
from soak.answers import told
from soak.journal import UNCERTAIN
from soak.processes import KILLED, STARTED, STOPPED
from soak.scope import finished
from soak.snapshots import connect
from soak.turns import Played, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bot.games.stored import StoredGame
    from soak.journal import Attempt, Call, Journal
    from soak.processes import Span
    from soak.watch import Watch

Json = dict[str, Any]
LIMIT: Final = 3.0
"""Seconds in which Discord wants the first answer."""
LATE: Final = 0.3
"""Seconds by which the clocks of this process may be late."""
TOLD: Final = 15.0
"""Seconds after the longest work in which the user is told of it, with a few attempts."""
IN_ORDER: Final = frozenset({STARTED, STOPPED})
"""Faults that excuse only interactions sent meanwhile: before a stop in good order, all earlier ones are answered."""
PAIRINGS: Final = """
    SELECT p.*, g.status AS game_status, g.seat0, g.seat1, g.points0, g.points1,
           m.status AS match_status, m.player0, m.player1, m.winner, a.user_id AS first_user, b.user_id AS second_user
    FROM tournament_pairings p
    JOIN tournaments t ON t.id = p.tournament_id
    JOIN tournament_players a ON a.tournament_id = p.tournament_id AND a.number = p.first
    LEFT JOIN tournament_players b ON b.tournament_id = p.tournament_id AND b.number = p.second
    LEFT JOIN games g ON g.id = p.contest_id
    LEFT JOIN matches m ON m.id = p.contest_id
"""
POINTS: Final = {"1-0": 0, "0-1": 1, "1/2-1/2": None}
"""Who of a pairing has won."""
LINGERING: Final = 30.0
"""Seconds in which PostgreSQL keeps the connections of a process that was killed in the dark."""
WINS: Final = re.compile(r"<@(\d+)>(?: \([^)]*\))? wins|so <@(\d+)> wins")
DRAWN: Final = re.compile(r"draw", re.IGNORECASE)


@dataclass
class Oracle:
    """Judges a soak that has ended.

    ``violations`` says what is wrong; ``excused`` counts the missing answers that are not, by cause and by what is
    missing. An interaction in flight to a killed process may stay without an answer. Every other cause is a
    disturbance of the soak in which nobody could answer in time, and is counted apart from that.
    """

    journal: Journal
    watch: Watch
    spans: Sequence[Span]
    database_spans: Sequence[Span]
    url: str
    violations: list[str] = field(default_factory=list)
    excused: Counter[tuple[str, str]] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)

    async def judge(self) -> None:
        self.answers()
        database = Database(self.url)
        try:
            ledger = GameRepository(database)
            connection = await connect(self.url)
            try:
                rows = [dict(row) for row in await connection.fetch("SELECT * FROM games")]
                await self.challenges(await connection.fetch("SELECT * FROM challenges"))
                cups = await connection.fetch("SELECT status FROM tournaments")
                self.facts.update(f"tournaments {row['status']}" for row in cups)
                self.pairings(await connection.fetch(PAIRINGS))
            finally:
                await connection.close()
            tried: dict[int, list[Attempt]] = defaultdict(list)
            for attempt in self.journal.attempts:
                if attempt.sent is not None and told(attempt.sent):
                    attempt.status = UNCERTAIN
                tried[attempt.user_id].append(attempt)
            played: dict[int, list[Played]] = defaultdict(list)
            for row in rows:
                stored = await ledger.load(row["id"])
                assert stored is not None
                self.game(row, stored)
                for seat, user in enumerate(stored.players):
                    if not is_machine(user):  # nobody sends its turns
                        played[user].append(Played(stored, seat, row["channel_id"]))
            for user in tried.keys() | played.keys():
                self.turns(played[user], tried[user])
        finally:
            await database.close()
        self.posted()

    # --- answers ---------------------------------------------------------------------------------------------------

    def answers(self) -> None:
        """Checks that every interaction was answered in time, and every deferral completed."""
        unfinished = self.journal.incomplete()
        self.facts.update(f"interactions given to {call.owner or 'nobody'}" for call in self.journal.calls.values())
        for call in self.journal.calls.values():
            if call.answered is None:
                end = call.sent + LIMIT + LATE
                met = [span.what for span in self._met(call, end) if _excuses(span, call)]
                self._missing(call, "without an answer", end, call.fault, met)
        for call in unfinished:
            end = call.sent + LONGEST_WORK + TOLD
            kills = [one.what for one in self._met(call, end) if one.what == KILLED and one.start >= call.sent]
            self._missing(call, "deferred and never completed", end, call.later_fault, kills)

    def _met(self, call: Call, end: float) -> Iterator[Span]:
        """Yields the faults of an interaction's process, from when it was sent until ``end``."""
        return (span for span in self.spans if span.owner == call.owner and span.meets(call.sent, end))

    def _missing(self, call: Call, what: str, end: float, fault: str, met: Sequence[str]) -> None:
        """``fault``: what was done to a request about it. ``met``: what was done to its process, if that excuses it."""
        why = fault or (KILLED if KILLED in met else next(iter(met), ""))
        if why:
            self.excused[why, what] += 1
            return
        near = [f"{s.what} {s.start - call.sent:+.1f}…{s.end - call.sent:+.1f} s"
                for s in (*self.database_spans, *self.spans)
                if s.owner == call.owner and s.meets(call.sent - 15, end + 10)]  # fmt: skip
        doubled = ", delivered twice" if call.doubled else ""
        self.violations.append(
            f"{what}: {call.kind} {call.what} {call.id} at {call.sent:.2f} to {call.owner}{doubled};"
            f" requests: {', '.join(call.trace) or '-'}; near: {'; '.join(near) or '-'}"
        )

    def starts(self, given_up: Iterable[Span]) -> None:
        """Starts were given up only while something was done to the database, or soon after."""
        for span in given_up:
            since = span.start - LINGERING
            if any(one.owner == span.owner and one.meets(since, span.end) for one in self.database_spans):
                self.facts["starts given up without the database"] += 1
            else:
                self.violations.append(f"{span.owner} gave up its start with the database there: see {span.what}")

    # --- games -----------------------------------------------------------------------------------------------------

    def game(self, row: Json, stored: StoredGame) -> None:
        """Checks that the record replays, and is shown."""
        game, name = row["id"], row["game"]
        try:
            table = replayed(stored)
        except Exception as error:  # noqa: BLE001  whatever keeps it from being replayed is the finding
            self.violations.append(f"{name} {game} does not replay: {error!r}")
            return
        self.facts[f"{name} games"] += 1
        self.facts["entries"] += len(stored.record.entries)
        if (row["seq"], row["status"] == "over") != (table.seq, table.outcome is not None):
            self.violations.append(f"{name} {game}: the row says {row['seq']}, {row['status']}, the record {table.seq}")
        self.shown(row, table)
        if table.outcome is not None:
            self.facts[finished(name)] += 1
            self.result(row, stored)

    def turns(self, played: Sequence[Played], tried: Sequence[Attempt]) -> None:
        """Checks that a user's games hold each acknowledged turn once, and none that was not sent."""
        judged = judge(played, tried, self.journal.planned)
        self.violations += judged.violations
        self.facts.update(judged.facts)

    def shown(self, row: Json, table: Any) -> None:
        """Checks that the last board is of the last entry, and was posted once, with one ping for each
        player at most.
        """
        game, boards = row["id"], self.watch.boards.get(row["id"], [])
        if row["delivery_error"]:
            self.facts[f"boards not shown: {row['delivery_error']}"] += 1
            return
        last = max((self.watch.shown_seq(one) for one in boards), default=None)
        if last != table.seq:
            said = f"shown_seq {row['shown_seq']}, attempts {row['attempts']}"
            self.violations.append(
                f"{row['game']} {game}: its last board is of {last}, the record of {table.seq}; {said}"
            )
        pings = Counter((one.seq, user) for one in boards for user in one.pinged)
        for (seq, user), count in pings.items():
            if count > 1:
                self.violations.append(f"{row['game']} {game}: {count} pings of {user} for entry {seq}")

    def result(self, row: Json, stored: StoredGame) -> None:
        """Checks that the last board tells the result that is stored."""
        boards = self.watch.boards.get(row["id"], [])
        message = self.watch.world.messages.find(boards[-1].message_id) if boards else None
        if message is None or row["delivery_error"]:
            return
        said = text(message)
        named = {int(one or other) for one, other in WINS.findall(said)}
        points = (row["points0"], row["points1"])
        winner = None if points[0] == points[1] else stored.players[points[1] > points[0]]
        self.facts["results told"] += 1
        if winner is None or is_machine(winner):  # a machine is named, not mentioned
            wrong = bool(named) and row["match_id"] is None
        else:
            wrong = (
                winner not in named
                if row["match_id"] is None
                else bool(named) and winner not in named and len(named) == 1
            )
        if wrong:
            self.violations.append(f"{row['game']} {row['id']}: {points}, {row['reason']} is told as {said[:200]!r}")

    # --- the rest --------------------------------------------------------------------------------------------------

    async def challenges(self, rows: Iterable[Any]) -> None:
        """Checks that each challenge's message offers what is stored."""
        by_message = {row["message_id"]: row for row in rows if row["message_id"] is not None}
        for message_id in self.watch.challenges:
            message = self.watch.world.messages.find(message_id)
            row = by_message.get(message_id)
            opens = message is not None and any("accept_challenge" in x["custom_id"] for x in wired(message))
            if row is None:
                if opens:
                    assert message is not None
                    self.violations.append(f"a challenge is offered that is not stored: {text(message)[:150]!r}")
                continue
            self.facts[f"challenges {row['status']}"] += 1
            if opens != (row["status"] == OPEN):
                self.violations.append(f"challenge {row['id']} is {row['status']}, its message is open: {opens}")
        for row in by_message.values():
            if row["status"] == "accepted" and row["game_id"] is None:
                self.violations.append(f"challenge {row['id']} is accepted and has no game")

    def pairings(self, rows: Iterable[Any]) -> None:
        """Checks that each pairing has the result of its game, and none is left open after it."""
        open_ = [row for row in rows if row["result"] is None]
        seen = Counter((row["tournament_id"], row["round"], user) for row in open_ for user in _both(row))
        self.violations += [f"tournament: {one} is paired {count} times" for one, count in seen.items() if count > 1]
        for row in rows:
            over = OVER in {row["game_status"], row["match_status"]}
            self.facts["pairings decided by a game"] += row["decided_by"] == "game"
            if over and row["result"] is None:
                self.violations.append(
                    f"tournament {row['tournament_id']}: {row['contest_id']} is over, not its pairing"
                )
            if row["decided_by"] != "game" or row["result"] not in POINTS:
                continue
            seats, ahead = (row["player0"], row["player1"]), row["winner"]
            if row["match_status"] is None:
                seats, difference = (row["seat0"], row["seat1"]), (row["points0"] or 0) - (row["points1"] or 0)
                ahead = None if difference == 0 else int(difference < 0)
            winner = None if ahead is None else seats[ahead]
            told = POINTS[row["result"]]
            if winner != (None if told is None else _both(row)[told]):
                self.violations.append(f"tournament {row['tournament_id']}: {row['contest_id']} is {row['result']}")

    def posted(self) -> None:
        """Checks that no message was posted twice."""
        for (channel, nonce), posted in self.watch.nonces.items():
            if len(posted) > 1:
                since, until = posted[0].created - 15, posted[-1].created + 1
                near = [
                    f"{s.what} of {s.owner} {s.start:.2f}…{s.end:.2f}"
                    for s in (*self.database_spans, *self.spans)
                    if s.meets(since, until)
                ]
                self.violations.append(
                    f"posted {len(posted)} times in {channel}: {nonce}, {'; '.join(map(str, posted))};"
                    f" near: {'; '.join(near) or '-'}"
                )
        self.facts["posted twice but for the nonce"] = self.watch.hidden


def _both(row: Any) -> tuple[int, ...]:
    """Returns the users of a pairing."""
    return tuple(user for user in (row["first_user"], row["second_user"]) if user is not None)


def _excuses(span: Span, call: Call) -> bool:
    return span.what not in IN_ORDER or span.start <= call.sent
