"""A tournament without Discord: its services in one process, games opened by hand, acts of an organiser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from bot.games.service import GameService
from bot.games.stored import Place
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Player, PlayerStatus, Status
from engine.core.errors import Refused
from engine.tournament.model import Format
from harness.tournaments import plan_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.services import Services
    from bot.games.live import LiveGame
    from bot.tournaments.tournament import LogEntry, StoredPairing, Tournament, TournamentSnapshot

GUILD, CHANNEL = 1573951852234407000, 1573951852234407001
OWNER, HELPER = 1573951852234407100, 1573951852234407101
FIRST: Final = 1573951852234407200
"""The user of player 1; the others follow."""


@dataclass
class Desk:
    """The tournament and the service that organisers use. ``places`` counts the channels in which games were opened."""

    services: Services
    id: str = ""
    places: int = 0

    @property
    def organiser(self) -> OrganiserService:
        return self.services[OrganiserService]

    @property
    def tournaments(self) -> TournamentService:
        return self.services[TournamentService]

    @property
    def openings(self) -> OpeningService:
        return self.services[OpeningService]

    @property
    def rounds(self) -> RoundService:
        return self.services[RoundService]

    async def create(self, format_: Format = Format.SWISS, players: int = 4, **plan: Any) -> None:
        """Creates a tournament whose registration is open, with so many players."""
        if format_ is Format.SWISS:
            plan.setdefault("rounds", 3)
        made = await self.tournaments.create(
            GUILD, CHANNEL, OWNER, "Cup", "en", plan_of(format_, **plan), Status.REGISTRATION
        )
        self.id = made.id
        async with self.tournaments.changing(self.id) as change:
            for number in range(1, players + 1):
                await change.add_player(
                    Player(number, FIRST + number - 1, PlayerStatus.IN, 2000 - number, change.now + number)
                )

    async def start(self) -> list[StoredPairing]:
        """Starts it, and opens the first round. Returns its pairings."""
        await self.rounds.start(self.id, OWNER)
        return await self.go_on()

    async def go_on(self) -> list[StoredPairing]:
        """Does what is due, and opens the games. Returns the pairings of the current round."""
        await self.rounds.advance(self.id)
        while openings := await self.openings.repository.unopened(self.rounds.now(), 99, self.rounds.now() + 1):
            for opening in openings:
                self.places += 1
                await self.openings.open(opening, Place(GUILD, CHANNEL + self.places))
        snapshot = await self.snapshot()
        return [one for one in snapshot.pairings if one.pairing.round == snapshot.tournament.round]

    async def snapshot(self) -> TournamentSnapshot:
        return await self.tournaments.snapshot(self.id)

    async def pairing(self, pairing_id: int) -> StoredPairing:
        return next(one for one in (await self.snapshot()).pairings if one.id == pairing_id)

    async def player(self, number: int) -> Player:
        return (await self.snapshot()).player(number)

    async def by(self, reason: str = "Because.", user_id: int = OWNER) -> By:
        """Returns an organiser who has just looked at the tournament."""
        return By(user_id, reason, await self.organiser.last_seq(self.id))

    async def game(self, stored: StoredPairing) -> LiveGame:
        return await self.organiser.running_game(stored.contest_id or "")

    async def win(self, stored: StoredPairing, number: int) -> None:
        """Lets the player of that number win a game: the other one resigns."""
        live = await self.game(stored)
        winner = (await self.player(number)).user_id
        loser = next(user for user in live.players if user != winner)
        values = live.game.resign_values(live.state, live.players.index(loser))
        await self.services[GameService].resign(live.id, loser, values[-1])

    async def finish(self) -> None:
        """Ends the games that acts have decided, as the worker does."""
        for tournament_id, entry, _ in await self.organiser.unfinished():
            await self.organiser.end_games(await self.tournaments.get(tournament_id), entry)
            await self.organiser.repository.next_attempt(tournament_id, entry.seq, None)

    async def log(self) -> list[LogEntry]:
        """Returns the log, the newest entry first."""
        return list(await self.organiser.log(self.id, 99))


async def refused(work: Any) -> str:
    """Expects a refusal of the work, and returns its key."""
    with pytest.raises(Refused) as error:
        await work
    return error.value.key.removeprefix("tournament.organising.")


def to(name: str | None = None, **plan: Any) -> Callable[[Tournament], Tournament]:
    """Returns a change to these settings."""

    def change(tournament: Tournament) -> Tournament:
        return replace(tournament, name=name or tournament.name, plan=replace(tournament.plan, **plan))

    return change
