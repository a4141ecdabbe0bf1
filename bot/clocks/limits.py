"""A server's default time control and its limit on time controls."""

from collections.abc import Mapping
from typing import Final

from engine.core.clock import TimeControl, duration
from engine.core.errors import Refused, Translated
from engine.core.hours import DAY

CLOCKLESS: Final = ("30", "90")
"""The values of the preference ``longest`` that also allow games without a clock: its default and its maximum."""


def default_control(server: Mapping[str, str]) -> str:
    """Returns the time control of a challenge that names none, by the server's preferences; "" for no clock."""
    if server["clock"]:
        return server["clock"]
    return "" if server["longest"] in CLOCKLESS else f"{server['longest']}d/move"


def allows(server: Mapping[str, str], clock: str) -> bool:
    """Returns whether the server's limit allows this time control."""
    try:
        check_limit(server, clock)
    except Refused:
        return False
    return True


def check_limit(server: Mapping[str, str], clock: str) -> None:
    """Raises Refused if a time control (canonical; "" for none) exceeds the server's limit on the time for one turn."""
    days = int(server["longest"])
    if not clock:
        if server["longest"] not in CLOCKLESS:
            raise Refused("control.needed", n=days)
        return
    spec = TimeControl.parse(clock)
    if spec.bank + spec.per_turn > days * DAY:
        raise Refused("control.too_long", asked=Translated(f"~{duration(spec.bank + spec.per_turn)}"), n=days)
