"""Opens games anew whose channel was deleted.

| what is deleted | what follows |
|---|---|
| the tournament's channel | it is paused; resumed elsewhere, its running games are opened there, each in a thread |
| the thread of a game | the game is opened in a new thread of the channel, as soon as the tournament goes on |

No clock runs and no deadline comes from the deletion until the new board is shown. Each step is one transaction and
starts from what is stored, so a killed bot, or another process, goes on from there.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.displaced.service import DisplacedGames, contest_of
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.service import NotificationService
from bot.tournaments.reopening.notices import GOING, ReopeningNotices
from bot.tournaments.reopening.repository import Displaced, ReopeningRepository, RunningPlace, Step
from bot.tournaments.rounds.notices import NO_CHANNEL, RoundNotices
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.schedule import displaced_for
from bot.tournaments.service import Change
from bot.tournaments.tournament import Status, StoredPairing, Tournament
from engine.core.errors import Refused

__all__ = ["Displaced", "ReopeningService", "Step"]

LEASE_MS: Final = 60_000


def unknown(channel_id: int, deleted: int) -> bool:
    """Returns False: of no channel it is known that it exists."""
    del channel_id, deleted
    return False


class ReopeningService(GameHook):
    """The use cases of displaced games."""

    def __init__(
        self,
        repository: ReopeningRepository,
        rounds: RoundService,
        games: GameService,
        displaced: DisplacedGames,
        notifications: NotificationService,
        round_notices: RoundNotices,
        notices: ReopeningNotices,
    ) -> None:
        self.repository = repository
        self.rounds = rounds
        self.tournaments = rounds.tournaments
        self.now = rounds.now
        self.lives: Callable[[int, int], bool] = unknown
        """Returns whether a channel is known to exist, although ``deleted`` and its threads are gone."""
        self._is_look_due = True
        self._listeners: list[Callable[[], None]] = []
        self._games = games
        self._displaced = displaced
        self._notifications = notifications
        self._round_notices = round_notices
        self._notices = notices

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` when there may be something to do."""
        self._listeners.append(listener)

    def _wake(self) -> None:
        for listener in self._listeners:
            listener()

    # --- channels that are gone ----------------------------------------------------------------------------------

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or thread was deleted: stops the clocks of the tournaments' games there. Safe to repeat.

        If it is the channel of a tournament, the tournament is paused, and its organisers are told.
        """
        for tournament in await self.rounds.repository.in_channel(channel_id):
            is_new = await self._displace(tournament, channel_id)
            with suppress(UnreadableTournament):
                await self._pause(tournament, channel_id, is_new=is_new)
        if (found := await self.repository.at(channel_id)) is not None:
            tournament_id, place = found
            if place.deleted_channel != channel_id:
                await self._stop([place])
                async with self.tournaments.changing(tournament_id) as change:
                    await _touch_rounds(change, {place.contest_id})
        await self.repository.forget_place(channel_id)

    def look(self) -> None:
        """Asks for a look for channels that were deleted unheard, as Discord has told a shard of its servers anew."""
        self._is_look_due = True
        self._wake()

    def begin_look(self) -> bool:
        """Returns whether a look is due. If so, it is not due any more."""
        is_due, self._is_look_due = self._is_look_due, False
        return is_due

    async def retry_server(self, guild_id: int) -> None:
        """Something has changed in a server: tries again at once what could not be opened there."""
        await self.repository.try_again(guild_id, self.now())
        self._wake()

    async def reopens(self, live: LiveGame) -> bool:
        """Returns whether the bot reopens a game whose channel was deleted."""
        return await self.repository.at(live.place.channel_id) is not None

    async def _displace(self, tournament: Tournament, deleted: int) -> bool:
        """Displaces the games of a tournament whose channel is deleted. Returns whether any was there until now."""
        gone = [
            place
            for place in await self.repository.places(tournament.id)
            if place.guild_id == tournament.guild_id
            and place.deleted_channel != place.channel_id
            and not self.lives(place.channel_id, deleted)
        ]
        if gone:
            await self._stop(gone)
        return bool(gone)

    async def _stop(self, places: Collection[RunningPlace]) -> None:
        """Stops the clocks of games, and takes back what was to be sent about their turns."""
        async with self.repository.database.writing() as connection:
            await self._displaced.add(connection, {place.contest_id: place.channel_id for place in places})
            await self._notifications.hold(connection, [place.game_id for place in places])

    async def _pause(self, tournament: Tournament, channel_id: int, *, is_new: bool) -> None:
        organisers = await self.rounds.organisers(tournament)
        async with self.tournaments.changing(tournament.id) as change:
            now = change.tournament
            if now.channel_id != channel_id or not now.status.is_active or (now.paused is not None and not is_new):
                return
            if now.paused is None:
                await change.set(replace(now, paused=change.now))
                await change.log("paused", reason="", channel=channel_id)
            seq = change.now // 1000 & 0x7FFFFFFF
            made = self._round_notices.to_organisers(now, NO_CHANNEL, organisers, seq)
            await self._notifications.write(change.connection, *made)

    # --- new places ----------------------------------------------------------------------------------------------

    async def due(self, limit: int) -> list[Displaced]:
        """Leases displaced games that have something to do."""
        now = self.now()
        return await self.repository.due(now, limit, now + LEASE_MS)

    async def reopen(self, found: Displaced, place: Place) -> None:
        """Moves a game to its new place. Each player hears of it with the last of their games.

        Raises Refused if that is not due any more, or if another game runs there.
        """
        tournament, stored = found.tournament, found.stored
        if tournament is None or stored is None or found.game_id is None:
            raise Refused("tournament.rounds.opened")

        async def note(connection: AsyncConnection, live: LiveGame) -> None:
            async with self.tournaments.changing(tournament.id, connection) as change:
                now = change.tournament
                goes_on = now.status is Status.RUNNING and now.paused is None
                if not goes_on or now.channel_id != tournament.channel_id:
                    raise Refused("tournament.rounds.opened")
                await self._tell(change, found, stored.id, (user for user in live.players if user > 0))

        await self._games.tick(found.game_id)  # so that the board shows the right time
        await self._games.reopen(found.game_id, found.channel_id, place, note)

    async def on_relocate(
        self, connection: AsyncConnection, before: LiveGame, after: LiveGame, user_id: int | None
    ) -> None:
        """Brings the link to a moved game up to date in the message of its round."""
        del before, user_id
        found = await self.repository.pairing_of_contest(connection, contest_of(after))
        if found is None:
            return
        tournament_id, pairing_id = found
        with suppress(UnreadableTournament):  # the game moves all the same
            async with self.tournaments.changing(tournament_id, connection) as change:
                stored = change.snapshot.pairing(pairing_id)
                if stored is not None:
                    is_here = after.place.guild_id == change.tournament.guild_id
                    channel_id = after.place.channel_id if is_here else None
                    await change.set_pairing(replace(stored, channel_id=channel_id))

    async def _tell(self, change: Change, found: Displaced, pairing_id: int, users: Iterable[int]) -> None:
        """Writes the notices to players who have no further game that waits for a new place."""
        snapshot = change.snapshot
        stored = snapshot.pairing(pairing_id)
        if stored is None:
            return
        alone = change.tournament.credited_until < found.since  # it was not paused meanwhile
        waiting = {number for one in snapshot.pairings if _waits(one) for number in one.pairing.players}
        told = [user for user in users if (player := snapshot.of_user(user)) and player.number not in waiting]
        made = [self._notices.reopened(change.tournament, user, found.since, stored, alone=alone) for user in told]
        await self._notifications.write(change.connection, *made)

    # --- the end -------------------------------------------------------------------------------------------------

    async def go_on(self, found: Displaced) -> None:
        """Lets the clock of a game run: its board is shown at the new place, or its channel was not deleted."""
        if found.game_id is None:
            return

        async def note(connection: AsyncConnection, _: LiveGame) -> None:
            await self._shift(connection, found)

        await self._displaced.end(await self._games.newest(found.game_id), note)

    async def _shift(self, connection: AsyncConnection, found: Displaced) -> None:
        """Moves the deadline of a pairing by the time that no pause and no outage has moved it yet."""
        if found.tournament is None or found.stored is None:
            return
        with suppress(UnreadableTournament):
            async with self.tournaments.changing(found.tournament.id, connection) as change:
                stored = change.snapshot.pairing(found.stored.id)
                if stored is None or stored.contest_id != found.contest_id or stored.state not in GOING:
                    return
                stood = replace(stored, displaced=found.since)
                shift = displaced_for(stood, change.now, change.tournament.credited_until)
                deadline = None if stored.deadline is None else stored.deadline + shift
                await change.set_pairing(replace(stored, deadline=deadline))

    async def release(self, found: Displaced) -> None:
        """Lets a game go on whose tournament is over: its players are told how to take it elsewhere."""
        if found.game_id is None:
            return
        live = await self._games.newest(found.game_id)
        await self._notifications.notify_channel_gone(live)
        await self.go_on(found)

    async def drop(self, found: Displaced) -> None:
        """Forgets a game that is over. If it was the last of a player's games to wait, the player is told of the
        others.
        """
        async with self.repository.database.writing() as connection:
            await self._displaced.store.drop(connection, found.contest_id)
            if found.tournament is None or found.stored is None:
                return
            async with self.tournaments.changing(found.tournament.id, connection) as change:
                for number in found.stored.pairing.players:
                    theirs = [
                        one for one in change.snapshot.pairings if one.state in GOING and number in one.pairing.players
                    ]
                    if theirs and change.tournament.credited_until >= found.since:
                        user_id = change.snapshot.player(number).user_id
                        await self._tell(change, found, theirs[0].id, [user_id] if user_id > 0 else [])


def _waits(stored: StoredPairing) -> bool:
    return stored.state in GOING and stored.lacks_channel


async def _touch_rounds(change: Change, contests: Collection[str]) -> None:
    """Marks the messages of the rounds of contests as behind."""
    for number in {one.pairing.round for one in change.snapshot.pairings if one.contest_id in contests}:
        await change.repository.touch_round(change.connection, change.tournament.id, number)
