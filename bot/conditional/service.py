"""Conditional moves: replies that a player sets in advance, each for one condition, a turn of the opponent.

Games without dice have trees of them. Games with a cube have one: the answer to the next double.

Every commit follows the tree in the same transaction and removes the moves that can no longer come up. So the stored
moves always start from the current position.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
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
    position_if_legal,
    whole_turn,
)
from bot.conditional.repository import ConditionalMoveRepository
from bot.core.cache import Cache
from bot.core.storage.database import Conflict, after_commit
from bot.games.hooks import ConditionalMovesChanged, GameHook, Reply
from bot.games.live import LiveGame
from bot.notifications.model import CONDITIONAL_GONE
from bot.notifications.service import NotificationService
from engine.core.errors import Refused, RuleError
from engine.core.game import Seat
from engine.core.table import Table
from engine.kits.cube import CubeAction

__all__ = [
    "LIMIT",
    "RESIGN",
    "ConditionalMove",
    "ConditionalMoveService",
    "Dropped",
    "Tree",
    "notifier",
    "seat_to_be_doubled",
    "waiting_seat",
]

REMEMBERED: Final = 86_400.0
"""Seconds for which the moves of a game are cached. They are never out of date."""
LIMIT: Final = 30
"""The most conditional moves that a player may have in a game."""

TEXTS: Final = {why: f"conditional_{why}" for why in (OTHER, ILLEGAL, *BREAKS.values())}
"""The text of the notification, by the reason why the moves were dropped."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A player's moves were dropped. ``why``: ``other``, ``takeback``, ``clock`` or ``illegal``."""

    user_id: int
    seat: Seat
    why: str
    move: str
    """The opponent's turn that met no condition, if ``why`` is ``other``."""


Notify = Callable[[AsyncConnection, LiveGame, Dropped], Awaitable[None]]


def notifier(notifications: NotificationService) -> Notify:
    """Returns a function that sends the player one notification about their dropped moves."""

    async def notify(connection: AsyncConnection, live: LiveGame, gone: Dropped) -> None:
        notification = notifications.of_game(live, gone.user_id, CONDITIONAL_GONE, seq=live.seq, text=TEXTS[gone.why])
        await notifications.write(connection, notification)

    return notify


def nobody_asks(_: str) -> None:
    """Does nothing: stands for a listener until one is connected."""


async def notify_nobody(connection: AsyncConnection, live: LiveGame, gone: Dropped) -> None:
    """Notifies nobody: stands for ``notify`` until it is connected."""
    del connection, live, gone


def has_dice(table: Table[Any, Any]) -> bool:
    return table.game.begins_with_luck(table.options)


def why_no_turns(live: LiveGame) -> Refused | None:
    """Returns the refusal if the waiting player cannot set conditional turns in a running game, else None."""
    return Refused("conditional.luck", game=live.game.name) if has_dice(live.table) else None


def waiting_seat(live: LiveGame, user_id: int) -> Seat:
    """Returns the seat for which a user may set conditional turns now: the one that waits. Raises Refused."""
    seat, *_ = live.seats_playing(user_id)
    if refused := why_no_turns(live):
        raise refused
    if live.seat_to_act == seat:
        raise Refused("conditional.your_turn")
    return seat


def seat_to_be_doubled(live: LiveGame, user_id: int) -> Seat:
    """Returns the seat for which a user may set the answer to the next double now. Raises Refused."""
    seat, *_ = live.seats_playing(user_id)
    if refused := why_no_answer(live.table, seat):
        raise refused
    return seat


