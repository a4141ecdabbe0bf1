"""Decides what a machine does in a game: it plays its turn, answers an offer, or ends a pause.

It uses the same methods as a person, and says each time how many entries it has seen. So nothing is played twice,
however often it is asked, and an answer to an earlier position is dropped.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import Final, Protocol, TypeAlias

from bot.games.live import LiveGame
from bot.games.service import LATE_MS, GameService
from bot.opponents.questions import Answer, Question, playable
from bot.players.machines import is_machine
from engine.core import timekeeping
from engine.core.game import Seat
from engine.core.offers import DRAW, RESIGN
from engine.core.record import TURN_KINDS, Kind
from engine.kits.cube import CubeAction

SEED_BYTES: Final = 4
EARLIEST_DRAW: Final = 20
"""The turns of both sides together before a machine agrees to a draw."""
CUBE_ACTIONS: Final = frozenset(CubeAction) - {CubeAction.PASS}
"""The cube actions after which a game goes on. A turn without a legal move is written ``pass``, too."""

Check: TypeAlias = Callable[[Answer], object]
Deed: TypeAlias = Callable[[], Awaitable[LiveGame]]
"""Does something for a machine, once. Raises Refused if the game has gone on meanwhile."""


class Thinker(Protocol):
    """The pool of processes that think."""

    async def think(self, question: Question, check: Check) -> Answer:
        """Returns the best move. ``check`` raises RuleError for an answer that cannot be played. Raises Unavailable."""


async def nowhere(live: LiveGame) -> bool:
    """Says that no game belongs to a tournament. Stands for the tournaments until they are connected."""
    del live
    return False


async def never(game_id: str) -> bool:
    """Says that no game is displaced."""
    del game_id
    return False


class OpponentService:
    """Decides what the machines do in games."""

    def __init__(self, games: GameService, thinker: Thinker, now: Callable[[], int]) -> None:
        """Sets up the service. ``now`` returns ms since 1970."""
        self.is_in_tournament: Callable[[LiveGame], Awaitable[bool]] = nowhere
        self.is_displaced: Callable[[str], Awaitable[bool]] = never
        """Returns whether the channel of a game, of that id, was deleted and its clock stands."""
        self._games = games
        self._thinker = thinker
        self._now = now

    def acting_seat(self, live: LiveGame) -> Seat | None:
        """Returns the seat of a machine that has something to do in the game now; None if there is none."""
        return acting_seat(live, self._now())

    async def decide(self, live: LiveGame) -> Deed | None:
        """Returns the machine's next action in this game; None if it has none. Raises Unavailable if no worker can
        think.
        """
        seat = self.acting_seat(live)
        if seat is None or await self._stands_still(live):
            return None
        level, seen = live.players[seat], {"seq": live.seq}
        if is_ignored(live, seat, self._now()):
            return partial(self._games.withdraw, live.id, level, **seen)
        if seat == left_alone(live, self._now()):  # a draw, unless time is up or a player could save a rating by it
            lost = live.record.header.rated or live.clock is not None
            what = timekeeping.WIN if lost else timekeeping.DRAW
            return partial(self._games.claim, live.id, level, what, **seen)
        if live.paused and live.offer is None:
            return partial(self._games.resume, live.id, level, **seen)
        if live.may_answer(level):
            return partial(self._games.answer, live.id, level, accept=await self._accepts(live, seat), **seen)
        answer = await self._answer(live)
        if answer.resign is not None and may_resign(live, seat, answer.resign):
            return partial(self._games.resign, live.id, level, answer.resign, **seen)
        return partial(self._games.play, live.id, level, live.seq, answer.move)

    async def _stands_still(self, live: LiveGame) -> bool:
        """Returns whether two machines play in a deleted channel: each turn would credit them time that nobody uses."""
        return all(map(is_machine, live.players)) and await self.is_displaced(live.id)

    async def _accepts(self, live: LiveGame, seat: Seat) -> bool:
        """Returns whether the machine accepts the opponent's offer, which it does if it loses nothing that counts.

        It declines a draw while the game is young: the position is even at first, and neither side has played for a
        win.
        """
        what, _, points = (live.offer.what if live.offer is not None else "").partition(" ")
        if what not in {DRAW, RESIGN}:
            return not await self.is_in_tournament(live)
        if what == DRAW and turns_played(live) < EARLIEST_DRAW:
            return False
        answer = await self._answer(live)
        acts = live.seat_to_act == seat
        if what == RESIGN:
            return (answer.value if acts else -answer.value) <= int(points)
        return answer.accept_draw if acts else answer.value >= 0

    async def _answer(self, live: LiveGame) -> Answer:
        """Returns the machine's evaluation of the position, for either side to act. Raises Unavailable."""
        level = next(player for player in (live.to_act, *live.players) if player is not None and is_machine(player))
        return await self._thinker.think(Question.about(live.table, level, seed_of(live)), playable(live.table))


def turns_played(live: LiveGame) -> int:
    """Returns the number of turns of both sides that were not taken back. Cube actions do not count."""
    entries = live.table.effective_entries
    return sum(entry.kind in TURN_KINDS and entry.body not in CUBE_ACTIONS for entry in entries)


def acting_seat(live: LiveGame, now: int) -> Seat | None:
    """Returns the seat of a machine that has something to do in the game at ``now`` (ms since 1970); None if there is
    none.
    """
    if live.is_over:
        return None
    alone, resuming = left_alone(live, now), live.resuming
    if alone is not None and is_machine(live.players[alone]):
        return alone
    if live.offer is not None and is_ignored(live, live.offer.seat, now) and is_machine(live.players[live.offer.seat]):
        return live.offer.seat
    seat = live.awaited_seat if resuming is None or live.offer is not None else 1 - resuming.seat
    if seat not in {0, 1} or (live.paused and resuming is None and live.offer is None):
        return None
    return seat if is_machine(live.players[seat]) else None


def left_alone(live: LiveGame, now: int) -> Seat | None:
    """Returns the seat that may end a game because the opponent has stayed away for so long; None if there is none."""
    if live.overdue is None or live.offer is not None or not _is_left(live, now):
        return None
    return 1 - live.overdue


def is_ignored(live: LiveGame, seat: Seat, now: int) -> bool:
    """Returns whether the opponent has left this seat's offer unanswered for so long that the game may end."""
    return live.offer is not None and live.offer.seat == seat and live.overdue is not None and _is_left(live, now)


def _is_left(live: LiveGame, now: int) -> bool:
    """Returns whether nothing has happened for LATE_MS since time was up.

    Always True without a clock, as time is then up only after so long.
    """
    return live.clock is None or live.elapsed(now) - live.entries[-1].at >= LATE_MS


def may_resign(live: LiveGame, seat: Seat, points: int) -> bool:
    """Returns whether the machine may resign for so many points: once in a game, as the opponent may decline it."""
    offer = f"{RESIGN} {points}"
    offered = any(entry.kind is Kind.OFFER and entry.seat == seat and entry.body == offer for entry in live.entries)
    return not offered and points in live.game.resign_values(live.state, seat)


def seed_of(live: LiveGame) -> int:
    """Returns a seed made of the game's id and its number of entries,
    so that a repeated question has the same answer.
    """
    return int.from_bytes(sha256(f"{live.id} {live.seq}".encode()).digest()[:SEED_BYTES])
