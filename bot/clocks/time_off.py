"""Adds time off to the records of games: rest hours, days off, vacations, and outages of the bot."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clocks.displaced.service import contest_of
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.recurring import hours_of
from bot.clocks.vacations.service import VacationService
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.players.service import PreferenceService
from engine.core.clock import Clock
from engine.core.game import CHANCE
from engine.core.offers import ADJOURN
from engine.core.record import Entry, Kind
from engine.core.timekeeping import NOTED


@dataclass(frozen=True, slots=True)
class TimeOffHook(GameHook):
    """Adds the time off of the players and the outages of the bot to a game's record."""

    vacations: VacationService
    preferences: PreferenceService
    heartbeats: HeartbeatService

    async def before_command(self, guild_id: int | None) -> None:
        """Ends an outage before the time is taken, as the command shows that the bot is connected."""
        await self.heartbeats.awake(guild_id)

    async def entries(self, live: LiveGame, at: int) -> Sequence[Entry]:
        clock = live.clock
        if live.is_over:
            return ()
        if clock is None:
            return await self._without_clock(live, at)
        found: list[Entry] = []
        offer = live.offer
        # a live clock ignores time off, but the record needs it before another time control is accepted
        if not clock.spec.live or (offer is not None and offer.what.startswith(ADJOURN)):
            found += [*await self._hours(live, clock, at), *await self._vacations(live, at)]
        return [*found, *await self._outages(live, clock, at)]

    async def _hours(self, live: LiveGame, clock: Clock, at: int) -> list[Entry]:
        found = []
        for seat, user_id in enumerate(live.players):
            hours = hours_of(await self.preferences.of_user(user_id), clock.started, clock.started + at)
            if str(hours) != str(clock.hours[seat]):
                found.append(Entry(at, Kind.HOURS, seat, str(hours)))
        return found

    async def _without_clock(self, live: LiveGame, at: int) -> list[Entry]:
        """Returns the time off in a game without a clock: vacations, which the board shows, and outages.

        Outages only delay warnings and a claim, so they are left out until these are near.
        """
        table, last = live.table, live.table.last_act
        found = await self._vacations(live, at, last)
        if at - last < NOTED:
            return found
        started = table.record.header.started
        for outage in await self.heartbeats.outages(live.place.guild_id, started + last, contest_of(live)):
            missed = (max(outage.since - started, 0), outage.until - started)
            if missed not in table.credits and missed[0] < missed[1] <= at:
                found.append(Entry(at, Kind.CREDIT, CHANCE, f"{missed[0]} {missed[1]}"))
        return found

    async def _vacations(self, live: LiveGame, at: int, after: int = 0) -> list[Entry]:
        """Returns new or changed vacations of both players that end after ``after``, in ms since the game's start."""
        clock = live.clock
        # if the time may be up, a vacation just stored by another process must not be missed
        crucial = clock.expired(at) if clock is not None else at - live.table.last_act >= NOTED
        if not crucial and not await self._changed_vacations(live, at, after, fresh=False):
            return []
        # if the cache differs from the record, the record may be newer, so nothing is written from the cache
        return await self._changed_vacations(live, at, after, fresh=True)

    async def _changed_vacations(self, live: LiveGame, at: int, after: int, *, fresh: bool) -> list[Entry]:
        """Returns the vacations that differ from the record. ``fresh``: see ``VacationService.since``."""
        started = live.started
        allowed = int((await self.preferences.of_server(live.place.guild_id))["vacation"])
        taken = await self.vacations.since(live.players, started, allowed, fresh=fresh)
        found = []
        for seat, user_id in enumerate(live.players):
            known = dict(live.table.vacations[seat])
            expected = {begin: -1 for begin, end in known.items() if end > after}
            for vacation, counted_until in taken[user_id]:
                if vacation.until <= started + after:
                    continue
                begin = max(vacation.since - started, 0)
                # if the server now allows fewer days, the past part of a vacation stays as it was
                least = min(known.get(begin, begin), at, vacation.until - started)
                expected[begin] = max(begin, least, counted_until - started)
            for begin, end in expected.items():
                if end == -1:  # cancelled before it began
                    found.append(Entry(at, Kind.AWAY, seat, f"{begin} {begin}"))
                elif known.get(begin, begin) != end:
                    found.append(Entry(at, Kind.AWAY, seat, f"{begin} {end}"))
        return found

    async def _outages(self, live: LiveGame, clock: Clock, at: int) -> list[Entry]:
        """Returns the outages during the present turn for which its clock would charge the player."""
        turn = clock.turn
        if turn is None:
            return []
        found = []
        since = clock.started + turn.since
        for outage in await self.heartbeats.outages(live.place.guild_id, since, contest_of(live)):
            begin, end = max(outage.since - clock.started, 0), min(outage.until - clock.started, at)
            credited = clock.credit((begin, end)) if begin < end else clock
            if credited.charged(turn, at) < clock.charged(turn, at):
                found.append(Entry(at, Kind.CREDIT, CHANCE, f"{begin} {end}"))
                clock = credited
        return found
