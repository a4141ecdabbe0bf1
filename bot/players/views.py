"""The private settings panels of a user or a server: pages of menus, and forms for values that are typed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import ChannelMenu, PressButton, PressMenu, RoleMenu, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import InvalidPress, Press, read_id
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language, language
from bot.players.panel_hooks import PanelHooks
from bot.players.places.reading import city, has_several_times, in_words, label, read_zone
from bot.players.preferences import SCOPES, Preference, mentions_of, read_ids
from bot.players.service import PreferenceService
from engine.core.errors import Refused, RuleError, Translated

handlers: Final = Handlers()

USER: Final = "user"
SERVER: Final = "server"
ROWS: Final = 5
"""Rows of components in a message: one for the page buttons, one for the form button, the rest for menus."""
HOURS: Final = ("rest", "quiet", "digest_hour")
"""The user's settings with hours in their time zone."""
CHANNEL_PERMISSIONS: Final = ("view_channel", "send_messages")
"""The permissions that the bot needs in the notification channel."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One page of the settings of a user or server."""

    scope: str
    page: str
    values: Mapping[str, str]
    now: int
    """The time in ms since 1970."""
    hooks: PanelHooks

    @property
    def preferences(self) -> list[Preference]:
        return [preference for preference in SCOPES[self.scope].values() if preference.page == self.page]

    @property
    def typed(self) -> list[Preference]:
        """The preferences of this page with a field in the form."""
        return [preference for preference in self.preferences if preference.typed]

    def title(self, key: str, say: Language) -> str:
        return say(f"preference.{self.scope}.{key}")

    def shown(self, preference: Preference, value: str, say: Language) -> str:
        key = preference.key
        if preference.read is None:
            return say(f"preference.{self.scope}.{key}.{value}")
        if (self.scope, key) in self.hooks.sayers:
            return self.hooks.sayers[self.scope, key](value, say)
        if not value:
            return say(f"panel.empty.{key}")
        if preference.channel or preference.role:
            return mentions_of("#" if preference.channel else "@&", read_ids(value))
        return text_of(key, value) if key in {"digest_hour", "zone"} else value.replace("-", " \u2013 ")


async def show_user(answer: Answer, *, fresh: bool, page: str = "", messages: Iterable[str] = ()) -> None:
    """Shows the user's settings, with ``messages`` above them."""
    await _show(answer, USER, answer.prefs, fresh=fresh, page=page, messages=messages)


async def show_server(answer: Answer, *, fresh: bool, page: str = "", messages: Iterable[str] = ()) -> None:
    """Shows the server's settings. Raises Refused if the user does not manage the server."""
    check_manager(answer)
    values = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    await _show(answer, SERVER, values, fresh=fresh, page=page, messages=messages)


def check_manager(answer: Answer) -> None:
    """Raises Refused unless the user has the Manage Server permission here. Also raised in direct messages."""
    if answer.interaction.guild_id is None:
        raise Refused("settings.no_server")
    if not answer.interaction.permissions.manage_guild:
        raise Refused("settings.not_manager")


# --- handlers of buttons, menus and forms --------------------------------------------------------------------------


@handlers.on("page_user")
async def show_user_page(answer: Answer, press: Press) -> None:
    await show_user(answer, fresh=False, page=press.rest)


@handlers.on("page_server")
async def show_server_page(answer: Answer, press: Press) -> None:
    await show_server(answer, fresh=False, page=press.rest)


@handlers.on("set_user")
async def set_user(answer: Answer, press: Press) -> None:
    """Stores a choice and shows the panel again, in the new language if that was changed."""
    await _keep_user(answer, press.rest, press.value)
    if press.rest == "language":
        chosen = answer.prefs["language"]
        answer.say = (
            answer.context.language_for_locale(answer.interaction.locale) if chosen == "auto" else language(chosen)
        )
    await show_user(answer, fresh=False, page=_page_of(USER, press.rest))


@handlers.on("set_server")
async def set_server(answer: Answer, press: Press) -> None:
    """Stores a choice for the server. Raises Refused if the user does not manage it."""
    check_manager(answer)
    await _keep_server(answer, press.rest, ",".join(press.values))
    await show_server(answer, fresh=False, page=_page_of(SERVER, press.rest))


