"""Games in play: open, play, answer, show. One move at a time per game; nothing is believed before it is committed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.database import Conflict, PlaceTaken, to_its_end
from bot.games.course import Course
from bot.games.live import Seated, filed, seated_of
from bot.games.repository import Filed, Finished, Place
from engine.core.chance import commitment
from engine.core.errors import Refused
from engine.core.game import Options, Seat
from engine.core.record import TURNS, Header, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK
from engine.registry import find

__all__ = ["KEYS", "Finished", "Place", "Seated", "Tables"]

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "table.unknown": (),
    "table.stale": (),
    "table.not_a_player": (),
    "table.declined": (),
    "table.withdrawn": (),
    "place.taken": (),
    "place.here": (),
    "challenge.self": (),
}
"""The messages of this module, with their parameters."""


Also: TypeAlias = Callable[[AsyncConnection, Seated], Awaitable[None]]


class Tables(Course):
    """The use cases of a game."""

    # --- opening -------------------------------------------------------------------------------------------------

    async def open(
        self,
        game: str,
        options: Options,
        players: tuple[int, int],
        place: Place,
        locale: str,
        clock: str = "",
        policy: str = "",
        secret: str | None = None,
        also: Also | None = None,
    ) -> Seated:
        """Starts a game and settles it: opening roll, forced turns. Raises RuleError; Refused if the place is taken.

        ``clock`` and ``policy`` (when time is up) are those of the record's header; ``secret`` is one whose commitment
        has been published already; ``also`` writes what belongs to it, in the same transaction.
        """
        if players[0] == players[1]:
            raise Refused("challenge.self")
        rules = find(game)
        settled = rules.settle_options(options)
        first = secret or self.luck.secret()
        promised = commitment(first) if rules.begins_with_luck(settled) else ""
        for companion in self.companions:
            await companion.rouse(place.guild_id)
        header = Header(
            game,
            rules.version,
            self._new_id(),
            self._now(),
            tuple(settled.items()),
            commitment=promised,
            clock=clock,
            timeout=policy,
        )
        opened = Table.open(rules, header)
        ready = await self._caught_up(seated_of(opened, Filed(opened.record, players, place, locale, first)), 0)
        table, pending = await self._settle(ready, players, 0, first)
        seated = seated_of(table, Filed(table.record, players, place, locale, pending))
        try:
            await to_its_end(self.seat(seated, also))
        except PlaceTaken as error:
            raise Refused("place.taken") from error
        return seated

    async def seat(self, seated: Seated, also: Also | None = None) -> None:
        """Stores a new game, and takes it in once it is committed. Raises PlaceTaken."""
        async with self.ledger.database.writing() as connection:
            await self.ledger.create(connection, filed(seated), seated.table)
            for companion in self.companions:
                await companion.written(connection, None, seated)
            if also is not None:
                await also(connection, seated)
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

    async def waiting(self, user_id: int, but: str) -> int:
        """In how many running games it is the user's turn, ``but`` one."""
        return await self.ledger.waiting_for(user_id, but)

    async def recent(self, user_id: int, limit: int) -> list[Finished]:
        """The games that a user has finished, the last one first."""
        return await self.ledger.finished_by(user_id, limit)

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
            return once(seated.table, seat, f"resign {points}").resign(seat, points, at)

        return await self._command(game_id, user_id, None, command)

    async def ask_back(self, game_id: str, user_id: int, *, seq: int | None = None) -> Seated:
        """Asks the other to let the user's last turn be taken back. Raises Refused: nothing to take back, dice fell."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            last, seats = seated.table.last, seated.seats_of(user_id)
            asker = last.seat if last and last.seat in seats else seat
            return once(seated.table, asker, TAKEBACK).ask_back(asker, at)

        return await self._command(game_id, user_id, seq, command)

    async def answer(self, game_id: str, user_id: int, *, accept: bool, seq: int | None = None) -> Seated:
        """Answers the other's offer. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            offer, seats = seated.table.offer, seated.seats_of(user_id)
            if offer is not None and 1 - offer.seat in seats:
                seat = 1 - offer.seat
            return seated.table.answer(seat, at, accept=accept)

        return await self._command(game_id, user_id, seq, command)

    async def withdraw(self, game_id: str, user_id: int, *, seq: int | None = None) -> Seated:
        """Takes back what the user has offered. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            offer, seats = seated.table.offer, seated.seats_of(user_id)
            return seated.table.withdraw(offer.seat if offer and offer.seat in seats else seat, at)

        return await self._command(game_id, user_id, seq, command)

    async def claim(self, game_id: str, user_id: int, what: str, *, seq: int | None = None) -> Seated:
        """Ends a game whose other player's time is up, or who has been away too long: ``win`` or ``draw``. Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            waiting = next((s for s in seated.seats_of(user_id) if s != seated.table.to_act), seat)
            return seated.table.claim(waiting, what, at)

        return await self._command(game_id, user_id, seq, command)

    async def offer(self, game_id: str, user_id: int, what: str, *, seq: int | None = None) -> Seated:
        """Offers ``draw``, ``pause``, or ``adjourn SPEC``. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            return offered(seated.table, seat, what, at)

        return await self._command(game_id, user_id, seq, command)

    async def resume(self, game_id: str, user_id: int) -> Seated:
        """Ends a pause. Raises Refused."""

        def command(seated: Seated, seat: Seat, at: int) -> Table[Any, Any]:
            return seated.table.resume(seat, at)

        return await self._command(game_id, user_id, None, command)

    # --- time ----------------------------------------------------------------------------------------------------

    async def tick(self, game_id: str) -> Seated:
        """Brings the record up to now: absences, and the end of somebody's time. Changes nothing a second time.

        Raises Refused if there is no such game.
        """
        async with self._lock(game_id):
            seated = await self._load(game_id)
            at = await self._elapsed(seated)
            try:
                table = await self._caught_up(seated, at)
                if table is seated.table:
                    await self.ledger.settle_deadline(seated.id, seated.table)
                    return seated
                moved = await self._commit(seated, *await self._settle(table, seated.players, at, seated.secret))
            except Conflict:  # somebody moved in between: the next tick sees what follows
                return await self._load(game_id)
        self._tell(moved)
        return moved

    # --- moving --------------------------------------------------------------------------------------------------

    async def bring(self, game_id: str, user_id: int, place: Place) -> tuple[Seated, Seated]:
        """Lets a game go on in another place; how it was, and how it is now.

        Raises Refused: not a player, over, it is there already, another game is.
        """
        async with self._lock(game_id):
            before = await self._load(game_id)
            before.seats_playing(user_id)
            if before.place == place:
                raise Refused("place.here")
            after = replace(before, place=place, message_id=None, shown_seq=min(before.shown_seq, before.seq - 1))
            try:
                await self._write(game_id, self._bring(before, after, user_id))
            except PlaceTaken as error:
                raise Refused("place.taken") from error
            except Conflict as error:
                raise Refused("table.stale") from error
            self._keep(after)
        self._tell(after)
        return before, after

    async def _bring(self, before: Seated, after: Seated, user_id: int) -> None:
        async with self.ledger.database.writing() as connection:
            await self.ledger.move(connection, before.id, before.seq, after.place)
            for companion in self.companions:
                await companion.moved(connection, before, after, user_id)

    # --- showing -------------------------------------------------------------------------------------------------

    async def shown(self, game_id: str, seq: int, message_id: int | None, place: Place | None = None) -> None:
        """Notes that ``message_id`` shows ``seq`` entries (None: the message stays as it was). Never goes back.

        Nothing is noted if the game is not played in ``place`` any more.
        """
        async with self._lock(game_id):
            channel_id = None if place is None else place.channel_id
            await self._write(game_id, self.ledger.mark_shown(game_id, seq, message_id, channel_id))
            cached = self._cache.get(game_id)
            if cached is not None and cached.shown_seq <= seq and place in {None, cached.place}:
                message = cached.message_id if message_id is None else message_id
                self._keep(replace(cached, shown_seq=seq, message_id=message))


def once(table: Table[Any, Any], seat: Seat, what: str) -> Table[Any, Any]:
    """The table, if ``seat`` may offer this now: not what was declined or withdrawn since its last turn, or the other
    would be called again and again for nothing. Raises Refused.
    """
    for entry in reversed(table.record.entries):
        if (entry.kind in TURNS and entry.seat == seat) or table.outcome is not None:
            break
        if (entry.kind, entry.seat, entry.body) == (Kind.DECLINE, 1 - seat, what):
            raise Refused("table.declined")
        if (entry.kind, entry.seat, entry.body) == (Kind.WITHDRAW, seat, what):
            raise Refused("table.withdrawn")
    return table


def offered(table: Table[Any, Any], seat: Seat, what: str, at: int) -> Table[Any, Any]:
    """The table with an offer of ``seat``. Raises Refused."""
    return once(table, seat, what).make_offer(seat, what, at)
