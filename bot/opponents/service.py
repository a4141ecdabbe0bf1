"""What a machine does in a game: it plays its turn, answers an offer, or ends a pause.

It goes through the same doors as a person, and says each time how many entries it has seen. So nothing is played twice,
whoever asks it and however often, and an answer to a position that is gone is dropped.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import Final, Protocol, TypeAlias

from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.opponents.questions import Answer, Question, playable
from bot.players.machines import is_machine
from engine.core import timekeeping
from engine.core.game import Seat
from engine.core.offers import DRAW, RESIGN
from engine.core.record import Kind

SEED_BYTES: Final = 4

Check: TypeAlias = Callable[[Answer], object]
Deed: TypeAlias = Callable[[], Awaitable[LiveGame]]
"""Does something for a machine, once. Raises Refused if the game has gone on meanwhile."""


class Thinker(Protocol):
    """The processes that think."""

    async def think(self, question: Question, check: Check) -> Answer:
        """What to play. ``check`` raises RuleError for an answer that cannot be played. Raises Unavailable."""


class OpponentService:
    """Decides what the machines do in games."""

    def __init__(self, games: GameService, thinker: Thinker) -> None:
        self._games = games
        self._thinker = thinker

    async def decide(self, live: LiveGame) -> Deed | None:
        """What is to be done for a machine in this game; None if nothing is. Raises Unavailable if nobody can think."""
        seat = acting_seat(live)
        if seat is None:
            return None
        level, seen = live.players[seat], {"seq": live.seq}
        if is_ignored(live, seat):
            return partial(self._games.withdraw, live.id, level, **seen)
        if seat == left_alone(live):  # a draw, unless somebody could save a rating by it
            what = timekeeping.WIN if live.record.header.rated else timekeeping.DRAW
            return partial(self._games.claim, live.id, level, what, **seen)
        if live.paused and live.offer is None:
            return partial(self._games.resume, live.id, level, **seen)
        if live.may_answer(level):
            return partial(self._games.answer, live.id, level, accept=await self._accepts(live, seat), **seen)
        answer = await self._answer(live)
        if answer.resign is not None and may_resign(live, seat, answer.resign):
            return partial(self._games.resign, live.id, level, answer.resign, **seen)
        return partial(self._games.play, live.id, level, live.seq, answer.move)

    async def _accepts(self, live: LiveGame, seat: Seat) -> bool:
        """Whether the machine accepts the other's offer: always, if it gives nothing away by it."""
        what, _, points = (live.offer.what if live.offer is not None else "").partition(" ")
        if what not in {DRAW, RESIGN}:
            return True
        answer = await self._answer(live)
        acts = live.seat_to_act == seat
        if what == RESIGN:
            return (answer.value if acts else -answer.value) <= int(points)
        return answer.accept_draw if acts else answer.value >= 0

    async def _answer(self, live: LiveGame) -> Answer:
        """What the machine thinks of the position, whoever is to act. Raises Unavailable."""
        level = next(player for player in (live.to_act, *live.players) if player is not None and is_machine(player))
        return await self._thinker.think(Question.about(live.table, level, seed_of(live)), playable(live.table))


def acting_seat(live: LiveGame) -> Seat | None:
    """The seat of a machine that has to do something in the game; None if there is none."""
    if live.is_over:
        return None
    alone, asked = left_alone(live), live.resuming
    if alone is not None and is_machine(live.players[alone]):
        return alone
    if live.offer is not None and is_ignored(live, live.offer.seat) and is_machine(live.players[live.offer.seat]):
        return live.offer.seat
    seat = live.awaited_seat if asked is None or live.offer is not None else 1 - asked.seat
    if seat not in {0, 1} or (live.paused and asked is None and live.offer is None):
        return None
    return seat if is_machine(live.players[seat]) else None


def left_alone(live: LiveGame) -> Seat | None:
    """The seat that may end a game without a clock, as the other has stayed away for so long; None if none may."""
    if live.overdue is None or live.clock is not None or live.offer is not None:
        return None
    return 1 - live.overdue


def is_ignored(live: LiveGame, seat: Seat) -> bool:
    """Whether nobody has answered this seat's offer for so long that a game without a clock may end."""
    return live.offer is not None and live.offer.seat == seat and live.overdue is not None and live.clock is None


def may_resign(live: LiveGame, seat: Seat, points: int) -> bool:
    """Whether the machine may resign for so many points: once in a game, as the person may decline it."""
    offer = f"{RESIGN} {points}"
    offered = any(entry.kind is Kind.OFFER and entry.seat == seat and entry.body == offer for entry in live.entries)
    return not offered and points in live.game.resign_values(live.state, seat)


def seed_of(live: LiveGame) -> int:
    """The same for the same position of the same game, so that a question that is asked again has the same answer."""
    return int.from_bytes(sha256(f"{live.id} {live.seq}".encode()).digest()[:SEED_BYTES])