@handlers.on("ask_user")
async def ask_user(answer: Answer, press: Press) -> None:
    await answer.form(form(Panel(USER, press.rest, answer.prefs, answer.now, answer.service(PanelHooks)), answer.say))


@handlers.on("ask_server")
async def ask_server(answer: Answer, press: Press) -> None:
    check_manager(answer)
    values = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    await answer.form(form(Panel(SERVER, press.rest, values, answer.now, answer.service(PanelHooks)), answer.say))


@handlers.on("fill_user")
async def fill_user(answer: Answer, press: Press) -> None:
    """Stores the fields of a submitted form. Each is stored separately, so an error in one does not affect
    the others.
    """
    panel = Panel(USER, press.rest, answer.prefs, answer.now, answer.service(PanelHooks))
    messages = await _fill(panel, press, answer.say, lambda key, text: _keep_user(answer, key, text))
    await show_user(answer, fresh=False, page=press.rest, messages=messages)


@handlers.on("fill_server")
async def fill_server(answer: Answer, press: Press) -> None:
    """Stores the fields of a submitted form. Raises Refused if the user does not manage the server."""
    check_manager(answer)
    values = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    panel = Panel(SERVER, press.rest, values, answer.now, answer.service(PanelHooks))
    messages = await _fill(panel, press, answer.say, lambda key, text: _keep_server(answer, key, text))
    await show_server(answer, fresh=False, page=press.rest, messages=messages)


async def _fill(panel: Panel, press: Press, say: Language, keep: Callable[[str, str], Any]) -> list[str]:
    """Stores each changed field. Returns a message for each one that is invalid, or only a guess."""
    messages = []
    before = {preference.key: text_of(preference.key, panel.values[preference.key]) for preference in panel.typed}
    for key, text in press.filled:
        if key in before and text.strip() != before[key]:
            try:
                await keep(key, text.strip())
            except RuleError as error:
                messages.append(say("panel.wrong", title=panel.title(key, say), problem=in_words(error, say)))
            else:
                if key == "zone" and has_several_times(text):
                    messages.append(say("panel.largest_city", text=text.strip(), city=city(read_zone(text), say.code)))
    return messages


async def _keep_user(answer: Answer, key: str, text: str) -> None:
    await answer.service(PreferenceService).set_user(answer.user_id, key, text)
    answer.prefs = await answer.service(PreferenceService).of_user(answer.user_id)


async def _keep_server(answer: Answer, key: str, text: str) -> None:
    """Stores a value for the server.

    Raises RuleError if the value is invalid, contradicts another value, or is a channel without the needed permissions.
    """
    interaction, preferences = answer.interaction, answer.service(PreferenceService)
    hooks = answer.service(PanelHooks)
    if text and (SERVER, key) in hooks.readers:
        text = hooks.readers[SERVER, key](text)
    server = {**await preferences.of_server(interaction.guild_id), key: text}
    for check in hooks.checks:
        check(SERVER, key, server)
    preference = SCOPES[SERVER].get(key)
    if text and preference is not None and (preference.channel or preference.role):
        for chosen in map(read_id, text.split(",")):
            if preference.role:
                check_role(answer, chosen)
            else:
                check_channel(answer.context, interaction.guild_id, chosen)
    await preferences.set_server(interaction.guild_id or 0, key, text)


def check_role(answer: Answer, role_id: int) -> None:
    """Raises InvalidPress for a role of another server, as no menu offers one."""
    guild = answer.interaction.guild
    if guild is None or guild.get_role(role_id) is None:
        raise InvalidPress


def check_channel(context: Context, guild_id: int | None, channel_id: int) -> None:
    """Raises Refused if the bot cannot send messages in this channel, or if the channel is of another server."""
    channel = context.client.get_channel(channel_id)
    if not isinstance(channel, discord.abc.GuildChannel) or channel.guild.id != guild_id:
        raise Refused("panel.no_channel")
    rights = channel.permissions_for(channel.guild.me)
    for name in CHANNEL_PERMISSIONS:
        if not getattr(rights, name):
            raise Refused(
                "panel.no_permission", channel=f"<#{channel_id}>", permission=Translated(f"@permission.{name}")
            )


def _page_of(scope: str, key: str) -> str:
    preference = SCOPES[scope].get(key)
    return preference.page if preference else ""


# --- the panel -------------------------------------------------------------------------------------------------------


def pages(scope: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(preference.page for preference in SCOPES[scope].values() if preference.page))


