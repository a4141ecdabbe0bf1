"""The option ``tournament`` of commands: its suggestions, and the chosen tournament.

A command takes ``tournament: Text | None = None`` and begins with ``await resolve(answer, tournament)``;
``suggest(context, command)`` adds the suggestions.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Final, TypeAlias

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES
from bot.core.interactions.declaration import Declared
from bot.core.interactions.suggesting import suggests
from bot.core.services import Services
from bot.core.translations import plain
from bot.players.asker import language_of
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status, Tournament
from engine.core.errors import Refused

PUBLIC: Final = frozenset(Status) - {Status.DRAFT}
"""The states of tournaments that anybody in the server may see."""
ACTIVE: Final = frozenset(status for status in Status if status.is_active)
SEARCHED: Final = 200
"""The most of the server's newest tournaments that are searched by name."""
Fits: TypeAlias = Callable[[Services, Interaction, Sequence[Tournament]], Awaitable[Sequence[Tournament]]]
"""Returns the tournaments that a command can mean for the user of an interaction."""
NAMED: Final = 5
"""The most names that a question lists."""


def suggest(
    context: Context,
    command: Declared,
    among: Collection[Status] = PUBLIC,
    fits: Fits | None = None,
    option: str = "tournament",
) -> None:
    """Adds suggestions to the option: this server's tournaments, the active ones first.

    ``fits`` returns those that the command can mean for this user; without it, all are suggested.
    """

    async def names(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild_id is None:
            return []
        say = await language_of(context, interaction)
        service = context.services[TournamentService]
        found = await service.of_server(interaction.guild_id, among, limit=SEARCHED)
        sought = plain(typed)
        fitting = [one for one in found if sought in plain(one.name)]
        if fits is not None:
            fitting = [*await fits(context.services, interaction, fitting)]
        shown = sorted(fitting, key=lambda one: not one.status.is_active)
        labels = [(say("tournament.suggested", name=one.name, status=one.status.value), one.id) for one in shown]
        return [app_commands.Choice(name=label, value=value) for label, value in labels[:CHOICES]]

    suggests(command, option)(names)


async def resolve(
    answer: Answer,
    given: str | None,
    among: Collection[Status] = PUBLIC,
    fits: Fits | None = None,
    *,
    begun: bool = False,
) -> Tournament:
    """Finds the chosen tournament. Raises Refused if there is none, or more than one.

    It is the one of ``given``, an id or a name; or else the one of the channel, also a finished one; or else the only
    active one of the server, or its newest. If several are left, ``fits`` narrows them. ``begun``: for results, so that
    of the channel's tournaments one that has begun goes before one that is only announced, as the next of a series is.
    Raises UnreadableTournament if the chosen one cannot be read.
    """
    guild_id, service = answer.interaction.guild_id, answer.service(TournamentService)
    if guild_id is None:
        raise Refused("tournament.no_server")
    if given:
        return await _named(answer, guild_id, given.strip(), among)
    active = await service.of_server(guild_id, ACTIVE.intersection(among), limit=SEARCHED)
    here = [one for one in active if one.channel_id in _places(answer)]
    if not active:
        await _check_readable(answer, guild_id, None, ACTIVE.intersection(among))
    started = [one for one in here if not one.status.is_open]
    if not here or (begun and not started):
        listed = await service.of_server(guild_id, among, limit=SEARCHED)
        of_channel = [one for one in listed if one.channel_id in _places(answer)]
        started = [one for one in of_channel if one.started is not None][:1]
        here = here or of_channel[:1]
    if begun and started:
        here = started
    found = here or active
    if not found:
        found = (await service.of_server(guild_id, among, limit=1)) if not ACTIVE.issuperset(among) else []
    if not found:
        await _check_readable(answer, guild_id, None, among)
        public = await service.of_server(guild_id, PUBLIC, limit=SEARCHED)
        is_over = any(one.channel_id in _places(answer) for one in public)
        raise Refused("tournament.join.over" if is_over else "tournament.none_here")
    if len(found) > 1 and fits is not None:
        found = await fits(answer.context.services, answer.interaction, found)
        if not found:
            raise Refused("tournament.none_fits")
    if len(found) > 1:
        raise Refused("tournament.which", names=answer.say.listed(f"**{one.name}**" for one in found[:NAMED]))
    return found[0]


async def _named(answer: Answer, guild_id: int, given: str, among: Collection[Status]) -> Tournament:
    """Finds the tournament with this id, or else the newest with this name, active ones first."""
    service = answer.service(TournamentService)
    listed = await service.of_server(guild_id, among, limit=SEARCHED)
    found = [one for one in listed if one.id == given]
    found = found or sorted(
        (one for one in listed if plain(one.name) == plain(given)), key=lambda one: not one.status.is_active
    )
    if found:
        return found[0]
    await _check_readable(answer, guild_id, given, among)
    try:
        older = await service.get(given)
    except Refused:
        older = None
    if older is None or older.guild_id != guild_id or older.status not in among:
        raise Refused("tournament.not_found", text=given)
    return older


async def _check_readable(answer: Answer, guild_id: int, given: str | None, among: Collection[Status]) -> None:
    """Raises UnreadableTournament if a tournament of this id or name (None: any) cannot be read."""
    for tournament_id, name in await answer.service(TournamentService).unreadable(guild_id, among, SEARCHED):
        if given is None or given == tournament_id or plain(name) == plain(given):
            raise UnreadableTournament(name)


def _places(answer: Answer) -> tuple[int | None, ...]:
    """Returns the channel of the interaction, and for a thread also the channel around it."""
    channel: Any = answer.interaction.channel
    return answer.interaction.channel_id, getattr(channel, "parent_id", None)
