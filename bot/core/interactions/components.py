"""Buttons and menus that carry their Press in their custom_id."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord

from bot.core.interactions.discord_limits import LABEL, PLACEHOLDER, cut
from bot.core.interactions.press import Press

STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "plain": discord.ButtonStyle.secondary,
    "good": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


class PressButton(discord.ui.Button[Any]):
    def __init__(
        self, press: Press, label: str, style: str = "plain", *, disabled: bool = False, row: int | None = None
    ) -> None:
        self.press = press
        super().__init__(
            label=cut(label, LABEL), style=STYLES[style], custom_id=f"b:{press}", disabled=disabled, row=row
        )


class PressMenu(discord.ui.Select[Any]):
    def __init__(
        self, press: Press, placeholder: str, options: list[discord.SelectOption], row: int | None = None
    ) -> None:
        self.press = press
        super().__init__(custom_id=f"m:{press}", placeholder=cut(placeholder, PLACEHOLDER), options=options, row=row)


class ChannelMenu(discord.ui.ChannelSelect[Any]):
    """A menu of the server's text channels. Its values are the ids of at most ``most`` channels.

    A menu for several channels may be left empty.
    """

    def __init__(
        self, press: Press, placeholder: str, chosen: Iterable[int] = (), row: int | None = None, *, most: int = 1
    ) -> None:
        self.press = press
        kind = discord.SelectDefaultValueType.channel
        super().__init__(
            custom_id=f"c:{press}",
            placeholder=cut(placeholder, PLACEHOLDER),
            channel_types=[discord.ChannelType.text],
            min_values=1 if most == 1 else 0,
            max_values=most,
            default_values=[discord.SelectDefaultValue(id=one, type=kind) for one in chosen],
            row=row,
        )


class RoleMenu(discord.ui.RoleSelect[Any]):
    """A menu of the server's roles. Its values are the ids of at most ``most`` roles; it may be left empty."""

    def __init__(
        self, press: Press, placeholder: str, chosen: Iterable[int] = (), row: int | None = None, *, most: int = 1
    ) -> None:
        self.press = press
        kind = discord.SelectDefaultValueType.role
        super().__init__(
            custom_id=f"r:{press}",
            placeholder=cut(placeholder, PLACEHOLDER),
            min_values=0,
            max_values=most,
            default_values=[discord.SelectDefaultValue(id=one, type=kind) for one in chosen],
            row=row,
        )


class UserMenu(discord.ui.UserSelect[Any]):
    """A menu of people. Its values are the ids of at most ``most`` users; it may be left empty."""

    def __init__(
        self, press: Press, placeholder: str, chosen: int | None = None, row: int | None = None, *, most: int = 1
    ) -> None:
        self.press = press
        default = discord.SelectDefaultValue(id=chosen, type=discord.SelectDefaultValueType.user) if chosen else None
        super().__init__(
            custom_id=f"u:{press}",
            placeholder=cut(placeholder, PLACEHOLDER),
            min_values=0,
            max_values=most,
            default_values=[default] if default else [],
            row=row,
        )


def view_of(*items: discord.ui.Item[Any]) -> discord.ui.View:
    """Returns a view with these components, already stopped.

    So discord.py does not keep it in memory: ``route`` finds each handler by the custom_id.
    """
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def picture_first(
    files: Sequence[discord.File], content: str, view: discord.ui.View | None = None
) -> discord.ui.LayoutView:
    """Returns a layout with the pictures, then the text, then the rows of ``view``. A plain message shows the text
    first.

    A message with such a layout can only be edited with another layout. The layout is stopped, as in ``view_of``.
    """
    layout = discord.ui.LayoutView(timeout=None)
    if files:
        pictures = (discord.MediaGalleryItem(file, description=file.description) for file in files)
        layout.add_item(discord.ui.MediaGallery(*pictures))
    layout.add_item(discord.ui.TextDisplay(content))
    if view is not None:
        items = {getattr(item, "custom_id", None) or getattr(item, "url", None): item for item in view.children}
        for row in view.to_components():
            named = (component.get("custom_id") or component["url"] for component in row["components"])
            layout.add_item(discord.ui.ActionRow[Any](*(items[name] for name in named)))
    layout.stop()
    return layout


def custom_ids(components: Iterable[Any]) -> list[str]:
    """Returns every custom_id in a message's components, including nested ones."""
    found: list[str] = []
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            found.append(custom_id)
        found += custom_ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            found += custom_ids((accessory,))
    return found
