"""The players: each looks whose turn it is, and plays, challenges, offers, resigns, looks around, or cheats."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from harness.bot import wired
from harness.discord import is_ephemeral

from bot.sandbox.errors import Refused, Timeout
from engine.registry import GAMES
from soak.answers import judged, told
from soak.journal import REFUSED, Attempt, Journal
from soak.walk import Walk

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction
    from bot.sandbox.world import World
    from soak.snapshots import Row, Snapshots
    from soak.watch import Watch

Json = dict[str, Any]
PATIENT: Final = 25.0
"""Seconds that a player waits for an answer that was deferred."""
CHALLENGES: Final[tuple[dict[str, Any], ...]] = (
    {"game": "abalone", "time": "1d/move"},
    {"game": "apb", "time": "5m+3s"},
    {"game": "abak", "points": 0, "time": "3d/move"},
    {"game": "backgammon", "points": 0, "layout": "hyper"},
    {"game": "backgammon", "points": 3, "time": "10m+5s"},
    {"game": "abak", "points": 3},
    {"game": "abalone", "time": "1m+2s"},
    {"game": "apb", "games": 3, "time": "1d/move"},
    {"game": "backgammon", "points": 0, "layout": "hyper", "cube": "on", "time": "5m+3s"},
    {"game": "abak", "points": 0, "time": "1m+5s"},
    {"game": "apb", "rated": True},
    {"game": "backgammon", "points": 0, "layout": "nack", "rated": True},
    *({"game": game, "time": "1d/move"} for game in GAMES),
)
COMMANDS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("abak games", {}),
    ("abak next", {}),
    ("abak board", {}),
    ("abak board", {"flip": True}),
    ("abak settings", {}),
    ("abak help", {}),
    ("abak history", {}),
    ("abak profile", {}),
    ("abak top", {}),
    ("abak dice", {}),
    ("abak server", {}),
    ("abak vacation", {}),
    ("abak rules", {"game": "abak"}),
    ("abak learn", {"game": "apb"}),
    ("abak explore", {"game": "abalone"}),
    ("abak export", {"format": "json"}),
    ("abak replay", {}),
    ("tournament list", {}),
    ("tournament standings", {}),
    ("tournament show", {}),
    ("tournament help", {}),
)
TYPED: Final = (
    ("abak move play", "notation"),
    ("abak challenge", "time"),
    ("abak rules", "topic"),
    ("abak replay", "game"),
    ("tournament show", "tournament"),
)
NONSENSE: Final = ("zz9-q1", "8/2 8/2 8/2", "a1a9", "pass", "e4 e5 e6", "💥", "24/off*")
FORGED: Final = (
    "resign_for",
    "confirm",
    "pick",
    "accept",
    "only",
    "cube",
    "sure_draw",
    "decline",
    "claim_win",
    "nonsense",
)


@dataclass
class Table:
    """A channel in which two players meet."""

    channel_id: int
    users: tuple[int, int]


@dataclass
class Player:
    """One person. ``pace``: seconds between what they do, on average."""

    world: World
    journal: Journal
    watch: Watch
    snapshots: Snapshots
    user_id: int
    table: Table | None
    pace: float
    rng: random.Random
    problems: list[str] = field(default_factory=list)
    gives_up: float = 0.02
    """How often a turn is to resign."""

    async def live(self) -> None:
        """Does one thing after the other, until it is cancelled."""
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / self.pace))
            try:
                await self._act()
            except (Refused, Timeout):
                continue
            except AssertionError as error:
                self.problems.append(f"a player stumbles: {error}"[:300])

    async def _act(self) -> None:
        mine = self.snapshots.of_user.get(self.user_id, [])
        due = [row for row in mine if row.awaited == self.user_id or row.paused]
        if due:
            await self._turn(self.rng.choice(due))
        elif not mine and self.table is not None and self.rng.random() < 0.7:
            await self._meet(self.table)
        elif self.rng.random() < 0.3:
            await self._aside(mine)

    # --- turns -----------------------------------------------------------------------------------------------------

    async def _turn(self, row: Row) -> None:
        lot = self.rng.random()
        board = self.watch.board(row.id)
        if row.paused or row.offered:
            if board is not None and lot < 0.9:
                await self._walk(row).from_board(board, {"accept": 6, "decline": 4, "resume": 9, "take": 5, "cube": 9})
        elif lot < self.gives_up + (0.06 if row.seq > 60 else 0) + (0.02 if row.of_match else 0):
            await self._ask(row, "abak resign", ("resign_for", "resign_match", "sure_resign_match"))
        elif lot < 0.13:
            await self._ask(row, self.rng.choice(("abak draw", "abak takeback", "abak double")), ("draw", "sure_draw"))
        elif lot < 0.16:
            await self._nonsense(row)
        elif lot < 0.19 and board is not None:
            await self._walk(row).from_board(board, {"more": 9}, deep=3)
        elif lot < 0.22:
            await self._plan(row)
        elif lot < 0.6 or board is None:
            await self._type(row)
        else:
            await self._walk(row).from_board(board, {"move": 9, "only": 9, "cube": 9, "flip": 0.3}, deep=24)

    def _walk(self, row: Row | None) -> Walk:
        return Walk(self, row)

    async def _type(self, row: Row) -> None:
        """Types a move that is suggested."""
        offered = await self._choices(row.channel_id, "abak move play", "notation", "")
        if not offered:
            return
        body = self.rng.choice(offered)["value"]
        attempt = self._typed(row, "typed", body, turn=True)
        sent = await self.slash(row.channel_id, "abak move play", {"notation": body}, attempt)
        attempt.status = judged(sent)

    async def _nonsense(self, row: Row) -> None:
        body = self.rng.choice(NONSENSE)
        attempt = self._typed(row, "nonsense", body, turn=True)
        sent = await self.slash(row.channel_id, "abak move play", {"notation": body}, attempt)
        attempt.status = judged(sent)

    def _typed(self, row: Row, what: str, body: str | None = None, *, turn: bool) -> Attempt:
        attempt = self.journal.attempt(row.id, self.user_id, row.seq, what, body, turn=turn)
        attempt.channel_id = row.channel_id
        return attempt

    async def _ask(self, row: Row, command: str, verbs: tuple[str, ...]) -> None:
        """Sends a command in a game, and presses the button that confirms it."""
        attempt = self._typed(row, command, turn=command == "abak double")
        sent = await self.slash(row.channel_id, command, {}, attempt)
        if sent is not None and sent.message is not None and is_ephemeral(sent.message):
            attempt.status = REFUSED  # it only asks
            await self._walk(row).on(sent.message, dict.fromkeys((*verbs, "cube_confirm"), 9.0), deep=2)

    async def _plan(self, row: Row) -> None:
        """Opens conditional moves and chooses some."""
        self.journal.planned.add((row.id, self.user_id))
        sent = await self.slash(row.channel_id, "abak move conditional", {})
        if sent is not None and sent.message is not None:
            await self._walk(row).on(sent.message, {}, deep=5)

    # --- between games ---------------------------------------------------------------------------------------------

    async def _meet(self, table: Table) -> None:
        """Accepts the challenge there is, or makes one."""
        other = next(user for user in table.users if user != self.user_id)
        for message_id, channel_id in list(self.watch.challenges.items())[::-1]:
            message = self.world.messages.find(message_id) if channel_id == table.channel_id else None
            if message is None or not any("accept_challenge" in x["custom_id"] for x in wired(message)):
                continue
            mine = message.get("interaction_metadata", {}).get("user", {}).get("id") == str(self.user_id)
            lot = self.rng.random()
            wanted = {"cancel_challenge": 1.0} if mine else {"accept_challenge": 9.0, "decline_challenge": 0.7}
            if lot < (0.05 if mine else 0.85):
                await self._walk(None).from_board(message, wanted)
            return
        given = dict(self.rng.choice(CHALLENGES))
        if self.rng.random() < 0.9:
            given["opponent"] = str(other)
        await self.slash(table.channel_id, "abak challenge", given)

    async def _aside(self, rows: list[Row]) -> None:
        """Looks around, tries to offer or to plan out of turn, or presses what is another's."""
        lot = self.rng.random()
        place = rows[0].channel_id if rows else self.table.channel_id if self.table else None
        if place is None:
            return
        if lot < 0.25:
            command, option = self.rng.choice(TYPED)
            await self._choices(place, command, option, self.rng.choice(("", "e", "1", "5m", "zz")))
        elif lot < 0.4 and rows:
            await self._plan(self.rng.choice(rows))
        elif lot < 0.5 and rows:
            await self._ask(
                self.rng.choice(rows), self.rng.choice(("abak draw", "abak takeback")), ("draw", "sure_draw")
            )
        elif lot < 0.65:
            await self._forge()
        else:
            command, given = self.rng.choice(COMMANDS)
            sent = await self.slash(place, command, given)
            if sent is not None and sent.message is not None and is_ephemeral(sent.message):
                await self._walk(None).on(sent.message, {}, deep=self.rng.randrange(3))

    async def _forge(self) -> None:
        """Sends a press on somebody else's game that no client would send."""
        others = [row for row in self.snapshots.by_id.values() if self.user_id not in row.players]
        if not others:
            return
        row = self.rng.choice(others)
        board = self.watch.board(row.id)
        if board is None or not self.world.sees(self.user_id, row.channel_id):
            return
        verb = self.rng.choice(FORGED)
        seq = self.rng.choice((row.seq, row.seq - 1, 99999))
        forged = {
            "custom_id": f"b:{verb}:{row.id}:{max(0, seq)}:{self.rng.choice(('', '0', '1', 'x'))}",
            "type": 2,
            "id": 1,
        }
        sent = self.world.user_client._used(self.user_id, board, forged, {}, "button")
        await self.did(self.world.interactions.send(sent))

    # --- the wire --------------------------------------------------------------------------------------------------

    async def slash(
        self, channel_id: int, command: str, given: dict[str, Any], attempt: Attempt | None = None
    ) -> Interaction | None:
        return await self.did(self.world.slash(self.user_id, channel_id, command, given), attempt)

    async def _choices(self, channel_id: int, command: str, option: str, typed: str) -> list[Json]:
        try:
            return await self.world.autocomplete(self.user_id, channel_id, command, {option: typed}, option)
        except Timeout:
            return []

    async def did(self, act: Awaitable[Interaction], attempt: Attempt | None = None) -> Interaction | None:
        """Waits for an act and its answer, and notes them; None if no answer came in time.

        Raises:
            Refused: The client did not send it.
        """
        try:
            sent = await act
        except Timeout:
            return None
        except Refused:
            if attempt is not None:
                self.journal.attempts.remove(attempt)
            raise
        call = self.journal.calls[sent.id]
        if attempt is not None:
            attempt.call = call
        try:
            await sent.settled(PATIENT)
        except Timeout:
            return None
        call.said = told(sent)[:200]
        return sent
