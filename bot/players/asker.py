"""Who asks: their language and theme, what they are called, and the language of what everybody reads."""

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.translations import CODES, Language, language
from bot.players.service import PlayerNames, PreferenceService


async def recognise(answer: Answer) -> None:
    """Reads the asker's preferences before the answer.

    Their name is noted for the boards' frames, and the language of their Discord for what is sent to them later.
    """
    user, preferences, heard = answer.interaction.user, answer.service(PreferenceService), answer.say.code
    answer.prefs = await preferences.of_user(user.id)
    if answer.prefs["heard"] != heard:
        await preferences.set_user(user.id, "heard", heard)
    if answer.prefs["language"] in CODES:
        answer.say = language(answer.prefs["language"])
    await answer.service(PlayerNames).seen(user.id, user.global_name or user.name)


async def public_language(answer: Answer) -> Language:
    """The language of what everybody here reads: the server's choice, else that of its Discord."""
    interaction = answer.interaction
    server = await answer.service(PreferenceService).of_server(interaction.guild_id)
    if server["language"] in CODES:
        return language(server["language"])
    return answer.context.spoken(interaction.guild_locale or interaction.locale)


async def names_of(answer: Answer, players: tuple[int, int]) -> tuple[str, str]:
    """What the two players of a game are called."""
    found = await answer.service(PlayerNames).names(players)
    return found[players[0]], found[players[1]]


async def language_of(context: Context, interaction: Interaction) -> Language:
    """The language of what is suggested to who types: the one they chose, else that of their Discord."""
    chosen = (await context.services[PreferenceService].of_user(interaction.user.id))["language"]
    return language(chosen) if chosen in CODES else context.spoken(interaction.locale)
