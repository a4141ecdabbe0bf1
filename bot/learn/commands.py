"""``/abak help``, ``/abak rules`` and ``/abak learn``."""

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, GAME_CHOICES, Command, Text
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.core.translations import plain
from bot.games.service import GameService
from bot.learn import help as help_views
from bot.learn import rules as rule_views
from bot.learn import tour
from bot.players.asker import language_of
from engine.registry import GAMES, find


def commands(context: Context) -> list[Command]:
    @slash(context, "rules", about={"game": "rules_game"})
    @app_commands.choices(game=GAME_CHOICES)
    async def rules(answer: Answer, game: str | None = None, topic: Text | None = None) -> None:
        rules_game = find(await chosen_game(context, answer.interaction, game))
        if topic and not rule_views.is_known(rules_game, topic):
            await rule_views.show_unknown(answer, rules_game, topic)
            return
        await rule_views.show(answer, rules_game, rule_views.find_topic(rules_game, topic or ""), fresh=True)

    @suggests(rules, "topic")
    async def topics(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests the topics of the chosen game, or of the one played here."""
        say = await language_of(context, interaction)
        key = await chosen_game(context, interaction, getattr(interaction.namespace, "game", None))
        shown = [(rule_views.title(find(key), topic, say), topic.key) for topic in find(key).topics]
        plain_text = plain(typed)
        fitting = [(name, value) for name, value in shown if plain_text in plain(name)]
        return [app_commands.Choice(name=name, value=value) for name, value in fitting[:CHOICES]]

    @slash(context, "learn", about={"game": "learn_game"})
    @app_commands.choices(game=GAME_CHOICES)
    async def learn(answer: Answer, game: str | None = None) -> None:
        if game is None:
            await tour.offer(answer)
        else:
            await tour.resume(answer, find(game))

    @slash(context, "help")
    async def help_command(answer: Answer) -> None:
        await help_views.show(answer)

    return [rules, learn, help_command]


async def chosen_game(context: Context, interaction: Interaction, chosen: str | None) -> str:
    """Returns the key of the chosen game, else of the one played in this channel, else of the first."""
    if chosen in GAMES:
        return str(chosen)
    channel_id = interaction.channel_id
    here = None if channel_id is None else await context.services[GameService].latest_at(channel_id)
    return here.table.game.key if here else next(iter(GAMES))
