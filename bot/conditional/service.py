"""Conditional plays: what a player lays down for the case that the other plays this or that, in games without dice;
where dice are doubled, the answer to the next double.

A tree holds for the line of play: what is committed is followed in it in the same transaction, and what no longer
can come about goes. So what is stored is always what the next turn may be answered by.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conditional.logic.doubles import ANSWERS, follow_doubles, has_cube, why_no_answer
from bot.conditional.logic.move import ConditionalMove
from bot.conditional.logic.tree import (
    BREAKS,
    ILLEGAL,
    OTHER,
    RESIGN,
    Followed,
    Tree,
    branches,
    follow,
    reached,
    whole_turn,
)
from bot.conditional.repository import ConditionalMoveRepository
from bot.core.storage.database import Conflict
from bot.games.hooks import ConditionalMovesChanged, GameHook, Reply
from bot.games.live import LiveGame
from bot.notifications.service import CONDITIONAL_GONE, NotificationService
from engine.core.errors import Refused, RuleError
from engine.core.game import Seat
from engine.core.table import Table
from engine.kits.cube import Call

__all__ = [
    "KEYS",
    "LIMIT",
    "RESIGN",
    "ConditionalMove",
    "ConditionalMoveService",
    "Dropped",
    "Tree",
    "by_notice",
    "seat_ahead",
    "seat_doubled",
]

LIMIT: Final = 30
"""Conditional moves of a player in a game."""

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "conditional.luck": ("game",),
    "conditional.your_turn": (),
    "conditional.gone": (),
    "conditional.ends": ("move",),
    "conditional.limit": ("most",),
    "conditional.answered": (),
    "conditional.no_cube": ("game",),
    "conditional.answer_now": (),
    "notification.conditional_other": ("game", "opponent", "link"),
    "notification.conditional_illegal": ("game", "opponent", "link"),
    "notification.conditional_takeback": ("game", "opponent", "link"),
    "notification.conditional_clock": ("game", "opponent", "link"),
}
"""The messages of this module, with their parameters."""
TEXTS: Final = {why: f"conditional_{why}" for why in (OTHER, ILLEGAL, *BREAKS.values())}
"""What a notification says, by why the moves are gone."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Whom to tell that their moves are gone. ``why``: ``other``, ``takeback``, ``clock`` or ``illegal``."""

    user_id: int
    seat: Seat
    why: str
    move: str
    """The turn that was not among the moves, if that is why."""


Notify = Callable[[AsyncConnection, LiveGame, Dropped], Awaitable[None]]


def by_notice(notifications: NotificationService) -> Notify:
    """Tells the planner by a notification, once."""

    async def notify(connection: AsyncConnection, live: LiveGame, gone: Dropped) -> None:
        notification = notifications.of_game(live, gone.user_id, CONDITIONAL_GONE, seq=live.seq, text=TEXTS[gone.why])
        await notifications.write(connection, notification)

    return notify


async def silently(connection: AsyncConnection, live: LiveGame, gone: Dropped) -> None:
    """Tells nobody."""
    del connection, live, gone


def has_luck(table: Table[Any, Any]) -> bool:
    """Whether dice fall in this game."""
    return table.game.begins_with_luck(table.options)


def why_no_turns(live: LiveGame) -> Refused | None:
    """Why whoever waits cannot lay down turns in a game that goes on; None if they can."""
    return Refused("conditional.luck", game=live.game.name) if has_luck(live.table) else None


def seat_ahead(live: LiveGame, user_id: int) -> Seat:
    """The seat for which a user may move now: the one that is not to act. Raises Refused."""
    seat, *_ = live.seats_playing(user_id)
    if refused := why_no_turns(live):
        raise refused
    if live.seat_to_act == seat:
        raise Refused("conditional.your_turn")
    return seat


def seat_doubled(live: LiveGame, user_id: int) -> Seat:
    """The seat for which a user may answer the next double now. Raises Refused."""
    seat, *_ = live.seats_playing(user_id)
    if refused := why_no_answer(live.table, seat):
        raise refused
    return seat


