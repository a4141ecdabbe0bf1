"""The message to a server that the bot has joined: the bot's features, and buttons to begin."""

from typing import Final

import discord
import structlog

from bot.challenges import form
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import CODES, Language, language
from bot.learn import tour
from bot.players import views as panels
from bot.players.machines import Machines
from bot.players.service import PreferenceService
from bot.welcome.service import GreetingService
from engine.registry import GAMES

handlers: Final = Handlers()

MACHINE: Final = ("machine", "primary")
VERBS: Final = (("welcome_challenge", "primary"), ("welcome_learn", "plain"), ("welcome_settings", "plain"))

log = structlog.get_logger()


async def greet(context: Context, guild: discord.Guild) -> None:
    """Greets a server in its system channel, once. Without one, or without the permission to write there,
    does nothing.
    """
    channel = guild.system_channel
    if channel is None:
        return
    rights = channel.permissions_for(guild.me)
    if not (rights.view_channel and rights.send_messages):
        return
    if not await context.services[GreetingService].claim(guild.id):
        return
    say = await language_of(context, guild)
    server = await context.services[PreferenceService].of_server(guild.id)
    names = say.listed(game.name for game in GAMES.values())
    try:
        await channel.send(
            say("welcome", games=names), view=buttons(say, machine=context.services[Machines].are_in(server))
        )
    except REQUEST_ERRORS as error:
        log.warning("server_not_greeted", guild=guild.id, error=str(error))


async def language_of(context: Context, guild: discord.Guild) -> Language:
    """Returns the language of public messages in a server: its own choice, or else that of the server on Discord."""
    chosen = (await context.services[PreferenceService].of_server(guild.id))["language"]
    return language(chosen) if chosen in CODES else context.language_for_locale(guild.preferred_locale)


def buttons(say: Language, *, machine: bool) -> discord.ui.View:
    """Returns the buttons. ``machine``: whether there is a machine to play."""
    verbs = [*([MACHINE] if machine else []), *VERBS]
    return view_of(*(PressButton(Press(verb, "me", 0), say(f"button.{verb}"), style) for verb, style in verbs))


@handlers.on("welcome_challenge")
async def challenge(answer: Answer, _press: Press) -> None:
    await form.show(answer, None)


@handlers.on("welcome_learn")
async def learn(answer: Answer, _press: Press) -> None:
    await tour.offer(answer)


@handlers.on("welcome_settings")
async def settings(answer: Answer, _press: Press) -> None:
    """Shows the server's settings. Raises Refused if the user does not manage the server."""
    await panels.show_server(answer, fresh=True)
