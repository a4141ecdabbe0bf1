"""Reads rows into dataclasses with fields of the same names, and writes them.

A field without a column, or with another form in it, is given by name.
"""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Column, Row, Table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def from_row(kind: type[T], row: Row[Any], **others: Any) -> T:
    """Reads each field from the column of its name, except for the ``others``."""
    return kind(**{name: getattr(row, name) for name in _names(kind) if name not in others}, **others)


def to_row(value: "DataclassInstance", *without: str, **others: Any) -> dict[str, Any]:
    """Returns the fields of a value ``without`` some, and the ``others``."""
    return {name: getattr(value, name) for name in _names(type(value)) if name not in without} | others


def columns_of(kind: type[T], table: Table) -> Sequence[Column[Any]]:
    """Returns the columns of a table that are fields of a dataclass, for its SELECT."""
    return [table.c[name] for name in _names(kind) if name in table.c]


@cache
def _names(kind: type["DataclassInstance"]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
