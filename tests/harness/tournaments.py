"""Tournaments over the socket: people who join, play by resigning, and what the channel shows of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from fakes.clock import Clock
from fakes.luck import SeededLuck

from bot.app import assemble
from bot.clocks.heartbeats.service import HeartbeatService
from bot.core.services import Sources
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.service import MatchService
from bot.notifications.service import NotificationService
from bot.players.service import PlayerNames
from bot.sandbox.state import permissions
from bot.settings import Settings
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PairingState, Plan, Player, PlayerStatus, Status
from engine.tournament.model import Format, Stage
from harness.discord import Seat, is_ephemeral, text, until
from harness.hours import was_there

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.client import AbakBot
    from bot.core.services import Services
    from bot.core.storage.database import Database
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import StoredPairing, TournamentSnapshot

Json = dict[str, Any]
NAMES: Final = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned")
"""Further people are called by number."""
GAME: Final = "abalone"


def plan_of(format_: Format, *, rounds: int = 0, game: str = GAME, **more: Any) -> Plan:
    """Returns a plan of one stage."""
    stage = {name: more.pop(name) for name in tuple(more) if name in Stage.__dataclass_fields__}
    return Plan(game, (Stage(format_, rounds=rounds, **stage),), **{"timeout_policy": "loss"} | more)


@dataclass
class Play:
    """A tournament and what is done in it through the services, without Discord."""

    services: Services
    tournament_id: str = field(default="", kw_only=True)
    decide: Callable[[StoredPairing], int | None] = field(default=lambda stored: stored.pairing.first, kw_only=True)
    """The number of the player who wins a pairing; None: nobody yet."""

    @property
    def service(self) -> TournamentService:
        return self.services[TournamentService]

    @property
    def openings(self) -> OpeningService:
        return self.services[OpeningService]

    @property
    def rounds(self) -> RoundService:
        return self.services[RoundService]

    @property
    def games(self) -> GameService:
        return self.services[GameService]

    async def enter(self, user_id: int, **more: Any) -> None:
        """Enters somebody, whatever the state of the tournament. The first has the highest rating."""
        async with self.service.changing(self.tournament_id) as change:
            number = len(change.snapshot.players) + 1
            known = Player(number, user_id, PlayerStatus.IN, 2000 - number, change.now)
            await change.add_player(replace(known, **more))

    # --- what is ---------------------------------------------------------------------------------------------------

    async def snapshot(self) -> TournamentSnapshot:
        return await self.service.snapshot(self.tournament_id)

    async def running(self) -> list[StoredPairing]:
        """Returns the pairings whose games run."""
        return [one for one in (await self.snapshot()).pairings if one.state is PairingState.RUNNING]

    async def of_round(self, number: int) -> list[StoredPairing]:
        return [one for one in (await self.snapshot()).pairings if one.pairing.round == number]

    async def pairing(self, stored: StoredPairing) -> StoredPairing:
        """Returns a pairing as it is now."""
        return next(one for one in (await self.snapshot()).pairings if one.id == stored.id)

    async def acts(self) -> list[str]:
        """Returns the acts of the log, in order."""
        return [entry.act for entry in reversed(await self.service.repository.log_of(self.tournament_id, 1000))]

    # --- what they do ----------------------------------------------------------------------------------------------

    async def game(self, stored: StoredPairing) -> LiveGame:
        """Returns the game of a pairing that runs now."""
        game_id = stored.game_id
        if stored.contest_id != stored.game_id:
            game_id = (await self.services[MatchService].game_ids(stored.contest_id or ""))[-1]
        return await self.games.newest(game_id or "")

    async def win(self, stored: StoredPairing, number: int) -> None:
        """Lets the player of that number win a pairing: the other one resigns, the whole match if it is one."""
        winner = (await self.snapshot()).player(number).user_id
        live = await self.game(stored)
        loser = next(user for user in live.players if user != winner)
        if live.record.header.match:
            await self.games.resign_match(live.id, loser)
        else:
            points = live.game.resign_values(live.state, live.players.index(loser))[-1]
            await self.games.resign(live.id, loser, points)

    async def draw(self, stored: StoredPairing) -> None:
        """Lets both agree to a draw."""
        live = await self.game(stored)
        await self.games.offer(live.id, live.players[0], "draw")
        await self.games.answer(live.id, live.players[1], accept=True)

    async def play_round(self) -> None:
        """Ends the running games as ``decide`` says."""
        for stored in await self.running():
            if (winner := self.decide(stored)) is not None:
                await self.win(stored, winner)


@dataclass
class Desk(Play):
    """A tournament of one process on a database, which goes on when it is told to."""

    clock: Clock = field(default_factory=Clock)

    @classmethod
    def on(cls, database: Database, clock: Clock, tournament_id: str = "") -> Desk:
        url = database.url.render_as_string(hide_password=False)
        settings = Settings.load(discord_token="token", database_url=url)
        services = assemble(database, Sources(SeededLuck(1), lambda: 0, clock), settings)
        return cls(services, clock, tournament_id=tournament_id)

    async def create(self, plan: Plan, players: int, status: Status = Status.REGISTRATION) -> None:
        """Creates a tournament of the users 1001 upwards; its owner is user 9."""
        made = await self.service.create(1, 100, 9, "Cup", "en", plan, status)
        self.tournament_id = made.id
        for number in range(1, players + 1):
            await self.enter(1000 + number)

    async def begin(self, plan: Plan, players: int) -> None:
        """Creates a tournament, and opens its first round."""
        await self.create(plan, players)
        await self.rounds.start(self.tournament_id, 9)
        await self.go_on()

    async def go_on(self, seconds: float = 0) -> None:
        """Lets time pass, does what is due, and opens the games, each in a channel of its own."""
        self.clock.pass_seconds(seconds)
        await was_there(self.services[HeartbeatService], self.clock())
        await self.rounds.advance(self.tournament_id)
        now = self.clock()
        while found := await self.openings.repository.unopened(now, 100, now + 1):
            for opening in found:
                await self.openings.open(opening, Place(1, 10_000 + opening.stored.id))

    async def play_on(self, rounds: int) -> None:
        """Plays rounds by ``decide``."""
        for _ in range(rounds):
            await self.play_round()
            await self.go_on()


@dataclass
class Event(Play):
    """A tournament in a channel of its own, its organiser, and the people who play, over the socket."""

    server: Server
    bot: AbakBot
    organiser: Seat
    people: list[Seat]

    @classmethod
    def of(cls, server: Server, bot: AbakBot, players: int, *, locale: str = "en-US") -> Event:
        """Creates a channel with an organiser, who may manage the server, and that many players."""
        world = server.world
        channel = world.add_channel("tournament")
        names = [*NAMES, *(f"Player {number}" for number in range(len(NAMES) + 1, players + 1))][:players]
        people = [Seat.join(world, name, channel, locale=locale) for name in names]
        manager = permissions.MEMBER | permissions.MANAGE_GUILD
        organiser = Seat.join(world, "Olga", channel, locale=locale, permissions=manager)
        return cls(bot.services, server, bot, organiser, people)

    # --- making it -----------------------------------------------------------------------------------------------

    async def create(
        self, plan: Plan, name: str = "Cup", *, status: Status = Status.REGISTRATION, locale: str = "en"
    ) -> None:
        """Creates the organiser's tournament, with everybody in it. The first player has the highest rating."""
        channel, owner = self.organiser.channel_id, self.organiser.user_id
        made = await self.service.create(self.server.world.guild_id, channel, owner, name, locale, plan, status)
        self.tournament_id = made.id
        names = self.services[PlayerNames]
        for seat in self.people:
            await names.seen(seat.user_id, self.server.world.users[seat.user_id]["global_name"])
            await self.enter(seat.user_id)

    # --- what is ---------------------------------------------------------------------------------------------------

    async def player(self, seat: Seat) -> Player:
        found = (await self.snapshot()).of_user(seat.user_id)
        assert found is not None
        return found

    async def opened(self, games: int) -> list[StoredPairing]:
        """Waits until so many pairings run, and returns them."""

        async def there() -> bool:
            return len(await self.running()) == games

        await until(there, f"{games} games run")
        return await self.running()

    async def round(self, number: int) -> list[StoredPairing]:
        """Waits until a round is paired and its games run, and returns its pairings."""

        async def there() -> bool:
            snapshot = await self.snapshot()
            waiting = any(one.state is PairingState.WAITING for one in snapshot.pairings)
            return snapshot.tournament.round >= number and not waiting

        await until(there, f"round {number} is opened")
        return [one for one in (await self.snapshot()).pairings if one.pairing.round == number]

    async def status(self, status: Status) -> TournamentSnapshot:
        """Waits until the tournament has that status, and returns it."""

        async def there() -> bool:
            return (await self.service.get(self.tournament_id)).status is status

        await until(there, f"the tournament is {status}")
        return await self.snapshot()

    def said(self, start: str = "") -> list[str]:
        """Returns the public texts in the channel of the tournament that begin with ``start``."""
        channel = self.server.world.messages.in_channel(self.organiser.channel_id)
        return [text(one) for one in channel if not is_ephemeral(one) and text(one).startswith(start)]

    async def shows(self, start: str, part: str = "") -> str:
        """Waits for a message of the channel that begins so and has that part, and returns it."""

        def fitting() -> list[str]:
            return [one for one in self.said(start) if part in one]

        async def there() -> bool:
            return bool(fitting())

        await until(there, f"{start!r} with {part!r}; there is {self.said()}")
        return fitting()[0]

    def threads(self) -> list[str]:
        """Returns the names of the threads of the channel."""
        parent = str(self.organiser.channel_id)
        return [one["name"] for one in self.server.world.channels.values() if one.get("parent_id") == parent]

    # --- what they do ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Starts the tournament by the organiser's command."""
        await self.rounds.start(self.tournament_id, self.organiser.user_id)

    def look(self) -> None:
        """Makes the bot look at the tournament and at its notices now, as after a change of the time."""
        self.service.changed(self.tournament_id)
        self.services[NotificationService].wake()

    async def play_to_the_end(self, *, seconds: float = 60) -> TournamentSnapshot:
        """Plays on until the tournament is over."""

        async def over() -> bool:
            await self.play_round()
            return (await self.service.get(self.tournament_id)).status is Status.OVER

        await until(over, "the tournament is over", seconds=seconds)
        return await self.snapshot()
