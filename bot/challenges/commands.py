"""``/abak challenge``."""

from typing import Final

import discord
from discord import app_commands

from bot.challenges import views
from bot.clocks import limits
from bot.clocks import typed as typed_time
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICE_LENGTH, CHOICES, GAME_CHOICES, Command, text
from bot.core.translations import CODES, language, plain
from bot.players.asker import language_of
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.core.game import OptionValue
from engine.kits.cube import OFF, ON
from engine.registry import GAMES

NO_LAYOUT: Final = "?"
"""The value of the suggestion "no layouts": Discord requires one. Choosing it is refused like an unknown layout."""
CUBE_CHOICES: Final = [app_commands.Choice(name=text(f"option.cube.{choice}"), value=choice) for choice in (OFF, ON)]


def find_layout(game: str, typed: str) -> str:
    """The key of the layout with this name in any language; the typed text if there is none."""
    option = next((option for option in GAMES[game].options if option.key == "layout"), None)
    plain_text = plain(typed)
    for name in option.choices if option else ():
        if plain_text in {name, *(plain(language(code)(f"{game}.layout.{name}")) for code in CODES)}:
            return name
    return typed


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.challenge"), description=text("command.challenge.about"))
    @app_commands.rename(
        opponent=text("option.opponent"),
        game=text("option.game"),
        layout=text("option.layout"),
        cube=text("option.cube"),
        time=text("option.time"),
    )
    @app_commands.describe(
        opponent=text("option.opponent.about"),
        game=text("option.game.about"),
        layout=text("option.layout.about"),
        cube=text("option.cube.about"),
        time=text("option.time.about"),
    )
    @app_commands.choices(game=GAME_CHOICES, cube=CUBE_CHOICES)
    async def challenge(
        interaction: Interaction,
        opponent: discord.User | None = None,
        game: str = next(iter(GAMES)),
        layout: str | None = None,
        cube: str | None = None,
        time: str | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            if opponent is not None and opponent.bot:
                raise Refused("challenge.bot")
            options: dict[str, OptionValue] = {"layout": find_layout(game, layout)} if layout else {}
            options |= views.cube_options(game, cube)
            await views.post(answer, game, opponent.id if opponent else None, options, time)

        await context.answer(interaction, work, public=True)

    @challenge.autocomplete("time")
    async def times(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The readings of the text and the usual time controls, as far as the server allows them."""
        say = await language_of(context, interaction)
        server = await context.services[PreferenceService].of_server(interaction.guild_id)
        found = typed_time.suggested(typed, limits.default_control(server), say)
        offered = [(name, value) for name, value in found if limits.allows(server, typed_time.readings(value)[0])]
        offered = offered or typed_time.explain_unfit(typed, server, say)
        return [app_commands.Choice(name=name[:CHOICE_LENGTH], value=value) for name, value in offered[:CHOICES]]

    @challenge.autocomplete("layout")
    async def layouts(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The layouts of the chosen game, or of the default one; a line that says so if it has none."""
        say = await language_of(context, interaction)
        chosen = getattr(interaction.namespace, "game", None)
        game = chosen if chosen in GAMES else next(iter(GAMES))
        options = {option.key: option for option in GAMES[game].options}
        if "layout" not in options:
            label = say("option.layout.none" if chosen else "option.layout.game_first", game=GAMES[game].name)
            return [app_commands.Choice(name=label[:CHOICE_LENGTH], value=typed or NO_LAYOUT)]
        names = options["layout"].choices
        shown = [(say(f"{game}.layout.{name}"), name) for name in names]
        plain_text = plain(typed)
        fitting = [(text, name) for text, name in shown if plain_text in plain(text) or plain_text in name]
        return [app_commands.Choice(name=text, value=name) for text, name in fitting[:CHOICES]]

    return [challenge]
