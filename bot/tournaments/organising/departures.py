"""The effects on a tournament when its channel, its server, its owner or a player is gone.

| what happens | what follows |
|---|---|
| the channel is deleted | paused; the organisers resume it elsewhere, where the games are reopened (``reopening``) |
| the announcement is deleted | it is posted again when it changes next |
| a thread is deleted | its game is opened in a new thread (``reopening``) |
| a player leaves the server | out before the next round; the opponent wins the running game by its clock or deadline |
| a player blocks the bot | they are pinged in the channel instead, or read it with their next command |
| a player has their data deleted | out; the opponent wins the running game; tables show "a former player" |
| the owner has their data deleted | members with Manage Server, and the assistants, run it |
| the owner leaves the server | the same |
| the bot may no longer post | results count; messages that it could not post follow when it may again |
| the server removes the bot | paused; an organiser resumes it when the bot is back |
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from bot.core.processes.comparison import ServerComparison
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.organising.service import OrganiserService, Tell
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import Change, TournamentService
from bot.tournaments.tournament import DELETED, LogEntry, Status
from engine.core.errors import Refused


class DepartureService:
    """Applies departures to tournaments. Every method may be called again."""

    def __init__(
        self,
        tournaments: TournamentService,
        rounds: RoundService,
        organisers: OrganiserService,
        tell: Tell,
    ) -> None:
        self.repository = organisers.repository
        self._tournaments = tournaments
        self._rounds = rounds
        self._organisers = organisers
        self._tell = tell
        self.comparison = ServerComparison(tournaments.now)
        """The times at which ``only_in`` is called."""

    # --- places --------------------------------------------------------------------------------------------------

    async def server_gone(self, guild_id: int) -> None:
        """Pauses the tournaments of a server that has removed the bot."""
        for tournament_id in await self.repository.active_of(guild_id):
            await self._pause(tournament_id)

    async def retry_server(self, guild_id: int) -> None:
        """Tries again at once to post what failed in a server, as something has changed there."""
        for tournament_id in await self.repository.try_again(guild_id, self._tournaments.now()):
            self._tournaments.changed(tournament_id)
        self._organisers.wake()

    async def only_in(self, guild_ids: Collection[int]) -> None:
        """Pauses the tournaments of all servers but these, in which the bot is."""
        for tournament_id in await self.repository.active_outside(guild_ids):
            await self._pause(tournament_id)

    async def _pause(self, tournament_id: str) -> None:
        with suppress(Refused):
            async with self._tournaments.changing(tournament_id) as change:
                tournament = change.tournament
                if not tournament.status.is_active or tournament.paused is not None:
                    return
                await change.set(replace(tournament, paused=change.now))
                entry = await self._log(change, Act.SERVER_GONE)
                assistants = await self.repository.assistants(change.connection, tournament.id)
                organisers = sorted({tournament.owner, *assistants})
                await self._tell(change.connection, change.snapshot, entry, organisers)

    # --- people --------------------------------------------------------------------------------------------------

    async def forget(self, user_id: int, pseudonym: int) -> None:
        """Takes a user whose data are deleted out of their tournaments, and hands over those that they own.

        Called before their id is replaced everywhere, and before their games end, so that the texts in the channel have
        the pseudonym.
        """
        for tournament_id in await self.repository.active_with(user_id):
            with suppress(Refused):  # the player is out already
                await self._rounds.withdraw(tournament_id, user_id, DELETED, pseudonym)
        for tournament_id, status in await self.repository.owned_by(user_id):
            if status is Status.DRAFT:
                await self.repository.delete_draft(tournament_id)
                continue
            with suppress(Refused):
                async with self._tournaments.changing(tournament_id) as change:
                    if await self.repository.has_act(change.connection, tournament_id, Act.OWNER_GONE):
                        continue
                    await self._log(change, Act.OWNER_GONE, to_finish=True)

    async def _log(self, change: Change, act: Act, *, to_finish: bool = False) -> LogEntry:
        entry = LogEntry(0, change.now, None, act, change.tournament.round, {})
        return replace(entry, seq=await change.log_entry(entry, to_finish=to_finish))
