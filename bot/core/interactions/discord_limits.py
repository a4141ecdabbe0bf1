"""Cuts answers to Discord's limits. A text that is too long is shown in part, as Discord would refuse the message.

Limits: Discord's documentation, "Message Object", "Component Reference".
"""

from collections.abc import Sequence
from typing import Any, Final

import discord

CONTENT: Final = 2000
TEXTS: Final = 4000
"""The most characters of all texts of a layout."""
LABEL: Final = 80
PLACEHOLDER: Final = 150
OPTIONS: Final = 25
OPTION: Final = 100
TITLE: Final = 45
"""The most characters of a form's title, and of the labels of its fields."""
HINT: Final = 100
ALT: Final = 1024
FILES: Final = 10
FENCE: Final = "```"
MORE: Final = "…"
LAST_WORD: Final = 20
"""A longer last word is cut, not left out."""


def cut(text: str, most: int) -> str:
    """Cuts a text that is too long after a word, and appends an ellipsis. A block of code stays closed."""
    if len(text) <= most:
        return text
    begun = text[: most - len(MORE)]
    word = begun.rfind(" ")
    if not text[len(begun)].isspace() and 0 < len(begun) - word <= LAST_WORD < word:
        begun = begun[:word].rstrip(" ,;:")
    if begun.count(FENCE) % 2:
        closing = f"{MORE}\n{FENCE}"
        return text[: most - len(closing)].rstrip("`") + closing
    return begun + MORE


def cut_content(content: str | None) -> str | None:
    return None if content is None else cut(content, CONTENT)


def cut_files(files: Sequence[discord.File]) -> list[discord.File]:
    """Returns as many files as a message holds, with descriptions that fit."""
    for file in files[:FILES]:
        if file.description is not None:
            file.description = cut(file.description, ALT)
    return list(files[:FILES])


def cut_view(view: discord.ui.View | discord.ui.LayoutView | None) -> None:
    """Shortens the labels, options and texts of a view."""
    if view is None:
        return
    left = TEXTS
    for item in view.walk_children():
        _cut_item(item)
        if isinstance(item, discord.ui.TextDisplay):
            item.content = cut(item.content, max(left, len(MORE)))
            left -= len(item.content)


def _cut_item(item: Any) -> None:
    if isinstance(item, discord.ui.Button) and item.label is not None:
        item.label = cut(item.label, LABEL)
    if isinstance(item, discord.ui.MediaGallery):
        for picture in item.items:
            picture.description = picture.description and cut(picture.description, ALT)
    placeholder = getattr(item, "placeholder", None)
    if placeholder:
        item.placeholder = cut(placeholder, PLACEHOLDER)
    if isinstance(item, discord.ui.Select):
        for option in item.options:
            option.label = cut(option.label, OPTION)
            option.description = option.description and cut(option.description, OPTION)
        if len(item.options) > OPTIONS:
            item.options = item.options[:OPTIONS]


def cut_form(form: discord.ui.Modal) -> None:
    """Shortens the title, labels, hints and values of a form."""
    form.title = cut(form.title, TITLE)
    for item in form.walk_children():
        if isinstance(item, discord.ui.Label):
            item.text = cut(item.text, TITLE)
            item.description = item.description and cut(item.description, HINT)
        elif isinstance(item, discord.ui.TextInput) and item.default and item.max_length:
            item.default = item.default[: item.max_length]
