"""Counts and times the transactions of the database."""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cache, wraps
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

from bot.core.metrics.definitions import TRANSACTION_SECONDS, TRANSACTIONS

P = ParamSpec("P")
T = TypeVar("T")
OK: Final = "ok"
CONFLICT: Final = "conflict"
ROLLED_BACK: Final = "rolled_back"

for _kind, _outcomes in (("read", (OK, ROLLED_BACK)), ("write", (OK, CONFLICT, ROLLED_BACK))):
    for _outcome in _outcomes:
        TRANSACTIONS.labels(_kind, _outcome)  # starts at zero, so that the first conflict is seen


class _Timed(AbstractAsyncContextManager[T]):
    def __init__(self, work: AbstractAsyncContextManager[T], kind: str, conflict: type[Exception] | None) -> None:
        self._work = work
        self._kind = kind
        self._conflict = conflict
        self._begun = time.perf_counter()

    async def __aenter__(self) -> T:
        try:
            return await self._work.__aenter__()
        except BaseException:
            self._count(ROLLED_BACK)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        outcome = OK
        if error is not None:
            outcome = CONFLICT if self._conflict and isinstance(error, self._conflict) else ROLLED_BACK
        try:
            return await self._work.__aexit__(kind, error, trace)
        except BaseException as raised:
            if raised is not error:
                outcome = ROLLED_BACK
            raise
        finally:
            self._count(outcome)

    def _count(self, outcome: str) -> None:
        count(self._kind, outcome, self._begun)


_counter: Final = cache(TRANSACTIONS.labels)
_seconds: Final = cache(TRANSACTION_SECONDS.labels)


def count(kind: str, outcome: str, begun: float) -> None:
    """Counts a transaction that began at that time of ``time.perf_counter`` and has just ended."""
    _counter(kind, outcome).inc()
    _seconds(kind).observe(time.perf_counter() - begun)


def timed(
    kind: str, conflict: type[Exception] | None = None
) -> Callable[[Callable[P, AbstractAsyncContextManager[T]]], Callable[P, AbstractAsyncContextManager[T]]]:
    """Returns a decorator that observes the transactions that a method opens.

    ``conflict`` is the error of a transaction that lost a race against another process.
    """

    def decorate(opens: Callable[P, AbstractAsyncContextManager[T]]) -> Callable[P, AbstractAsyncContextManager[T]]:
        @wraps(opens)
        def opened(*args: P.args, **kwargs: P.kwargs) -> AbstractAsyncContextManager[T]:
            return _Timed(opens(*args, **kwargs), kind, conflict)

        return opened

    return decorate
