"""The commands that change a game: challenge, move, roll, double, takeback, resign, draw."""

from typing import Final

import discord
from discord import app_commands

from bot.actions import cube_actions as cube
from bot.actions import game_actions
from bot.board.cube_actions import word_of
from bot.challenges import views as challenge_views
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.cogs.looking import GAME_CHOICES, Looking
from bot.conditional import typed as conditional_typed
from bot.core.interactions.answer import Answer, Interaction
from bot.core.interactions.command_texts import text
from bot.core.translations import CODES, language, plain
from bot.moves import picker, refusal
from bot.moves.draft import Draft, follow
from bot.moves.suggestions import suggestions
from bot.my_games import relocate
from bot.my_games import views as my_games
from engine.core.errors import Refused, RuleError
from engine.core.game import OptionValue
from engine.kits.cube import OFF, ON, Call
from engine.registry import GAMES

CHOICES: Final = 25
CHOICE_LENGTH: Final = 100
NO_LAYOUT: Final = "?"
"""What stands for no layout where an option must have a value: it is refused as whatever else is none."""
CUBE_CHOICES: Final = [app_commands.Choice(name=text(f"option.cube.{choice}"), value=choice) for choice in (OFF, ON)]


def layout_meant(game: str, typed: str) -> str:
    """The layout that is called so in any language; what was typed if there is none."""
    option = next((option for option in GAMES[game].options if option.key == "layout"), None)
    wanted = plain(typed)
    for name in option.choices if option else ():
        if wanted in {name, *(plain(language(code)(f"{game}.layout.{name}")) for code in CODES)}:
            return name
    return typed


