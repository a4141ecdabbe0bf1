"""Checks the options of a command before its own code reads them.

Discord checks lengths only when a command is sent, not while it is typed. A command that was registered by another
release may bring options of other types, or texts of another length.
"""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands

from bot.core.interactions.press import DIGITS
from bot.core.texts.quoting import storable
from engine.core.errors import Refused

TYPED_LENGTH: Final = 300
"""The most characters that are read while a user types."""
TYPES: Final[dict[int, tuple[type, ...]]] = {
    AppCommandOptionType.string.value: (str,),
    AppCommandOptionType.integer.value: (int,),
    AppCommandOptionType.boolean.value: (bool,),
    AppCommandOptionType.number.value: (int, float),
}
"""The types of values for each of Discord's types of options. Options of any other type are ids, as text."""
RESOLVED: Final[dict[int, tuple[str, ...]]] = {
    AppCommandOptionType.user.value: ("users",),
    AppCommandOptionType.channel.value: ("channels",),
    AppCommandOptionType.role.value: ("roles",),
    AppCommandOptionType.mentionable.value: ("users", "roles"),
    AppCommandOptionType.attachment.value: ("attachments",),
}
"""For each type of option with an id: the part of the data in which Discord describes the id."""
NUMBERS: Final = (AppCommandOptionType.integer.value, AppCommandOptionType.number.value)


class InvalidCommand(Refused):
    """This release has no such command, or not in this form."""

    def __init__(self) -> None:
        super().__init__("error.command")


def shorten(data: Any) -> None:
    """Cuts the text that is being typed, and drops options with values of the wrong type.

    Discord checks neither before the command is sent.
    """
    for part in (data, *_options(data)):
        if "options" in part:
            part["options"] = [option for option in part["options"] if _is_readable(option)]
    for option in _options(data):
        if isinstance(option.get("value"), str):
            option["value"] = option["value"][:TYPED_LENGTH]


def _is_readable(option: Any) -> bool:
    """Returns whether discord.py can read an option. It converts the ids of people, channels and so on to numbers."""
    if "value" not in option:
        return True
    value = option["value"]
    if option.get("type") in TYPES:
        half_typed = bool(option.get("focused")) and isinstance(value, str)  # also of a number
        return half_typed or isinstance(value, TYPES[option["type"]])
    return isinstance(value, str) and DIGITS.fullmatch(value) is not None


def clean(data: Any) -> None:
    """Removes characters that no database takes from the typed texts."""
    for option in _options(data):
        if isinstance(option.get("value"), str):
            option["value"] = storable(option["value"])


def fit(interaction: discord.Interaction[Any]) -> bool:
    """Returns whether the options belong to the command, and their values have its types and limits.

    A command of a context menu needs the person or message that it is used on. An unknown command fits.
    """
    command = interaction.command
    data: Any = interaction.data
    resolved = data.get("resolved", {})
    if isinstance(command, app_commands.ContextMenu):
        target = data.get("target_id")
        return isinstance(target, str) and any(target in resolved.get(part, ()) for part in ("users", "messages"))
    if not isinstance(command, app_commands.Command):
        return True
    known = {parameter.display_name: parameter for parameter in command.parameters}
    return all(
        option["name"] in known and _fits(option, known[option["name"]], resolved)
        for option in _options(data)
        if "value" in option
    )


def _fits(option: Any, parameter: app_commands.Parameter, resolved: Any) -> bool:
    kind: Any = option.get("type")
    value: Any = option["value"]
    low: Any = parameter.min_value
    high: Any = parameter.max_value
    if kind != parameter.type.value:
        return False
    if kind not in TYPES:
        return isinstance(value, str) and any(value in resolved.get(part, ()) for part in RESOLVED[kind])
    if not isinstance(value, TYPES[kind]) or (kind in NUMBERS and isinstance(value, bool)):
        return False
    if parameter.choices and value not in [choice.value for choice in parameter.choices]:
        return False
    size = len(value) if isinstance(value, str) else value
    return (low is None or size >= low) and (high is None or size <= high)


def _options(part: Any) -> Iterator[dict[str, Any]]:
    """Yields every option, including those of subcommands."""
    for option in part.get("options", ()) if isinstance(part, dict) else ():
        yield option
        yield from _options(option)
