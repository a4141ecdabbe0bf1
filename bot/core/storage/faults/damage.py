"""Leaves out stored data that cannot be read, and names them in the log once."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Row

from engine.core.errors import CorruptRecord, RuleError

T = TypeVar("T")
DAMAGED: Final = (
    CorruptRecord,
    RuleError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""The errors that a damaged record can cause. Errors of the database are not among them."""
KEPT: Final = 10_000

log = structlog.get_logger(__name__)

_named: Final[OrderedDict[tuple[str, str], None]] = OrderedDict()
"""The records that the log has named already."""


def note_damage(kind: str, name: object, error: BaseException) -> None:
    """Names a damaged record in the log once."""
    key = (kind, str(name))
    if key in _named:
        return
    _named[key] = None
    if len(_named) > KEPT:
        _named.popitem(last=False)
    log.error("record_unreadable", kind=kind, id=str(name), error=f"{type(error).__name__}: {error}")


def readable(
    kind: str, rows: Iterable[Row[Any]], read: Callable[[Row[Any]], T], name: Callable[[Row[Any]], object] | None = None
) -> list[T]:
    """Reads the rows, and leaves out the damaged ones.

    The log names these by ``name``, by default by their ``id``.
    """
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except DAMAGED as error:
            note_damage(kind, name(row) if name else row.id, error)
    return found
