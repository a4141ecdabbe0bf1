"""Games in play: open, play, answer, show. One move at a time per game; nothing is believed before it is committed."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog

from bot.rng import Luck, fresh_id
from bot.store.db import Conflict, PlaceTaken
from bot.store.ledger import Filed, Finished, Glance, Ledger, Place
from engine.core.chance import commitment
from engine.core.errors import Refused
from engine.core.game import CHANCE, Game, Options, Seat
from engine.core.record import Entry, Header, Record
from engine.core.table import Table
from engine.registry import find

__all__ = ["KEYS", "Finished", "Place", "Seated", "Tables"]

log = structlog.get_logger(__name__)

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "table.unknown": (),
    "table.stale": (),
    "table.not_a_player": (),
    "place.taken": (),
    "challenge.self": (),
}
"""The messages of this module, with their parameters."""
CACHED: Final = 1024
"""Tables kept in memory; any other is replayed from its entries."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A game in play with who plays it where."""

    id: str
    table: Table[Any, Any]
    players: tuple[int, int]
    place: Place
    locale: str
    shown_seq: int
    """How many entries the players have been shown; -1 when not even the start."""
    message_id: int | None
    """The message with the board."""
    commitment: str
    """To the secret of the next roll; "" in games without luck."""
    secret: str = field(repr=False, compare=False)
    """Of the next roll: for this service only."""

    def seats_of(self, user_id: int) -> tuple[Seat, ...]:
        """The seats of a user: none, one, or both if the service lets one person play both sides."""
        return tuple(seat for seat, player in enumerate(self.players) if player == user_id)

    @property
    def seq(self) -> int:
        return self.table.seq

    @property
    def to_act(self) -> int | None:
        """The user whose turn it is; None when the game is over."""
        seat = self.table.to_act
        return None if seat is None or seat == CHANCE else self.players[seat]

    @property
    def awaited(self) -> int | None:
        """The user who has to do something: answer an offer, else take the turn; None when the game is over."""
        offer = self.table.offer
        return self.to_act if offer is None else self.players[1 - offer.seat]

    @property
    def unseen(self) -> tuple[Entry, ...]:
        """What has happened since the players were last shown the board."""
        return self.table.record.entries[max(self.shown_seq, 0) :]


async def to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Does the work even if the one who waits is cancelled, and lets go only then.

    A transaction that is broken off half way can keep SQLite's write lock, and everybody else waiting for it.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


async def always(_: int) -> bool:
    return True