async def _show(
    answer: Answer,
    scope: str,
    values: Mapping[str, str],
    *,
    fresh: bool,
    page: str,
    messages: Iterable[str],
) -> None:
    page = page if page in pages(scope) else pages(scope)[0]
    panel, say = Panel(scope, page, values, answer.now, answer.service(PanelHooks)), answer.say
    content = "\n".join([say(f"settings.{scope}"), *messages, "", *lines(panel, say)]).rstrip()
    view = view_of(*components(panel, say))
    await answer.show(content, view=view, fresh=fresh)


def lines(panel: Panel, say: Language) -> list[str]:
    """Returns the page's values that no menu shows, and the notes of the hooks."""
    shown = []
    for preference in panel.preferences:
        if preference.read is None:
            continue
        key = preference.key
        value = panel.shown(preference, panel.values[key], say)
        in_utc = key in HOURS and panel.values[key] and not panel.values["zone"]
        shown.append(f"**{panel.title(key, say)}**: {value}{' UTC' if in_utc else ''}")
    notes = [line for note in panel.hooks.notes for line in note(panel.scope, panel.page, panel.values, panel.now, say)]
    return [*shown, *(f"-# {line}" for line in notes)]


def text_of(key: str, value: str) -> str:
    return f"{value}:00" if key == "digest_hour" else label(value) if key == "zone" else value


def components(panel: Panel, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the buttons of the pages, the page's menus, and the button of its form."""
    scope, values = panel.scope, panel.values
    row = 0
    items: list[discord.ui.Item[Any]] = []
    for page in pages(scope):
        style = "primary" if page == panel.page else "plain"
        items.append(PressButton(Press(f"page_{scope}", "me", 0, page), say(f"panel.{scope}.{page}"), style, row=row))
    for preference in panel.preferences:
        key = preference.key
        press = Press(f"set_{scope}", "me", 0, key)
        if preference.channel or preference.role:
            row += 1
            items.append(id_menu(panel, preference, say, row))
            if values[key] and preference.most == 1:
                row += 1
                items.append(PressButton(press, say(f"panel.clear.{key}"), row=row))
        elif preference.read is None:
            row += 1
            items.append(menu(panel, preference, say, row))
    if panel.typed:
        press = Press(f"ask_{scope}", "me", 0, panel.page)
        items.append(PressButton(press, change(panel, say), "good", row=row + 1))
    return items


def id_menu(panel: Panel, preference: Preference, say: Language, row: int) -> discord.ui.Item[Any]:
    """Returns the menu of a preference for channels or roles. One for several can be emptied without a button."""
    key, most = preference.key, preference.most
    press, chosen = Press(f"set_{panel.scope}", "me", 0, key), sorted(read_ids(panel.values[key]))
    title = panel.title(key, say) if most == 1 else say(f"panel.hint.{key}", n=most)
    return (RoleMenu if preference.role else ChannelMenu)(press, title, chosen, row=row, most=most)


def change(panel: Panel, say: Language) -> str:
    return say("panel.change", what=", ".join(panel.title(preference.key, say) for preference in panel.typed))


def menu(panel: Panel, preference: Preference, say: Language, row: int) -> PressMenu:
    """Returns the menu of one preference. A closed menu shows only the present choice, so its label
    includes the title.
    """
    scope, values, key = panel.scope, panel.values, preference.key
    title = panel.title(key, say)
    names = {value: panel.shown(preference, value, say) for value in preference.choices}
    names[values[key]] = say("panel.chosen", title=title, choice=names[values[key]])
    options = [
        discord.SelectOption(label=name, value=value, default=value == values[key]) for value, name in names.items()
    ]
    return PressMenu(Press(f"set_{scope}", "me", 0, key), title, options, row=row)


def form(panel: Panel, say: Language) -> discord.ui.Modal:
    """Returns the form of a page, with a field for each typed preference. Raises InvalidPress for a page without a
    form.
    """
    if not panel.typed:
        raise InvalidPress
    fields = [
        Field(
            preference.key,
            panel.title(preference.key, say),
            text_of(preference.key, panel.values[preference.key]),
            say(f"panel.hint.{preference.key}"),
        )
        for preference in panel.typed
    ]
    title = say(f"panel.{panel.scope}.{panel.page}")
    return form_of(Press(f"fill_{panel.scope}", "me", 0, panel.page), title, fields)
