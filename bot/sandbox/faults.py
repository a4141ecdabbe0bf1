"""Fault injection: answers that fail, are late or get lost, and a gateway that drops connections or falls silent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

_MESSAGES: Mapping[int, str] = {
    10003: "Unknown Channel",
    10008: "Unknown Message",
    10062: "Unknown interaction",
    50001: "Missing Access",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50083: "Thread is archived",
    160004: "A thread has already been created for this message",
    160005: "This thread is locked",
}


RESET = 0
"""The status of a failure that breaks the connection instead of answering."""


class Gateway(Protocol):
    """The faults of a gateway."""

    def drop(self, *, resume: bool) -> None: ...
    def reconnect(self) -> None: ...
    def invalidate(self, *, resume: bool) -> None: ...
    def silence(self, shard: int | None) -> None: ...
    def stall(self, shard: int | None) -> None: ...


@dataclass
class Failure:
    """A way in which requests fail. `lost`: the request is carried out, and only its answer is this one.

    Status 0: there is no answer, and the connection breaks.
    """

    route: str
    status: int
    code: int
    message: str
    times: int
    retry_after: float
    everywhere: bool
    lost: bool


class Delay(NamedTuple):
    route: str
    seconds: float


@dataclass
class Faults:
    """A route is any part of "METHOD /path", such as "/callback" or "PATCH /channels"."""

    failures: list[Failure] = field(default_factory=list)
    delays: list[Delay] = field(default_factory=list)
    gateway: Gateway | None = None

    def fail_next(
        self,
        route: str,
        *,
        status: int = 500,
        code: int = 0,
        message: str = "",
        times: int = 1,
        retry_after: float = 0.05,
        everywhere: bool = False,
        lost: bool = False,
    ) -> None:
        """Fails the next `times` requests to `route`. A 429 asks to wait `retry_after` seconds (`everywhere`: for all
        routes).

        With `status` RESET the connection breaks instead.
        """
        text = message or _MESSAGES.get(code) or {429: "You are being rate limited."}.get(status, f"{status}: Error")
        self.failures.append(Failure(route, status, code, text, times, retry_after, everywhere, lost))

    def delay(self, route: str, seconds: float) -> None:
        """Answers each request to `route` so many seconds late."""
        self.delays.append(Delay(route, seconds))

    def clear(self) -> None:
        self.failures.clear()
        self.delays.clear()

    def failure(self, request: str) -> Failure | None:
        """Returns the failure of `request` ("METHOD /path") and counts it down; None if the request passes."""
        for failure in self.failures:
            if failure.route in request:
                failure.times -= 1
                if failure.times <= 0:
                    self.failures.remove(failure)
                return failure
        return None

    def wait(self, request: str) -> float:
        return sum(d.seconds for d in self.delays if d.route in request)

    def drop_gateway(self, *, resume: bool = True) -> None:
        """Breaks every gateway connection. `resume`: the sessions stay valid and may be resumed."""
        self._gateway.drop(resume=resume)

    def reconnect(self) -> None:
        """Asks every client to reconnect (opcode 7)."""
        self._gateway.reconnect()

    def invalidate(self, *, resume: bool = False) -> None:
        """Tells every client that its session is invalid (opcode 9)."""
        self._gateway.invalidate(resume=resume)

    def silence(self, shard: int | None = None) -> None:
        """Sends a shard (or all of them) nothing but heartbeats from now on, until it reconnects."""
        self._gateway.silence(shard)

    def stall(self, shard: int | None = None) -> None:
        """Keeps a shard's connection open from now on, but carries nothing either way, until it reconnects."""
        self._gateway.stall(shard)

    @property
    def _gateway(self) -> Gateway:
        if self.gateway is None:
            raise RuntimeError("the world has no gateway: serve it first")
        return self.gateway
