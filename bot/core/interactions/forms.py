"""Forms that carry their Press in their custom_id."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.interactions.press import LONGEST, InvalidPress, Press
from bot.core.texts.quoting import storable

TITLE_LENGTH: Final = 45
"""The most characters of a form's title and of each label."""
HINT_LENGTH: Final = 100
TEXT_LENGTH: Final = 4000
"""The most characters that Discord accepts in a field."""


@dataclass(frozen=True, slots=True)
class Field:
    """A text input of a form: its label, its present value, and a hint about the format."""

    key: str
    label: str
    value: str
    hint: str
    longest: int = 60
    required: bool = False
    """Whether Discord requires a text in the field."""


def form_of(press: Press, title: str, fields: Sequence[Field]) -> discord.ui.Modal:
    """Returns a form that carries its Press, already stopped, so that discord.py does not keep it in memory.

    Raises InvalidPress if the Press is too long, as it may contain a forged value of a menu.
    """
    custom_id = f"f:{press}"
    if len(custom_id) > LONGEST:
        raise InvalidPress
    form = discord.ui.Modal(title=title[:TITLE_LENGTH], custom_id=custom_id)
    for field in fields:
        text_input: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=field.key, default=field.value, required=field.required, max_length=field.longest
        )
        label = field.label[:TITLE_LENGTH]
        form.add_item(discord.ui.Label(text=label, description=field.hint[:HINT_LENGTH], component=text_input))
    form.stop()
    return form


def filled(components: Any) -> Iterator[tuple[str, str]]:
    """Yields the (custom_id, text) pairs of a submitted form. Raises InvalidPress if the data are not those of a
    form.
    """
    if not isinstance(components, list):
        raise InvalidPress
    for component in components:
        inner = isinstance(component, dict) and (component.get("component") or component)
        if not isinstance(inner, dict):
            raise InvalidPress
        if "custom_id" in inner:
            key, text = inner["custom_id"], inner.get("value", "")
            if not isinstance(key, str) or not isinstance(text, str):
                raise InvalidPress
            yield key, storable(text[:TEXT_LENGTH])
