"""Permissions to create and run the tournaments of a server."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.players.asker import roles_of
from bot.players.service import PreferenceService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament
from engine.core.errors import Refused

ROLE: Final = "tournament_role"
"""The server's preference with the id of the role that may create and run tournaments; empty for Manage Server only."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A user in a server, as an interaction shows them."""

    user_id: int
    guild_id: int | None
    is_manager: bool
    """Whether the user has the Manage Server permission."""
    roles: frozenset[int]


def actor_of(interaction: Interaction) -> Actor:
    user, guild_id = interaction.user, interaction.guild_id
    manages = guild_id is not None and interaction.permissions.manage_guild
    return Actor(user.id, guild_id, manages, roles_of(user))


def may_create(actor: Actor, role: str) -> bool:
    """Returns whether the user may create tournaments here. ``role``: the value of the server's preference ROLE."""
    return actor.guild_id is not None and (actor.is_manager or bool(role and int(role) in actor.roles))


def may_organise(tournament: Tournament, actor: Actor, role: str, assistants: Collection[int] = ()) -> bool:
    """Returns whether the user may run this tournament.

    The owner, the assistants, and all users with permission to create tournaments here may. A draft belongs to its
    owner alone.
    """
    if actor.guild_id != tournament.guild_id:
        return False
    if actor.user_id == tournament.owner:
        return True
    return not tournament.is_draft and (actor.user_id in assistants or may_create(actor, role))


async def organises(context: Context, interaction: Interaction, tournament: Tournament) -> bool:
    assistants = await context.services[TournamentService].organisers(tournament.id)
    return may_organise(tournament, actor_of(interaction), await _role(context, interaction), assistants)


async def check_organiser(answer: Answer, tournament: Tournament) -> None:
    """Raises Refused unless the user of the interaction may run this tournament."""
    if not await organises(answer.context, answer.interaction, tournament):
        raise Refused("tournament.not_organiser")


async def check_creator(answer: Answer) -> None:
    """Raises Refused unless the user of the interaction may create tournaments here."""
    actor, role = actor_of(answer.interaction), await _role(answer.context, answer.interaction)
    if actor.guild_id is None:
        raise Refused("tournament.no_server")
    if not may_create(actor, role):
        raise Refused("tournament.not_creator_role", role=f"<@&{role}>") if role else Refused("tournament.not_creator")


async def _role(context: Context, interaction: Interaction) -> str:
    server = await context.services[PreferenceService].of_server(interaction.guild_id)
    return server[ROLE]
