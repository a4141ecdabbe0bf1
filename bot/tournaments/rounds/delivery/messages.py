"""Sends the message of each round, keeps it up to date, and sends the last message of a tournament, without pings.

A buried message of an arena is posted anew. The old one is removed before the new one is stored, so that a bot that was
killed in between finds both.

A message that was sent but not stored, as the bot was killed in between, is found by its beginning.
"""

import asyncio
from typing import Final

import discord
import structlog

from bot.core.cache import Cache
from bot.core.discord_errors import NO_CHANNEL, NO_MESSAGE, REQUEST_ERRORS, UNCHANGEABLE, code_of
from bot.core.messages import NOBODY, ChannelMessages, InDoubt, begins, failure, is_ours, next_attempt
from bot.core.services import Services
from bot.core.texts.quoting import escaped
from bot.core.translations import Language, language
from bot.core.workers import LONGEST_PAUSE, Worker
from bot.players.mentions import mention
from bot.players.service import PlayerNames, PreferenceService
from bot.tournaments.results.podium import Podium, podium
from bot.tournaments.rounds import views
from bot.tournaments.rounds.delivery import prizes, sight, words
from bot.tournaments.rounds.service import Closing, RoundService, UnshownRound
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import StoredRound, Tournament, TournamentSnapshot

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
BATCH: Final = 8
LEASE_MS: Final = 60_000
CALM_MS: Final = 2_000
"""The least time between two edits of a round's message, in ms, so that results that come together make one edit."""
MOST_ATTEMPTS: Final = 60
"""The most attempts at the message of a round, over about two weeks. A change of the round allows new ones."""
GIVEN_UP: Final = 14 * 86_400_000
"""The time after the end of a tournament for attempts at its last message, in ms."""

log = structlog.get_logger()


