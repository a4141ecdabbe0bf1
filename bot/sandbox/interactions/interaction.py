"""An interaction: a person's act, and the bot's answer."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.errors import Timeout

Json = dict[str, Any]

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
"""Types of interactions."""
PONG, MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, OPEN_MODAL = 1, 4, 5, 6, 7, 8, 9
"""Types of answers."""


@dataclass(eq=False)
class Interaction:
    """A person's act and the bot's answer. `kind`: slash, context, button, select, autocomplete or modal."""

    id: int
    type: int
    kind: str
    user_id: int
    channel_id: int
    payload: Json
    token: str
    source: int | None = None
    """The message whose component was used, also if that opened a modal."""
    opened_by: Interaction | None = None
    """The interaction that opened the submitted modal."""
    focused: int = 0
    """The type of the option being typed."""
    sent: float = field(default_factory=time.monotonic)
    state: str = "sent"
    """sent, deferred, answered or failed."""
    responded: bool = False
    deferred: bool = False
    message: Json | None = None
    original: int | None = None
    """The message to which the token's @original refers."""
    followups: list[Json] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    async def settled(self, timeout: float = 30) -> Interaction:  # noqa: ASYNC109 - the interface of a test, not of a task
        """Waits until a deferred answer has been filled in.

        Raises:
            Timeout: It was not, in `timeout` seconds.
        """
        try:
            await asyncio.wait_for(self.complete.wait(), timeout)
        except TimeoutError:
            raise Timeout(f"{self.kind} {self.id} was deferred and not completed in {timeout} s") from None
        return self
