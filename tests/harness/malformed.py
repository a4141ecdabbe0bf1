"""Presses that no button, menu or form carries, sent as by a client of somebody's own, which checks nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from harness.discord import is_ephemeral, text, until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.core.client import AbakBot
    from bot.sandbox.interactions.interaction import Interaction
    from harness.discord import Seat

Json = dict[str, Any]
COMPONENT, MODAL = 3, 5
BUTTON, MENU = 2, 3
DIGITS: Final = "9" * 5_000
BROKEN_IDS: Final = (
    "b:{verb}:{subject}:0:a\nb",
    "b:{verb}:{subject}:0:a\0b",
    "b:{verb}:{subject}:0:\ud800",
    f"b:{{verb}}:{{subject}}:{DIGITS}:",
    f"b:{{verb}}:{{subject}}:0:{DIGITS}",
    "b:{verb}:{subject}:-1:",
    "b:{verb}:{subject}:\N{ARABIC-INDIC DIGIT ONE}:",
    "b:{verb}:a b:0:",
    "x:{verb}:{subject}:0:",
    "b:nobody_knows_this:{subject}:0:",
    "b:{verb}",
    "",
)
"""Custom_ids that are not ours, whatever the verb."""
BROKEN_VALUES: Final[tuple[Any, ...]] = (
    [DIGITS],
    ["a\nb"],
    ["a\0b"],
    ["\ud800"],
    [7],
    [None],
    "abc",
    {"a": 1},
)
"""Values that no menu has, whatever the verb."""
RESTS: Final = ("x", "-1", "9" * 19, "1.5", "|||", "٣", "..", "0~0~0", "a|b|c|d|e", "cancel|x|y")
"""Texts that may stand in a custom_id, but mean nothing to most verbs."""
VALUES: Final[tuple[list[str], ...]] = ([], ["x"], ["9" * 19], ["-1"], ["٣"], ["a,b"], ["page|x|"])
"""Values that a menu could have, most of which mean nothing."""
FIELDS: Final[tuple[Any, ...]] = (
    None,
    [],
    [7],
    [{"type": 18, "component": 7}],
    [{"type": 18, "component": {"custom_id": 7, "value": "x"}}],
    [{"type": 18, "component": {"custom_id": "reason", "value": 7}}],
    [
        {"type": 18, "component": {"custom_id": key, "value": value}}
        for key, value in (("days", DIGITS), ("from", "\ud800\0"), ("clock", f"{DIGITS}d"), ("digest_hour", DIGITS))
    ],
    [
        {"type": 18, "component": {"custom_id": key, "value": DIGITS}}
        for key in ("move", "ratings", "capacity", "starts")
    ],
)
"""Texts of a form that mean nothing, no text at all, and content that is no form."""
AT_ONCE: Final = 5
"""More would wait for each other longer than Discord waits for an answer."""
SENT: Final = len(RESTS) + len(VALUES) + len(FIELDS)


async def press(who: Seat, message: Json, custom_id: str, **more: Any) -> Interaction:
    """Sends a press of a component on a message. ``more``: further parts of its data, such as ``values``."""
    data = {"custom_id": custom_id, "component_type": MENU if "values" in more else BUTTON, "id": 1, **more}
    sent = who.world.user_client._new("button", COMPONENT, who.user_id, who.channel_id, data)
    sent.source = int(message["id"])
    sent.payload["message"] = message
    return await who.world.interactions.send(sent)


async def submit(who: Seat, message: Json, custom_id: str, components: Any) -> Interaction:
    """Sends a form off that was opened on a message."""
    data = {"custom_id": custom_id, "components": components}
    client = who.world.user_client
    sent = client._new("modal", MODAL, who.user_id, who.channel_id, data)
    sent.opened_by = client._new("button", COMPONENT, who.user_id, who.channel_id, {})
    sent.opened_by.source = int(message["id"])
    sent.source = int(message["id"])
    sent.payload["message"] = message
    return await who.world.interactions.send(sent)


async def together(sent: Iterable[Any], bot: AbakBot) -> None:
    """Sends some at once, and waits until each has its whole answer."""
    waiting = list(sent)
    for begin in range(0, len(waiting), AT_ONCE):
        given = list(await asyncio.gather(*waiting[begin : begin + AT_ONCE]))
        await until(lambda given=given: all(one.responded for one in given), "each is answered")  # type: ignore[misc]
    await until(lambda: not bot.context.under_way, "every answer is given", seconds=60)


def answers(who: Seat, since: int) -> list[str]:
    """Returns the private messages to them after the first ``since`` messages."""
    return [text(message) for message in who.messages[since:] if is_ephemeral(message)]
