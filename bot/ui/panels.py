"""The private panels of settings: one menu for each, for a person or for a server."""

from collections.abc import Mapping
from typing import Any

import discord

from bot.i18n import Language, language
from bot.services.preferences import SERVER, USER, Preference
from bot.ui.answer import Answer
from bot.ui.routing import Press, PressMenu, on_press, view_of
from engine.core.errors import Refused


async def show_user(answer: Answer, *, fresh: bool) -> None:
    """The asker's own settings."""
    await _show(answer, "user", USER, answer.prefs, fresh=fresh)


async def show_server(client: Any, answer: Answer, *, fresh: bool) -> None:
    """The server's settings. Raises Refused for who does not manage the server."""
    check_manager(answer)
    values = await client.services.preferences.of_server(answer.interaction.guild_id)
    await _show(answer, "server", SERVER, values, fresh=fresh)


@on_press("set_user")
async def set_user(client: Any, answer: Answer, press: Press) -> None:
    """Stores a choice, and shows the panel in the language that now holds."""
    await client.services.preferences.set_user(answer.user_id, press.rest, press.values[0])
    answer.prefs = await client.services.preferences.of_user(answer.user_id)
    if press.rest == "language":
        chosen = answer.prefs["language"]
        answer.say = client.spoken(answer.interaction.locale) if chosen == "auto" else language(chosen)
    await show_user(answer, fresh=False)


@on_press("set_server")
async def set_server(client: Any, answer: Answer, press: Press) -> None:
    """Stores a choice for the server, from whoever manages it."""
    check_manager(answer)
    await client.services.preferences.set_server(answer.interaction.guild_id, press.rest, press.values[0])
    await show_server(client, answer, fresh=False)


def check_manager(answer: Answer) -> None:
    """Raises Refused unless the asker has Manage Server here."""
    if answer.interaction.guild_id is None or not answer.interaction.permissions.manage_guild:
        raise Refused("settings.not_manager")


async def _show(
    answer: Answer, scope: str, preferences: tuple[Preference, ...], values: Mapping[str, str], *, fresh: bool
) -> None:
    say = answer.say
    preferences = tuple(p for p in preferences if p.page == "board")
    lines = [say(f"settings.{scope}")]
    lines += [
        f"**{say(f'preference.{scope}.{p.key}')}**: {choice(scope, p.key, values[p.key], say)}" for p in preferences
    ]
    view = view_of(*(menu(scope, preference, values, say) for preference in preferences))
    if fresh:
        await answer.private("\n".join(lines), view=view)
    else:
        await answer.update("\n".join(lines), view=view)


def choice(scope: str, key: str, value: str, say: Language) -> str:
    return say(f"preference.{scope}.{key}.{value}")


def menu(scope: str, preference: Preference, values: Mapping[str, str], say: Language) -> PressMenu:
    """One setting's choices, the present one chosen."""
    key = preference.key
    options = [
        discord.SelectOption(label=choice(scope, key, value, say), value=value, default=value == values[key])
        for value in preference.choices
    ]
    return PressMenu(Press(f"set_{scope}", "me", 0, key), say(f"preference.{scope}.{key}"), options)
