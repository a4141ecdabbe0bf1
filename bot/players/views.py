"""The private panels of settings: pages of menus, and forms for what is written, for a person or for a server."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import discord
from babel.dates import format_datetime

from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import ChannelMenu, Field, Press, PressButton, PressMenu, form_of, on_press, view_of
from bot.core.translations import Language, language
from bot.players.preferences import SCOPES, Preference
from engine.core.errors import Refused, RuleError

USER: Final = "user"
SERVER: Final = "server"
ROWS: Final = 5
"""Of components in a message: one for the pages, one for what is written, the rest for menus."""
OPTION_LENGTH: Final = 100
HOURS: Final = ("rest", "quiet", "digest_hour")
"""The user's settings that are hours in their time zone."""
TO_NOTIFY: Final = ("view_channel", "send_messages")


@dataclass(frozen=True, slots=True)
class Panel:
    """One page of somebody's settings, as it is shown."""

    scope: str
    page: str
    values: Mapping[str, str]
    now: int
    """In ms since 1970."""

    @property
    def preferences(self) -> list[Preference]:
        return [preference for preference in SCOPES[self.scope].values() if preference.page == self.page]

    @property
    def written(self) -> list[Preference]:
        """Those of the page that are filled in by a form."""
        return [preference for preference in self.preferences if preference.read and not preference.channel]

    def title(self, key: str, say: Language) -> str:
        return say(f"preference.{self.scope}.{key}")


async def show_user(client: Any, answer: Answer, *, fresh: bool, page: str = "", told: Iterable[str] = ()) -> None:
    """The asker's own settings; ``told`` are lines to go before them."""
    await _show(client, answer, USER, answer.prefs, fresh=fresh, page=page, told=told)


async def show_server(client: Any, answer: Answer, *, fresh: bool, page: str = "", told: Iterable[str] = ()) -> None:
    """The server's settings. Raises Refused for who does not manage the server."""
    check_manager(answer)
    values = await client.services.preferences.of_server(answer.interaction.guild_id)
    await _show(client, answer, SERVER, values, fresh=fresh, page=page, told=told)


def check_manager(answer: Answer) -> None:
    """Raises Refused unless the asker has Manage Server here."""
    if answer.interaction.guild_id is None or not answer.interaction.permissions.manage_guild:
        raise Refused("settings.not_manager")


# --- what is pressed, chosen, written ------------------------------------------------------------------------------


@on_press("page_user")
async def turn_user(client: Any, answer: Answer, press: Press) -> None:
    """Another page."""
    await show_user(client, answer, fresh=False, page=press.rest)


@on_press("page_server")
async def turn_server(client: Any, answer: Answer, press: Press) -> None:
    """Another page."""
    await show_server(client, answer, fresh=False, page=press.rest)


@on_press("set_user")
async def set_user(client: Any, answer: Answer, press: Press) -> None:
    """Stores a choice, and shows the panel in the language that now holds."""
    await _keep_user(client, answer, press.rest, press.values[0])
    if press.rest == "language":
        chosen = answer.prefs["language"]
        answer.say = client.spoken(answer.interaction.locale) if chosen == "auto" else language(chosen)
    await show_user(client, answer, fresh=False, page=_page_of(USER, press.rest))


@on_press("set_server")
async def set_server(client: Any, answer: Answer, press: Press) -> None:
    """Stores a choice for the server, from whoever manages it."""
    check_manager(answer)
    await _keep_server(client, answer, press.rest, press.values[0] if press.values else "")
    await show_server(client, answer, fresh=False, page=_page_of(SERVER, press.rest))


@on_press("ask_user")
async def ask_user(client: Any, answer: Answer, press: Press) -> None:
    """Opens the form of a page."""
    await answer.form(form(Panel(USER, press.rest, answer.prefs, client.services.now()), answer.say))


@on_press("ask_server")
async def ask_server(client: Any, answer: Answer, press: Press) -> None:
    """Opens the form of a page."""
    check_manager(answer)
    values = await client.services.preferences.of_server(answer.interaction.guild_id)
    await answer.form(form(Panel(SERVER, press.rest, values, client.services.now()), answer.say))


