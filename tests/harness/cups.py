"""Tournaments read and played from outside: the database past the bot, and players who only press buttons.

So the bot may run in one process or several, and be killed at any moment.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select, update

from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.tables import games
from bot.notifications.tables import notifications
from bot.players.repository import PlayerNameRepository
from bot.players.service import PlayerNames
from bot.sandbox.errors import Refused, Timeout
from bot.tournaments.repository import TournamentRepository
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import tournament_pairings, tournament_rounds, tournaments
from bot.tournaments.tournament import PairingState, Player, PlayerStatus, Status
from engine.tournament.model import Result
from harness.books import replayed
from harness.bot import milliseconds, wired
from harness.discord import Seat, is_ephemeral, text, until
from harness.origins import shows

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Sequence

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Plan, StoredPairing, StoredRound, TournamentSnapshot

Json = dict[str, Any]
LOST: Final = (Result.SECOND_WINS, Result.FIRST_WINS)
"""The result when the first, or the second, of a pairing gives up."""
NAME: Final = "Cup"
UNPINGED: Final = 3.0


@dataclass
class Cup:
    """A tournament, its organiser and its players."""

    server: Server
    database: Database
    organiser: Seat
    people: list[Seat]
    id: str = ""
    bot: AbakBot | None = None
    """The bot, if it runs in this process: it then hears at once of what is created."""

    @classmethod
    def of(cls, server: Server, url: str, players: int, bot: AbakBot | None = None) -> Cup:
        """Creates a channel of its own with the players and the organiser."""
        world = server.world
        channel = world.add_channel("cup")
        people = [Seat.join(world, f"Player {number}", channel) for number in range(1, players + 1)]
        return cls(server, Database(url), Seat.join(world, "Olga", channel), people, bot=bot)

    async def create(self, plan: Plan, *, joined: bool = True) -> None:
        """Stores the tournament, with everybody in it unless they are to join by themselves."""
        service, world = self.service, self.server.world
        place = (world.guild_id, self.organiser.channel_id)
        made = await service.create(*place, self.organiser.user_id, NAME, "en", plan, Status.REGISTRATION)
        self.id = made.id
        names = PlayerNames(PlayerNameRepository(self.database), milliseconds)
        for number, seat in enumerate(self.people if joined else (), 1):
            await names.seen(seat.user_id, f"Player {number}")  # as of everybody who joins: it is in names of threads
            async with service.changing(made.id) as change:
                await change.add_player(Player(number, seat.user_id, PlayerStatus.IN, 2000 - number, change.now))

    async def close(self) -> None:
        await self.database.close()

    # --- the database ----------------------------------------------------------------------------------------------

    @property
    def service(self) -> TournamentService:
        if self.bot is not None:
            return self.bot.service(TournamentService)
        return TournamentService(TournamentRepository(self.database), milliseconds)

    async def snapshot(self) -> TournamentSnapshot:
        return await self.service.snapshot(self.id)

    async def rounds(self) -> tuple[StoredRound, ...]:
        async with self.database.reading() as connection:
            return await self.service.repository.rounds(connection, self.id)

    async def game_ids(self) -> list[str]:
        """Returns the ids of all games."""
        async with self.database.reading() as connection:
            return list(await connection.scalars(select(games.c.id)))

    async def progress(self) -> tuple[int, int, int]:
        """Counts the paired rounds, the opened games and the results."""
        snapshot = await self.snapshot()
        opened = sum(one.game_id is not None for one in snapshot.pairings)
        return snapshot.tournament.round, opened, sum(one.result is not None for one in snapshot.pairings)

    async def is_quiet(self) -> bool:
        """Returns whether the tournament is over, and every message shows it."""
        tournament = (await self.snapshot()).tournament
        behind = [one for one in await self.rounds() if one.shown < one.version]
        async with self.database.reading() as connection:
            boards = list(await connection.execute(select(games.c.id).where(games.c.shown_seq < games.c.seq)))
        return tournament.status is Status.OVER and tournament.closing_at is None and not behind and not boards

    async def time_passes(self) -> None:
        """Lets a minute pass: whatever a dead process has leased is free again."""
        async with self.database.writing() as connection:
            now = milliseconds()
            leased = tournaments.c.next_attempt_at > now
            await connection.execute(update(tournaments).values(leased_until=0))
            await connection.execute(update(tournaments).where(leased).values(next_attempt_at=now))
            await connection.execute(
                update(tournaments).where(tournaments.c.closing_at.is_not(None)).values(closing_at=0)
            )
            await connection.execute(update(tournament_pairings).values(leased_until=0, next_attempt_at=0))
            await connection.execute(
                update(tournament_rounds).where(tournament_rounds.c.next_attempt_at > now).values(next_attempt_at=now)
            )
            await connection.execute(update(notifications).values(next_attempt_at=notifications.c.due))
            await connection.execute(update(games).values(board_leased_until=0))

    # --- what players do -------------------------------------------------------------------------------------------

    def seat(self, snapshot: TournamentSnapshot, number: int) -> Seat:
        """Returns the player of that number."""
        user_id = snapshot.player(number).user_id
        return next(seat for seat in self.people if seat.user_id == user_id)

    def board(self, stored: StoredPairing) -> Json | None:
        """Returns the newest board of a pairing that can be used; None if it is not shown yet."""
        shown = self.server.world.messages.in_channel(stored.channel_id or 0)
        return next((one for one in shown[::-1] if has_verb(one, "more") and not is_ephemeral(one)), None)

    async def join_by_button(self) -> None:
        """Lets everybody join by the button of the announcement."""
        await until(self.announcements, "it is announced")
        (message,) = self.announcements()
        for seat in self.people:
            await seat.press("b:tournament_join:", message)
            await until(lambda seat=seat: hears(seat, "You are in"), "they are told that they are in")

    async def start(self) -> None:
        """Starts it by the organiser's command."""
        await self.organiser.slash("tournament start", tournament=self.id)
        await until(lambda: hears(self.organiser, f"**{NAME}** starts."), "they are told that it starts")

    def announcements(self) -> list[Json]:
        """Returns the messages that announce it."""
        return self.said(f"## {NAME}")

    async def give_up(self, stored: StoredPairing, snapshot: TournamentSnapshot, loser: int) -> None:
        """Lets the player of that number resign by the buttons of the board."""
        board = self.board(stored)
        assert board is not None
        who = self.seat(snapshot, loser).at(int(board["channel_id"]))
        await who.slash("abak resign")
        asked = next((one for one in who.messages[::-1] if has_verb(one, "resign_for")), None)
        if asked is not None:  # else the bot has died over it
            offers = [x["custom_id"] for x in wired(asked) if x["custom_id"].startswith("b:resign_for:")]
            await who.press(offers[-1], asked)

    async def play(self, rng: random.Random) -> None:
        """Ends the running games one after the other until the tournament is over, each by who loses by lot.

        They wait for their pings, for UNPINGED seconds at most; not in a table at once, which has none of each game.
        """
        since = asyncio.get_running_loop().time()
        while True:
            snapshot = await self.snapshot()
            if snapshot.tournament.status is Status.OVER:
                return
            ready = [one for one in snapshot.pairings if one.state is PairingState.RUNNING and self.board(one)]
            pinged = [one for one in ready if all(self.calls(number, one, snapshot) for number in one.pairing.players)]
            late = asyncio.get_running_loop().time() > since + UNPINGED
            if not pinged and not (ready and (late or snapshot.tournament.plan.is_at_once)):
                await asyncio.sleep(0.02)
                continue
            stored = rng.choice(pinged or ready)
            with contextlib.suppress(Timeout, Refused):
                await self.give_up(stored, snapshot, rng.choice(stored.pairing.players))
            since = asyncio.get_running_loop().time()

    # --- what must hold --------------------------------------------------------------------------------------------

    def said(self, start: str) -> list[Json]:
        """Returns the public messages of the channel that begin so."""
        shown = self.server.world.messages.in_channel(self.organiser.channel_id)
        return [one for one in shown if not is_ephemeral(one) and text(one).startswith(start)]

    def threads(self) -> dict[int, Json]:
        """Returns the threads of the channel by id."""
        parent = str(self.organiser.channel_id)
        return {int(one["id"]): one for one in self.server.world.channels.values() if one.get("parent_id") == parent}

    async def check(self, rounds: int, others: Collection[str] = ()) -> Counter[int]:
        """What must hold at the end of a Swiss or a table at once, whatever has happened to the bot.

        ``others``: games of others. Returns how often a player had no ping for a game, and how often one.
        """
        snapshot = await self.snapshot()
        assert snapshot.tournament.status is Status.OVER
        assert snapshot.tournament.round == rounds
        played = [one for one in snapshot.pairings if one.pairing.second is not None]
        self.check_pairings(snapshot, rounds)
        await self.check_games(played, others)
        self.check_threads(played)
        await self.check_messages(rounds)
        assert len(self.announcements()) == 1
        return self.check_pings(snapshot)

    def check_pairings(self, snapshot: TournamentSnapshot, rounds: int) -> None:
        """Checks that each round has each player once, or in a table at once each pair; nobody meets another twice."""
        numbers = [player.number for player in snapshot.players]
        everybody = sorted(numbers * (len(numbers) - 1 if snapshot.tournament.plan.is_at_once else 1))
        for number in range(1, rounds + 1):
            seen = [one for pair in snapshot.pairings if pair.pairing.round == number for one in pair.pairing.players]
            assert sorted(seen) == everybody, f"round {number}"
        met = Counter(frozenset(one.pairing.players) for one in snapshot.pairings if one.pairing.second is not None)
        assert max(met.values()) == 1
        assert all(one.state is PairingState.DONE for one in snapshot.pairings)

    async def check_games(self, played: Sequence[StoredPairing], others: Collection[str]) -> None:
        """Checks that each pairing has a game of its own, with its result, and that there is no other game."""
        assert sorted(set(await self.game_ids()).difference(others)) == sorted(one.game_id or "" for one in played)
        ledger, snapshot = GameRepository(self.database), await self.snapshot()
        for one in played:
            stored = await ledger.load(one.game_id or "")
            assert stored is not None
            table = replayed(stored)
            assert table.outcome is not None
            assert stored.players == tuple(snapshot.player(number).user_id for number in one.pairing.players)
            assert table.outcome.winner is not None
            assert one.result is LOST[1 - table.outcome.winner]
            assert stored.place.channel_id == one.channel_id
            boards = [m for m in self.server.world.messages.in_channel(stored.place.channel_id) if m["attachments"]]
            sent = [shows(message) for message in boards]
            assert len(set(sent)) == len(sent)
            assert stored.shown_seq == len(stored.record.entries)

    def check_threads(self, played: Sequence[StoredPairing]) -> None:
        """Checks that each game has a thread of its own, and that there is no other thread."""
        there, known = sorted(self.threads()), sorted(one.channel_id or 0 for one in played)
        assert there == known, f"threads {there}, games in {known}"

    async def check_messages(self, rounds: int) -> None:
        """Checks for one message a round, which shows how it ended, and one last message."""
        for stored in await self.rounds():
            (message,) = self.said(f"**{NAME} · Round {stored.number}**")
            assert int(message["id"]) == stored.message_id
            assert message["mentions"] == []
            assert "being played" not in text(message)
            assert "not begun" not in text(message)
        assert len(self.said(f"**{NAME} · Round ")) == rounds
        assert len(self.said(f"🏆 **{NAME} is over**")) == 1

    def calls(self, number: int, stored: StoredPairing, snapshot: TournamentSnapshot) -> list[Json]:
        """Returns the messages that pinged a player for a pairing, in any channel."""
        user_id, thread = snapshot.player(number).user_id, str(stored.channel_id)
        everywhere = self.server.world.events.notifications
        mine = (message for user, message in everywhere if user == user_id)
        return [one for one in mine if one["channel_id"] == thread or f"<#{thread}>" in text(one)]

    def check_pings(self, snapshot: TournamentSnapshot) -> Counter[int]:
        """Checks that nobody was pinged twice for one pairing; returns how often nobody was."""
        counted: Counter[int] = Counter()
        for stored in snapshot.pairings:
            if stored.pairing.second is not None:
                for number in stored.pairing.players:
                    found = self.calls(number, stored, snapshot)
                    assert len(found) <= 1, [text(message) for message in found]
                    counted[len(found)] += 1
        return counted


def has_verb(message: Json, verb: str) -> bool:
    """Returns whether a message has a button of that verb that can be pressed."""
    return any(x["custom_id"].startswith(f"b:{verb}:") for x in wired(message))


def hears(seat: Seat, part: str) -> bool:
    """Returns whether somebody was told that, privately."""
    return any(is_ephemeral(one) and part in text(one) for one in seat.messages)
