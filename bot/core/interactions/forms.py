"""Forms that carry their Press in their custom_id."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.interactions.press import Press

TITLE_LENGTH: Final = 45
"""Characters of a form's title, and of each of its labels."""
HINT_LENGTH: Final = 100


@dataclass(frozen=True, slots=True)
class Field:
    """A line to fill in: what it holds now, what it is called, and how it is written."""

    key: str
    label: str
    value: str
    hint: str
    longest: int = 60


def form_of(press: Press, title: str, fields: Sequence[Field]) -> discord.ui.Modal:
    """A form that carries its Press. It counts as finished, so that discord.py keeps none of it in memory."""
    form = discord.ui.Modal(title=title[:TITLE_LENGTH], custom_id=f"f:{press}")
    for one in fields:
        line: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=one.key, default=one.value, required=False, max_length=one.longest
        )
        label = one.label[:TITLE_LENGTH]
        form.add_item(discord.ui.Label(text=label, description=one.hint[:HINT_LENGTH], component=line))
    form.stop()
    return form


def filled(components: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The texts of a form by their custom_ids."""
    for component in components:
        inner = component.get("component") or component
        if "custom_id" in inner:
            yield inner["custom_id"], inner.get("value", "")
