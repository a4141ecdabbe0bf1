"""``/tournament create``, ``list``, ``show``, ``join``, ``leave``, ``seed``, ``import`` and ``help``."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import GAME_CHOICES, Command, Text, text
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
    @app_commands.command(name=text("command.tournament_create"), description=text("command.tournament_create.about"))
    @app_commands.rename(
        template=text("option.template"),
        name=text("option.tournament_name"),
        game=text("option.game"),
        like=text("option.like"),
    )
    @app_commands.describe(
        template=text("option.template.about"),
        name=text("option.tournament_name.about"),
        game=text("option.tournament_game.about"),
        like=text("option.like.about"),
    )
    @app_commands.choices(template=TEMPLATE_CHOICES, game=GAME_CHOICES)
    async def create(
        interaction: Interaction,
        template: str | None = None,
        name: app_commands.Range[str, 1, NAME_LENGTH] | None = None,
        game: str | None = None,
        like: Text | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            await opening.create(answer, template, name, game, await chosen.resolve(answer, like) if like else None)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_list"), description=text("command.tournament_list.about"))
    async def listed(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await views.show_list(answer, views.ALL, 0, fresh=True)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_show"), description=text("command.tournament_show.about"))
    @app_commands.rename(tournament=chosen.OPTION)
    @app_commands.describe(tournament=chosen.ABOUT)
    async def show(interaction: Interaction, tournament: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            await views.show(answer, await chosen.resolve(answer, tournament), fresh=True)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_join"), description=text("command.tournament_join.about"))
    @app_commands.rename(tournament=chosen.OPTION)
    @app_commands.describe(tournament=chosen.ABOUT)
    async def join(interaction: Interaction, tournament: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            found = await chosen.resolve(answer, tournament, chosen.ACTIVE, joinable)
            await views.join_tournament(answer, found)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_leave"), description=text("command.tournament_leave.about"))
    @app_commands.rename(tournament=chosen.OPTION)
    @app_commands.describe(tournament=chosen.ABOUT)
    async def leave(interaction: Interaction, tournament: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            await views.leave_tournament(answer, await chosen.resolve(answer, tournament, chosen.ACTIVE))

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_seed"), description=text("command.tournament_seed.about"))
    @app_commands.rename(
        player=text("option.tournament_player"),
        place=text("option.seed"),
        level=whom.OPTION,
        tournament=chosen.OPTION,
    )
    @app_commands.describe(
        player=text("option.tournament_player.about"),
        place=text("option.seed.about"),
        level=whom.ABOUT,
        tournament=chosen.ABOUT,
    )
    async def seed(
        interaction: Interaction,
        player: discord.User | None = None,
        place: app_commands.Range[int, 1, MOST_ENTRANTS] | None = None,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            found = await chosen.resolve(answer, tournament, chosen.ACTIVE)
            await access.check_organiser(answer, found)
            user_id = await whom.named(answer, found, player.id, level) if player else None
            await organiser.seed(answer, found, user_id, place)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_import"), description=text("command.tournament_import.about"))
    @app_commands.rename(file=text("option.players_file"), level=whom.OPTION, tournament=chosen.OPTION)
    @app_commands.describe(
        file=text("option.players_file.about"), level=text("option.machine_level.about"), tournament=chosen.ABOUT
    )
    async def import_players(
        interaction: Interaction,
        file: discord.Attachment | None = None,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            found = await chosen.resolve(answer, tournament, chosen.ACTIVE)
            await access.check_organiser(answer, found)
            if level is not None:
                await organiser.add_machine(answer, found, level)
            if level is None or file is not None:
                await organiser.import_players(answer, found, file)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_help"), description=text("command.tournament_help.about"))
    async def show_help(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await views.show_help(answer)

        await context.answer(interaction, work)

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
