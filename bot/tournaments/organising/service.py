"""The acts of organisers, each with its log entry in one transaction."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.live import LiveGame
from bot.games.running.commit import Also
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.tournaments.organising.repository import Game, OrganiserRepository, SearchTerm, Unfinished
from bot.tournaments.organising.rules import acts, decisions, editing, effect
from bot.tournaments.organising.rules.effect import Effect, Ruling
from bot.tournaments.organising.rules.undoing import UNDO, UndoContext, undo, why_not
from bot.tournaments.rounds.steps import pairing
from bot.tournaments.rounds.steps.settling import BY_ORGANISER, settle
from bot.tournaments.rounds.steps.starting import move_up
from bot.tournaments.schedule import break_end
from bot.tournaments.service import Change, TournamentService
from bot.tournaments.tournament import REASON_LENGTH, LogEntry, PairingState, Tournament, TournamentSnapshot
from engine.core.adjudication import Result as Ended
from engine.core.errors import Refused
from engine.core.record import TURN_KINDS
from engine.tournament.model import Result

__all__ = ["Game", "OrganiserService", "SearchTerm", "Unfinished"]

LEASE_MS: Final = 60_000
BATCH: Final = 20
LOOKED_BACK: Final = 50
"""The most acts that are searched for one that can be undone."""


@dataclass(frozen=True, slots=True)
class By:
    """The organiser of an act, the reason, and the state that they saw."""

    user_id: int
    reason: str
    seen: int
    """The seq of the newest entry of the log that they have seen."""


class Overtaken(Refused):
    """Another organiser has acted since. Nothing was done."""

    def __init__(self, entry: LogEntry) -> None:
        super().__init__("tournament.organising.overtaken")
        self.entry = entry


Tell = Callable[[AsyncConnection, TournamentSnapshot, LogEntry, Sequence[int]], Awaitable[None]]
"""Writes the notices of an act to these users, in its transaction."""
SkipResult = Callable[[AsyncConnection, LiveGame, int], Awaitable[None]]
"""Voids the notice of the end of a game to a user, in its transaction."""


class OrganiserService:
    """Does the acts. Methods raise Refused if the act is impossible, and Overtaken if another organiser came first.

    The caller checks the permission of the user (``bot.tournaments.access``).
    """

    def __init__(
        self,
        repository: OrganiserRepository,
        tournaments: TournamentService,
        games: GameService,
        matches: MatchService,
        tell: Tell,
        skip_result: SkipResult,
    ) -> None:
        self.repository = repository
        self.tournaments = tournaments
        self._games = games
        self._matches = matches
        self._tell = tell
        self._skip_result = skip_result
        self._listeners: list[Callable[[], None]] = []
        tournaments.to_finish.append(self.wake)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` after each commit that leaves an act to finish."""
        self._listeners.append(listener)

    def now(self) -> int:
        """Returns the time in ms since 1970."""
        return self.tournaments.now()

    # --- acts ----------------------------------------------------------------------------------------------------

    async def adjudicate(self, tournament_id: str, by: By, pairing_id: int, ruling: Ruling) -> LogEntry:
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, decisions.adjudicate(change.snapshot, pairing_id, ruling, change.now))

    async def correct(self, tournament_id: str, by: By, pairing_id: int, result: Result) -> LogEntry:
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, decisions.correct(change.snapshot, pairing_id, result, change.now))

    async def repair(self, tournament_id: str, by: By) -> LogEntry:
        """Takes the current round back, to be paired anew."""
        async with self._acting(tournament_id, by) as change:
            rounds = await self.repository.rounds(change.connection, tournament_id)
            return await self._do(change, by, acts.repair(change.snapshot, rounds))

    async def end_break(self, tournament_id: str, by: By) -> LogEntry:
        """Ends the break between two rounds now."""
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, acts.end_break(change.snapshot, change.now))

    async def pause(self, tournament_id: str, by: By) -> LogEntry:
        """Stops new rounds and deadlines."""
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, acts.pause(change.snapshot, change.now))

    async def resume(self, tournament_id: str, by: By, channel_id: int | None = None) -> LogEntry:
        """Ends a pause, perhaps in another channel."""
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, acts.resume(change.snapshot, channel_id, change.now))

    async def appoint(self, tournament_id: str, by: By, user_id: int, *, adds: bool) -> LogEntry:
        async with self._acting(tournament_id, by) as change:
            known = await self.repository.assistants(change.connection, tournament_id)
            return await self._do(change, by, acts.appoint(change.snapshot, user_id, known, adds=adds))

    async def expel(self, tournament_id: str, by: By, number: int) -> LogEntry:
        """Expels a player."""
        moved = await self._moved_in(await self.tournaments.snapshot(tournament_id), number)
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, acts.expel(change.snapshot, number, change.now, moved))

    async def cancel(self, tournament_id: str, by: By, *, ends_series: bool = False) -> LogEntry:
        """Ends the tournament without a winner. Its series goes on, unless that ends, too."""
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, acts.cancel(change.snapshot, change.now, ends_series=ends_series))

    async def finish(self, tournament_id: str, by: By) -> LogEntry:
        async with self._acting(tournament_id, by) as change:
            return await self._do(change, by, acts.finish(change.snapshot))

    async def edit(self, tournament_id: str, by: By, change: Callable[[Tournament], Tournament]) -> LogEntry:
        """Gives a tournament other settings, as far as its state allows. After an error in ``change``, nothing is
        changed.
        """
        async with self._acting(tournament_id, by) as changing:
            editing.require_editable(changing.snapshot)
            edited = change(changing.tournament)
            return await self._do(changing, by, editing.edit(changing.snapshot, edited, changing.now))

    async def undo(self, tournament_id: str, by: By, seq: int | None = None) -> LogEntry:
        """Undoes an act: the one of ``seq``, or the last one that can be undone for None."""
        async with self._acting(tournament_id, by) as change:
            if seq is None:
                known = await self.repository.acts(change.connection, tournament_id, UNDO, LOOKED_BACK)
                entry = next((one for one in known if why_not(change.snapshot, one) is None), None)
                if entry is None:
                    raise Refused("tournament.organising.undo_nothing")
            else:
                found = await self.repository.entry(change.connection, tournament_id, seq)
                if found is None:
                    raise Refused("tournament.organising.undo_unknown", seq=seq)
                entry = found
            assistants = await self.repository.assistants(change.connection, tournament_id)
            context = UndoContext(await self.repository.rounds(change.connection, tournament_id), assistants)
            return await self._do(change, by, undo(change.snapshot, entry, change.now, context))

    # --- looking -------------------------------------------------------------------------------------------------

    async def last_seq(self, tournament_id: str) -> int:
        """Returns the seq of the newest entry of the log; 0 if it is empty."""
        return await self.repository.last_seq(tournament_id)

    async def log(self, tournament_id: str, limit: int, before: int | None = None) -> Sequence[LogEntry]:
        """Returns entries of the log with a seq below ``before``, the newest first."""
        return await self.tournaments.repository.log_of(tournament_id, limit, before)

    async def undoable(self, snapshot: TournamentSnapshot) -> list[LogEntry]:
        """Returns the acts that may be undone, the newest first."""
        async with self.repository.database.reading() as connection:
            known = await self.repository.acts(connection, snapshot.tournament.id, UNDO, LOOKED_BACK)
        return [entry for entry in known if why_not(snapshot, entry) is None]

    async def running_game(self, contest_id: str) -> LiveGame:
        """Returns the running or last game of a contest. Raises Refused if there is none."""
        games = await self._matches.game_ids(contest_id)
        return await self._games.newest(games[-1] if games else contest_id)

    # --- finishing -----------------------------------------------------------------------------------------------

    async def unfinished(self) -> list[Unfinished]:
        """Leases acts with games to end or a line to post."""
        now = self.now()
        return await self.repository.lease(now, now + LEASE_MS, BATCH)

    async def end_games(self, tournament: Tournament, entry: LogEntry) -> None:
        """Ends the games that an act has decided. Finished games stay as they are, so it may be repeated."""
        games = cast("list[dict[str, Any]]", entry.detail.get("games", []))
        if not games:
            return
        snapshot = await self.tournaments.snapshot(tournament.id)
        expelled = entry.subject if entry.act == effect.Act.EXPEL else None

        async def also(connection: AsyncConnection, live: LiveGame) -> None:
            if expelled is not None:  # one message says it all
                await self._skip_result(connection, live, expelled)

        for game in games:
            await self._end(snapshot, game, also)

    async def _end(self, snapshot: TournamentSnapshot, game: dict[str, Any], also: Also) -> None:
        try:
            live = await self.running_game(game["contest"])
            if live.is_over:
                return
            result: Ended = "draw" if game["why"] == effect.DRAW else "void"
            why = effect.DECISION
            if game["winner"] is not None:
                winner = snapshot.player(game["winner"]).user_id
                if winner not in live.players:  # the deletion of the player's data ends the game
                    return
                result, why = ("0", "1")[live.players.index(winner)], game["why"]
            await self._games.adjudicate(live.id, result, why, also=also)
        except Refused:  # the game has ended by itself meanwhile
            return

    # --- the transaction -----------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _acting(self, tournament_id: str, by: By) -> AsyncIterator[Change]:
        """Locks the tournament for a change. Raises Overtaken if another organiser has acted since."""
        if not by.reason:
            raise Refused("tournament.organising.no_reason")
        if len(by.reason) > REASON_LENGTH:
            raise Refused("tournament.organising.long_reason", n=REASON_LENGTH)
        async with self.tournaments.changing(tournament_id) as change:
            newer = await self.repository.by_others(change.connection, tournament_id, by.seen, by.user_id)
            if newer is not None:
                raise Overtaken(newer)
            yield change

    async def _do(self, change: Change, by: By, effect: Effect) -> LogEntry:
        """Writes an act: first the log entry with the present round, then the changes."""
        connection, tournament_id = change.connection, change.tournament.id
        round_number = change.tournament.round
        entry = LogEntry(
            0, change.now, by.user_id, effect.act, round_number, effect.detail, by.reason, subject=effect.subject
        )
        seq = await change.log_entry(entry, to_finish=True)
        entry = replace(entry, seq=seq)
        if effect.removed_round is not None:
            await self.repository.remove_round(connection, tournament_id, effect.removed_round)
            kept = tuple(one for one in change.snapshot.pairings if one.pairing.round != effect.removed_round)
            change.snapshot = replace(change.snapshot, pairings=kept)
        if effect.restored_round is not None:
            await change.repository.add_round(connection, tournament_id, effect.restored_round)
        await change.add_pairings(*effect.restored)
        if effect.players:
            await change.set_players(*effect.players)
        for stored in effect.pairings:
            if effect.settles and stored.result is not None:
                await settle(change, stored, stored.result, BY_ORGANISER)
            else:
                await change.set_pairing(stored)
            if stored.state is PairingState.WAITING:
                await self.repository.open_at_once(connection, tournament_id, stored.id)
        if effect.assistant is not None and effect.subject is not None:
            await self.repository.appoint(connection, tournament_id, effect.subject, adds=effect.assistant)
        if effect.shift:
            await change.repository.shift_round(connection, tournament_id, round_number, effect.shift)
        if effect.new_messages:
            going = {one.pairing.round for one in change.snapshot.pairings if one.state is not PairingState.DONE}
            await self.repository.forget_messages(connection, tournament_id, {round_number, *going})
        if effect.undoes is not None:
            await self.repository.mark_undone(connection, tournament_id, effect.undoes, seq)
        before = break_end(change.snapshot), change.tournament.paused
        await change.set(effect.tournament or change.tournament)
        if (break_end(change.snapshot), change.tournament.paused) != before:
            await change.repository.touch_round(connection, tournament_id, round_number)
        if effect.ends:
            await pairing.finish(change)
        if change.tournament.status.is_open:  # there may be free places for the waiting list now
            await move_up(change)
        told = {change.snapshot.player(number).user_id for number in effect.told}
        told |= {effect.subject} if effect.subject is not None else set()
        await self._tell(connection, change.snapshot, entry, sorted(told - {by.user_id}))
        return entry

    def wake(self) -> None:
        """Wakes the worker that finishes acts."""
        for listener in self._listeners:
            listener()

    async def _moved_in(self, snapshot: TournamentSnapshot, number: int) -> set[int]:
        """Returns the ids of the pairings with a running game in which a player has made a turn."""
        user_id = next((one.user_id for one in snapshot.players if one.number == number), None)
        found = set()
        for stored in snapshot.pairings:
            if stored.state is PairingState.DONE or stored.contest_id is None or number not in stored.pairing.players:
                continue
            ids = await self._matches.game_ids(stored.contest_id)
            for game_id in ids or [stored.contest_id]:
                live = await self._games.newest(game_id)
                seat = live.players.index(user_id) if user_id in live.players else None
                if any(one.seat == seat for one in live.table.effective_entries if one.kind in TURN_KINDS):
                    found.add(stored.id)
        return found
