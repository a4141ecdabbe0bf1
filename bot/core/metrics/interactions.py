"""Counts and times interactions, and binds their log context to the task that answers them."""

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import structlog

from bot.core.metrics.definitions import (
    FAILED,
    INTERACTION_SECONDS,
    INTERACTIONS,
    LIMITED,
    OTHER,
    UNANSWERED,
    UNDER_WAY,
    at_zero,
)

OK: Final = "ok"
REFUSED: Final = "refused"
NOT_ANSWERED: Final = "unanswered"
ERROR: Final = "error"
KINDS: Final = {2: "command", 3: "component", 4: "autocomplete", 5: "modal"}
"""Discord's types of interactions."""
SUBCOMMANDS: Final = (1, 2)
"""Discord's types of options that are subcommands and groups of subcommands."""

at_zero(LIMITED, *KINDS.values(), OTHER)


class _Observed:
    __slots__ = ("outcome",)

    def __init__(self) -> None:
        self.outcome = OK


_observed: Final[ContextVar[_Observed | None]] = ContextVar("observed", default=None)


@contextmanager
def observed(interaction: Any, name: str, known: Collection[str]) -> Iterator[None]:
    """Observes the answer that the block gives to discord.py's ``interaction``. Log lines of the block have its id,
    kind and name.

    ``name``: a command or a verb. It is counted as OTHER unless it is ``known``.
    """
    kind = KINDS.get(interaction.type.value, OTHER)
    label = name if name in known else OTHER
    seen, begun = _Observed(), time.perf_counter()
    token = _observed.set(seen)
    bound = structlog.contextvars.bind_contextvars(interaction=interaction.id, kind=kind, name=label)
    UNDER_WAY.inc()
    try:
        yield
    except Exception:
        seen.outcome = ERROR
        raise
    finally:
        UNDER_WAY.dec()
        INTERACTIONS.labels(kind, label, seen.outcome).inc()
        if seen.outcome == ERROR:
            FAILED.inc()
        INTERACTION_SECONDS.labels(kind).observe(time.perf_counter() - begun)
        structlog.contextvars.reset_contextvars(**bound)
        _observed.reset(token)


def note_outcome(outcome: str) -> None:
    """Notes how the present interaction ended: REFUSED or ERROR. Without a note it is OK."""
    if (seen := _observed.get()) is not None:
        seen.outcome = outcome


def note_limited(interaction: Any) -> None:
    """Counts an interaction that was refused because of the user's rate limit."""
    LIMITED.labels(KINDS.get(interaction.type.value, OTHER)).inc()
    note_outcome(REFUSED)


def note_unanswered() -> None:
    """Counts, once, an answer that may not have reached the user. An error of ours stays an error."""
    seen = _observed.get()
    if seen is None or seen.outcome != NOT_ANSWERED:
        UNANSWERED.inc()
    if seen is not None and seen.outcome != ERROR:
        seen.outcome = NOT_ANSWERED


def is_answering() -> bool:
    return _observed.get() is not None


def command_name(data: Any) -> str:
    """Returns the full name of the command in an interaction's data, such as ``abak move play``. The data may be
    malformed.
    """
    names, part = [], data
    while isinstance(part, Mapping):
        names.append(str(part.get("name", "")))
        options = part.get("options")
        first = options[0] if isinstance(options, list) and options else None
        part = first if isinstance(first, Mapping) and first.get("type") in SUBCOMMANDS else None
    return " ".join(names)
