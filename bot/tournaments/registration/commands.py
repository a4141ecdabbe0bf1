"""``/tournament create``, ``list``, ``show``, ``join``, ``leave``, ``seed``, ``import`` and ``help``."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import GAME_CHOICES, Command, Text, text
from bot.core.interactions.declaration import slash
from bot.core.services import Services
from bot.players.asker import roles_of
from bot.tournaments import access, chosen, whom
from bot.tournaments.registration import organiser, views
from bot.tournaments.registration.panel import opening
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.templates import TEMPLATES
from bot.tournaments.tournament import NAME_LENGTH, Tournament
from engine.tournament.model import MOST_ENTRANTS

TEMPLATE_CHOICES: Final = [app_commands.Choice(name=text(f"tournament.template.{key}"), value=key) for key in TEMPLATES]


def commands(context: Context) -> list[Command]:
    @slash(context, "tournament_create", names={"name": "tournament_name"}, about={"game": "tournament_game"})
    @app_commands.choices(template=TEMPLATE_CHOICES, game=GAME_CHOICES)
    async def create(
        answer: Answer,
        template: str | None = None,
        name: app_commands.Range[str, 1, NAME_LENGTH] | None = None,
        game: str | None = None,
        like: Text | None = None,
    ) -> None:
        await opening.create(answer, template, name, game, await chosen.resolve(answer, like) if like else None)

    @slash(context, "tournament_list")
    async def listed(answer: Answer) -> None:
        await views.show_list(answer, views.ALL, 0, fresh=True)

    @slash(context, "tournament_show")
    async def show(answer: Answer, tournament: Text | None = None) -> None:
        await views.show(answer, await chosen.resolve(answer, tournament), fresh=True)

    @slash(context, "tournament_join")
    async def join(answer: Answer, tournament: Text | None = None) -> None:
        found = await chosen.resolve(answer, tournament, chosen.ACTIVE, joinable)
        await views.join_tournament(answer, found)

    @slash(context, "tournament_leave")
    async def leave(answer: Answer, tournament: Text | None = None) -> None:
        await views.leave_tournament(answer, await chosen.resolve(answer, tournament, chosen.ACTIVE))

    @slash(
        context,
        "tournament_seed",
        names={"player": "tournament_player", "place": "seed"},
        about={"level": "tournament_level"},
    )
    async def seed(
        answer: Answer,
        player: discord.User | None = None,
        place: app_commands.Range[int, 1, MOST_ENTRANTS] | None = None,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await chosen.resolve(answer, tournament, chosen.ACTIVE)
        await access.check_organiser(answer, found)
        user_id = await whom.named(answer, found, player.id, level) if player else None
        await organiser.seed(answer, found, user_id, place)

    @slash(context, "tournament_import", names={"file": "players_file"}, about={"level": "machine_level"})
    async def import_players(
        answer: Answer,
        file: discord.Attachment | None = None,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await chosen.resolve(answer, tournament, chosen.ACTIVE)
        await access.check_organiser(answer, found)
        if level is not None:
            await organiser.add_machine(answer, found, level)
        if level is None or file is not None:
            await organiser.import_players(answer, found, file)

    @slash(context, "tournament_help")
    async def show_help(answer: Answer) -> None:
        await views.show_help(answer)

    found: list[Command] = [create, listed, show, join, leave, seed, import_players, show_help]
    chosen.suggest(context, create, option="like")
    for command, among in (
        (show, chosen.PUBLIC),
        (leave, chosen.ACTIVE),
        (seed, chosen.ACTIVE),
        (import_players, chosen.ACTIVE),
    ):
        chosen.suggest(context, command, among)
    chosen.suggest(context, join, chosen.ACTIVE, joinable)
    return found


async def joinable(services: Services, interaction: Interaction, among: Sequence[Tournament]) -> Sequence[Tournament]:
    return await services[RegistrationService].joinable(among, interaction.user.id, roles_of(interaction.user))
