"""Games in play: open, play, answer, show. One move at a time per game; nothing is believed before it is committed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.database import Conflict, PlaceTaken, to_its_end
from bot.games.course import Course
from bot.games.live import LiveGame, live_game, stored
from bot.games.stored import FinishedGame, Place, StoredGame
from engine.core.chance import commitment
from engine.core.errors import Refused
from engine.core.game import Options, Seat
from engine.core.record import TURN_KINDS, Header, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK
from engine.registry import find

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "table.unknown": (),
    "table.stale": (),
    "table.not_a_player": (),
    "table.declined": (),
    "table.withdrawn": (),
    "place.taken": (),
    "place.here": (),
    "place.no_game": (),
    "challenge.self": (),
}
"""The messages of this module, with their parameters."""


Also: TypeAlias = Callable[[AsyncConnection, LiveGame], Awaitable[None]]


class GameService(Course):
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
    ) -> LiveGame:
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
        for hook in self.hooks:
            await hook.before_command(place.guild_id)
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
        ready = await self._caught_up(live_game(opened, StoredGame(opened.record, players, place, locale, first)), 0)
        table, pending = await self._settle(ready, players, 0, first)
        live = live_game(table, StoredGame(table.record, players, place, locale, pending))
        try:
            await to_its_end(self.seat(live, also))
        except PlaceTaken as error:
            raise Refused("place.taken") from error
        return live

    async def seat(self, live: LiveGame, also: Also | None = None) -> None:
        """Stores a new game, and takes it in once it is committed. Raises PlaceTaken."""
        async with self.repository.database.writing() as connection:
            await self.repository.create(connection, stored(live), live.table)
            for hook in self.hooks:
                await hook.on_commit(connection, None, live)
            if also is not None:
                await also(connection, live)
        self._keep(live)
        self._tell(live)

    # --- finding -------------------------------------------------------------------------------------------------

    async def get(self, game_id: str) -> LiveGame:
        """The game, as last seen by this process. Raises Refused."""
        async with self._lock(game_id):
            return await self._get(game_id)

    async def newest(self, game_id: str) -> LiveGame:
        """The game, with whatever another process has added to it. Raises Refused."""
        version = await self.repository.version(game_id)
        if version is None:
            raise Refused("table.unknown")
        return await self._newest(version)

    async def at(self, channel_id: int) -> LiveGame | None:
        """The game that runs in a channel."""
        version = await self.repository.running_at(channel_id)
        return None if version is None else await self._newest(version)

    async def latest_at(self, channel_id: int) -> LiveGame | None:
        """The game that runs in a channel, else the one that ended there last."""
        version = await self.repository.running_at(channel_id) or await self.repository.ended_at(channel_id)
        return None if version is None else await self._newest(version)

    async def playing_at(self, channel_id: int | None) -> LiveGame:
        """The game that runs in a channel. Raises Refused."""
        live = None if channel_id is None else await self.at(channel_id)
        if live is None:
            raise Refused("place.no_game")
        return live

    async def last_at(self, channel_id: int | None) -> LiveGame:
        """The game that runs in a channel, else the one that ended there last. Raises Refused."""
        live = None if channel_id is None else await self.latest_at(channel_id)
        if live is None:
            raise Refused("place.no_game")
        return live

    async def of(self, user_id: int) -> list[LiveGame]:
        """The running games of a user: those that await the user first, then the longest without a move."""
        found = [await self._newest(version) for version in await self.repository.running_of(user_id)]
        return sorted(found, key=lambda live: live.awaited != user_id)

    async def waiting(self, user_id: int, but: str) -> int:
        """In how many running games it is the user's turn, ``but`` one."""
        return await self.repository.waiting_for(user_id, but)

    async def recent(self, user_id: int, limit: int) -> list[FinishedGame]:
        """The games that a user has finished, the last one first."""
        return await self.repository.finished_by(user_id, limit)

    # --- playing -------------------------------------------------------------------------------------------------

    async def play(self, game_id: str, user_id: int, seq: int | None, text: str) -> LiveGame:
        """A whole turn in the game's notation, and all that follows without choice: rolls, forced turns.

        ``seq`` is the number of entries that the player has seen; None to play on whatever stands. Raises RuleError of
        whichever kind; the first of these that holds: not a player, over, stale, not your turn, the rules of the game.
        """

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            return live.table.play(seat, text, at)

        return await self._command(game_id, user_id, seq, command)

    async def resign(self, game_id: str, user_id: int, points: int) -> LiveGame:
        """Gives up, or offers to for less than the position could cost. Raises Refused."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            return once(live.table, seat, f"resign {points}").resign(seat, points, at)

        return await self._command(game_id, user_id, None, command)

    async def ask_back(self, game_id: str, user_id: int, *, seq: int | None = None) -> LiveGame:
        """Asks the other to let the user's last turn be taken back. Raises Refused: nothing to take back, dice fell."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            last, seats = live.table.last_turn, live.seats_of(user_id)
            asker = last.seat if last and last.seat in seats else seat
            return once(live.table, asker, TAKEBACK).offer_takeback(asker, at)

        return await self._command(game_id, user_id, seq, command)

    async def answer(self, game_id: str, user_id: int, *, accept: bool, seq: int | None = None) -> LiveGame:
        """Answers the other's offer. Raises Refused."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            offer, seats = live.table.offer, live.seats_of(user_id)
            if offer is not None and 1 - offer.seat in seats:
                seat = 1 - offer.seat
            return live.table.answer(seat, at, accept=accept)

        return await self._command(game_id, user_id, seq, command)

    async def withdraw(self, game_id: str, user_id: int, *, seq: int | None = None) -> LiveGame:
        """Takes back what the user has offered. Raises Refused."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            offer, seats = live.table.offer, live.seats_of(user_id)
            return live.table.withdraw(offer.seat if offer and offer.seat in seats else seat, at)

        return await self._command(game_id, user_id, seq, command)

    async def claim(self, game_id: str, user_id: int, what: str, *, seq: int | None = None) -> LiveGame:
        """Ends a game whose other player's time is up, or who has been away too long: ``win`` or ``draw``. Refused."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            waiting = next((s for s in live.seats_of(user_id) if s != live.table.to_act), seat)
            return live.table.claim(waiting, what, at)

        return await self._command(game_id, user_id, seq, command)

    async def offer(self, game_id: str, user_id: int, what: str, *, seq: int | None = None) -> LiveGame:
        """Offers ``draw``, ``pause``, or ``adjourn SPEC``. Raises Refused."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            return offered(live.table, seat, what, at)

        return await self._command(game_id, user_id, seq, command)

    async def resume(self, game_id: str, user_id: int) -> LiveGame:
        """Ends a pause. Raises Refused."""

        def command(live: LiveGame, seat: Seat, at: int) -> Table[Any, Any]:
            return live.table.resume(seat, at)

        return await self._command(game_id, user_id, None, command)

    # --- time ----------------------------------------------------------------------------------------------------

    async def tick(self, game_id: str) -> LiveGame:
        """Brings the record up to now: absences, and the end of somebody's time. Changes nothing a second time.

        Raises Refused if there is no such game.
        """
        async with self._lock(game_id):
            live = await self._load(game_id)
            at = await self._elapsed(live)
            try:
                table = await self._caught_up(live, at)
                if table is live.table:
                    await self.repository.settle_deadline(live.id, live.table)
                    return live
                moved = await self._commit(live, *await self._settle(table, live.players, at, live.secret))
            except Conflict:  # somebody moved in between: the next tick sees what follows
                return await self._load(game_id)
        self._tell(moved)
        return moved

    async def informed(self, live: LiveGame, user_id: int) -> LiveGame:
        """The game; where its record would let the user claim it, with all time off, which may forbid the claim."""
        return await self.tick(live.id) if live.may_claim(user_id, self._now()) else live

    # --- moving --------------------------------------------------------------------------------------------------

    async def bring(self, game_id: str, user_id: int, place: Place) -> tuple[LiveGame, LiveGame]:
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

    async def _bring(self, before: LiveGame, after: LiveGame, user_id: int) -> None:
        async with self.repository.database.writing() as connection:
            await self.repository.move(connection, before.id, before.seq, after.place)
            for hook in self.hooks:
                await hook.on_relocate(connection, before, after, user_id)

    # --- showing -------------------------------------------------------------------------------------------------

    async def shown(self, game_id: str, seq: int, message_id: int | None, place: Place | None = None) -> None:
        """Notes that ``message_id`` shows ``seq`` entries (None: the message stays as it was). Never goes back.

        Nothing is noted if the game is not played in ``place`` any more.
        """
        async with self._lock(game_id):
            channel_id = None if place is None else place.channel_id
            await self._write(game_id, self.repository.mark_shown(game_id, seq, message_id, channel_id))
            cached = self._cache.get(game_id)
            if cached is not None and cached.shown_seq <= seq and place in {None, cached.place}:
                message = cached.message_id if message_id is None else message_id
                self._keep(replace(cached, shown_seq=seq, message_id=message))


def once(table: Table[Any, Any], seat: Seat, what: str) -> Table[Any, Any]:
    """The table, if ``seat`` may offer this now: not what was declined or withdrawn since its last turn, or the other
    would be called again and again for nothing. Raises Refused.
    """
    for entry in reversed(table.record.entries):
        if (entry.kind in TURN_KINDS and entry.seat == seat) or table.outcome is not None:
            break
        if (entry.kind, entry.seat, entry.body) == (Kind.DECLINE, 1 - seat, what):
            raise Refused("table.declined")
        if (entry.kind, entry.seat, entry.body) == (Kind.WITHDRAW, seat, what):
            raise Refused("table.withdrawn")
    return table


def offered(table: Table[Any, Any], seat: Seat, what: str, at: int) -> Table[Any, Any]:
    """The table with an offer of ``seat``. Raises Refused."""
    return once(table, seat, what).make_offer(seat, what, at)
