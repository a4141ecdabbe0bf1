"""The commands of a game: challenge, move, board, games, resign, draw."""

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.texts import text
from bot.services.tables import Place, Seated
from bot.ui import board, challenge, picker, pictures, standing
from bot.ui.answer import Answer, Interaction
from bot.ui.draft import Draft, follow
from bot.ui.moves import suggestions
from engine.core.errors import Refused, RuleError
from engine.core.game import OptionValue
from engine.registry import GAMES, find

CHOICES: Final = 25
CONTENT: Final = 2000
"""Characters of a message."""
GAME_CHOICES: Final = [app_commands.Choice(name=game.name, value=key) for key, game in GAMES.items()]


class Play(commands.GroupCog, group_name=text("command.abak"), group_description=text("command.abak.about")):
    """``/abak``: everything about playing."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.tables = client.services.tables
        super().__init__()

    def answer(self, interaction: Interaction, *, public: bool = False) -> Answer:
        return Answer(interaction, self.client.spoken(interaction.locale), public=public)

    # --- challenge -----------------------------------------------------------------------------------------------

    @app_commands.command(name=text("command.challenge"), description=text("command.challenge.about"))
    @app_commands.rename(opponent=text("option.opponent"), game=text("option.game"), layout=text("option.layout"))
    @app_commands.describe(
        opponent=text("option.opponent.about"), game=text("option.game.about"), layout=text("option.layout.about")
    )
    @app_commands.choices(game=GAME_CHOICES)
    async def challenge(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        game: str = next(iter(GAMES)),
        layout: str | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            challenge.check_place(answer)
            if opponent is not None and opponent.bot:
                raise Refused("challenge.bot")
            options: Mapping[str, OptionValue] = {"layout": layout} if layout else {}
            place = Place(interaction.guild_id, interaction.channel_id or 0)
            say = self.client.spoken(interaction.guild_locale or interaction.locale)
            posted = await self.client.services.challenges.post(
                answer.user_id, opponent.id if opponent else None, game, options, place, say.code
            )
            message_id = await answer.public(
                challenge.content(posted, say), challenge.view(posted, say), challenge.mentions(posted)
            )
            await self.client.services.challenges.posted(posted.id, message_id)

        await self.answer(interaction, public=True).within_time(work)

    @challenge.autocomplete("layout")
    async def layouts(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The chosen game's layouts."""
        say = self.client.spoken(interaction.locale)
        game = getattr(interaction.namespace, "game", None) or next(iter(GAMES))
        options = {option.key: option for option in GAMES[game].options} if game in GAMES else {}
        names = options["layout"].choices if "layout" in options else ()
        shown = [(say(f"{game}.layout.{name}"), name) for name in names]
        wanted = typed.casefold()
        fitting = [(text, name) for text, name in shown if wanted in text.casefold() or wanted in name]
        return [app_commands.Choice(name=text, value=name) for text, name in fitting[:CHOICES]]

    # --- move ----------------------------------------------------------------------------------------------------

    move = app_commands.Group(name=text("command.move"), description=text("command.move.about"))

    @move.command(name=text("command.move.play"), description=text("command.move.play.about"))
    @app_commands.rename(notation=text("option.notation"))
    @app_commands.describe(notation=text("option.notation.about"))
    async def play(self, interaction: Interaction, notation: str) -> None:
        async def work(answer: Answer) -> None:
            seated = await self.here(interaction)
            table = seated.table
            standing.seat_in(seated, answer.user_id)
            if table.outcome is not None:
                raise Refused("table.over")
            if table.to_act not in seated.seats_of(answer.user_id):
                raise Refused("table.not_your_turn")
            steps = table.game.parse(table.state, notation)
            drafted = follow(table.game, table.state, Draft.of(table.game, table.state, steps))
            if not drafted.complete:
                await picker.show(answer, seated, drafted.draft, fresh=True)
                return
            after = await self.tables.play(seated.id, answer.user_id, table.seq, notation)
            await answer.private(answer.say("picker.played", move=after.table.record.entries[table.seq].body))

        await self.answer(interaction).within_time(work)

    @play.autocomplete("notation")
    async def legal_plays(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The legal plays that fit what is typed so far; none where the asker is not to move."""
        try:
            seated = await self.here(interaction)
        except RuleError:
            return []
        if seated.table.to_act not in seated.seats_of(interaction.user.id):
            return []
        say = self.client.spoken(interaction.locale)
        found = suggestions(seated.table.game, seated.table.state, typed, say)
        return [app_commands.Choice(name=name, value=value) for name, value in found[:CHOICES]]

    # --- looking on and ending -----------------------------------------------------------------------------------

    @app_commands.command(name=text("command.board"), description=text("command.board.about"))
    @app_commands.rename(flip=text("option.flip"))
    @app_commands.describe(flip=text("option.flip.about"))
    async def board(self, interaction: Interaction, flip: bool = False) -> None:
        async def work(answer: Answer) -> None:
            seated = await self.tables.latest_at(interaction.channel_id)
            if seated is None:
                raise Refused("place.no_game")
            seats = seated.seats_of(answer.user_id)
            below = seats[0] if seats else board.asked_seat(seated) or 0
            file = await pictures.board(seated.table, 1 - below if flip else below, answer.say)
            lines = [board.heading(seated, answer.say), board.status(seated, answer.say), board.link(seated)]
            await answer.private("\n".join(lines), files=[file])

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.games"), description=text("command.games.about"))
    async def games(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            say = answer.say
            running = await self.tables.of(answer.user_id)
            lines = [say("games.some", n=len(running)) if running else say("games.none")]
            left = CONTENT - len(lines[0]) - len(say("games.more", n=len(running))) - 1
            for number, seated in enumerate(running):
                yours = seated.table.to_act in seated.seats_of(answer.user_id)
                other = next((p for p in seated.players if p != answer.user_id), answer.user_id)
                line = say(
                    "games.your_turn" if yours else "games.their_turn",
                    game=seated.table.game.name,
                    opponent=f"<@{other}>",
                    link=board.link(seated),
                )
                left -= len(line) + 1
                if left < 0:
                    lines.append(say("games.more", n=len(running) - number))
                    break
                lines.append(line)
            await answer.private("\n".join(lines))

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.resign"), description=text("command.resign.about"))
    async def resign(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await standing.confirm_resigning(answer, await self.here(interaction))

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.draw"), description=text("command.draw.about"))
    async def draw(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await standing.confirm_draw(answer, await self.here(interaction))

        await self.answer(interaction).within_time(work)

    # --- learning ------------------------------------------------------------------------------------------------

    @app_commands.command(name=text("command.rules"), description=text("command.rules.about"))
    @app_commands.rename(game=text("option.game"))
    @app_commands.describe(game=text("option.rules_game.about"))
    @app_commands.choices(game=GAME_CHOICES)
    async def rules(self, interaction: Interaction, game: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            here = await self.tables.latest_at(interaction.channel_id)
            key = game or (here.table.game.key if here else next(iter(GAMES)))
            file = await pictures.start(find(key), answer.say)
            await answer.private(answer.say(f"{key}.rules"), files=[file])

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.help"), description=text("command.help.about"))
    async def help(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            names = answer.say.listed(game.name for game in GAMES.values())
            await answer.private(answer.say("help", games=names))

        await self.answer(interaction).within_time(work)

    async def here(self, interaction: Interaction) -> Seated:
        """The running game of this channel. Raises Refused."""
        seated: Seated | None = await self.tables.at(interaction.channel_id)
        if seated is None:
            raise Refused("place.no_game")
        return seated
