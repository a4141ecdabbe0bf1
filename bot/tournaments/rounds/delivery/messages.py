"""Sends the message of each round, keeps it up to date, and sends the last message of a tournament. Nobody is pinged.

That of an arena is posted anew when it is buried, and the old one removed before the new one is noted: a bot that was
killed in between finds both.

A message that was sent but not noted, because the bot was killed in between, is found by how it begins.
"""

import asyncio
from datetime import UTC, datetime
from typing import Final

import discord
import structlog

from bot.core.cache import Cache
from bot.core.discord_errors import NO_CHANNEL, NO_MESSAGE, REQUEST_ERRORS, UNCHANGEABLE, code_of
from bot.core.interactions.components import view_of
from bot.core.services import Services
from bot.core.texts.quoting import escaped
from bot.core.translations import Language, language
from bot.core.workers import LONGEST_PAUSE, Worker, backoff
from bot.players.mentions import mention
from bot.players.service import PlayerNames, PreferenceService
from bot.tournaments.results.podium import Podium, podium
from bot.tournaments.rounds import views
from bot.tournaments.rounds.delivery import prizes, sight, words
from bot.tournaments.rounds.service import RoundService, UnshownRound
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import StoredRound, Tournament, TournamentSnapshot

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
BATCH: Final = 8
LEASE_MS: Final = 60_000
CALM_MS: Final = 2_000
"""How long the message of a round stays as it is at least, so that results that come together are one change."""
MOST_ATTEMPTS: Final = 60
"""How often the message of a round is tried, over about two weeks; then again when the round changes."""
GIVEN_UP: Final = 14 * 86_400_000
"""How long after the end of a tournament its last message is tried, in ms."""
SEARCHED: Final = 300
"""How many messages are searched for one that may have been sent."""
SKEW_SECONDS: Final = 60
NOBODY: Final = discord.AllowedMentions.none()

log = structlog.get_logger()