class RoundMessages(Worker):
    """A loop that brings messages up to date as soon as they are behind."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._texts: Cache[int, str] = Cache()
        """The texts of messages without buttons. Unchanged ones are not edited."""
        self._arenas: dict[str, tuple[int, UnshownRound]] = {}
        """The running arenas, with the time of the next look whether their messages are in sight."""
        self._unsent: set[str] = set()
        """The tournaments whose last message this process has failed to send."""

    def start(self) -> None:
        self._rounds.tournaments.subscribe(lambda _: self.wake())
        super().start()

    @property
    def _rounds(self) -> RoundService:
        return self._services[RoundService]

    async def run_once(self) -> float:
        rounds, stored = self._rounds, self._rounds.repository
        await self._look_at_arenas(rounds.now())
        while not self.stopping:
            now = rounds.now()
            unshown = await stored.unshown(now, BATCH, now + LEASE_MS)
            closing = await stored.closing(now, BATCH, now + LEASE_MS)
            if not unshown and not closing:
                break
            await asyncio.gather(*map(self._show, unshown), *map(self._close, closing))
        due = [at for at in (await stored.next_unshown(), await stored.next_closing()) if at is not None]
        return max(SHORTEST_SLEEP, (min(due) - rounds.now()) / 1000) if due else LONGEST_SLEEP

    # --- rounds --------------------------------------------------------------------------------------------------

    async def _show(self, unshown: UnshownRound) -> None:
        tournament_id, stored, repository = unshown.tournament.id, unshown.round, self._rounds.repository
        error = await failure(self._bring_up(unshown), "round_not_shown", tournament=tournament_id, round=stored.number)
        if error is None:
            return
        attempts, pause = next_attempt(error, stored.attempts, MOST_ATTEMPTS)
        if pause is None:
            log.warning("round_given_up", tournament=tournament_id, round=stored.number)
        at, given_up = self._rounds.now() + (pause or CALM_MS), stored.version if pause is None else None
        await repository.failed(tournament_id, stored.number, attempts, at, given_up)

    async def _bring_up(self, unshown: UnshownRound) -> None:
        """Sends or edits the messages of a round and stores their ids. Raises REQUEST_ERRORS, InDoubt."""
        tournament, stored = unshown.tournament, unshown.round
        say = language(tournament.locale)
        snapshot = await self._rounds.tournaments.snapshot(tournament.id)
        texts = words.round_message(snapshot, stored, await self._names(snapshot, say), say)
        messages, is_it = self._messages(tournament), begins(words.title(snapshot, stored.number, say))
        known = list(stored.message_ids)
        if not known and not unshown.is_first:
            before = await messages.sent_before(is_it, stored.started, stored.attempts)
            known = [] if before is None else [before]
        view, replaced = views.arena_view(snapshot.tournament, say), []
        if view is None:
            self._arenas.pop(tournament.id, None)
        elif known and (stored.attempts or self._is_look_due(tournament.id)):
            seen = await sight.look(messages.channel, known, lambda one: is_ours(self._client, one) and is_it(one))
            known, replaced = seen.known, seen.replaced
        sent = []
        for number, text in enumerate(texts):
            message_id = known[number] if number < len(known) else None
            button_row = view if number == 0 else None
            if message_id is None or button_row is not None or self._texts.get(message_id) != text:
                message_id = await messages.edit_or_send(
                    message_id, text, _nonce(tournament, stored, number), button_row
                )
                self._texts.keep(message_id, text, self._texts.generation)
            sent.append(message_id)
        await messages.delete(replaced)
        now = self._rounds.now()
        if view is not None and self._is_look_due(tournament.id):
            self._arenas[tournament.id] = now + sight.LOOK_MS, unshown
        await self._rounds.repository.shown(tournament.id, stored.number, stored.version, sent, now + CALM_MS)

    def _is_look_due(self, tournament_id: str) -> bool:
        return tournament_id not in self._arenas or self._arenas[tournament_id][0] <= self._rounds.now()

    async def _look_at_arenas(self, now: int) -> None:
        """Marks buried messages of arenas as behind, so that they are posted anew."""
        repository = self._rounds.repository
        for tournament_id, (due, unshown) in list(self._arenas.items()):
            if due > now:
                continue
            number, channel = unshown.round.number, self._messages(unshown.tournament).channel
            try:
                known = await repository.message_ids(
                    tournament_id, number
                )  # another process may have posted the message anew
                if known and await sight.is_buried(channel, known):
                    await repository.show_again(tournament_id, number)
                else:
                    self._arenas[tournament_id] = now + sight.LOOK_MS, unshown
            except REQUEST_ERRORS as error:
                log.info("arena_not_looked_at", tournament=tournament_id, error=str(error))
                del self._arenas[tournament_id]  # left out until it is shown again

    async def _names(self, snapshot: TournamentSnapshot, say: Language) -> dict[int, str]:
        """Returns the names of players by number, with mentions for unknown names."""
        found = await self._services[PlayerNames].names([player.user_id for player in snapshot.players], say)
        shown = {user_id: escaped(name) for user_id, name in found.items()}
        return {player.number: shown[player.user_id] or mention(player.user_id, say) for player in snapshot.players}

    def _messages(self, tournament: Tournament) -> ChannelMessages:
        return ChannelMessages(self._client, tournament.channel_id, tournament.guild_id)

    # --- the last message ----------------------------------------------------------------------------------------

    async def _close(self, closing: Closing) -> None:
        """Gives the prizes and sends the last message; after a correction, edits it."""
        now, tournament = self._rounds.now(), closing.tournament
        since = now - (tournament.ended or now)
        error = await failure(self._show_last(closing), "not_closed", tournament=tournament.id)
        if error is None:
            self._unsent.discard(tournament.id)
        elif not isinstance(error, InDoubt):
            self._unsent.add(tournament.id)
        if isinstance(error, UnreadableTournament):
            await self._rounds.repository.close_later(tournament, now + min(max(LEASE_MS, since), LONGEST_PAUSE))
        elif error is not None:
            final = code_of(error) == NO_CHANNEL or since > GIVEN_UP
            await self._rounds.repository.close_later(tournament, None if final else now + max(LEASE_MS, since))

    async def _show_last(self, closing: Closing) -> None:
        """Sends or edits the last message and stores its id. Raises REQUEST_ERRORS, InDoubt."""
        tournament = closing.tournament
        say = language(tournament.locale)
        snapshot = await self._rounds.tournaments.snapshot(tournament.id)
        text, messages = words.closing(snapshot, say), self._messages(tournament)
        ended, message_id = tournament.ended or self._rounds.now(), tournament.closing_id
        if message_id is None:
            is_unsent = closing.is_first or tournament.id in self._unsent
            message_id = await messages.sent_before(begins(text), ended, int(is_unsent))
        if message_id is None:
            message_id = await self._send_last(messages, snapshot, text, say)
        elif words.has_places(snapshot) and await self._rounds.repository.corrected_since(tournament.id, ended):
            await self._correct_last(messages.channel.get_partial_message(message_id), snapshot, say)
        await self._rounds.repository.close_later(tournament, None, message_id)

    async def _send_last(
        self, messages: ChannelMessages, snapshot: TournamentSnapshot, text: str, say: Language
    ) -> int:
        given, nonce = await prizes.give(self._client, snapshot, say), f"{snapshot.tournament.id}:end"
        if not words.has_places(snapshot):
            return await messages.send("\n".join([text, *given]), nonce)
        shown = await self._podium(snapshot, say)
        content = "\n".join([text, *words.ended_early(snapshot, say), *shown.places, *given])[: words.LONGEST]
        try:
            return await messages.send(content, nonce, None, shown.file)
        except discord.Forbidden:  # perhaps only files are forbidden
            return await messages.send(content, nonce)

    async def _correct_last(self, message: discord.PartialMessage, snapshot: TournamentSnapshot, say: Language) -> None:
        """Shows the new places in the last message, if it still exists. Roles already given stay."""
        shown = await self._podium(snapshot, say)
        head = [
            words.closing(snapshot, say),
            *words.ended_early(snapshot, say),
            words.corrected(snapshot.tournament, say),
        ]
        lines = [*head, *shown.places]
        content = "\n".join(lines)[: words.LONGEST]
        try:
            try:
                await message.edit(content=content, attachments=[shown.file], allowed_mentions=NOBODY)
            except discord.Forbidden:  # perhaps only files are forbidden
                await message.edit(content=content, attachments=[], allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if code_of(error) not in UNCHANGEABLE | {NO_MESSAGE}:
                raise

    async def _podium(self, snapshot: TournamentSnapshot, say: Language) -> Podium:
        server = await self._services[PreferenceService].of_server(snapshot.tournament.guild_id)
        return await podium(self._services, snapshot, say, server["theme"])


def _nonce(tournament: Tournament, stored: StoredRound, number: int) -> str:
    """Returns the nonce of a message of a round.

    A new one in place of a stored one is named after that, so that two processes that replace it send only one. The
    others are named after the round, and the moment at which it was paired, as it may be paired again.
    """
    ids = stored.message_ids[: number + 1]
    occasion = f"{ids[-1]}" if ids else f"{stored.number}:{stored.started // 1000 % 100_000}"
    return f"{tournament.id}:{occasion}:{number}"
