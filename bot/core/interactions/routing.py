"""Buttons, menus and forms whose whole state is in their custom_id, so that they work after a restart.

A custom_id is ``b:verb:subject:seq:rest`` (``m:`` for a menu, ``f:`` for a form): what to do, the game or challenge it
is about, the version of the game that the presser saw, and whatever the verb needs.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import discord

from bot.core.interactions.answer import Answer, Interaction
from engine.core.errors import Refused

PATTERN: Final = r"(?P<verb>[a-z_]+):(?P<subject>[0-9A-Za-z]+):(?P<seq>[0-9]+):(?P<rest>.*)"
FORM: Final = re.compile(f"f:{PATTERN}")
LABEL_LENGTH: Final = 80
FORM_LABEL: Final = 45
"""Characters of a form's title, and of each of its labels."""
FORM_HINT: Final = 100
STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "plain": discord.ButtonStyle.secondary,
    "good": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


@dataclass(frozen=True, slots=True)
class Press:
    """What was pressed; for a menu, with the values chosen; for a form, with what was filled in."""

    verb: str
    subject: str
    seq: int
    rest: str = ""
    values: tuple[str, ...] = ()
    filled: tuple[tuple[str, str], ...] = ()
    """A form's fields by key, with their texts."""

    def __str__(self) -> str:
        return f"{self.verb}:{self.subject}:{self.seq}:{self.rest}"


Handler: TypeAlias = Callable[[Any, Answer, Press], Awaitable[None]]
"""Called with the client, the answer to give, and what was pressed."""
HANDLERS: Final[dict[str, Handler]] = {}


def on_press(verb: str) -> Callable[[Handler], Handler]:
    """Registers the handler of a verb."""

    def register(handler: Handler) -> Handler:
        HANDLERS[verb] = handler
        return handler

    return register


def only_says(key: str, verb: str) -> None:
    """Registers the verb of who thinks better of it: nothing happens, and the message of ``key`` says so."""

    @on_press(verb)
    async def say(_client: Any, answer: Answer, _press: Press) -> None:
        await answer.update(answer.say(key))


def _read(match: re.Match[str]) -> Press:
    return Press(match["verb"], match["subject"], int(match["seq"]), match["rest"])


async def _handle(interaction: Interaction, press: Press) -> None:
    client = interaction.client
    handler = HANDLERS.get(press.verb, _outdated)
    await Answer(client, interaction).within_time(lambda answer: handler(client, answer, press))


async def _outdated(_client: Any, _answer: Answer, _press: Press) -> None:
    """A button of an earlier release, which this one no longer has."""
    raise Refused("table.stale")


class PressButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template="b:" + PATTERN):
    """A button that carries its Press."""

    def __init__(
        self, press: Press, label: str, style: str = "plain", *, disabled: bool = False, row: int | None = None
    ) -> None:
        self.press = press
        super().__init__(
            discord.ui.Button(
                label=label[:LABEL_LENGTH],
                style=STYLES[style],
                custom_id=f"b:{press}",
                disabled=disabled,
                row=row,
            )
        )

    @classmethod
    async def from_custom_id(cls, _: Interaction, item: discord.ui.Item[Any], match: re.Match[str]) -> "PressButton":
        label = item.label if isinstance(item, discord.ui.Button) else None
        return cls(_read(match), label or "")

    async def callback(self, interaction: Interaction) -> None:
        await _handle(interaction, self.press)


class PressMenu(discord.ui.DynamicItem[discord.ui.Select[Any]], template="m:" + PATTERN):
    """A menu that carries its Press."""

    def __init__(
        self, press: Press, placeholder: str, options: list[discord.SelectOption], row: int | None = None
    ) -> None:
        self.press = press
        super().__init__(
            discord.ui.Select(custom_id=f"m:{press}", placeholder=placeholder[:150], options=options, row=row)
        )

    @classmethod
    async def from_custom_id(cls, _: Interaction, item: discord.ui.Item[Any], match: re.Match[str]) -> "PressMenu":
        options = item.options if isinstance(item, discord.ui.Select) else []
        return cls(_read(match), "", options)

    async def callback(self, interaction: Interaction) -> None:
        data: Any = interaction.data
        await _handle(interaction, replace(self.press, values=tuple(data["values"])))


def view_of(*items: discord.ui.Item[Any]) -> discord.ui.View:
    """A message's components. Nothing of it is kept in memory: every item routes by its custom_id."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view


class ChannelMenu(discord.ui.DynamicItem[discord.ui.ChannelSelect[Any]], template="c:" + PATTERN):
    """A menu of the server's text channels that carries its Press; the value is the channel's id."""

    def __init__(self, press: Press, placeholder: str, chosen: int | None = None, row: int | None = None) -> None:
        self.press = press
        default = discord.SelectDefaultValue(id=chosen, type=discord.SelectDefaultValueType.channel) if chosen else None
        super().__init__(
            discord.ui.ChannelSelect(
                custom_id=f"c:{press}",
                placeholder=placeholder[:150],
                channel_types=[discord.ChannelType.text],
                default_values=[default] if default else [],
                row=row,
            )
        )

    @classmethod
    async def from_custom_id(cls, _: Interaction, item: discord.ui.Item[Any], match: re.Match[str]) -> "ChannelMenu":
        del item
        return cls(_read(match), "")

    async def callback(self, interaction: Interaction) -> None:
        data: Any = interaction.data
        await _handle(interaction, replace(self.press, values=tuple(data["values"])))


@dataclass(frozen=True, slots=True)
class Field:
    """A line to fill in: what it holds now, what it is called, and how it is written."""

    key: str
    label: str
    value: str
    hint: str
    longest: int = 60


def form_of(press: Press, title: str, fields: Sequence[Field]) -> discord.ui.Modal:
    """A form that carries its Press. It counts as finished, so that discord.py does not keep it: ``fill`` routes it."""
    form = discord.ui.Modal(title=title[:FORM_LABEL], custom_id=f"f:{press}")
    for one in fields:
        line: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=one.key, default=one.value, required=False, max_length=one.longest
        )
        label = one.label[:FORM_LABEL]
        form.add_item(discord.ui.Label(text=label, description=one.hint[:FORM_HINT], component=line))
    form.stop()
    return form


async def fill(interaction: Interaction) -> None:
    """A form that was sent off; whatever is no form of ours is passed over."""
    data: Any = interaction.data
    match = FORM.fullmatch(data.get("custom_id", "")) if data else None
    if interaction.type is discord.InteractionType.modal_submit and match is not None:
        await _handle(interaction, replace(_read(match), filled=tuple(_filled(data["components"]))))


def _filled(components: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The texts of a form by their custom_ids."""
    for component in components:
        inner = component.get("component") or component
        if "custom_id" in inner:
            yield inner["custom_id"], inner.get("value", "")
