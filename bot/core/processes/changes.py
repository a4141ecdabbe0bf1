"""Invalidates values in memory after changes by other processes."""

from collections.abc import Callable
from typing import Any

import structlog

from bot.core.storage.writing.changes import CHANNEL

Forget = Callable[[str | None], object]

log = structlog.get_logger(__name__)


class Changes:
    """Calls the subscribers when another process announces a change (``storage.writing.changes.announce``)."""

    def __init__(self, origin: str = "") -> None:
        """``origin``: ``Database.origin``. Announcements of this process are ignored."""
        self._origin = origin
        self._subscribed: dict[str, list[Forget]] = {}

    def subscribe(self, kind: str, forget: Forget) -> None:
        """Calls ``forget`` with the key of each change; with None if anything may have changed."""
        self._subscribed.setdefault(kind, []).append(forget)

    def receive(self, payload: str) -> None:
        origin, _, rest = payload.partition(" ")
        kind, _, key = rest.partition(" ")
        if origin != self._origin:
            self._call(kind, key)

    def forget_all(self) -> None:
        """Invalidates everything, since announcements may have been missed."""
        for kind in self._subscribed:
            self._call(kind, None)

    async def listen(self, connection: Any) -> None:
        """Listens on a new connection of asyncpg. Earlier announcements were missed, so this forgets everything."""
        await connection.add_listener(CHANNEL, lambda _connection, _pid, _channel, payload: self.receive(payload))
        self.forget_all()

    def _call(self, kind: str, key: str | None) -> None:
        for forget in self._subscribed.get(kind, ()):
            try:
                forget(key)
            except Exception:
                log.exception("change_not_followed", kind=kind)