class RoundMessages(Worker):
    """One loop: brings messages up to date as soon as they are behind."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._texts: Cache[int, str] = Cache()
        """What messages without buttons say, so that those that have not changed are left alone."""
        self._arenas: dict[str, tuple[int, UnshownRound, list[int]]] = {}
        """The arenas that run: when to look next whether their messages are in sight, and these."""

    def start(self) -> None:
        self._rounds.tournaments.subscribe(lambda _: self.wake())
        super().start()

    @property
    def _rounds(self) -> RoundService:
        return self._services[RoundService]

    async def run_once(self) -> float:
        """Shows what is due; returns the seconds until more is."""
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
        tournament, stored = unshown.tournament, unshown.round
        try:
            messages = await self._bring_up(unshown)
        except UnreadableTournament:  # it is named in the log, once
            at = self._rounds.now() + backoff(stored.attempts)
            await self._rounds.repository.show_later(tournament.id, stored.number, at)
            return
        except Exception as error:
            if not isinstance(error, REQUEST_ERRORS):
                log.exception("round_not_shown", tournament=tournament.id, round=stored.number)
            else:
                log.warning("round_not_shown", tournament=tournament.id, round=stored.number, error=str(error))
            at = self._rounds.now() + backoff(stored.attempts)
            if stored.attempts < MOST_ATTEMPTS:
                await self._rounds.repository.show_later(tournament.id, stored.number, at)
                return
            messages = [one for one in (stored.message_id, *stored.more_ids) if one is not None]
            log.warning("round_given_up", tournament=tournament.id, round=stored.number)
        at = self._rounds.now() + CALM_MS
        await self._rounds.repository.shown(tournament.id, stored.number, stored.version, messages, at)

    async def _bring_up(self, unshown: UnshownRound) -> list[int]:
        """Sends or edits the messages of a round; returns their ids. Raises REQUEST_ERRORS."""
        tournament, stored = unshown.tournament, unshown.round
        say = language(tournament.locale)
        whole = await self._rounds.tournaments.whole(tournament.id)
        texts = words.round_message(whole, stored, await self._names(whole, say), say)
        channel = self._channel(tournament)
        known = [one for one in (stored.message_id, *stored.more_ids) if one is not None]
        if not known and stored.attempts:
            known = await self._sent_before(channel, words.title(tournament, stored.number, say), stored.started)
        view, replaced, occasion = views.arena_view(whole.tournament, say), [], _occasion(tournament, stored)
        if view is None:
            self._arenas.pop(tournament.id, None)
        elif known and (stored.attempts or self._is_look_due(tournament.id)):
            me = self._client.user.id if self._client.user else 0
            seen = await sight.look(channel, known, me, words.title(tournament, stored.number, say))
            known, replaced = seen.known, seen.replaced
            occasion = f"{tournament.id}:{replaced[0] % 1_000_000}" if replaced and not known else occasion
        sent = []
        for number, text in enumerate(texts):
            message_id = known[number] if number < len(known) else None
            nonce = f"{occasion}:{number}"
            sent.append(await self._put(channel, message_id, text, nonce, view if number == 0 else None))
        await sight.remove(channel, replaced)
        if view is not None:
            looked = self._arenas.get(tournament.id, (0,))[0]
            due = self._rounds.now() + sight.LOOK_MS if looked <= self._rounds.now() else looked
            self._arenas[tournament.id] = due, unshown, sent
        return sent

    def _is_look_due(self, tournament_id: str) -> bool:
        return self._arenas.get(tournament_id, (0,))[0] <= self._rounds.now()

    async def _look_at_arenas(self, now: int) -> None:
        """Has the messages of arenas posted anew that are buried, although nothing has changed in them."""
        for tournament_id, (due, unshown, known) in list(self._arenas.items()):
            if due > now:
                continue
            try:
                if await sight.is_buried(self._channel(unshown.tournament), known):
                    await self._rounds.repository.show_again(tournament_id, unshown.round.number)
                else:
                    self._arenas[tournament_id] = now + sight.LOOK_MS, unshown, known
            except REQUEST_ERRORS as error:
                log.info("arena_not_looked_at", tournament=tournament_id, error=str(error))
                del self._arenas[tournament_id]  # until it is shown again

    async def _put(
        self,
        channel: discord.PartialMessageable,
        message_id: int | None,
        text: str,
        nonce: str,
        view: discord.ui.View | None,
    ) -> int:
        """Edits a message, or sends a new one if it cannot be edited. Returns its id. Raises REQUEST_ERRORS."""
        if message_id is not None and view is None and self._texts.get(message_id) == text:
            return message_id
        if message_id is not None:
            try:
                await channel.get_partial_message(message_id).edit(content=text, view=view, allowed_mentions=NOBODY)
            except discord.HTTPException as error:
                if code_of(error) not in UNCHANGEABLE | {NO_MESSAGE}:
                    raise
            else:
                self._texts.keep(message_id, text, self._texts.generation)
                return message_id
        sent = await channel.send(text, view=view or view_of(), allowed_mentions=NOBODY, nonce=nonce[-NONCE:])
        self._texts.keep(sent.id, text, self._texts.generation)
        return sent.id

    async def _sent_before(self, channel: discord.PartialMessageable, start: str, since: int) -> list[int]:
        """Our message that begins so; empty if there is none, or the bot may not look."""
        after = datetime.fromtimestamp(since / 1000 - SKEW_SECONDS, UTC)
        me = self._client.user.id if self._client.user else 0
        try:
            async for message in channel.history(limit=SEARCHED, after=after, oldest_first=True):
                if message.author.id == me and message.content.startswith(start):
                    return [message.id]
        except discord.Forbidden:
            log.info("history_not_readable", channel=channel.id)
        return []

    async def _names(self, whole: TournamentSnapshot, say: Language) -> dict[int, str]:
        """The name of each player by number; a mention for those whose name is not known."""
        found = await self._services[PlayerNames].names([player.user_id for player in whole.players], say)
        shown = {user_id: escaped(name) for user_id, name in found.items()}
        return {player.number: shown[player.user_id] or mention(player.user_id, say) for player in whole.players}

    def _channel(self, tournament: Tournament) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(tournament.channel_id, guild_id=tournament.guild_id)

    # --- the last message ----------------------------------------------------------------------------------------

    async def _close(self, tournament: Tournament) -> None:
        """Gives the prizes and sends the last message; after a correction, edits it."""
        now = self._rounds.now()
        ended = tournament.ended or now
        message_id = None
        try:
            message_id = await self._show_last(tournament, ended)
        except UnreadableTournament:  # it is named in the log, once
            at: int | None = now + min(max(LEASE_MS, now - ended), LONGEST_PAUSE)
        except Exception as error:
            final = code_of(error) == NO_CHANNEL or now - ended > GIVEN_UP
            if not isinstance(error, REQUEST_ERRORS):
                log.exception("not_closed", tournament=tournament.id)
            at = None if final else now + max(LEASE_MS, now - ended)
        else:
            at = None
        await self._rounds.repository.close_later(tournament, at, message_id)

    async def _show_last(self, tournament: Tournament, ended: int) -> int:
        """Sends or edits the last message; returns its id. Raises REQUEST_ERRORS."""
        say = language(tournament.locale)
        whole = await self._rounds.tournaments.whole(tournament.id)
        text = words.closing(whole, say)
        channel = self._channel(tournament)
        sent = [tournament.closing_id] if tournament.closing_id else await self._sent_before(channel, text, ended)
        if sent:
            if words.has_places(whole) and await self._rounds.repository.corrected_since(tournament.id, ended):
                await self._correct_last(channel.get_partial_message(sent[0]), whole, say)
            return sent[0]
        given = await prizes.give(self._client, whole, say)
        nonce = f"{tournament.id}:end"[-NONCE:]
        if not words.has_places(whole):
            return (await channel.send("\n".join([text, *given]), allowed_mentions=NOBODY, nonce=nonce)).id
        shown = await self._podium(whole, say)
        content = "\n".join([text, *words.ended_early(whole, say), *shown.places, *given])[: words.LONGEST]
        try:
            return (await channel.send(content, file=shown.file, allowed_mentions=NOBODY, nonce=nonce)).id
        except discord.Forbidden:  # perhaps only files are forbidden
            return (await channel.send(content, allowed_mentions=NOBODY, nonce=nonce)).id

    async def _correct_last(self, message: discord.PartialMessage, whole: TournamentSnapshot, say: Language) -> None:
        """Shows the new places in the last message, if it is still there. Roles that were given stay."""
        shown = await self._podium(whole, say)
        head = [words.closing(whole, say), *words.ended_early(whole, say), words.corrected(whole.tournament, say)]
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

    async def _podium(self, whole: TournamentSnapshot, say: Language) -> Podium:
        server = await self._services[PreferenceService].of_server(whole.tournament.guild_id)
        return await podium(self._services, whole, say, server["theme"])


NONCE: Final = 25
"""The most characters of a nonce."""


def _occasion(tournament: Tournament, stored: StoredRound) -> str:
    """Tells a round from the one of the same number that it replaces, if an organiser has it paired again."""
    return f"{tournament.id}:{stored.number}:{stored.started // 1000 % 100_000}"
