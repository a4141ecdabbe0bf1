"""For which state of which game a public message was sent: by its nonce, or by the buttons that it was sent with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from harness.discord import is_ephemeral

if TYPE_CHECKING:
    from bot.sandbox.world import World

NONCE: Final = re.compile("([0-9A-Za-z]+):([0-9]+)")
ON_BOARDS: Final = re.compile("b:(?:more|replay):([0-9A-Za-z]+):([0-9]+)")
"""A button that every board has, and nothing else in public."""
_SENT: Final[dict[str, tuple[str, int]]] = {}


def note_origins(world: World) -> None:
    """Notes the origin of each message from now on."""
    world.subscribe(_note)


def _note(event: dict[str, Any]) -> None:
    if event["type"] == "message_create" and not is_ephemeral(event["message"]):
        origin = origin_of(event["message"])
        if origin is not None:
            _SENT[event["message"]["id"]] = origin


def origin_of(message: dict[str, Any]) -> tuple[str, int] | None:
    """Returns the game that a new message is about, and at how many entries."""
    found = NONCE.fullmatch(str(message.get("nonce") or "")) or ON_BOARDS.search(str(message["components"]))
    return None if found is None else (found[1], int(found[2]))


def is_of_game(message: dict[str, Any]) -> bool:
    """Returns whether a message is the board of a game, or a call beside it."""
    return message["id"] in _SENT


def shows(message: dict[str, Any]) -> tuple[str, int]:
    """Returns the game that a board shows, and at how many entries."""
    return _SENT[message["id"]]
