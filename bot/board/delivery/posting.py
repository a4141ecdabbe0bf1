"""Posts the board of a game, or edits it in place, and records it. Other modules decide when and how often."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, Protocol

import discord
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.board import message as board
from bot.board import story
from bot.board.delivery import channel_history
from bot.board.delivery.answers import BoardAnswers
from bot.board.delivery.channel_history import UnrecordedMessages
from bot.board.delivery.errors import is_removed
from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.service import OFFER_PING_LIFETIME_MS, PING_LIFETIME_MS, BoardDelivery, OldBoard
from bot.board.delivery.tidying import OldBoards
from bot.board.ratings import shown_ratings
from bot.core.discord_errors import UNCHANGEABLE, code_of
from bot.core.messages import NOBODY, moment
from bot.core.services import Services
from bot.core.translations import Language
from bot.games.live import LiveGame, read_notes
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.service import MatchService
from bot.matches.tournament_names import TournamentNames
from bot.players.machines import is_machine
from bot.players.service import PlayerNames, PreferenceService

DELETE = "delete"
EDIT = "edit"
HELD_BACK_MS: Final = 60_000
"""How long a message is not deleted that may be on its way a second time. While it exists, Discord drops the second one
by its nonce.
"""
REMEMBERED: Final = 1000
"""The most such messages that this process remembers."""
SENT: Final = 15.0
"""Seconds for a new board or ping. After that it is searched for, and sent again with its nonce."""
EDITED: Final = 3.0
"""Seconds for the edit of a board. discord.py delays it while another in its channel is limited or repeated."""

log = structlog.get_logger()

Hold = Callable[[LiveGame], Awaitable[None]]
"""Called right before a request, as this process may have stood still since the last one. Raises LeaseLost."""


class LeaseLost(Exception):
    """Another process shows the board, or the game has gone on."""


class Pings(Protocol):
    """Decides whether a board pings the awaited player. In the whole bot, the notifications do so."""

    async def reserve_ping(self, live: LiveGame) -> bool:
        """Returns whether the board pings. If so, nothing else pings for this turn."""

    async def undeliverable(self, live: LiveGame) -> None:
        """Called when the board cannot be posted, so that the awaited player needs a notification instead."""


class AlwaysPing:
    """Pings with every board, and sends no notification if a board fails."""

    async def reserve_ping(self, live: LiveGame) -> bool:
        del live
        return True

    async def undeliverable(self, live: LiveGame) -> None:
        del live


class BoardPosts:
    """Brings one message up to date. Raises REQUEST_ERRORS. After an interruption, all steps are repeated."""

    def __init__(self, client: discord.Client, services: Services, old_boards: OldBoards, hold: Hold) -> None:
        self.pings: Pings = AlwaysPing()
        self.answers = BoardAnswers()
        self._client = client
        self._services = services
        self._games = services[GameService]
        self._old_boards = old_boards
        self._hold = hold
        self._offer_pings: dict[str, tuple[int, Place]] = {}
        """The ping of the last offer of each game, and its place. It is removed when the board changes again, perhaps
        elsewhere.
        """
        self._repeated: OrderedDict[int, None] = OrderedDict()
        """The messages that another process, or an earlier attempt, may have sent as well."""

    async def bring_up(self, game_id: str, *, recovering: bool) -> LiveGame | None:
        """Posts the board and records it. Returns the game. Raises LeaseLost.

        Returns None if the game's first board has to wait for the card of the match's game before. ``recovering``: the
        message may have been sent already, so the channel's history is searched for it.
        """
        delivery = self._services[BoardDelivery]
        live = await (self._games.newest(game_id) if recovering else self._games.get(game_id))
        attempts = await delivery.attempts(live)
        if attempts is None:
            return None  # this board is due once the card of the game before is posted or has failed
        if is_removed(self._client, live.place.guild_id):
            await self.pings.undeliverable(live)
            return live
        recovering = recovering or attempts > 0
        while live.shown_seq < live.seq:
            await self._post(live, recovering=recovering)
            if attempts:
                await self._services[PermissionIssues].cleared(live.place.channel_id)
            live = await self._games.get(game_id)
        return live

    async def _post(self, live: LiveGame, *, recovering: bool) -> None:
        """Posts the board of the game as it is now, and records it together with the boards that it replaces."""
        before = live.message_id
        server = await self._services[PreferenceService].of_server(live.place.guild_id)
        found = await channel_history.unrecorded_messages(self._client, live) if recovering else UnrecordedMessages()
        sent, removed = found.board, [(ping, live.place) for ping in found.old_pings]
        if sent is None:
            shown = await self._written(live, server["theme"])
            in_place = before if server["old_board"] == EDIT or story.edits_board(live) else None
            is_kept = server["old_board"] != DELETE
            of_offer = self._offer_pings.pop(live.id, None) or await self._offer_ping_before(live)
            try:
                sent = await self._put(live, in_place, shown, found.ping, recovering=recovering, is_kept=is_kept)
            except BaseException:
                if of_offer is not None:
                    self._offer_pings.setdefault(live.id, of_offer)
                raise
            if of_offer is not None and of_offer != self._offer_pings.get(live.id):
                removed.append(of_offer)
            self._old_boards.keep_text(sent, shown.closed)
        else:
            await self.pings.reserve_ping(live)  # the board has pinged, so nothing else may ping
        replaced = [*found.old_boards, *([] if before in {None, sent} else [before])]
        old = [OldBoard(message_id, live.place, server["old_board"] == DELETE) for message_id in replaced if message_id]
        old += [OldBoard(message_id, place, removed=True) for message_id, place in dict.fromkeys(removed)]
        held_back = [one for one in old if one.removed and one.message_id in self._repeated]
        at_once = [one for one in old if one not in held_back]

        async def store(connection: AsyncConnection) -> None:
            delivery = self._services[BoardDelivery]
            await delivery.add_old(at_once, connection)
            await delivery.add_old(held_back, connection, HELD_BACK_MS)

        await self._games.shown(live.id, live.seq, sent, live.place, store if old else None)
        for one in at_once:
            self._old_boards.add(one, partial(self._as_it_was, live) if one.message_id == before else None)

    async def _written(self, live: LiveGame, server_theme: str) -> board.Message:
        """Returns the message of the game as it is now. It pings unless something else has pinged."""
        await read_notes(live.table)
        reader = await self._services[PreferenceService].of_user(board.reader_of(live))
        say = board.public_say(live, reader)
        names = await self._services[PlayerNames].names(live.players, say)
        pair = (names[live.players[0]], names[live.players[1]])
        theme = server_theme if live.place.guild_id else reader["theme"]
        match = await self._services[MatchService].of(live)
        ratings = await shown_ratings(self._services, live, say)
        walkover = await self._services[TournamentNames].walkover(live)
        shown = await board.message(live, say, reader, theme, pair, ratings, match, walkover)
        silent = story.refuses(live) or not await self.pings.reserve_ping(live)
        return shown.without_ping() if silent else shown

    async def language_of(self, live: LiveGame) -> Language:
        """Returns the language of the game's board (``public_say``)."""
        return board.public_say(live, await self._services[PreferenceService].of_user(board.reader_of(live)))

    async def say_machine_away(self, live: LiveGame) -> bool:
        """Updates the board to say that the machine to act cannot play. The next board shows the machine's turn.

        Returns False if the board is not up to date, or no player is awaited. Raises REQUEST_ERRORS.
        """
        if live.message_id is None or live.shown_seq < live.seq or not is_machine(live.awaited):
            return False
        say = await self.language_of(live)
        thinks, away = board.status(live, say), board.machine_away(live, say)
        shown = await self._channel(live.place).fetch_message(live.message_id)
        if (await self._games.get(live.id)).seq != live.seq:  # a player has acted meanwhile, so another board follows
            return False
        if thinks in shown.content:
            await shown.edit(content=shown.content.replace(thinks, away), allowed_mentions=NOBODY)
            return True
        return away in shown.content

    async def _as_it_was(self, live: LiveGame) -> str:
        """Returns the content for a board of an earlier process that a newer board replaces."""
        there = await asyncio.to_thread(board.as_shown, live)
        reader = await self._services[PreferenceService].of_user(board.reader_of(there))
        return board.closed(there, board.public_say(live, reader))

    async def _send(self, live: LiveGame, *content: str, recovering: bool, **parts: Any) -> int:
        """Sends a message that pings. Returns its id. Raises LeaseLost."""
        await self._hold(live)
        async with asyncio.timeout(SENT):
            sent = await self._channel(live.place).send(*content, nonce=f"{live.id}:{live.seq}", **parts)
        if recovering:
            self._repeated[sent.id] = None
            if len(self._repeated) > REMEMBERED:
                self._repeated.popitem(last=False)
        return sent.id

    async def _put(
        self,
        live: LiveGame,
        before: int | None,
        shown: board.Message,
        ping: int | None,
        *,
        recovering: bool,
        is_kept: bool,
    ) -> int:
        """Posts the board, or edits the message ``before`` if possible. A new message pings the awaited player.

        ``ping`` is the message that has pinged them already, if there is one. ``is_kept``: see ``BoardAnswers.send``.
        Returns the id of the board.
        """
        if before is not None:
            self.answers.withdraw(live.id)
            if await self._edited(live, before, shown, is_patient=recovering):
                if shown.ping and ping is None:
                    ping = await self._send(
                        live, shown.ping, recovering=recovering, view=shown.ping_view, allowed_mentions=shown.mentions
                    )
                if ping is not None:
                    of_offer = story.concerns_offers(live)
                    if of_offer:
                        self._offer_pings[live.id] = ping, live.place
                    lifetime = OFFER_PING_LIFETIME_MS if of_offer else PING_LIFETIME_MS
                    await self._services[BoardDelivery].remove_ping_later(ping, live.place, lifetime)
                return before
        await self._hold(live)
        if answered := await self.answers.send(live, shown, is_kept=is_kept):
            self._old_boards.keep_token(answered)
            return answered.message_id
        parts = {"file": shown.file, "view": shown.view, "allowed_mentions": shown.mentions}
        silent = live.place.guild_id is None and not shown.mentions.users  # a direct message rings without a mention
        return await self._send(live, shown.content, recovering=recovering, silent=silent, **parts)

    async def _offer_ping_before(self, live: LiveGame) -> tuple[int, Place] | None:
        """Returns the ping of the shown offer if an earlier process has sent it; None if there is none."""
        if (offered := story.shown_offer(live)) is None:
            return None
        since = moment(live.started + offered.at).id
        ping = await self._services[BoardDelivery].offer_ping_since(live.place, since)
        return None if ping is None else (ping, live.place)

    async def _edited(self, live: LiveGame, before: int, shown: board.Message, *, is_patient: bool) -> bool:
        """Edits the message ``before``. Returns False if that is not possible; its file can then be sent again.

        An edit that is given up after EDITED seconds may still be carried out. The message is then an old board, and is
        tidied like the others. With ``is_patient`` no edit is given up: an earlier attempt may have edited the board
        and sent its ping, and Discord would drop a new board as a repetition of that ping, because of its nonce.
        """
        await self._hold(live)
        message = self._channel(live.place).get_partial_message(before)
        try:
            async with asyncio.timeout(None if is_patient else EDITED):
                await message.edit(
                    content=shown.content, attachments=[shown.file], view=shown.view, allowed_mentions=NOBODY
                )
        except discord.HTTPException as error:
            if code_of(error) not in UNCHANGEABLE:
                raise
        except TimeoutError:
            if is_patient:
                raise
            log.info("board_not_edited", message=before)
        else:
            return True
        shown.file.reset()
        return False

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