@dataclass(frozen=True, slots=True)
class ConditionalMoveService(GameHook):
    """Sets conditional moves and plays them. ``now`` returns ms since 1970."""

    store: ConditionalMoveRepository
    now: Callable[[], int]
    notify: Notify = notify_nobody
    """Called in the transaction that drops a player's moves."""
    edited: Callable[[str], None] = nobody_asks
    """Called with the id of a game after its moves were changed."""
    known: Cache[str, tuple[int, int, Sequence[ConditionalMove]]] = field(
        default_factory=lambda: Cache(seconds=REMEMBERED)
    )
    """The moves of games, with the number of entries and of edits of their game, so that no outdated moves are used."""

    # --- turns ---------------------------------------------------------------------------------------------------

    async def tree(self, live: LiveGame, user_id: int) -> Tree:
        """Returns the user's own moves. Raises Refused if conditional turns cannot be set now."""
        return _tree(live, waiting_seat(live, user_id), await self.store.of(live.id))

    async def add_condition(
        self, live: LiveGame, user_id: int, after: int | None, turn: str | Sequence[Any]
    ) -> ConditionalMove:
        """Adds the condition that the opponent plays ``turn``, given as its steps or as text.

        ``after`` is the id of the move whose reply comes before it; None: the opponent's very next turn. Returns the
        new move, still without a reply, or the existing one for the same turn. Raises RuleError if the turn is illegal
        or incomplete or ends the game, or if there are too many moves.
        """
        async with self._editing(live, waiting_seat(live, user_id)) as (connection, tree):
            state = tree.state if after is None else tree.after_reply(tree.get(after))
            condition, then = self._checked(tree, state, turn)
            if tree.game.to_act(then) != tree.seat:
                raise Refused("conditional.ends", move=condition)
            for move in tree.below(after):
                if position_if_legal(tree.game, state, move.condition) == then:
                    return move
            if len(tree.moves) >= LIMIT:
                raise Refused("conditional.limit", most=LIMIT)
            move = ConditionalMove(0, tree.seat, after, condition, reply=None, persistent=False, created=self.now())
            return await self.store.add(connection, live.id, move)

    async def answer(self, live: LiveGame, user_id: int, move_id: int, turn: str | Sequence[Any]) -> None:
        """Sets the reply of a move: the steps or the text of a turn, or RESIGN.

        Raises RuleError; Refused if the move has another reply already.
        """
        async with self._editing(live, waiting_seat(live, user_id)) as (connection, tree):
            move = tree.get(move_id)
            state = tree.after_condition(move)
            text, then = (RESIGN, None) if turn == RESIGN else self._checked(tree, state, turn)
            if move.reply is not None:
                stands = None if move.reply == RESIGN else position_if_legal(tree.game, state, move.reply)
                if then != stands:
                    raise Refused("conditional.answered")
                return
            await self.store.reply(connection, move_id, text)

    async def delete(self, live: LiveGame, user_id: int, move_id: int) -> None:
        """Deletes a move and all moves after it. Raises Refused."""
        async with self._editing(live, waiting_seat(live, user_id)) as (connection, tree):
            await self.store.remove(connection, tree.branch(tree.get(move_id)))

    async def clear(self, live: LiveGame, user_id: int) -> None:
        """Deletes all moves of the user in this game. Raises Refused."""
        async with self._editing(live, waiting_seat(live, user_id)) as (connection, tree):
            await self.store.remove(connection, [move.id for move in tree.moves])

    # --- answers to a double -------------------------------------------------------------------------------------

    async def double_answer(self, live: LiveGame, user_id: int) -> ConditionalMove | None:
        """Returns the user's answer to the next double, if one is set. Raises Refused if none can be set now."""
        seat = seat_to_be_doubled(live, user_id)
        return next((move for move in await self.store.of(live.id) if move.seat == seat), None)

    async def answer_double(self, live: LiveGame, user_id: int, reply: str, *, persistent: bool) -> None:
        """Sets the answer to the next double, ``take`` or ``pass``, in place of the earlier one; "" removes it.

        ``persistent``: it holds until a double comes; otherwise only for the opponent's next turn. Raises Refused.
        """
        async with self._editing(live, seat_to_be_doubled(live, user_id)) as (connection, tree):
            await self.store.remove(connection, [move.id for move in tree.moves])
            if reply not in {"", *ANSWERS}:
                raise Refused("conditional.gone")
            if reply:
                move = ConditionalMove(
                    0, tree.seat, None, CubeAction.DOUBLE.value, reply, persistent=persistent, created=self.now()
                )
                await self.store.add(connection, live.id, move)

    # --- both ----------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _editing(self, live: LiveGame, seat: Seat) -> AsyncIterator[tuple[AsyncConnection, Tree]]:
        try:
            async with self.store.editing(live.id, live.seq) as connection:
                yield connection, _tree(live, seat, await self.store.listed(connection, live.id))
            self.edited(live.id)
        except Conflict as error:
            raise Refused("table.stale") from error

    @staticmethod
    def _checked(tree: Tree, state: Any, turn: str | Sequence[Any]) -> tuple[str, Any]:
        """Returns a whole turn in canonical notation, and the position after it. Raises RuleError."""
        if tree.game.to_act(state) is None:
            raise Refused("conditional.ends", move=str(turn))
        steps, after = whole_turn(tree.game, state, turn)
        return tree.game.format(state, steps), after

    # --- GameHook -----------------------------------------------------------------------------------------------

    async def reply(self, before: LiveGame, now: LiveGame) -> Reply | None:
        table, seat = now.table, now.table.to_act
        if seat is None or not allows_conditional_moves(table):
            return None
        mine = [move for move in await self._moves(before) if move.seat == seat]
        return reply_due(_followed(mine, seat, before.table, table), table) if mine else None

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        if before is None:
            self._keep(connection, after, ())
        if before is None or not allows_conditional_moves(after.table):
            return
        table = after.table
        # unchanged since ``before`` was read: otherwise the transaction would be refused
        everybody = self._known_of(before)
        if everybody is None:
            everybody = await self.store.listed(connection, after.id)
        gone: set[int] = set()
        for seat in (0, 1):
            mine = [move for move in everybody if move.seat == seat]
            followed = _followed(mine, seat, before.table, table)
            reply = reply_due(followed, table) if table.to_act == seat else None
            free = table.outcome is None and table.offer is None and not table.paused
            if not followed.consistent or (free and reply is not None):
                raise ConditionalMovesChanged
            if not mine:
                continue
            roots, why = followed.roots, followed.reason
            if table.to_act == seat and followed.pending in roots and reply is None:
                roots, why = (), ILLEGAL
            if table.outcome is not None:
                roots, why = (), ""
            kept = branches(mine, roots)
            await self.store.make_roots(connection, [move.id for move in roots if move.parent_id is not None])
            removed = {move.id for move in mine if move.id not in kept}
            await self.store.remove(connection, sorted(removed))
            gone |= removed | {move.id for move in roots if move.parent_id is not None}
            if why:
                await self.notify(connection, after, Dropped(after.players[seat], seat, why, followed.move))
        if not gone:
            self._keep(connection, after, everybody)

    async def _moves(self, live: LiveGame) -> Sequence[ConditionalMove]:
        """Returns both players' moves, from the cache if possible. If they are newer than ``live``, a change of them is
        refused.
        """
        found = self._known_of(live)
        if found is None:
            generation = self.known.generation
            found = await self.store.of(live.id)
            self.known.keep(live.id, (live.seq, live.edits, found), generation)
        return found

    def _known_of(self, live: LiveGame) -> Sequence[ConditionalMove] | None:
        cached = self.known.get(live.id)
        return cached[2] if cached is not None and cached[:2] == (live.seq, live.edits) else None

    def _keep(self, connection: AsyncConnection, live: LiveGame, moves: Sequence[ConditionalMove]) -> None:
        """Caches the moves of a game once the transaction is committed."""
        known = (live.seq, live.edits, moves)
        after_commit(connection, lambda: self.known.keep(live.id, known, self.known.generation))


def allows_conditional_moves(table: Table[Any, Any]) -> bool:
    """Returns whether the game can have conditional moves: turns, or answers to a double."""
    return not has_dice(table) or has_cube(table)


def _followed(mine: Sequence[ConditionalMove], seat: Seat, before: Table[Any, Any], after: Table[Any, Any]) -> Followed:
    return (follow_doubles if has_dice(after) else follow)(mine, seat, before, after)


def reply_due(followed: Followed, table: Table[Any, Any]) -> Reply | None:
    """Returns the reply to play now; None if there is none, or if the rules forbid it."""
    move = followed.pending
    if move is None or move.reply is None or not followed.consistent:
        return None
    if move.reply == RESIGN:
        return Reply(resign=True)
    try:
        return Reply(whole_turn(table.game, table.state, move.reply)[0])
    except RuleError:
        return None


def _tree(live: LiveGame, seat: Seat, stored: Sequence[ConditionalMove]) -> Tree:
    return Tree(live.game, live.state, seat, tuple(move for move in stored if move.seat == seat))
