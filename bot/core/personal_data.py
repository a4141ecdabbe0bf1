"""Declarations of the data about users in tables. Each room declares its tables, and ``bot/privacy`` acts on them.

Every column of 64-bit whole numbers must be declared, as it may hold the id of a user. A test finds columns that are
not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, MetaData, Table, and_, or_


class OnDeletion(Enum):
    """The treatment of a user's rows when the user has their data deleted."""

    DELETE = auto()
    REPLACE_ID = auto()
    """The rows stay, because others need them, such as the opponents. A pseudonym takes the place of the id."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The data that one table stores about users. Columns are given by name."""

    table: Table
    users: tuple[str, ...] = ()
    """The columns with ids of users. A row belongs to each of them."""
    found_by: tuple[str, ...] = ()
    """The columns of ``users`` by which the rows are found, each with an index; empty for all.

    The other ones of ``users`` never hold anybody who is not in one of these, too.
    """
    on_deletion: OnDeletion = OnDeletion.DELETE
    only: ColumnElement[bool] | None = None
    """The condition for the rows whose ``users`` columns hold users; None: all rows."""
    times: tuple[str, ...] = ()
    """The columns with moments, in ms since 1970."""
    others: tuple[str, ...] = ()
    """The other columns of 64-bit whole numbers: ids of servers, channels and messages, durations."""
    names: tuple[str, ...] = ()
    """The columns with a JSON list of names. A list with a deleted user's name is emptied, also in rows of others."""
    withheld: tuple[str, ...] = ()
    """The columns that are left out of exports, such as the secret of the next roll."""
    about: dict[str, str] = field(default_factory=dict)
    """Columns with the words of others about a user, each with that user's column. They are emptied with the id."""

    @property
    def name(self) -> str:
        return self.table.name

    def belongs_to(self, user_id: int) -> ColumnElement[bool]:
        """Returns the condition for the user's rows."""
        theirs = or_(*(self.table.c[name] == user_id for name in self.found_by or self.users))
        return theirs if self.only is None else and_(self.only, theirs)


class PersonalDataCatalogue:
    """The declarations of all rooms."""

    def __init__(self, declared: Iterable[PersonalData]) -> None:
        self.declared: Final = tuple(declared)
        self.of_users: Final = tuple(data for data in self.declared if data.users)
        """The tables with data about users."""

    def undeclared(self, metadata: MetaData) -> Iterator[str]:
        """Yields the undeclared columns that may hold an id of a user, as ``table.column``."""
        known = {(data.name, name) for data in self.declared for name in (*data.users, *data.times, *data.others)}
        for table in metadata.tables.values():
            for column in table.columns:
                if isinstance(column.type, BigInteger) and (table.name, column.name) not in known:
                    yield f"{table.name}.{column.name}"

    def unknown(self) -> Iterator[str]:
        """Yields the declared columns that do not exist, as ``table.column``."""
        for data in self.declared:
            for name in (*data.users, *data.times, *data.others, *data.withheld, *data.about, *data.about.values()):
                if name not in data.table.columns:
                    yield f"{data.name}.{name}"
