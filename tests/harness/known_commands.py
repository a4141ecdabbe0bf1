"""Registers the bot's commands in a world as the first bot of this process did.

A bot would translate and check all of them, which takes as long as many a test.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, Final

from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.sandbox.world import World

_known: Final[dict[tuple[str, ...], bytes]] = {}
"""The commands that a bot registered, by the games that there were: pickled, which is the quickest way to a copy."""


def register(world: World) -> bool:
    """Registers the commands in a world that has none. Returns whether they are known."""
    commands = _known.get(tuple(GAMES))
    if world.registered.everywhere or commands is None:
        return False
    own = {"application_id": str(world.application_id)}
    copied: list[dict[str, Any]] = pickle.loads(commands)  # noqa: S301  our own
    world.registered.everywhere[:] = [command | own for command in copied]
    return True


def note(world: World) -> None:
    """Notes what a bot has registered."""
    _known[tuple(GAMES)] = pickle.dumps(world.registered.everywhere)
