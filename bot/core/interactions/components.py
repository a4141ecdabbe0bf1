"""Buttons and menus that carry their Press in their custom_id."""

from typing import Any, Final

import discord

from bot.core.interactions.press import Press

LABEL_LENGTH: Final = 80
PLACEHOLDER_LENGTH: Final = 150
STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "plain": discord.ButtonStyle.secondary,
    "good": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


class PressButton(discord.ui.Button[Any]):
    """A button that carries its Press."""

    def __init__(
        self, press: Press, label: str, style: str = "plain", *, disabled: bool = False, row: int | None = None
    ) -> None:
        self.press = press
        super().__init__(
            label=label[:LABEL_LENGTH], style=STYLES[style], custom_id=f"b:{press}", disabled=disabled, row=row
        )


class PressMenu(discord.ui.Select[Any]):
    """A menu that carries its Press."""

    def __init__(
        self, press: Press, placeholder: str, options: list[discord.SelectOption], row: int | None = None
    ) -> None:
        self.press = press
        super().__init__(custom_id=f"m:{press}", placeholder=placeholder[:PLACEHOLDER_LENGTH], options=options, row=row)


class ChannelMenu(discord.ui.ChannelSelect[Any]):
    """A menu of the server's text channels that carries its Press. Its value is the channel's id."""

    def __init__(self, press: Press, placeholder: str, chosen: int | None = None, row: int | None = None) -> None:
        self.press = press
        default = discord.SelectDefaultValue(id=chosen, type=discord.SelectDefaultValueType.channel) if chosen else None
        super().__init__(
            custom_id=f"c:{press}",
            placeholder=placeholder[:PLACEHOLDER_LENGTH],
            channel_types=[discord.ChannelType.text],
            default_values=[default] if default else [],
            row=row,
        )


class RoleMenu(discord.ui.RoleSelect[Any]):
    """A menu of the server's roles that carries its Press. Its value is the role's id; none if it is taken back."""

    def __init__(self, press: Press, placeholder: str, chosen: int | None = None, row: int | None = None) -> None:
        self.press = press
        default = discord.SelectDefaultValue(id=chosen, type=discord.SelectDefaultValueType.role) if chosen else None
        super().__init__(
            custom_id=f"r:{press}",
            placeholder=placeholder[:PLACEHOLDER_LENGTH],
            min_values=0,
            default_values=[default] if default else [],
            row=row,
        )


class UserMenu(discord.ui.UserSelect[Any]):
    """A menu of people that carries its Press. Its values are the users' ids, up to ``most``; none if taken back."""

    def __init__(
        self, press: Press, placeholder: str, chosen: int | None = None, row: int | None = None, *, most: int = 1
    ) -> None:
        self.press = press
        default = discord.SelectDefaultValue(id=chosen, type=discord.SelectDefaultValueType.user) if chosen else None
        super().__init__(
            custom_id=f"u:{press}",
            placeholder=placeholder[:PLACEHOLDER_LENGTH],
            min_values=0,
            max_values=most,
            default_values=[default] if default else [],
            row=row,
        )


def view_of(*items: discord.ui.Item[Any]) -> discord.ui.View:
    """The view with these components. It is stopped at once, so discord.py does not keep it in memory: ``route`` finds
    each handler by the custom_id.
    """
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def picture_first(file: discord.File, content: str, view: discord.ui.View) -> discord.ui.LayoutView:
    """The picture, then the text, then the rows of ``view``: in a plain message Discord shows the text first.

    A message that begins so stays so: it is edited with such layouts only. It is stopped at once, as in ``view_of``.
    """
    by_id = {getattr(item, "custom_id", ""): item for item in view.children}
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem(file, description=file.description)))
    layout.add_item(discord.ui.TextDisplay(content))
    for row in view.to_components():
        items = [by_id[component["custom_id"]] for component in row["components"]]
        layout.add_item(discord.ui.ActionRow[Any](*items))
    layout.stop()
    return layout


def text_only(content: str) -> discord.ui.LayoutView:
    """A text as the whole content of a message that began with ``picture_first``."""
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.TextDisplay(content))
    layout.stop()
    return layout