class Play(Looking, group_name=text("command.abak"), group_description=text("command.abak.about")):
    """``/abak``: everything about playing."""

    # --- challenge -----------------------------------------------------------------------------------------------

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
        self,
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
            options: dict[str, OptionValue] = {"layout": layout_meant(game, layout)} if layout else {}
            options |= challenge_views.cube_options(game, cube)
            await challenge_views.post(self.client, answer, game, opponent.id if opponent else None, options, time)

        await self.answer(interaction, public=True).within_time(work)

    @challenge.autocomplete("time")
    async def times(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """What the text may mean, and the usual time controls, as far as the server allows them."""
        say = await self.spoken(interaction)
        server = await self.client.services.preferences.of_server(interaction.guild_id)
        found = typed_time.suggested(typed, time_limits.usual(server), say)
        offered = [(name, value) for name, value in found if time_limits.allows(server, typed_time.readings(value)[0])]
        offered = offered or typed_time.unfit(typed, server, say)
        return [app_commands.Choice(name=name[:CHOICE_LENGTH], value=value) for name, value in offered[:CHOICES]]

    @challenge.autocomplete("layout")
    async def layouts(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The chosen game's layouts; a line that says so where the game, or the one that is meant unsaid, has none."""
        say = await self.spoken(interaction)
        named = getattr(interaction.namespace, "game", None)
        game = named if named in GAMES else next(iter(GAMES))
        options = {option.key: option for option in GAMES[game].options}
        if "layout" not in options:
            told = say("option.layout.none" if named else "option.layout.game_first", game=GAMES[game].name)
            return [app_commands.Choice(name=told[:CHOICE_LENGTH], value=typed or NO_LAYOUT)]
        names = options["layout"].choices
        shown = [(say(f"{game}.layout.{name}"), name) for name in names]
        wanted = plain(typed)
        fitting = [(text, name) for text, name in shown if wanted in plain(text) or wanted in name]
        return [app_commands.Choice(name=text, value=name) for text, name in fitting[:CHOICES]]

    # --- move ----------------------------------------------------------------------------------------------------

    move = app_commands.Group(name=text("command.move"), description=text("command.move.about"))

    @move.command(name=text("command.move.play"), description=text("command.move.play.about"))
    @app_commands.rename(notation=text("option.notation"))
    @app_commands.describe(notation=text("option.notation.about"))
    async def play(self, interaction: Interaction, notation: str) -> None:
        async def work(answer: Answer) -> None:
            live = await self.here(interaction)
            table = live.table
            if table.to_act not in live.seats_playing(answer.user_id):
                raise Refused("table.not_your_turn")
            try:
                steps = table.game.parse(table.state, notation)
            except RuleError as error:
                await refusal.show(answer, live, notation, error)
                return
            drafted = follow(table.game, table.state, Draft.of(table.game, table.state, steps))
            if word := word_of(table.game, table.state, drafted.steps):
                await cube.make(self.client, answer, live, word)
                return
            if not drafted.complete or not picker.may_be_played(drafted, answer.prefs["confirm"]):
                await picker.show(answer, live, drafted.draft, fresh=True)
                return
            after = await self.game_service.play(live.id, answer.user_id, table.seq, notation)
            content, view = await my_games.told_played(self.client, answer, table.seq, after)
            await answer.private(content, view=view)

        await self.answer(interaction).within_time(work)

    @play.autocomplete("notation")
    async def legal_plays(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The legal plays that fit what is typed so far; none where the asker is not to move."""
        try:
            live = await self.here(interaction)
        except RuleError:
            return []
        if live.table.to_act not in live.seats_of(interaction.user.id):
            return []
        say = await self.spoken(interaction)
        found = suggestions(live.table.game, live.table.state, typed, say)
        return [app_commands.Choice(name=name, value=value) for name, value in found[:CHOICES]]

    # --- ahead of time -------------------------------------------------------------------------------------------

    @app_commands.command(name=text("command.plan"), description=text("command.plan.about"))
    @app_commands.rename(they=text("option.they"), reply=text("option.reply"), after=text("option.after"))
    @app_commands.describe(
        they=text("option.they.about"), reply=text("option.reply.about"), after=text("option.after.about")
    )
    async def plan(self, interaction: Interaction, they: str = "", reply: str = "", after: str = "") -> None:
        async def work(answer: Answer) -> None:
            await conditional_typed.command(self.client, answer, await self.here(interaction), they, reply, after)

        await self.answer(interaction).within_time(work)

    @plan.autocomplete("they")
    async def their_turns(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._planned(interaction, "they", typed)

    @plan.autocomplete("reply")
    async def own_turns(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._planned(interaction, "reply", typed)

    @plan.autocomplete("after")
    async def planned_lines(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._planned(interaction, "after", typed)

    async def _planned(self, interaction: Interaction, option: str, typed: str) -> list[app_commands.Choice[str]]:
        """What fits in an option of ``plan``; nothing where the asker cannot plan."""
        try:
            live = await self.here(interaction)
        except RuleError:
            return []
        say, given = await self.spoken(interaction), dict(iter(interaction.namespace))
        found = await conditional_typed.choices(self.client, live, interaction.user.id, option, typed, given, say)
        return [app_commands.Choice(name=name, value=value) for name, value in found[:CHOICES]]

    # --- the cube ------------------------------------------------------------------------------------------------

    @app_commands.command(name=text("command.roll"), description=text("command.roll.about"))
    async def roll(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await cube.command(self.client, answer, await self.here(interaction), Call.ROLL)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.double"), description=text("command.double.about"))
    async def double(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await cube.command(self.client, answer, await self.here(interaction), Call.DOUBLE)

        await self.answer(interaction).within_time(work)

    # --- elsewhere -----------------------------------------------------------------------------------------------

    @app_commands.command(name=text("command.here"), description=text("command.here.about"))
    @app_commands.rename(game=text("option.played"))
    @app_commands.describe(game=text("option.here_game.about"))
    async def bring_here(self, interaction: Interaction, game: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            await relocate.bring(self.client, answer, game)

        await self.answer(interaction).within_time(work)

    @bring_here.autocomplete("game")
    async def games_elsewhere(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The asker's running games that are played elsewhere."""
        found = await relocate.choices(self.client, interaction, typed, await self.spoken(interaction))
        return [app_commands.Choice(name=name, value=game_id) for name, game_id in found[:CHOICES]]

    # --- the game as a whole -------------------------------------------------------------------------------------

    @app_commands.command(name=text("command.takeback"), description=text("command.takeback.about"))
    async def takeback(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await game_actions.confirm_takeback(answer, await self.here(interaction))

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.resign"), description=text("command.resign.about"))
    async def resign(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await game_actions.confirm_resigning(answer, await self.here(interaction))

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.draw"), description=text("command.draw.about"))
    async def draw(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await game_actions.confirm_draw(answer, await self.here(interaction))

        await self.answer(interaction).within_time(work)
