"""The machines as users: the id of a machine is its level. No user of Discord has so small an id."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.translations import Language
from engine.core.errors import Refused

NAMES: Final = ("novice", "learner", "casual", "club", "skilled", "strong", "expert", "master")
"""What the levels are called, the lowest first: the message is ``machine.level.<name>``."""
LEVELS: Final = range(1, len(NAMES) + 1)
USUAL: Final = 3
"""The level that is proposed: one that can be beaten."""
NOWHERE: Final = "nowhere"
"""The value of a server's preference ``machine`` that allows no game against one."""


def is_machine(user_id: int | None) -> bool:
    """Whether the id is that of a machine."""
    return user_id in LEVELS


def machine_name(level: int, say: Language) -> str:
    """``Machine · level 3 (casual)``."""
    return say("machine.name", n=level, name=say(f"machine.level.{NAMES[level - 1]}"))


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines that this installation offers as opponents."""

    highest: int
    """The highest level; 0 if there are none."""

    @property
    def levels(self) -> range:
        """The levels that are offered."""
        return LEVELS[: self.highest]

    @property
    def usual(self) -> int:
        """The level that is proposed. Raises Refused if none is offered."""
        if not self.levels:
            raise Refused("machine.off")
        return min(USUAL, self.highest)

    def are_in(self, server: Mapping[str, str]) -> bool:
        """Whether one may be played in the server of these preferences."""
        return bool(self.levels) and server["machine"] != NOWHERE


def check_server(server: Mapping[str, str], *, rated: bool = False) -> None:
    """Raises Refused if the server allows no game against a machine, or none that is ``rated``."""
    if server["machine"] == NOWHERE:
        raise Refused("machine.nowhere")
    if rated and server["machine_rated"] == "no":
        raise Refused("machine.casual")
