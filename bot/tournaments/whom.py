"""Options of commands that name a player: a user, or this bot with ``level`` for a machine.

A command takes ``level: Level | None = None`` and is declared with ``about={"level": "tournament_level"}``.
"""

from typing import TypeAlias

from discord import app_commands

from bot.core.interactions.answer import Answer
from bot.players.machines import LEVELS, machine_name
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PlayerStatus, Tournament
from engine.core.errors import Refused

Level: TypeAlias = app_commands.Range[int, LEVELS[0], LEVELS[-1]]


async def named(answer: Answer, tournament: Tournament, user_id: int, level: int | None) -> int:
    """Returns the user id of the named player; for this bot, that of the machine at ``level``, or of the only one that
    plays.

    Raises Refused if no machine fits, or if several do.
    """
    if user_id != answer.interaction.application_id:
        if level is not None:
            raise Refused("tournament.machine.level")
        return user_id
    players = (await answer.service(TournamentService).snapshot(tournament.id)).players
    there = {PlayerStatus.IN, PlayerStatus.WAITING}
    machines = [
        one.user_id for one in players if one.is_machine and one.status in there and level in {None, one.user_id}
    ]
    if not machines:
        raise Refused("tournament.machine.none")
    if len(machines) > 1:
        names = answer.say.listed(machine_name(machine, answer.say) for machine in machines)
        raise Refused("tournament.machine.which", names=names)
    return machines[0]
