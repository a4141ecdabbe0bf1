"""Tournaments made by hand, in the database of a bot that runs: nobody has to play them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.snapshots import names_of
from sqlalchemy import update

from bot.players.service import PlayerNames
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import tournament_rounds, tournaments

if TYPE_CHECKING:
    from fakes.snapshots import Made

    from bot.core.services import Services


async def store(services: Services, made: Made) -> None:
    """Writes the tournament with the names of its players. Its messages count as sent."""
    snapshot, repository = made.snapshot, services[TournamentService].repository
    async with repository.database.writing() as connection:
        await repository.create(connection, snapshot.tournament)
        for player in snapshot.players:
            await repository.add_player(connection, snapshot.tournament.id, player)
        for one in made.rounds:
            await repository.add_round(connection, snapshot.tournament.id, one)
        await repository.add_pairings(connection, snapshot.tournament.id, snapshot.pairings)
        await connection.execute(update(tournaments).values(shown=tournaments.c.version))
        await connection.execute(update(tournament_rounds).values(shown=tournament_rounds.c.version))
    names = names_of(snapshot)
    for player in snapshot.players:
        if player.user_id > 0:
            await services[PlayerNames].seen(player.user_id, names[player.number])
