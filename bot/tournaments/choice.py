"""Which tournament a command is about: the option ``tournament``, its suggestions, and the default."""

from collections.abc import Collection, Sequence
from typing import Final

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICE_LENGTH, CHOICES
from bot.core.translations import plain
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status, Tournament
from engine.core.errors import Refused

KEYS: Final[dict[str, tuple[str, ...]]] = {"tournament.none": ()}
"""Message keys and the names of their parameters."""
SHOWN: Final = frozenset(Status) - {Status.DRAFT}
"""A draft is shown to nobody but its organiser, by the panel that sets it up."""


async def chosen(answer: Answer, given: str | None, statuses: Collection[Status] = SHOWN) -> Tournament:
    """The tournament that the option names; else the one that is nearest at hand.

    That is an active one of this channel, then an active one that the user plays, then the newest of the server.
    Raises Refused if there is none, or if it is one of another server.
    """
    service = answer.service(TournamentService)
    guild_id = answer.interaction.guild_id
    if given:
        return await visible(answer, given)
    own = await service.of_user(answer.user_id)
    there = await service.of_server(guild_id, statuses) if guild_id else own
    candidates = [one for one in there if one.status in statuses]
    if not candidates:
        raise Refused("tournament.none")
    theirs = {one.id for one in own}
    here = {answer.interaction.channel_id, getattr(answer.interaction.channel, "parent_id", None)}

    def distance(one: Tournament) -> tuple[bool, bool, bool]:
        return not one.status.is_active, one.channel_id not in here, one.id not in theirs

    return min(candidates, key=distance)  # of equals the first, which is the newest


async def visible(answer: Answer, tournament_id: str) -> Tournament:
    """A tournament of this server; in direct messages one that the user plays or runs. Raises Refused."""
    service = answer.service(TournamentService)
    found = await service.get(tournament_id)
    guild_id = answer.interaction.guild_id
    if guild_id is None:
        near = found.owner == answer.user_id or found.id in {one.id for one in await service.of_user(answer.user_id)}
    else:
        near = found.guild_id == guild_id
    if not near or (found.status is Status.DRAFT and found.owner != answer.user_id):
        raise Refused("tournament.unknown")
    return found


async def suggestions(
    context: Context, interaction: Interaction, typed: str, statuses: Collection[Status] = SHOWN
) -> list[app_commands.Choice[str]]:
    """The server's newest tournaments whose names contain the typed text; in direct messages the user's own."""
    service = context.services[TournamentService]
    guild_id = interaction.guild_id
    found: Sequence[Tournament]
    found = await (service.of_server(guild_id, statuses) if guild_id else service.of_user(interaction.user.id))
    fitting = [one for one in found if one.status in statuses and plain(typed) in plain(one.name)]
    return [app_commands.Choice(name=one.name[:CHOICE_LENGTH], value=one.id) for one in fitting[:CHOICES]]
