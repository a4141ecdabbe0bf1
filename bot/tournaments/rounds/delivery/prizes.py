"""Prizes: roles that the bot gives to winners. Giving a role twice changes nothing.

Machines win none: places for prizes are counted among people.
"""

import discord
import structlog

from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.translations import Language
from bot.tournaments.tournament import Player, TournamentSnapshot

log = structlog.get_logger()


async def give(client: discord.Client, snapshot: TournamentSnapshot, say: Language) -> list[str]:
    """Gives the roles. Returns a line for each: who has got it, or that an organiser has to give it."""
    tournament = snapshot.tournament
    lines = []
    for place, role_id in tournament.plan.prizes:
        for player in snapshot.players:
            if prize_place(snapshot, player) != place or player.user_id <= 0:
                continue
            try:
                await client.http.add_role(tournament.guild_id, player.user_id, role_id, reason=tournament.name[:100])
            except REQUEST_ERRORS as error:
                log.info("prize_not_given", tournament=tournament.id, error=str(error))
                lines.append(say("tournament.rounds.prize_by_hand", role=f"<@&{role_id}>", user=player.user_id))
            else:
                lines.append(say("tournament.rounds.prize", role=f"<@&{role_id}>", user=player.user_id))
    return lines


def prize_place(snapshot: TournamentSnapshot, player: Player) -> int | None:
    """Returns the place for prizes, counted among people."""
    if player.first_place is None or player.is_machine:
        return None
    machines = (one.first_place for one in snapshot.players if one.is_machine and one.first_place is not None)
    return player.first_place - sum(place < player.first_place for place in machines)