@on_press("fill_user")
async def fill_user(client: Any, answer: Answer, press: Press) -> None:
    """Keeps what was written: each line by itself, so that a wrong one takes no other with it."""
    panel = Panel(USER, press.rest, answer.prefs, client.services.now())
    told = await _fill(panel, press, answer.say, lambda key, text: _keep_user(client, answer, key, text))
    await show_user(client, answer, fresh=False, page=press.rest, told=told)


@on_press("fill_server")
async def fill_server(client: Any, answer: Answer, press: Press) -> None:
    """Keeps what was written, from whoever manages the server."""
    check_manager(answer)
    values = await client.services.preferences.of_server(answer.interaction.guild_id)
    panel = Panel(SERVER, press.rest, values, client.services.now())
    told = await _fill(panel, press, answer.say, lambda key, text: _keep_server(client, answer, key, text))
    await show_server(client, answer, fresh=False, page=press.rest, told=told)


async def _fill(panel: Panel, press: Press, say: Language, keep: Callable[[str, str], Any]) -> list[str]:
    """Keeps each line that was changed; what is wrong with the others, in words."""
    told = []
    before = {preference.key: text_of(preference.key, panel.values[preference.key]) for preference in panel.written}
    for key, text in press.filled:
        if key in before and text.strip() != before[key]:
            try:
                await keep(key, text.strip())
            except RuleError as error:
                told.append(say("panel.wrong", title=panel.title(key, say), problem=say.error(error)))
    return told


async def _keep_user(client: Any, answer: Answer, key: str, text: str) -> None:
    await client.services.preferences.set_user(answer.user_id, key, text)
    answer.prefs = await client.services.preferences.of_user(answer.user_id)


async def _keep_server(client: Any, answer: Answer, key: str, text: str) -> None:
    """Raises RuleError also where the server's own limit is against its time control, or the bot cannot write there."""
    interaction, preferences = answer.interaction, client.services.preferences
    if key == "clock" and text:
        text = typed_time.readings(text)[0]
    if key in {"clock", "longest"}:
        server = {**await preferences.of_server(interaction.guild_id), key: text}
        if server["clock"] and server["longest"].isdecimal():
            time_limits.allowed(server, server["clock"])
    if key == "notification_channel" and text:
        check_channel(client, int(text))
    await preferences.set_server(interaction.guild_id, key, text)


def check_channel(client: Any, channel_id: int) -> None:
    """Raises Refused where the bot cannot write."""
    channel = client.get_channel(channel_id)
    if channel is None:
        raise Refused("panel.no_channel")
    rights = channel.permissions_for(channel.guild.me)
    for name in TO_NOTIFY:
        if not getattr(rights, name):
            raise Refused("panel.no_permission", channel=f"<#{channel_id}>", permission=f"@permission.{name}")


def _page_of(scope: str, key: str) -> str:
    preference = SCOPES[scope].get(key)
    return preference.page if preference else ""


# --- how a page is shown ---------------------------------------------------------------------------------------------


def pages(scope: str) -> tuple[str, ...]:
    """The pages of a panel, in order."""
    return tuple(dict.fromkeys(preference.page for preference in SCOPES[scope].values() if preference.page))


async def _show(
    client: Any,
    answer: Answer,
    scope: str,
    values: Mapping[str, str],
    *,
    fresh: bool,
    page: str,
    told: Iterable[str],
) -> None:
    page = page if page in pages(scope) else pages(scope)[0]
    panel, say = Panel(scope, page, values, client.services.now()), answer.say
    content = "\n".join([say(f"settings.{scope}"), *told, "", *lines(panel, say)]).rstrip()
    view = view_of(*components(panel, say))
    await answer.show(content, view=view, fresh=fresh)


def lines(panel: Panel, say: Language) -> list[str]:
    """What is chosen on this page but stands in no menu, and what follows from it."""
    told = []
    for preference in panel.preferences:
        if preference.read is None:
            continue
        key = preference.key
        value = shown(panel.scope, preference, panel.values[key], say)
        in_utc = key in HOURS and panel.values[key] and not panel.values["zone"]
        told.append(f"**{panel.title(key, say)}**: {value}{f' {clock_words.UTC}' if in_utc else ''}")
    return [*told, *(f"-# {note}" for note in notes(panel, say))]