class Tables:
    """The use cases of a game. ``now`` gives milliseconds since 1970; ``plays_forced`` tells of a user whether forced
    turns are to be played for them (forced passes always are).
    """

    def __init__(
        self,
        ledger: Ledger,
        luck: Luck,
        now: Callable[[], int],
        *,
        new_id: Callable[[], str] = fresh_id,
        both_seats: bool = False,
        cached: int = CACHED,
        plays_forced: Callable[[int], Awaitable[bool]] = always,
    ) -> None:
        self.ledger = ledger
        self.luck = luck
        self._now = now
        self._new_id = new_id
        self._both_seats = both_seats
        self._limit = cached
        self._plays_forced = plays_forced
        self._cache: OrderedDict[str, Seated] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Callable[[Seated], None]] = []

    def subscribe(self, listener: Callable[[Seated], None]) -> None:
        """``listener`` is called after each commit that changed a game; what it raises is logged, no more."""
        self._listeners.append(listener)

    # --- opening -------------------------------------------------------------------------------------------------

    async def open(self, game: str, options: Options, players: tuple[int, int], place: Place, locale: str) -> Seated:
        """Starts a game and settles it: opening roll, forced turns. Raises RuleError; Refused if the place is taken."""
        seated = await self.deal(game, options, players, place, locale)
        try:
            async with self.ledger.database.writing() as connection:
                await self.ledger.create(connection, filed(seated), seated.table)
        except PlaceTaken as error:
            raise Refused("place.taken") from error
        self.seat(seated)
        return seated

    async def deal(
        self,
        game: str,
        options: Options,
        players: tuple[int, int],
        place: Place,
        locale: str,
        secret: str | None = None,
    ) -> Seated:
        """A settled game that is not stored yet. ``secret`` is one whose commitment has been published already."""
        if players[0] == players[1] and not self._both_seats:
            raise Refused("challenge.self")
        rules = find(game)
        settled = rules.settle_options(options)
        first = secret or self.luck.secret()
        promised = commitment(first) if begins_with_luck(rules, settled) else ""
        header = Header(game, rules.version, self._new_id(), self._now(), tuple(settled.items()), commitment=promised)
        table, pending = await self._settle(Table.open(rules, header), players, 0, first)
        return _seated(table, Filed(table.record, players, place, locale, pending))

    def seat(self, seated: Seated) -> None:
        """Takes in a game that has just been committed."""
        self._keep(seated)
        self._tell(seated)

    # --- finding -------------------------------------------------------------------------------------------------

    async def get(self, game_id: str) -> Seated:
        """The game, as last seen by this process. Raises Refused."""
        async with self._lock(game_id):
            return await self._get(game_id)

    async def newest(self, game_id: str) -> Seated:
        """The game, with whatever another process has added to it. Raises Refused."""
        glance = await self.ledger.glance(game_id)
        if glance is None:
            raise Refused("table.unknown")
        return await self._newest(glance)

    async def at(self, channel_id: int) -> Seated | None:
        """The game that runs in a channel."""
        glance = await self.ledger.running_at(channel_id)
        return None if glance is None else await self._newest(glance)

    async def latest_at(self, channel_id: int) -> Seated | None:
        """The game that runs in a channel, else the one that ended there last."""
        glance = await self.ledger.running_at(channel_id) or await self.ledger.ended_at(channel_id)
        return None if glance is None else await self._newest(glance)

    async def of(self, user_id: int) -> list[Seated]:
        """The running games of a user: those that await the user first, then the longest without a move."""
        found = [await self._newest(glance) for glance in await self.ledger.running_of(user_id)]
        return sorted(found, key=lambda seated: seated.awaited != user_id)

    async def recent(self, user_id: int, limit: int) -> list[Finished]:
        """The games that a user has finished, the last one first."""
        return await self.ledger.finished_by(user_id, limit)

    async def recent_at(self, channel_id: int, limit: int) -> list[Finished]:
        """The games that have ended in a channel, the last one first."""
        return await self.ledger.finished_at(channel_id, limit)

    # --- playing -------------------------------------------------------------------------------------------------

    async def play(self, game_id: str, user_id: int, seq: int | None, text: str) -> Seated:
        """A whole turn in the game's notation, and all that follows without choice: rolls, forced turns.

        ``seq`` is the number of entries that the player has seen; None to play on whatever stands. Raises RuleError of
        whichever kind; the first of these that holds: not a player, over, stale, not your turn, the rules of the game.
        """

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            return seated.table.play(seat, text, at)

        return await self._command(game_id, user_id, seq, command)

    async def resign(self, game_id: str, user_id: int, points: int) -> Seated:
        """Gives up, or offers to for less than the position could cost. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            return seated.table.resign(seat, points, at)

        return await self._command(game_id, user_id, None, command)

    async def offer_draw(self, game_id: str, user_id: int) -> Seated:
        """Offers a draw. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            return seated.table.make_offer(seat, "draw", at)

        return await self._command(game_id, user_id, None, command)

    async def ask_back(self, game_id: str, user_id: int, *, seq: int | None = None) -> Seated:
        """Asks the other to let the user's last turn be taken back. Raises Refused: nothing to take back, dice fell."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            last, seats = seated.table.last, seated.seats_of(user_id)
            return seated.table.ask_back(last.seat if last and last.seat in seats else seat, at)

        return await self._command(game_id, user_id, seq, command)

    async def answer(self, game_id: str, user_id: int, *, accept: bool, seq: int | None = None) -> Seated:
        """Answers the other's offer. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            offer, seats = seated.table.offer, seated.seats_of(user_id)
            if offer is not None and 1 - offer.seat in seats:
                seat = 1 - offer.seat
            return seated.table.answer(seat, at, accept=accept)

        return await self._command(game_id, user_id, seq, command)

    # --- showing -------------------------------------------------------------------------------------------------

    async def to_show(self) -> list[str]:
        """Ids of the games whose players have not been shown the last entry, the longest waiting first."""
        return await self.ledger.to_show()

    async def shown(self, game_id: str, seq: int, message_id: int | None) -> None:
        """Notes that ``message_id`` shows ``seq`` entries (None: the message stays as it was). Never goes back."""
        async with self._lock(game_id):
            await self.ledger.mark_shown(game_id, seq, message_id)
            cached = self._cache.get(game_id)
            if cached is not None and cached.shown_seq <= seq:
                message = cached.message_id if message_id is None else message_id
                self._keep(replace(cached, shown_seq=seq, message_id=message))

    # --- inside --------------------------------------------------------------------------------------------------

    async def _command(
        self,
        game_id: str,
        user_id: int,
        seq: int | None,
        command: Callable[[Seated, Seat, int], Table[Any, Any]],
    ) -> Seated:
        async with self._lock(game_id):
            seated = await self._get(game_id)
            if seq is not None and seq > seated.seq:  # the player knows more than this process: another one plays too
                seated = await self._load(game_id)
            seats = seated.seats_of(user_id)
            if not seats:
                raise Refused("table.not_a_player")
            if seated.table.outcome is not None:
                raise Refused("table.over")
            if seq not in {None, seated.seq}:
                raise Refused("table.stale")
            to_act = seated.table.to_act
            seat = to_act if to_act in seats else seats[0]
            moved = await self._append(seated, seat, command)
        self._tell(moved)
        return moved

    async def _append(
        self, seated: Seated, seat: Seat, command: Callable[[Seated, Seat, int], Table[Any, Any]]
    ) -> Seated:
        header = seated.table.record.header
        last = seated.table.record.entries[-1].at if seated.seq else 0
        at = max(self._now() - header.started, last)  # a clock set back does not turn the record round
        table, secret = await self._settle(command(seated, seat, at), seated.players, at, seated.secret)
        try:
            await to_its_end(self.ledger.append(seated.id, seated.seq, table, secret))
        except Conflict as error:
            await self._load(seated.id)
            raise Refused("table.stale") from error
        except BaseException:  # a cancellation, too: whether it was committed, only the database knows
            self._cache.pop(seated.id, None)
            raise
        moved = replace(seated, table=table, secret=secret, commitment=seated.commitment and commitment(secret))
        self._keep(moved)
        return moved

    async def _settle(
        self, table: Table[Any, Any], players: tuple[int, int], at: int, secret: str
    ) -> tuple[Table[Any, Any], str]:
        """The table when a seat has a choice again, and the secret for the roll after."""
        # an offer lapses when its answerer plays: no turn is played for one who still has to answer
        answerer = None if table.offer is None else 1 - table.offer.seat
        first, second = [seat != answerer and await self._plays_forced(players[seat]) for seat in (0, 1)]
        pending = secret

        def roll(rolling: Table[Any, Any]) -> str:
            nonlocal pending
            revealed, pending = pending, self.luck.secret()
            return self.luck.body(rolling, revealed, commitment(pending))

        return table.settle(at, roll, (first, second)), pending

    async def _newest(self, glance: Glance) -> Seated:
        async with self._lock(glance.id):
            cached = self._cache.get(glance.id)
            if cached is not None and cached.seq >= glance.seq and cached.shown_seq >= glance.shown_seq:
                return self._keep(cached)
            return await self._load(glance.id)

    async def _get(self, game_id: str) -> Seated:
        cached = self._cache.get(game_id)
        return await self._load(game_id) if cached is None else self._keep(cached)

    async def _load(self, game_id: str) -> Seated:
        """Replays the game from the database; the game's lock is held. Raises Refused, CorruptRecord."""
        stored = await self.ledger.load(game_id)
        if stored is None:
            raise Refused("table.unknown")
        header = stored.record.header
        return self._keep(_seated(Table.replay(find(header.game, header.version), stored.record), stored))

    def _keep(self, seated: Seated) -> Seated:
        self._cache[seated.id] = seated
        self._cache.move_to_end(seated.id)
        if len(self._cache) > self._limit:
            self._cache.popitem(last=False)
        return seated

    def _lock(self, game_id: str) -> asyncio.Lock:
        """The game's own lock; it is dropped as soon as nobody holds or awaits it."""
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    def _tell(self, seated: Seated) -> None:
        for listener in self._listeners:
            try:
                listener(seated)
            except Exception:
                log.exception("listener failed", game=seated.id, seq=seated.seq)


def begins_with_luck(game: Game[Any, Any], options: Options) -> bool:
    """Whether dice fall in this game: where they do, they decide who starts."""
    return game.to_act(game.start(options)) == CHANCE


def filed(seated: Seated) -> Filed:
    """A game as the ledger keeps it."""
    record: Record = seated.table.record
    return Filed(
        record, seated.players, seated.place, seated.locale, seated.secret, seated.shown_seq, seated.message_id
    )


def _seated(table: Table[Any, Any], stored: Filed) -> Seated:
    header = table.record.header
    return Seated(
        id=header.id,
        table=table,
        players=stored.players,
        place=stored.place,
        locale=stored.locale,
        shown_seq=stored.shown_seq,
        message_id=stored.message_id,
        commitment=commitment(stored.secret) if header.commitment else "",
        secret=stored.secret,
    )
