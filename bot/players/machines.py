"""The machines as users: the id of a machine is its level. No user of Discord has so small an id."""

from dataclasses import dataclass
from typing import Final

from bot.core.translations import Language
from engine.core.errors import Refused

NAMES: Final = ("novice", "learner", "casual", "club", "skilled", "strong", "expert", "master")
"""What the levels are called, the lowest first: the message is ``machine.level.<name>``."""
LEVELS: Final = range(1, len(NAMES) + 1)
USUAL: Final = 3
"""The level that is proposed: one that can be beaten."""


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
