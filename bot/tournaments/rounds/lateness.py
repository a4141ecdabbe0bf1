"""Ends games at a deadline, or because a player is no longer in."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import structlog

from bot.clocks.heartbeats.service import HeartbeatService
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.matches.contests import has_moved
from bot.matches.service import MatchService
from bot.notifications.model import Notification
from bot.notifications.service import NotificationService
from bot.tournaments.rounds.grouped_notices import GroupedNotices, by_deadline
from bot.tournaments.rounds.notices import RoundNotices
from bot.tournaments.rounds.steps import deadlines, outages, settling
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import DELETED, PairingState, StoredPairing, Tournament, TournamentSnapshot
from engine.core.adjudication import FORFEIT
from engine.core.errors import Refused
from engine.tournament.model import Format, Result

log = structlog.get_logger()


class Lateness:
    """Forfeits late games, notifies of deadlines, and moves these by outages of the bot."""

    def __init__(
        self,
        tournaments: TournamentService,
        games: GameService,
        matches: MatchService,
        notifications: NotificationService,
        notices: RoundNotices,
        grouped: GroupedNotices,
        heartbeats: HeartbeatService,
    ) -> None:
        self._tournaments = tournaments
        self._games = games
        self._matches = matches
        self._notifications = notifications
        self._notices = notices
        self._grouped = grouped
        self._heartbeats = heartbeats

    async def forfeit_absent(self, snapshot: TournamentSnapshot) -> bool:
        """Ends the pairings of players who are no longer in. Returns False if there were none."""
        out = {player.number for player in snapshot.players if not player.is_in}
        found = [
            stored
            for stored in snapshot.pairings
            if stored.state is not PairingState.DONE and out.intersection(stored.pairing.players)
        ]
        forfeited = [await self._forfeit(snapshot, stored, out) for stored in found]
        return any(forfeited)

    async def _forfeit(self, snapshot: TournamentSnapshot, stored: StoredPairing, absent: Collection[int]) -> bool:
        """Ends a pairing whose ``absent`` players forfeit it. Returns False if its game is about to end by itself."""
        losers = [number in absent for number in (stored.pairing.first, stored.pairing.second)]
        if stored.game_id is not None:
            try:
                live = await self._running_game(stored)
                if not live.is_over and any(snapshot.player(one).reason == DELETED for one in stored.pairing.players):
                    return False  # the deletion ends it under the pseudonym; a forfeit would name the player again
                if all(losers):
                    await self._games.adjudicate(live.id, "void")
                else:
                    winner = snapshot.player(stored.pairing.players[losers.index(False)]).user_id
                    await self._games.adjudicate(live.id, "0" if live.players[0] == winner else "1", FORFEIT)
            except Refused:  # the game has just ended, or cannot be ended in this way
                log.info("not_forfeited", tournament=snapshot.tournament.id, pairing=stored.id)
        async with self._tournaments.changing(snapshot.tournament.id) as change:
            now = change.snapshot.pairing(stored.id)
            if now is not None and now.contest_id == stored.contest_id and now.state is not PairingState.DONE:
                result = Result.BOTH_FORFEIT if all(losers) else settling.FORFEITS[losers.index(False)]
                await settling.settle(change, now, result, settling.BY_FORFEIT)
        return True

    async def credit(self, snapshot: TournamentSnapshot) -> bool:
        """Moves the deadlines by the outages of the bot. Returns False if there were none."""
        guild_id = snapshot.tournament.guild_id
        if not outages.has_deadlines(snapshot):
            return False
        found = await self._heartbeats.outages(guild_id, outages.begin(snapshot))
        if not outages.counted(snapshot, found):
            return False
        async with self._tournaments.changing(snapshot.tournament.id) as change:
            await outages.credit(change, found)
        return True

    async def is_past(self, tournament: Tournament, at: int) -> bool:
        """Returns whether a time has passed, and no outage of the bot can still move it."""
        return self._tournaments.now() >= at and await self._heartbeats.is_known(tournament.guild_id)

    async def tell(self, tournament_id: str, organisers: Sequence[int]) -> None:
        """Writes the due warnings, extensions and decisions, with their notices."""
        async with self._tournaments.changing(tournament_id) as change:
            if change.tournament.paused is not None:
                return
            due = deadlines.due(change.snapshot, change.now)
            await deadlines.apply(change, due)
            made = [*self._warnings(change.snapshot, due.warnings)]
            if len(due.decisions) > 1:
                made += self._grouped.late(change.tournament, organisers, change.now)
            for stored in due.decisions if len(due.decisions) == 1 else ():
                made += self._notices.late(change.tournament, stored, organisers)
            await self._notifications.write(change.connection, *made)

    def _warnings(self, snapshot: TournamentSnapshot, warned: Sequence[StoredPairing]) -> Iterator[Notification]:
        """Makes the notices of deadlines: one for each player and time."""
        for (number, deadline), games in by_deadline(warned).items():
            player = snapshot.player(number)
            if len(games) > 1 and player.user_id > 0:
                yield self._grouped.deadlines(snapshot.tournament, deadline, player)
            else:
                yield from self._notices.deadline(snapshot.tournament, games[0], [player])

    async def forfeit_late(self, snapshot: TournamentSnapshot) -> bool:
        """Ends the games whose time is over. Returns False if there are none."""
        due = deadlines.due(snapshot, self._tournaments.now())
        forfeited = [await self._forfeit_late(snapshot.tournament, stored) for stored in due.forfeits]
        return any(forfeited)

    async def _forfeit_late(self, tournament: Tournament, stored: StoredPairing) -> bool:
        """Ends a game whose time is over: the player on move forfeits. Returns False if that is impossible."""
        try:
            live = await self._running_game(stored)
            if tournament.plan.format is Format.LADDER and _has_begun(live):
                async with self._tournaments.changing(tournament.id) as change:  # both players have answered in time
                    now = change.snapshot.pairing(stored.id)
                    if now is not None and now.contest_id == stored.contest_id:
                        await change.set_pairing(replace(now, deadline=None))
            else:
                await self._games.forfeit_mover(live.id)
        except Refused:  # the game has just ended
            log.info("not_forfeited", tournament=tournament.id, pairing=stored.id)
            return False
        return True

    async def _running_game(self, stored: StoredPairing) -> LiveGame:
        """Returns the running game of a pairing; of a match, the latest game. Raises Refused."""
        game_id = stored.game_id or ""
        if stored.contest_id != stored.game_id and stored.contest_id is not None:
            game_id = (await self._matches.game_ids(stored.contest_id))[-1]
        return await self._games.newest(game_id)


def _has_begun(live: LiveGame) -> bool:
    """Returns whether both players have made a turn in this game, or in an earlier one of their match."""
    return live.record.header.match_game > 1 or (has_moved(live, 0) and has_moved(live, 1))
