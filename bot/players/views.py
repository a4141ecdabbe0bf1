"""The private panels of settings: pages of menus, and forms for what is written, for a person or for a server."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import ChannelMenu, PressButton, PressMenu, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language, language
from bot.players.panel_hooks import PanelHooks
from bot.players.preferences import SCOPES, Preference
from bot.players.service import PreferenceService
from engine.core.errors import Refused, RuleError

handlers: Final = Handlers()

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
    hooks: PanelHooks

    @property
    def preferences(self) -> list[Preference]:
        return [preference for preference in SCOPES[self.scope].values() if preference.page == self.page]

    @property
    def written(self) -> list[Preference]:
        """Those of the page that are filled in by a form."""
        return [preference for preference in self.preferences if preference.read and not preference.channel]

    def title(self, key: str, say: Language) -> str:
        return say(f"preference.{self.scope}.{key}")

    def shown(self, preference: Preference, value: str, say: Language) -> str:
        """A value as it is read."""
        key = preference.key
        if preference.read is None:
            return say(f"preference.{self.scope}.{key}.{value}")
        if (self.scope, key) in self.hooks.sayers:
            return self.hooks.sayers[self.scope, key](value, say)
        if not value:
            return say(f"panel.empty.{key}")
        if preference.channel:
            return f"<#{value}>"
        return f"{value}:00" if key == "digest_hour" else value.replace("-", " \u2013 ")


async def show_user(answer: Answer, *, fresh: bool, page: str = "", told: Iterable[str] = ()) -> None:
    """The asker's own settings; ``told`` are lines to go before them."""
    await _show(answer, USER, answer.prefs, fresh=fresh, page=page, told=told)


async def show_server(answer: Answer, *, fresh: bool, page: str = "", told: Iterable[str] = ()) -> None:
    """The server's settings. Raises Refused for who does not manage the server."""
    check_manager(answer)
    values = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    await _show(answer, SERVER, values, fresh=fresh, page=page, told=told)


def check_manager(answer: Answer) -> None:
    """Raises Refused unless the asker has Manage Server here."""
    if answer.interaction.guild_id is None or not answer.interaction.permissions.manage_guild:
        raise Refused("settings.not_manager")


# --- what is pressed, chosen, written ------------------------------------------------------------------------------


@handlers.on("page_user")
async def turn_user(answer: Answer, press: Press) -> None:
    """Another page."""
    await show_user(answer, fresh=False, page=press.rest)


@handlers.on("page_server")
async def turn_server(answer: Answer, press: Press) -> None:
    """Another page."""
    await show_server(answer, fresh=False, page=press.rest)


@handlers.on("set_user")
async def set_user(answer: Answer, press: Press) -> None:
    """Stores a choice, and shows the panel in the language that now holds."""
    await _keep_user(answer, press.rest, press.values[0])
    if press.rest == "language":
        chosen = answer.prefs["language"]
        answer.say = answer.context.spoken(answer.interaction.locale) if chosen == "auto" else language(chosen)
    await show_user(answer, fresh=False, page=_page_of(USER, press.rest))


@handlers.on("set_server")
async def set_server(answer: Answer, press: Press) -> None:
    """Stores a choice for the server, from whoever manages it."""
    check_manager(answer)
    await _keep_server(answer, press.rest, press.values[0] if press.values else "")
    await show_server(answer, fresh=False, page=_page_of(SERVER, press.rest))


@handlers.on("ask_user")
async def ask_user(answer: Answer, press: Press) -> None:
    """Opens the form of a page."""
    await answer.form(form(Panel(USER, press.rest, answer.prefs, answer.now, answer.service(PanelHooks)), answer.say))


@handlers.on("ask_server")
async def ask_server(answer: Answer, press: Press) -> None:
    """Opens the form of a page."""
    check_manager(answer)
    values = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    await answer.form(form(Panel(SERVER, press.rest, values, answer.now, answer.service(PanelHooks)), answer.say))


@handlers.on("fill_user")
async def fill_user(answer: Answer, press: Press) -> None:
    """Keeps what was written: each line by itself, so that a wrong one takes no other with it."""
    panel = Panel(USER, press.rest, answer.prefs, answer.now, answer.service(PanelHooks))
    told = await _fill(panel, press, answer.say, lambda key, text: _keep_user(answer, key, text))
    await show_user(answer, fresh=False, page=press.rest, told=told)


@handlers.on("fill_server")
async def fill_server(answer: Answer, press: Press) -> None:
    """Keeps what was written, from whoever manages the server."""
    check_manager(answer)
    values = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    panel = Panel(SERVER, press.rest, values, answer.now, answer.service(PanelHooks))
    told = await _fill(panel, press, answer.say, lambda key, text: _keep_server(answer, key, text))
    await show_server(answer, fresh=False, page=press.rest, told=told)


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


async def _keep_user(answer: Answer, key: str, text: str) -> None:
    await answer.service(PreferenceService).set_user(answer.user_id, key, text)
    answer.prefs = await answer.service(PreferenceService).of_user(answer.user_id)


async def _keep_server(answer: Answer, key: str, text: str) -> None:
    """Raises RuleError also where the values do not go together, or the bot cannot write in a channel."""
    interaction, preferences = answer.interaction, answer.service(PreferenceService)
    hooks = answer.service(PanelHooks)
    if text and (SERVER, key) in hooks.readers:
        text = hooks.readers[SERVER, key](text)
    server = {**await preferences.of_server(interaction.guild_id), key: text}
    for check in hooks.checks:
        check(SERVER, key, server)
    if key == "notification_channel" and text:
        check_channel(answer.context, int(text))
    await preferences.set_server(interaction.guild_id or 0, key, text)


def check_channel(context: Context, channel_id: int) -> None:
    """Raises Refused where the bot cannot write."""
    channel = context.client.get_channel(channel_id)
    if not isinstance(channel, discord.abc.GuildChannel):
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
    answer: Answer,
    scope: str,
    values: Mapping[str, str],
    *,
    fresh: bool,
    page: str,
    told: Iterable[str],
) -> None:
    page = page if page in pages(scope) else pages(scope)[0]
    panel, say = Panel(scope, page, values, answer.now, answer.service(PanelHooks)), answer.say
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
        value = panel.shown(preference, panel.values[key], say)
        in_utc = key in HOURS and panel.values[key] and not panel.values["zone"]
        told.append(f"**{panel.title(key, say)}**: {value}{' UTC' if in_utc else ''}")
    notes = [line for note in panel.hooks.notes for line in note(panel.scope, panel.page, panel.values, panel.now, say)]
    return [*told, *(f"-# {line}" for line in notes)]


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
            items.append(menu(panel, preference, say, row))
    if panel.written:
        press = Press(f"ask_{scope}", "me", 0, panel.page)
        items.append(PressButton(press, change(panel, say), "good", row=row + 1))
    return items


def change(panel: Panel, say: Language) -> str:
    """What the button says that opens a page's form."""
    return say("panel.change", what=", ".join(panel.title(preference.key, say) for preference in panel.written))


def menu(panel: Panel, preference: Preference, say: Language, row: int) -> PressMenu:
    """One setting's choices, the present one chosen; that one alone is shown by a closed menu, so it says of what."""
    scope, values, key = panel.scope, panel.values, preference.key
    title = panel.title(key, say)
    names = {value: panel.shown(preference, value, say) for value in preference.choices}
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
