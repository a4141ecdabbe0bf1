"""The user of an interaction: their preferences, language and name, and the language of public messages."""

from collections.abc import Collection, Mapping

import discord

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.translations import CODES, Language, language
from bot.players.machines import Machines, check_server, is_machine
from bot.players.service import PlayerNames, PreferenceService
from engine.core.errors import Refused


async def load_user(answer: Answer) -> None:
    """Loads the user's preferences before the answer.

    Also stores their name for the frames of boards, and the language of their Discord client for later notifications.
    """
    user, preferences, client_language = answer.interaction.user, answer.service(PreferenceService), answer.say.code
    answer.prefs = await preferences.of_user(user.id)
    if answer.prefs["client_language"] != client_language:
        await preferences.set_user(user.id, "client_language", client_language)
    if answer.prefs["language"] in CODES:
        answer.say = language(answer.prefs["language"])
    await answer.service(PlayerNames).seen(user.id, user.global_name or user.name)


async def public_language(answer: Answer) -> Language:
    """Returns the language of public messages here. In direct messages it is the user's.

    In a server it is the server's choice, or else the language of the server on Discord.
    """
    interaction = answer.interaction
    if interaction.guild_id is None:
        return answer.say
    server = await answer.service(PreferenceService).of_server(interaction.guild_id)
    if server["language"] in CODES:
        return language(server["language"])
    return answer.context.language_for_locale(interaction.guild_locale or interaction.locale)


async def game_language(answer: Answer, players: Collection[int]) -> Language:
    """Returns the language of a challenge and game here between these users: one that they all speak, if the server
    allows that, or else that of public messages.
    """
    preferences, guild_id = answer.service(PreferenceService), answer.interaction.guild_id
    return await shared_language(preferences, guild_id, players, await public_language(answer))


async def shared_language(
    preferences: PreferenceService, guild_id: int | None, players: Collection[int], public: Language
) -> Language:
    """Returns the language that these users all speak, if the server lets them play in it; else ``public``."""
    server = await preferences.of_server(guild_id)
    if server["game_language"] == "players":
        people = [user_id for user_id in players if not is_machine(user_id)]
        spoken = {spoken_language(await preferences.of_user(user_id)) for user_id in people}
        if len(spoken) == 1 and spoken <= set(CODES):
            return language(spoken.pop())
    return public


def spoken_language(preferences: Mapping[str, str]) -> str:
    """Returns the code of a user's language: their own choice, or else the last language of their Discord client; "" if
    both are unknown.
    """
    chosen = preferences["language"]
    return chosen if chosen in CODES else preferences["client_language"]


def roles_of(user: discord.User | discord.Member) -> frozenset[int]:
    """Returns the ids of a member's roles, without @everyone. Every interaction holds them."""
    return frozenset(role.id for role in user.roles[1:]) if isinstance(user, discord.Member) else frozenset()


def check_machine_here(answer: Answer, server: Mapping[str, str], *, rated: bool = False) -> None:
    """Raises Refused if the server does not let the user play a machine in this channel, or not in a ``rated`` game."""
    channel, user = answer.interaction.channel, answer.interaction.user
    check_server(server, roles_of(user), channels_of(channel), rated=rated)


def offers_machine(answer: Answer, server: Mapping[str, str]) -> bool:
    """Returns whether there is a machine that the user may play in this channel."""
    try:
        check_machine_here(answer, server)
    except Refused:
        return False
    return bool(answer.service(Machines).levels)


def channels_of(channel: object) -> frozenset[int]:
    """Returns the id of a channel, and for a thread that of the channel it is in."""
    found = (getattr(channel, name, None) for name in ("id", "parent_id"))
    return frozenset(one for one in found if isinstance(one, int))


async def names_of(answer: Answer, players: tuple[int, int]) -> tuple[str, str]:
    found = await answer.service(PlayerNames).names(players, answer.say)
    return found[players[0]], found[players[1]]


async def language_of(context: Context, interaction: Interaction) -> Language:
    """Returns the language of suggestions while the user types: their choice, or else the language of their Discord
    client.
    """
    chosen = (await context.services[PreferenceService].of_user(interaction.user.id))["language"]
    return language(chosen) if chosen in CODES else context.language_for_locale(interaction.locale)