@dataclass(frozen=True, slots=True)
class ConditionalMoveService(GameHook):
    """Laying down, and what becomes of it. ``now`` gives ms since 1970."""

    store: ConditionalMoveRepository
    now: Callable[[], int]
    notify: Notify = silently
    """Called in the transaction that drops a tree."""

    # --- laying down ---------------------------------------------------------------------------------------------

    async def tree(self, live: LiveGame, user_id: int) -> Tree:
        """The user's own moves. Raises Refused where nothing can be planned."""
        return _tree(live, seat_ahead(live, user_id), await self.store.of(live.id))

    async def add_condition(
        self, live: LiveGame, user_id: int, after: int | None, turn: str | Sequence[Any]
    ) -> ConditionalMove:
        """The case that the other plays ``turn`` (its steps, or text) after the move ``after`` (None: next).

        Gives a new move, or the one that there is for the same turn.

        Raises RuleError: the turn is not legal, ends the game, or there are too many moves.
        """
        async with self._editing(live, seat_ahead(live, user_id)) as (connection, tree):
            state = tree.state if after is None else tree.after(tree.get(after))
            their, then = self._checked(tree, state, turn)
            if tree.game.to_act(then) != tree.seat:
                raise Refused("conditional.ends", move=their)
            for move in tree.below(after):
                if reached(tree.game, state, move.condition) == then:
                    return move
            if len(tree.moves) >= LIMIT:
                raise Refused("conditional.limit", most=LIMIT)
            move = ConditionalMove(0, tree.seat, after, their, reply=None, persistent=False, created=self.now())
            return await self.store.add(connection, live.id, move)

    async def answer(self, live: LiveGame, user_id: int, move_id: int, turn: str | Sequence[Any]) -> None:
        """What the user plays in that case (its steps, or text), or RESIGN.

        Raises RuleError; Refused if it is said already.
        """
        async with self._editing(live, seat_ahead(live, user_id)) as (connection, tree):
            move = tree.get(move_id)
            text = RESIGN if turn == RESIGN else self._checked(tree, tree.asked(move), turn)[0]
            if move.reply not in {None, text}:
                raise Refused("conditional.answered")
            await self.store.reply(connection, move_id, text)

    async def cut(self, live: LiveGame, user_id: int, move_id: int) -> None:
        """Takes a move back, and all that comes after it. Raises Refused."""
        async with self._editing(live, seat_ahead(live, user_id)) as (connection, tree):
            await self.store.remove(connection, tree.branch(tree.get(move_id)))

    async def clear(self, live: LiveGame, user_id: int) -> None:
        """Takes back all moves of the user in this game. Raises Refused."""
        async with self._editing(live, seat_ahead(live, user_id)) as (connection, tree):
            await self.store.remove(connection, [move.id for move in tree.moves])

    # --- answers to a double -------------------------------------------------------------------------------------

    async def standing_answer(self, live: LiveGame, user_id: int) -> ConditionalMove | None:
        """What the user has laid down for the next double. Raises Refused where nothing can be."""
        seat = seat_doubled(live, user_id)
        return next((move for move in await self.store.of(live.id) if move.seat == seat), None)

    async def answer_double(self, live: LiveGame, user_id: int, reply: str, *, persistent: bool) -> None:
        """``take`` or ``pass`` for the next double, in place of what was laid down before; "" takes that back.

        ``persistent``: until a double comes; otherwise for the other's next turn alone. Raises Refused.
        """
        async with self._editing(live, seat_doubled(live, user_id)) as (connection, tree):
            await self.store.remove(connection, [move.id for move in tree.moves])
            if reply not in {"", *ANSWERS}:
                raise Refused("conditional.gone")
            if reply:
                move = ConditionalMove(
                    0, tree.seat, None, Call.DOUBLE.value, reply, persistent=persistent, created=self.now()
                )
                await self.store.add(connection, live.id, move)

    # --- both ----------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _editing(self, live: LiveGame, seat: Seat) -> AsyncIterator[tuple[AsyncConnection, Tree]]:
        try:
            async with self.store.editing(live.id, live.seq) as connection:
                yield connection, _tree(live, seat, await self.store.listed(connection, live.id))
        except Conflict as error:
            raise Refused("table.stale") from error

    @staticmethod
    def _checked(tree: Tree, state: Any, turn: str | Sequence[Any]) -> tuple[str, Any]:
        """A whole turn in canonical notation, and the position after it. Raises RuleError."""
        if tree.game.to_act(state) is None:
            raise Refused("conditional.ends", move=str(turn))
        steps, after = whole_turn(tree.game, state, turn)
        return tree.game.format(state, steps), after

    # --- taking part (GameHook) ---------------------------------------------------------------------------------

    async def reply(self, before: LiveGame, now: LiveGame) -> Reply | None:
        table, seat = now.table, now.table.to_act
        if seat is None or not allows_conditional_moves(table):
            return None
        mine = [move for move in await self.store.of(before.id) if move.seat == seat]
        return due(_followed(mine, seat, before.table, table), table) if mine else None

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        if before is None or not allows_conditional_moves(after.table):
            return
        table = after.table
        everybody = await self.store.listed(connection, after.id)
        for seat in (0, 1):
            mine = [move for move in everybody if move.seat == seat]
            followed = _followed(mine, seat, before.table, table)
            reply = due(followed, table) if table.to_act == seat else None
            free = table.outcome is None and table.offer is None and not table.paused
            if not followed.sound or (free and reply is not None):
                raise ConditionalMovesChanged
            if not mine:
                continue
            tops, why = followed.tops, followed.left
            if table.to_act == seat and followed.asked in tops and reply is None:
                tops, why = (), ILLEGAL
            if table.outcome is not None:
                tops, why = (), ""
            kept = branches(mine, tops)
            await self.store.begin_with(connection, [move.id for move in tops if move.parent_id is not None])
            await self.store.remove(connection, [move.id for move in mine if move.id not in kept])
            if why:
                await self.notify(connection, after, Dropped(after.players[seat], seat, why, followed.move))


def allows_conditional_moves(table: Table[Any, Any]) -> bool:
    """Whether anything can be laid down in this game: turns, or answers to a double."""
    return not has_luck(table) or has_cube(table)


def _followed(mine: Sequence[ConditionalMove], seat: Seat, before: Table[Any, Any], after: Table[Any, Any]) -> Followed:
    return (follow_doubles if has_luck(after) else follow)(mine, seat, before, after)


def due(followed: Followed, table: Table[Any, Any]) -> Reply | None:
    """What is to be played now; None where nothing is, or where the rules forbid what was laid down."""
    move = followed.asked
    if move is None or move.reply is None or not followed.sound:
        return None
    if move.reply == RESIGN:
        return Reply(resign=True)
    try:
        return Reply(whole_turn(table.game, table.state, move.reply)[0])
    except RuleError:
        return None


def _tree(live: LiveGame, seat: Seat, stored: Sequence[ConditionalMove]) -> Tree:
    return Tree(live.game, live.state, seat, tuple(move for move in stored if move.seat == seat))