def notes(panel: Panel, say: Language) -> list[str]:
    """What a player can check the hours by, and what a server's limits come to."""
    values = panel.values
    if panel.scope == SERVER:
        unsaid = time_limits.usual(values)
        limited = panel.page == "time" and unsaid != values["clock"]
        return [say("panel.limited", control=clock_words.control(unsaid, say))] if limited else []
    told = []
    if panel.page == "time" and values["zone"]:
        there = datetime.fromtimestamp(panel.now / 1000, ZoneInfo(values["zone"]))
        moment = format_datetime(there, "EEEE, HH:mm", locale=say.code)
        told.append(say("panel.there", moment=moment, device=clock_words.stamp(panel.now, "t")))
    hours = {"time": values["rest"] + values["weekend"].replace("none", ""), "calls": values["quiet"]}
    if hours.get(panel.page) and not values["zone"]:
        here = panel.page == "time"
        told.append(say("panel.no_zone_here", button=change(panel, say)) if here else say("panel.no_zone"))
    if panel.page == "time":
        standing = clock_words.standing_hours(values["rest"], values["weekend"], values["zone"], say)
        told += [standing, say("panel.from_next_turn")]
    return told


def shown(scope: str, preference: Preference, value: str, say: Language) -> str:
    """A value as it is read."""
    key = preference.key
    if preference.read is None:
        return say(f"preference.{scope}.{key}.{value}")
    if key == "clock":
        return clock_words.control(value, say)
    if not value:
        return say(f"panel.empty.{key}")
    if preference.channel:
        return f"<#{value}>"
    return f"{value}:00" if key == "digest_hour" else value.replace("-", " \u2013 ")


def text_of(key: str, value: str) -> str:
    """A value as it stands in a form's line."""
    return f"{value}:00" if key == "digest_hour" else value


def components(panel: Panel, say: Language) -> list[discord.ui.Item[Any]]:
    """The pages' buttons, the page's menus, and what opens its form."""
    scope, values = panel.scope, panel.values
    row = 0
    items: list[discord.ui.Item[Any]] = []
    for page in pages(scope):
        style = "primary" if page == panel.page else "plain"
        items.append(PressButton(Press(f"page_{scope}", "me", 0, page), say(f"panel.{scope}.{page}"), style, row=row))
    for preference in panel.preferences:
        key = preference.key
        press = Press(f"set_{scope}", "me", 0, key)
        if preference.channel:
            row += 1
            items.append(ChannelMenu(press, panel.title(key, say), int(values[key] or 0), row=row))
            if values[key]:
                row += 1
                items.append(PressButton(press, say(f"panel.clear.{key}"), row=row))
        elif preference.read is None:
            row += 1
            items.append(menu(scope, preference, values, say, row))
    if panel.written:
        press = Press(f"ask_{scope}", "me", 0, panel.page)
        items.append(PressButton(press, change(panel, say), "good", row=row + 1))
    return items


def change(panel: Panel, say: Language) -> str:
    """What the button says that opens a page's form."""
    return say("panel.change", what=", ".join(panel.title(preference.key, say) for preference in panel.written))


def menu(scope: str, preference: Preference, values: Mapping[str, str], say: Language, row: int) -> PressMenu:
    """One setting's choices, the present one chosen; that one alone is shown by a closed menu, so it says of what."""
    key = preference.key
    title = say(f"preference.{scope}.{key}")
    names = {value: shown(scope, preference, value, say) for value in preference.choices}
    names[values[key]] = say("panel.chosen", title=title, choice=names[values[key]])
    options = [
        discord.SelectOption(label=name[:OPTION_LENGTH], value=value, default=value == values[key])
        for value, name in names.items()
    ]
    return PressMenu(Press(f"set_{scope}", "me", 0, key), title, options, row=row)


def form(panel: Panel, say: Language) -> discord.ui.Modal:
    """The lines of a page that are written."""
    fields = [
        Field(
            preference.key,
            panel.title(preference.key, say),
            text_of(preference.key, panel.values[preference.key]),
            say(f"panel.hint.{preference.key}"),
        )
        for preference in panel.written
    ]
    title = say(f"panel.{panel.scope}.{panel.page}")
    return form_of(Press(f"fill_{panel.scope}", "me", 0, panel.page), title, fields)
