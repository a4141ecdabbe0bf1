"""The machines as users: the id of a machine is its level. No user of Discord has so small an id."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.translations import Language
from bot.players.preferences import mentions_of, read_ids
from engine.core.errors import Refused

NAMES: Final = ("novice", "learner", "amateur", "club", "skilled", "strong", "expert", "master")
"""The names of the levels, the lowest first. The message is ``machine.level.<name>``."""
LEVELS: Final = range(1, len(NAMES) + 1)
ANY_LEVEL: Final = 0
"""Stands for the machine at any level. No user has this id either."""
HIGHEST: Final[Mapping[str, int]] = {"abak": 8, "abalone": 8, "apb": 8, "backgammon": 8}
"""The highest level by game; GENERAL for every other game."""
GENERAL: Final = 5
USUAL: Final = 3
"""The level that is proposed, which can be beaten."""
NOWHERE: Final = "nowhere"
"""The value of a server's preference ``machine`` with which no game against a machine is allowed."""


def is_machine(user_id: int | None) -> bool:
    return user_id in LEVELS


def highest_of(game: str) -> int:
    """Returns the highest level of the machine in a game. A higher level would play the same."""
    return HIGHEST.get(game, GENERAL)


def machine_name(level: int, say: Language) -> str:
    """Returns ``Machine 3``: the name of a machine in a game, on one line. It fits a title, and the strip
    of a board.
    """
    return say("machine.name", n=level)


def machine_title(level: int, say: Language) -> str:
    """Returns ``Machine 3 (amateur)``, for menus of levels."""
    return say("machine.title", n=level, name=say(f"machine.level.{NAMES[level - 1]}"))


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines that this installation offers as opponents."""

    highest: int
    """The highest level; 0 if there are none."""

    @property
    def levels(self) -> range:
        return LEVELS[: self.highest]

    def levels_in(self, game: str) -> range:
        return self.levels[: highest_of(game)]

    @property
    def usual(self) -> int:
        """The level that is proposed. Raises Refused if none is offered."""
        if not self.levels:
            raise Refused("machine.off")
        return min(USUAL, self.highest)

    def are_in(self, server: Mapping[str, str]) -> bool:
        """Returns whether a machine may be played in the server with these preferences."""
        return bool(self.levels) and server["machine"] != NOWHERE


def check_server(
    server: Mapping[str, str], roles: Collection[int], channels: Collection[int], *, rated: bool = False
) -> None:
    """Raises Refused if the server does not allow a game against a machine with these roles and in these channels.

    It is also raised if the game is ``rated`` and the server allows no rated ones. ``channels``: the id of the channel,
    and for a thread also that of its channel.
    """
    if server["machine"] == NOWHERE:
        raise Refused("machine.nowhere")
    if (chosen := read_ids(server["machine_channels"])) and chosen.isdisjoint(channels):
        raise Refused("machine.channels", channel=mentions_of("#", chosen))
    if (chosen := read_ids(server["machine_roles"])) and chosen.isdisjoint(roles):
        raise Refused("machine.roles", role=mentions_of("@&", chosen))
    if rated and not plays_rated(server):
        raise Refused("machine.casual")


def plays_rated(server: Mapping[str, str]) -> bool:
    """Returns whether games against a machine may be rated in the server with these preferences."""
    return server["machine_rated"] == "yes"
