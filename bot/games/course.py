"""How a game goes on: found or replayed, brought up to now, settled, committed. One change at a time per game."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.database import Conflict, to_its_end
from bot.core.locks import alone
from bot.core.randomness import Luck, fresh_id
from bot.games.hooks import ConditionalMovesChanged, GameHook, carried_out
from bot.games.live import LiveGame, live_game
from bot.games.repository import GameRepository
from bot.games.stored import GameVersion
from engine.core.chance import commitment
from engine.core.errors import Refused, RuleError
from engine.core.game import Seat
from engine.core.hours import DAY
from engine.core.table import Table
from engine.core.timekeeping import SYSTEM_KINDS, uncounted
from engine.registry import find

CACHED: Final = 1024
"""GameService kept in memory; any other is replayed from its entries."""
ATTEMPTS: Final = 5
"""How often a change is begun anew because a plan was changed meanwhile."""

log = structlog.get_logger(__name__)


async def always(_: int) -> bool:
    return True


async def never(_: int) -> bool:
    return False


class Course:
    """Keeps the games. ``now`` gives milliseconds since 1970; ``plays_forced`` tells of a user whether forced
    turns are to be played for them (forced passes always are), ``rolls`` whether dice are rolled for them where they
    might double.
    """

    def __init__(
        self,
        repository: GameRepository,
        luck: Luck,
        now: Callable[[], int],
        *,
        new_id: Callable[[], str] = fresh_id,
        cached: int = CACHED,
        plays_forced: Callable[[int], Awaitable[bool]] = always,
        rolls: Callable[[int], Awaitable[bool]] = never,
        hooks: Sequence[GameHook] = (),
    ) -> None:
        self.repository = repository
        self.luck = luck
        self._now = now
        self._new_id = new_id
        self._limit = cached
        self._plays_forced = plays_forced
        self._rolls = rolls
        self.hooks = hooks
        self._cache: OrderedDict[str, LiveGame] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Callable[[LiveGame], None]] = []

    def subscribe(self, listener: Callable[[LiveGame], None]) -> None:
        """``listener`` is called after each commit that changed a game; what it raises is logged, no more."""
        self._listeners.append(listener)

    async def _command(
        self,
        game_id: str,
        user_id: int,
        seq: int | None,
        command: Callable[[LiveGame, Seat, int], Table[Any, Any]],
    ) -> LiveGame:
        async with self._lock(game_id):
            live = await self._get(game_id)
            if seq is not None and seq > live.seq:  # the player knows more than this process: another one plays too
                live = await self._load(game_id)
            try:
                moved, in_time = await self._commanded(live, user_id, seq, command)
            except Conflict as conflict:  # another process has added something; a note of time makes nothing stale
                known, live = live.seq, await self._load(game_id)
                if not still_stands(live.table, known):
                    raise Refused("table.stale") from conflict
                try:
                    moved, in_time = await self._commanded(live, user_id, seq, command)
                except Conflict as error:
                    await self._load(game_id)
                    raise Refused("table.stale") from error
        self._tell(moved)
        if not in_time:
            raise Refused("table.time_up")
        return moved

    async def _commanded(
        self,
        live: LiveGame,
        user_id: int,
        seq: int | None,
        command: Callable[[LiveGame, Seat, int], Table[Any, Any]],
    ) -> tuple[LiveGame, bool]:
        """The game after the command; False if time had ended it before. Raises Refused, Conflict."""
        seats = live.seats_playing(user_id)
        if seq is not None and not still_stands(live.table, seq):
            raise Refused("table.stale")
        at = await self._elapsed(live)
        ready = replace(live, table=await self._caught_up(live, at))
        if ready.table.outcome is not None:
            return await self._commit(live, ready.table, live.secret), False
        to_act = ready.table.to_act
        seat = to_act if to_act in seats else seats[0]
        done = await self._capped(live, ready.table, command(ready, seat, at))
        table, secret = await self._settle(done, live.players, at, live.secret)
        return await self._commit(live, table, secret), True

    async def _commit(self, live: LiveGame, table: Table[Any, Any], secret: str) -> LiveGame:
        """Stores what has been added to the game, and what was planned for it. Raises Conflict if somebody added."""
        for _ in range(ATTEMPTS):
            with suppress(ConditionalMovesChanged):
                return await self._commit_once(live, *await self._with_plans(live, table, secret))
        raise Conflict

    async def _commit_once(self, live: LiveGame, table: Table[Any, Any], secret: str) -> LiveGame:
        moved = replace(live, table=table, secret=secret, commitment=live.commitment and commitment(secret))

        async def also(connection: AsyncConnection) -> None:
            late = table.lost_on_time
            if late is not None:  # alone, or two processes would each find that theirs is the first
                await alone(connection, live.players[late])
            if not await self._counts_once(connection, live, table):
                raise Conflict
            for hook in self.hooks:
                await hook.on_commit(connection, live, moved)

        work = self.repository.append(live.id, live.seq, table, secret, also, live.place.channel_id)
        await self._write(live.id, work)
        self._keep(moved)
        return moved

    async def _write(self, game_id: str, work: Coroutine[Any, Any, None]) -> None:
        """Changes what is stored of a game; its lock is held."""
        try:
            await to_its_end(work)
        except BaseException:  # a cancellation, too: whether it was committed, only the database knows
            self._cache.pop(game_id, None)
            raise

    async def _with_plans(self, live: LiveGame, table: Table[Any, Any], secret: str) -> tuple[Table[Any, Any], str]:
        """The table after the turns that players have laid down for this very course of the game."""
        while table.outcome is None and table.offer is None and not table.paused:
            now = replace(live, table=table, secret=secret)
            replies = [await hook.reply(live, now) for hook in self.hooks]
            reply = next((found for found in replies if found is not None), None)
            if reply is None:
                break
            try:
                planned = carried_out(table, reply)
            except RuleError:  # what a plan says that the rules forbid is no plan
                log.warning("plan does not follow", game=live.id, seq=table.seq)
                break
            at = table.record.entries[-1].at
            table, secret = await self._settle(planned, live.players, at, secret)
        return table, secret

    async def _caught_up(self, live: LiveGame, at: int) -> Table[Any, Any]:
        """The table with what it lacks up to ``at``, before anybody acts."""
        table = live.table
        if table.outcome is not None:
            return table
        for hook in self.hooks:
            for entry in await hook.entries(replace(live, table=table), at):
                table = table.append(entry)
        clock = table.clock
        if clock is not None and table.overdue is None and clock.running is not None and clock.expired(at):
            table = await self._capped(live, table, table.time_out(at))
        return table

    async def _capped(self, live: LiveGame, before: Table[Any, Any], after: Table[Any, Any]) -> Table[Any, Any]:
        """The table ``after`` one more entry, uncounted if that is one loss on time too many."""
        if after.lost_on_time is None:
            return after
        async with self.repository.database.reading() as connection:
            counted = await self._counts_once(connection, live, after)
        return after if counted else before.append(uncounted(after.record.entries[-1]))

    async def _counts_once(self, connection: AsyncConnection, before: LiveGame, table: Table[Any, Any]) -> bool:
        """Whether whoever loses here on time has lost no other game so, that counts, within a day before."""
        late = table.lost_on_time
        if late is None:
            return True
        loser, moment = before.players[late], table.record.header.started + table.record.entries[-1].at
        return not await self.repository.lost_on_time(connection, loser, moment - DAY, before.id)

    async def _elapsed(self, live: LiveGame) -> int:
        """Now, in ms since the game's start; a clock set back does not turn the record round."""
        for hook in self.hooks:
            await hook.before_command(live.place.guild_id)
        entries = live.table.record.entries
        return max(self._now() - live.table.record.header.started, entries[-1].at if entries else 0)

    async def _settle(
        self, table: Table[Any, Any], players: tuple[int, int], at: int, secret: str
    ) -> tuple[Table[Any, Any], str]:
        """The table when a seat has a choice again, and the secret for the roll after."""
        # an offer lapses when its answerer plays: no turn is played for one who still has to answer
        answerer = None if table.offer is None else 1 - table.offer.seat
        first, second = [seat != answerer and await self._plays_forced(players[seat]) for seat in (0, 1)]
        # a standing order to roll; that for the next double is a plan (``_with_plans``)
        automatic = [seat != answerer and await self._rolls(players[seat]) for seat in (0, 1)]
        pending = secret

        def roll(rolling: Table[Any, Any]) -> str:
            nonlocal pending
            revealed, pending = pending, self.luck.secret()
            return self.luck.body(rolling, revealed, commitment(pending))

        return table.settle(at, roll, (first, second), (automatic[0], automatic[1])), pending

    async def _newest(self, version: GameVersion) -> LiveGame:
        async with self._lock(version.id):
            cached = self._cache.get(version.id)
            fresh = cached is not None and cached.place.channel_id == version.channel_id
            if cached is not None and fresh and cached.seq >= version.seq and cached.shown_seq >= version.shown_seq:
                return self._keep(cached)
            return await self._load(version.id)

    async def _get(self, game_id: str) -> LiveGame:
        cached = self._cache.get(game_id)
        return await self._load(game_id) if cached is None else self._keep(cached)

    async def _load(self, game_id: str) -> LiveGame:
        """Replays the game from the database; the game's lock is held. Raises Refused, CorruptRecord."""
        stored = await self.repository.load(game_id)
        if stored is None:
            raise Refused("table.unknown")
        header = stored.record.header
        return self._keep(live_game(Table.replay(find(header.game, header.version), stored.record), stored))

    def _keep(self, live: LiveGame) -> LiveGame:
        self._cache[live.id] = live
        self._cache.move_to_end(live.id)
        if len(self._cache) > self._limit:
            self._cache.popitem(last=False)
        return live

    def _lock(self, game_id: str) -> asyncio.Lock:
        """The game's own lock; it is dropped as soon as nobody holds or awaits it."""
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    def _tell(self, live: LiveGame) -> None:
        for listener in self._listeners:
            try:
                listener(live)
            except Exception:
                log.exception("listener failed", game=live.id, seq=live.seq)


def still_stands(table: Table[Any, Any], seq: int) -> bool:
    """Whether who saw ``seq`` entries has seen all that players did: what the bot notes of absences is none of it."""
    return 0 <= seq <= table.seq and all(entry.kind in SYSTEM_KINDS for entry in table.record.entries[seq:])
