"""Tournaments over the socket: people who join, play by resigning, and what the channel shows of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PairingState, Plan, Player, PlayerStatus, Status
from engine.tournament.model import Format, Stage
from harness.discord import Seat, is_ephemeral, text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import StoredPairing, Whole

Json = dict[str, Any]
NAMES: Final = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned")
"""Further people are called by number."""
GAME: Final = "abalone"


def plan_of(format_: Format, *, rounds: int = 0, game: str = GAME, **more: Any) -> Plan:
    """A plan of one stage."""
    stage = {name: more.pop(name) for name in tuple(more) if name in Stage.__dataclass_fields__}
    return Plan(game, (Stage(format_, rounds=rounds, **stage),), **more)


async def soon(condition: Callable[[], Awaitable[object]], what: str = "it happens", *, seconds: float = 20) -> None:
    """Waits until what is asked for holds."""
    end = asyncio.get_running_loop().time() + seconds
    while not await condition():
        if asyncio.get_running_loop().time() > end:
            raise AssertionError(f"not in {seconds} s: {what}")
        await asyncio.sleep(0.02)


@dataclass
class Event:
    """A tournament in a channel of its own, its organiser, and the people who play."""

    server: Server
    bot: AbakBot
    organiser: Seat
    people: list[Seat]
    tournament_id: str = ""
    decide: Callable[[StoredPairing], int | None] = field(default=lambda stored: stored.pairing.first)
    """The number of the player who wins a pairing; None: nobody yet."""

    @classmethod
    def of(cls, server: Server, bot: AbakBot, players: int, *, locale: str = "en-US") -> Event:
        """A new channel with an organiser, who may manage the server, and that many players."""
        world = server.world
        channel = world.add_channel("tournament")
        names = [*NAMES, *(f"Player {number}" for number in range(len(NAMES) + 1, players + 1))][:players]
        people = [Seat.join(world, name, channel, locale=locale) for name in names]
        organiser = Seat.join(world, "Olga", channel, locale=locale)
        return cls(server, bot, organiser, people)

    # --- making it -----------------------------------------------------------------------------------------------

    async def create(self, plan: Plan, name: str = "Cup", *, status: Status = Status.REGISTRATION) -> None:
        """The organiser's tournament, with everybody in it. The first has the highest rating."""
        world = self.server.world
        channel = self.organiser.channel_id
        made = await self.service.create(world.guild_id, channel, self.organiser.user_id, name, "en", plan, status)
        self.tournament_id = made.id
        for seat in self.people:
            await self.join(seat)

    async def join(self, seat: Seat, **more: Any) -> None:
        """Enters somebody, whatever the state of the tournament."""
        async with self.service.changing(self.tournament_id) as change:
            number = len(change.whole.players) + 1
            known = Player(number, seat.user_id, PlayerStatus.IN, 2000 - number, change.now)
            await change.add_player(replace(known, **more))

    @property
    def service(self) -> TournamentService:
        return self.bot.service(TournamentService)

    # --- what is ---------------------------------------------------------------------------------------------------

    async def whole(self) -> Whole:
        return await self.service.whole(self.tournament_id)

    async def player(self, seat: Seat) -> Player:
        found = (await self.whole()).of_user(seat.user_id)
        assert found is not None
        return found

    async def running(self) -> list[StoredPairing]:
        """The pairings whose games run."""
        return [one for one in (await self.whole()).pairings if one.state is PairingState.RUNNING]

    async def opened(self, games: int) -> list[StoredPairing]:
        """The running pairings, once there are so many."""

        async def there() -> bool:
            return len(await self.running()) == games

        await soon(there, f"{games} games run")
        return await self.running()

    async def round(self, number: int) -> list[StoredPairing]:
        """The pairings of a round, once it is paired and its games run."""

        async def there() -> bool:
            whole = await self.whole()
            waiting = any(one.state is PairingState.WAITING for one in whole.pairings)
            return whole.tournament.round >= number and not waiting

        await soon(there, f"round {number} is opened")
        return [one for one in (await self.whole()).pairings if one.pairing.round == number]

    async def status(self, status: Status) -> Whole:
        """The tournament, once it has that status."""

        async def there() -> bool:
            return (await self.service.get(self.tournament_id)).status is status

        await soon(there, f"the tournament is {status}")
        return await self.whole()

    def said(self, start: str = "") -> list[str]:
        """What the channel of the tournament publicly shows now, as far as it begins so."""
        channel = self.server.world.messages.in_channel(self.organiser.channel_id)
        return [text(one) for one in channel if not is_ephemeral(one) and text(one).startswith(start)]

    async def shows(self, start: str, part: str = "") -> str:
        """The message of the channel that begins so and has that part, once it is there."""

        def fitting() -> list[str]:
            return [one for one in self.said(start) if part in one]

        async def there() -> bool:
            return bool(fitting())

        await soon(there, f"{start!r} with {part!r}; there is {self.said()}")
        return fitting()[0]

    def threads(self) -> list[str]:
        """The names of the threads of the channel."""
        parent = str(self.organiser.channel_id)
        return [one["name"] for one in self.server.world.channels.values() if one.get("parent_id") == parent]

    # --- what they do ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """The organiser starts it."""
        await self.bot.service(RoundService).start(self.tournament_id, self.organiser.user_id)

    async def game(self, stored: StoredPairing) -> LiveGame:
        """The game of a pairing that runs now."""
        game_id = stored.game_id
        if stored.contest_id != stored.game_id:
            game_id = (await self.bot.service(MatchService).game_ids(stored.contest_id or ""))[-1]
        return await self.bot.service(GameService).newest(game_id or "")

    async def win(self, stored: StoredPairing, number: int) -> None:
        """Has the player of that number win a pairing: the other one resigns, the whole match if it is one."""
        whole = await self.whole()
        winner = whole.player(number).user_id
        live = await self.game(stored)
        loser = next(user for user in live.players if user != winner)
        games = self.bot.service(GameService)
        if live.record.header.match:
            await games.resign_match(live.id, loser)
        else:
            await games.resign(live.id, loser, live.game.resign_values(live.state, live.players.index(loser))[-1])

    async def draw(self, stored: StoredPairing) -> None:
        """Has both agree to a draw."""
        live = await self.game(stored)
        games = self.bot.service(GameService)
        await games.offer(live.id, live.players[0], "draw")
        await games.answer(live.id, live.players[1], accept=True)

    async def play_round(self, games: Sequence[StoredPairing] | None = None) -> None:
        """Ends the running games as ``decide`` says."""
        for stored in await self.running() if games is None else games:
            if stored.state is PairingState.RUNNING and (winner := self.decide(stored)) is not None:
                await self.win(stored, winner)

    async def play_to_the_end(self, *, seconds: float = 60) -> Whole:
        """Plays on until the tournament is over."""

        async def over() -> bool:
            await self.play_round()
            return (await self.service.get(self.tournament_id)).status is Status.OVER

        await soon(over, "the tournament is over", seconds=seconds)
        return await self.whole()
