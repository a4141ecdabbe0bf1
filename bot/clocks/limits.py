"""The time control that a server allows, where a challenge asks for one or says nothing of it."""

from collections.abc import Mapping
from typing import Final

from engine.core.clock import TimeControl, duration
from engine.core.errors import Refused
from engine.core.hours import DAY

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "control.too_long": ("asked", "n"),
    "control.needed": ("n",),
}
"""The messages of this module, with their parameters."""
CLOCKLESS: Final = ("30", "90")
"""The choices of the preference ``longest`` with which games need no clock: its default, and all that a bank holds."""


def usual(server: Mapping[str, str]) -> str:
    """What holds for a challenge that names no time control, by the server's preferences; "" for no clock."""
    if server["clock"]:
        return server["clock"]
    return "" if server["longest"] in CLOCKLESS else f"{server['longest']}d/move"


def allows(server: Mapping[str, str], clock: str) -> bool:
    """Whether the server's limit lets this time control be."""
    try:
        allowed(server, clock)
    except Refused:
        return False
    return True


def allowed(server: Mapping[str, str], clock: str) -> None:
    """Raises Refused for a time control (canonical; "" for none) that gives one turn more than the server's limit."""
    days = int(server["longest"])
    if not clock:
        if server["longest"] not in CLOCKLESS:
            raise Refused("control.needed", n=days)
        return
    spec = TimeControl.parse(clock)
    if spec.bank + spec.per_turn > days * DAY:
        raise Refused("control.too_long", asked=f"~{duration(spec.bank + spec.per_turn)}", n=days)
