"""What other processes have changed: whoever keeps values in memory forgets those."""

from collections.abc import Callable
from typing import Any

import structlog

from bot.core.storage.writing.changes import CHANNEL

Forget = Callable[[str | None], object]

log = structlog.get_logger(__name__)


class Changes:
    """Calls those who have subscribed when another process announces a change (``storage.changes.announce``)."""

    def __init__(self, origin: str = "") -> None:
        """``origin`` is that of this process's database: its own announcements are ignored."""
        self._origin = origin
        self._subscribed: dict[str, list[Forget]] = {}

    def subscribe(self, kind: str, forget: Forget) -> None:
        """``forget`` is called with the key of what has changed; with None if anything may have."""
        self._subscribed.setdefault(kind, []).append(forget)

    def receive(self, payload: str) -> None:
        """Reads an announcement."""
        origin, _, rest = payload.partition(" ")
        kind, _, key = rest.partition(" ")
        if origin != self._origin:
            self._call(kind, key)

    def forget_all(self) -> None:
        """Announcements may have been missed."""
        for kind in self._subscribed:
            self._call(kind, None)

    async def listen(self, connection: Any) -> None:
        """Listens on a new connection of asyncpg. What was announced before it was opened is not known: so everything
        is forgotten.
        """
        await connection.add_listener(CHANNEL, lambda _connection, _pid, _channel, payload: self.receive(payload))
        self.forget_all()

    def _call(self, kind: str, key: str | None) -> None:
        for forget in self._subscribed.get(kind, ()):
            try:
                forget(key)
            except Exception:
                log.exception("change_not_followed", kind=kind)
