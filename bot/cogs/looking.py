"""The commands that change no game: board, games, replay, rules, learn, vacation, settings, server, help."""

from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from bot.archive import views as replay
from bot.board import message as board
from bot.clocks.vacations import views as vacation_views
from bot.clocks.vacations.service import LONGEST_DAYS
from bot.core.interactions.answer import Answer, Interaction
from bot.core.interactions.command_texts import text
from bot.core.translations import CODES, Language, language, plain
from bot.games.service import LiveGame
from bot.learn import help as help_views
from bot.learn import rules, tour
from bot.my_games import views as my_games
from bot.players import views as panels
from engine.core.errors import Refused
from engine.registry import GAMES, find

CHOICES: Final = 25
GAME_CHOICES: Final = [app_commands.Choice(name=game.name, value=key) for key, game in GAMES.items()]


class Looking(commands.GroupCog):
    """The part of ``/abak`` that anybody may use anywhere; every answer is private."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.game_service = client.services.games
        super().__init__()

    def answer(self, interaction: Interaction, *, public: bool = False) -> Answer:
        return Answer(self.client, interaction, public=public)

    async def spoken(self, interaction: Interaction) -> Language:
        """The language of what is suggested to who types: the one they chose, else that of their Discord."""
        chosen = (await self.client.services.preferences.of_user(interaction.user.id))["language"]
        found: Language = language(chosen) if chosen in CODES else self.client.spoken(interaction.locale)
        return found

    async def here(self, interaction: Interaction) -> LiveGame:
        """The running game of this channel. Raises Refused."""
        live: LiveGame | None = await self.game_service.at(interaction.channel_id)
        if live is None:
            raise Refused("place.no_game")
        return live

    async def lately_here(self, interaction: Interaction) -> LiveGame:
        """The running game of this channel, else the last one. Raises Refused."""
        live: LiveGame | None = await self.game_service.latest_at(interaction.channel_id)
        if live is None:
            raise Refused("place.no_game")
        return live

    @app_commands.command(name=text("command.board"), description=text("command.board.about"))
    @app_commands.rename(flip=text("option.flip"), words=text("option.words"))
    @app_commands.describe(flip=text("option.flip.about"), words=text("option.words.about"))
    async def board(self, interaction: Interaction, flip: bool = False, words: bool = False) -> None:
        async def work(answer: Answer) -> None:
            live = await self.lately_here(interaction)
            below = board.side_below(live, answer.user_id, answer.prefs["below"])
            await board.show(answer, live, 1 - below if flip else below, words=words)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.games"), description=text("command.games.about"))
    async def games(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await my_games.show_list(self.client, answer, 0, fresh=True)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.next"), description=text("command.next.about"))
    async def next(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await my_games.show_next(self.client, answer, "", fresh=True)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.replay"), description=text("command.replay.about"))
    @app_commands.rename(game=text("option.played"))
    @app_commands.describe(game=text("option.played.about"))
    async def replay(self, interaction: Interaction, game: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            live = await self.game_service.get(game) if game else await self.lately_here(interaction)
            await replay.show(answer, live, None, fresh=True)

        await self.answer(interaction).within_time(work)

    @replay.autocomplete("game")
    async def played_games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The asker's games, the latest first."""
        found = await self.game_service.recent(interaction.user.id, CHOICES)
        names = await self.client.services.names.names({p for played in found for p in played.players})
        say = await self.spoken(interaction)
        shown = [(replay.summary(played, interaction.user.id, names, say), played.id) for played in found]
        return [app_commands.Choice(name=name, value=id_) for name, id_ in shown if typed.casefold() in name.casefold()]

    @app_commands.command(name=text("command.rules"), description=text("command.rules.about"))
    @app_commands.rename(game=text("option.game"), topic=text("option.topic"))
    @app_commands.describe(game=text("option.rules_game.about"), topic=text("option.topic.about"))
    @app_commands.choices(game=GAME_CHOICES)
    async def rules(self, interaction: Interaction, game: str | None = None, topic: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            meant = find(await self._game_meant(interaction, game))
            await rules.show(answer, meant, rules.meant(meant, topic or ""), fresh=True)

        await self.answer(interaction).within_time(work)

    @rules.autocomplete("topic")
    async def topics(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The topics of the game that is meant."""
        say = await self.spoken(interaction)
        key = await self._game_meant(interaction, getattr(interaction.namespace, "game", None))
        shown = [(rules.title(find(key), topic, say), topic.key) for topic in find(key).topics]
        wanted = plain(typed)
        fitting = [(name, value) for name, value in shown if wanted in plain(name)]
        return [app_commands.Choice(name=name, value=value) for name, value in fitting[:CHOICES]]

    @app_commands.command(name=text("command.learn"), description=text("command.learn.about"))
    @app_commands.rename(game=text("option.game"))
    @app_commands.describe(game=text("option.learn_game.about"))
    @app_commands.choices(game=GAME_CHOICES)
    async def learn(self, interaction: Interaction, game: str) -> None:
        async def work(answer: Answer) -> None:
            await tour.resume(self.client, answer, find(game))

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.vacation"), description=text("command.vacation.about"))
    @app_commands.rename(days=text("option.days"), day=text("option.from"))
    @app_commands.describe(days=text("option.days.about"), day=text("option.from.about"))
    async def vacation(
        self, interaction: Interaction, days: app_commands.Range[int, 1, LONGEST_DAYS] | None = None, day: str = ""
    ) -> None:
        async def work(answer: Answer) -> None:
            await vacation_views.command(self.client, answer, days, day)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.settings"), description=text("command.settings.about"))
    async def settings(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await panels.show_user(self.client, answer, fresh=True)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.server"), description=text("command.server.about"))
    async def server(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await panels.show_server(self.client, answer, fresh=True)

        await self.answer(interaction).within_time(work)

    @app_commands.command(name=text("command.help"), description=text("command.help.about"))
    async def help(self, interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await help_views.show(answer)

        await self.answer(interaction).within_time(work)

    async def _game_meant(self, interaction: Interaction, named: str | None) -> str:
        """The game that is named, else the one that is played here, else the first."""
        if named in GAMES:
            return str(named)
        here = await self.game_service.latest_at(interaction.channel_id)
        return here.table.game.key if here else next(iter(GAMES))
