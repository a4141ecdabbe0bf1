"""Finishes acts of organisers: ends the games that an act has decided, and posts its line in the channel."""

from typing import Final, cast

import discord

from bot.board.message import CONTENT
from bot.core.discord_errors import REQUEST_ERRORS, is_final
from bot.core.messages import ChannelMessages, failure
from bot.core.processes.servers import servers_of
from bot.core.services import Services
from bot.core.translations import language
from bot.core.workers import Worker, backoff
from bot.tournaments.organising import words
from bot.tournaments.organising.departures import DepartureService
from bot.tournaments.organising.service import OrganiserService, Unfinished
from bot.tournaments.rows import UnreadableTournament
from engine.core.errors import Refused

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
MOST_ATTEMPTS: Final = 8
"""The most attempts to post a line. The log has it in any case."""


class OrganisingWorker(Worker):
    """A loop that sleeps until an act is to be finished, for at most LONGEST_SLEEP seconds."""

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
        await self.turn()
        if self._client.is_ready():  # removed in the absence of the bot
            await self._departures.comparison.run(lambda: self._departures.only_in(servers_of(self._client)))
        due = await self._organising.repository.next_due()
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - self._organising.now()) / 1000)

    async def turn(self) -> None:
        """Finishes all due acts."""
        while not self.stopping and (found := await self._organising.unfinished()):
            for unfinished in found:
                await self._finish(unfinished)

    async def _finish(self, unfinished: Unfinished) -> None:
        tournament_id, entry, attempts = unfinished
        error = await failure(self._do(unfinished), "act_not_finished", tournament=tournament_id, act=entry.seq)
        if isinstance(error, REQUEST_ERRORS):
            is_done = is_final(error) or attempts >= MOST_ATTEMPTS
        else:  # Refused: the tournament is gone
            is_done = error is None or (isinstance(error, Refused) and not isinstance(error, UnreadableTournament))
        at = None if is_done else self._organising.now() + backoff(attempts)
        await self._organising.repository.next_attempt(tournament_id, entry.seq, at)

    async def _do(self, unfinished: Unfinished) -> None:
        """Ends the games of an act, deletes the messages of a round that is paired anew, and posts the act's line."""
        entry, organising = unfinished.entry, self._organising
        tournament = await organising.tournaments.get(unfinished.tournament_id)
        await organising.end_games(tournament, entry)
        messages = ChannelMessages(self._client, tournament.channel_id, tournament.guild_id)
        await messages.delete(cast("list[int]", entry.detail.get("messages", [])))
        say = language(tournament.locale)
        snapshot = await organising.tournaments.snapshot(tournament.id)
        line = words.line(entry, words.users_of(snapshot), say)
        text = say("tournament.act.posted", text=tournament.name, line=line)[:CONTENT]
        await messages.send(text, f"{tournament.id}:{entry.seq}")
