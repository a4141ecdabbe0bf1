"""Finishes what organisers have done: ends the games that an act has decided, and posts its line in the channel."""

from typing import Final, cast

import discord
import structlog

from bot.board.message import CONTENT, NOBODY
from bot.core.discord_errors import REQUEST_ERRORS, is_final
from bot.core.processes.servers import servers_of
from bot.core.services import Services
from bot.core.translations import language
from bot.core.workers import Worker, backoff
from bot.tournaments.organising import words
from bot.tournaments.organising.departures import DepartureService
from bot.tournaments.organising.service import OrganiserService, Unfinished
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import LogEntry, Tournament
from engine.core.errors import Refused

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
MOST_ATTEMPTS: Final = 8
"""How often a line is tried to be posted. The log has it anyway."""

log = structlog.get_logger()


class OrganisingWorker(Worker):
    """One loop: sleeps until an act is to be finished, at most LONGEST_SLEEP seconds."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._organising = services[OrganiserService]
        self._departures = services[DepartureService]

    def start(self) -> None:
        self._organising.subscribe(self.wake)
        self._departures.comparison.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        """Finishes what is due; returns the seconds until more is."""
        await self.turn()
        if self._client.is_ready():  # removed while the bot was not there
            await self._departures.comparison.run(lambda: self._departures.only_in(servers_of(self._client)))
        due = await self._organising.repository.next_due()
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - self._organising.now()) / 1000)

    async def turn(self) -> None:
        """Finishes all that is due."""
        while not self.stopping and (found := await self._organising.unfinished()):
            for unfinished in found:
                await self._finish(unfinished)

    async def _finish(self, unfinished: Unfinished) -> None:
        tournament_id, entry, attempts = unfinished
        organising = self._organising
        try:
            tournament = await organising.tournaments.get(tournament_id)
            await organising.end_games(tournament, entry)
            await self._take_down(tournament, entry)
            await self._post(tournament, entry)
        except REQUEST_ERRORS as error:
            log.info("act_not_posted", tournament=tournament_id, act=entry.seq, error=str(error))
            gives_up = is_final(error) or attempts >= MOST_ATTEMPTS
            at = None if gives_up else organising.now() + backoff(attempts)
            await organising.repository.next_attempt(tournament_id, entry.seq, at)
        except UnreadableTournament:  # it is named in the log, once
            await organising.repository.next_attempt(tournament_id, entry.seq, organising.now() + backoff(attempts))
        except Refused:  # the tournament is gone
            await organising.repository.next_attempt(tournament_id, entry.seq, None)
        except Exception:  # one failure does not hold up the others; it is tried again after the lease
            log.exception("act_not_finished", tournament=tournament_id, act=entry.seq)
        else:
            await organising.repository.next_attempt(tournament_id, entry.seq, None)

    async def _take_down(self, tournament: Tournament, entry: LogEntry) -> None:
        """Deletes the messages of a round that is paired anew."""
        channel = self._client.get_partial_messageable(tournament.channel_id, guild_id=tournament.guild_id)
        for message_id in cast("list[int]", entry.detail.get("messages", [])):
            try:
                await channel.get_partial_message(message_id).delete()
            except REQUEST_ERRORS as error:
                if not is_final(error):
                    raise

    async def _post(self, tournament: Tournament, entry: LogEntry) -> None:
        """Posts the line of an act, without a ping. The nonce keeps a second attempt from posting it twice."""
        say = language(tournament.locale)
        whole = await self._organising.tournaments.whole(tournament.id)
        line = words.line(entry, words.users_of(whole), say)
        text = say("tournament.act.posted", text=tournament.name, line=line)[:CONTENT]
        channel = self._client.get_partial_messageable(tournament.channel_id, guild_id=tournament.guild_id)
        await channel.send(text, allowed_mentions=NOBODY, nonce=f"{tournament.id}:{entry.seq}")
